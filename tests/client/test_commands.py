"""``croupier watch`` and ``croupier bot`` at a real server; Ctrl-C leaves nothing behind."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import httpx
import pytest

from croupier.cli import main
from croupier.uuids import uuid7
from tests.floor.serving import Served, croupier, environment, serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WAIT_SECONDS = 20.0


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # our own command
        croupier(*arguments), capture_output=True, text=True, env=environment(), check=False
    )


def begin(output: Path, *arguments: str) -> subprocess.Popen[bytes]:
    with output.open("wb") as file:
        return subprocess.Popen(  # noqa: S603  # our own command
            croupier(*arguments), stdout=file, stderr=subprocess.STDOUT, env=environment()
        )


def wait_until(holds: Callable[[], object], what: str) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def seats(served: Served) -> dict[str, int]:
    tables = httpx.get(f"{served.url}/api/v1/tables", trust_env=False).json()
    return {one["name"]: one["seats"]["taken"] for one in tables}


def bot(served: Served, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run("bot", served.url, "--ready", str(served.folder / "ready"), *arguments)


def test_a_bot_plays_its_rounds_says_what_it_saw_and_leaves(served: Served) -> None:
    done = bot(
        served, "--patrons", "3", "--table", "tiger", "--table", "power-98",
        "--rounds", "2", "--seed", "1", "--json",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    seen = json.loads(done.stdout)
    assert (seen["patrons"], seen["rounds"]) == (3, 6)
    assert seen["wagers"]["accepted"] >= 6
    assert seen["staked_cents"] > 0
    assert 0 < seen["latency_ms"]["p50"] <= seen["latency_ms"]["max"]
    assert set(seats(served).values()) == {0}
    wait_until(lambda: served.sockets == 0, "a socket was left behind")


def test_a_patron_who_is_barred_keeps_no_other_from_playing(tmp_path: Path) -> None:
    with serving(tmp_path) as floor:
        barred = max(name for name in floor.logins if name.startswith("patron"))
        login = {"name": barred, "password": floor.password(barred)}
        with httpx.Client(base_url=f"{floor.url}/api/v1", trust_env=False) as http:
            http.headers["Authorization"] = (
                f"Bearer {http.post('/sessions', json=login).json()['token']}"
            )
            body = {"command": {"type": "exclude_patron", "reason": "a break"}}
            key = {"Idempotency-Key": uuid7()}
            assert http.post("/accounts/commands", json=body, headers=key).status_code == 200
        done = bot(floor, "--patrons", "2", "--table", "tiger", "--rounds", "1", "--json")
        assert done.returncode == 0
        assert done.stderr.startswith(f"{barred} does not play: ")
        assert "excluded" in done.stderr
        assert json.loads(done.stdout)["rounds"] == 1


def test_a_demo_lets_a_bot_in_without_a_file(served: Served) -> None:
    # The last ones come first: the others are those whom visitors play.
    done = run(
        "bot", served.url, "--patrons", "2", "--table", "tiger", "--rounds", "1", "--json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["rounds"] == 2
    for name in ("patron-19", "patron-20"):
        login = {"name": name, "password": served.password(name)}
        with httpx.Client(base_url=f"{served.url}/api/v1", trust_env=False) as http:
            token = http.post("/sessions", json=login).json()["token"]
            http.headers["Authorization"] = f"Bearer {token}"
            assert any(one["table"] == "tiger" for one in http.get("/me/rounds").json())


def test_a_house_that_is_no_demo_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    door = httpx.Response(200, json={"demo": False, "logins": []})
    monkeypatch.setattr(httpx, "get", lambda *_, **__: door)
    with pytest.raises(SystemExit) as ended:
        main(["bot", "http://127.0.0.1:1", "--patrons", "2"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.strip() == (
        "croupier: This house is no demo and shows no logins; give a file of them by --logins."
    )


def test_one_login_that_fails_keeps_no_other_from_playing(
    served: Served, tmp_path: Path
) -> None:
    good = {"name": "patron-17", "password": served.password("patron-17")}
    bad = {"name": "patron-16", "password": "wrong"}
    logins = tmp_path / "logins"
    logins.write_text(json.dumps([bad, good]))
    asked = ("bot", served.url, "--table", "tiger", "--rounds", "1", "--json", "--logins")
    done = run(*asked, str(logins), "--patrons", "2")
    assert done.returncode == 0
    assert done.stderr.startswith("patron-16 does not play: ")
    assert done.stderr.count("\n") == 1
    assert json.loads(done.stdout)["rounds"] == 1
    logins.write_text(json.dumps([bad]))
    none = run(*asked, str(logins))
    assert none.returncode == 1
    assert none.stderr.startswith("patron-16 does not play: ")


def test_a_bot_whose_floor_has_gone_ends_at_ctrl_c(tmp_path: Path) -> None:
    output = tmp_path / "bot"
    one = Served(tmp_path)
    one.start()
    process = begin(output, "bot", one.url, "--patrons", "3", "--table", "tiger")
    try:
        wait_until(lambda: sum(seats(one).values()) == 3, "nobody took a seat")
    finally:
        one.kill()
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    assert process.wait(6.0) == 0, output.read_text()
    assert output.read_text().count("leaves: the floor has gone") == 3
    assert "Traceback" not in output.read_text()


def test_a_bot_that_is_stopped_leaves_no_socket_and_no_patron(
    served: Served, tmp_path: Path
) -> None:
    output = tmp_path / "output"
    ready = str(served.folder / "ready")
    process = begin(output, "bot", served.url, "--patrons", "4", "--ready", ready)
    wait_until(lambda: sum(seats(served).values()) == 4, "nobody took a seat")
    process.send_signal(signal.SIGINT)
    assert process.wait(WAIT_SECONDS) == 0, output.read_text()
    assert "Wagers accepted" in output.read_text()
    assert set(seats(served).values()) == {0}
    wait_until(lambda: served.sockets == 0, "a socket was left behind")


@pytest.mark.parametrize("login", [False, True], ids=["public", "patron"])
def test_a_watched_table_is_told_line_by_line_until_ctrl_c(
    served: Served, tmp_path: Path, *, login: bool
) -> None:
    output, name = tmp_path / "output", "patron-09"
    secret = tmp_path / "password"
    secret.write_text(f"{served.password(name)}\n")
    more = ("--name", name, "--password-file", str(secret)) if login else ()
    process = begin(output, "watch", served.url, "--table", "super-six", *more)
    wait_until(lambda: "rounds of this shoe" in output.read_text(), "nothing was shown")
    assert bot(served, "--table", "super-six", "--rounds", "1").returncode == 0
    wait_until(lambda: "Result of round" in output.read_text(), output.read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(WAIT_SECONDS) == 0
    text = output.read_text()
    assert "Traceback" not in text
    for part in ("Bets are open", "P1 ", "B2 ", "Next B1: the second card"):
        assert part in text
    wait_until(lambda: served.sockets == 0, "a socket was left behind")


def test_a_watched_table_is_told_in_json_for_programs(served: Served, tmp_path: Path) -> None:
    output = tmp_path / "output"
    process = begin(output, "watch", served.url, "--table", "super-6", "--json")
    wait_until(lambda: "\n" in output.read_text(), "nothing was shown")
    assert bot(served, "--table", "super-6", "--rounds", "1").returncode == 0
    wait_until(lambda: "round_closed" in output.read_text(), output.read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(WAIT_SECONDS) == 0
    first, *others = map(json.loads, output.read_text().splitlines())
    assert first["snapshot"]
    assert first["view"]["rules"]["game"] == "super-6"
    assert all(before["sequence"] <= one["sequence"] for before, one in pairwise(others))
    names = {event["name"] for one in others for event in one["events"]}
    assert {"wager_placed", "card_exposed", "round_closed"} <= names


def test_a_table_is_drawn_on_a_terminal(served: Served) -> None:
    parent, child = pty.openpty()
    process = subprocess.Popen(  # noqa: S603  # our own command
        croupier("watch", served.url, "--table", "baccarat"),
        stdout=child,
        stderr=child,
        env={**environment(), "TERM": "xterm", "COLUMNS": "100", "LINES": "40"},
    )
    os.close(child)
    text = ""
    end = time.monotonic() + WAIT_SECONDS
    while "there are 7" not in text:
        assert time.monotonic() < end, text
        text += os.read(parent, 65536).decode(errors="replace")
    process.send_signal(signal.SIGINT)
    assert process.wait(WAIT_SECONDS) == 0
    os.close(parent)
    for part in ("Baccarat", "Bead plate", "Big road", "Banker Pair", "Positions taken"):
        assert part in text
    wait_until(lambda: served.sockets == 0, "a socket was left behind")


def test_a_watcher_waits_for_a_server_that_goes_and_comes(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        output = tmp_path / "watched"
        process = begin(output, "watch", served.url, "--table", "tiger")
        wait_until(lambda: "rounds of this shoe" in output.read_text(), "nothing was shown")
        assert served.stop() == 0
        wait_until(lambda: "reconnecting" in output.read_text(), "nobody was told")
        served.start()
        assert bot(served, "--table", "tiger", "--rounds", "1").returncode == 0
        wait_until(lambda: "Result of round 1" in output.read_text(), output.read_text())
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT_SECONDS) == 0
        assert "Traceback" not in output.read_text()


def test_what_cannot_be_watched_or_played_is_one_sentence(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[{]")
    url, ready = served.url, str(served.folder / "ready")
    cases = {
        ("watch", "http://127.0.0.1:1", "--table", "tiger"): "does not answer",
        ("watch", "ftp://nowhere", "--table", "tiger"): "is not the address of a floor",
        ("watch", url, "--table", "nowhere"): "There is no table 'nowhere'",
        ("watch", url, "--table", "tiger", "--password-file", str(broken)): "belongs to --name",
        ("watch", url, "--table", "tiger", "--name", "x"): "give it by --password-file",
        ("watch", url, "--table", "tiger", "--name", "x", "--password-file", str(broken)): (
            "password"
        ),
        ("bot", url, "--ready", ready, "--logins", str(broken)): "--ready or --logins",
        ("bot", url, "--patrons", "21"): "logins of 20",
        ("bot", "http://127.0.0.1:1"): "does not answer",
        ("bot", url, "--logins", str(broken)): "cannot be read|no logins",
        ("bot", url, "--ready", ready, "--patrons", "21"): "logins of 20",
        ("bot", url, "--ready", ready, "--table", "nowhere"): "There is no table 'nowhere'",
        ("bot", "http://127.0.0.1:1", "--ready", ready): "does not answer",
    }
    for arguments, part in cases.items():
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        assert ended.value.code == 2, arguments
        out, said = capsys.readouterr()
        assert out == ""
        assert said.count("\n") == 1, said
        assert any(one in said for one in part.split("|")), said
