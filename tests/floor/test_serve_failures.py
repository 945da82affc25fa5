"""What cannot be served is said in one sentence, with exit code 2, and nothing is changed."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.floor.operated import (
    NO_PORT,
    START_SECONDS,
    command,
    digests,
    environment,
    operated,
    refused,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

USUAL_PORT = 8000
CLOSED_PORT = "postgresql://house:secret-word@127.0.0.1:1/none"


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Found a demo once; tests copy its folder."""
    folder = tmp_path_factory.mktemp("founded") / "house"
    with operated(folder, "--demo", "--demo-patrons", 0):
        pass
    return folder


@pytest.fixture
def house(founded: Path, tmp_path: Path) -> Iterator[Path]:
    """Return a copy of the house, which is as it was afterwards."""
    folder = tmp_path / "house"
    shutil.copytree(founded, folder)
    before = digests(folder)
    yield folder
    assert digests(folder) == before


@pytest.fixture
def taken() -> Iterator[int]:
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def serve(folder: Path, *options: object, **variables: str) -> str:
    return refused("serve", "--demo", "--data", folder, "--port", 0, *options, **variables)


@pytest.mark.parametrize("demo", [(), ("--demo",)])
def test_a_port_that_is_named_and_taken_is_refused(
    house: Path, taken: int, demo: tuple[str, ...]
) -> None:
    said = refused("serve", *demo, "--data", house, "--port", taken)
    assert said == (
        f"Port {taken} of 127.0.0.1 cannot be used: Address already in use;"
        " say another one by --port."
    )
    by_variable = refused("serve", *demo, "--data", house, CROUPIER_SERVER__PORT=f"{taken}")
    assert by_variable == said


def test_the_demo_takes_the_next_free_port_and_says_so(founded: Path) -> None:
    with closing(socket.socket()) as listening:
        with suppress(OSError):  # somebody else has it: it is taken all the same
            listening.bind(("127.0.0.1", USUAL_PORT))
            listening.listen()
        with operated(founded, "--demo", "--demo-patrons", 0, NO_PORT) as server:
            assert server.url != f"http://127.0.0.1:{USUAL_PORT}"
    said = founded.with_name("output.log").read_text(encoding="utf-8").splitlines()
    assert said[0].startswith(f"Port {USUAL_PORT} is taken; ")
    assert said[1].startswith(f"The house is open at {server.url}")


def test_a_database_that_is_away_is_refused_without_its_password(house: Path) -> None:
    said = serve(house, "--database", CLOSED_PORT)
    assert "cannot be" in said
    assert "secret-word" not in said


def test_a_house_that_cannot_be_founded_leaves_no_folder(tmp_path: Path) -> None:
    serve(tmp_path / "new", "--database", CLOSED_PORT)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "there").mkdir()
    serve(tmp_path / "there", "--database", CLOSED_PORT)
    assert list((tmp_path / "there").iterdir()) == []


def test_the_folder_of_a_house_is_its_owners_alone(founded: Path) -> None:
    assert founded.stat().st_mode & 0o077 == 0


def test_a_file_of_people_of_a_newer_version_is_refused(house: Path) -> None:
    newer = house.with_name("newer")
    shutil.copytree(house, newer)
    with closing(sqlite3.connect(newer / "people.sqlite")) as people:
        people.execute("PRAGMA user_version = 99")
    before = digests(newer)
    said = serve(newer)
    assert "people.sqlite is of form 99, which a newer version wrote" in said
    assert digests(newer) == before


def test_a_journal_of_a_newer_form_is_refused(house: Path) -> None:
    newer = house.with_name("newer")
    shutil.copytree(house, newer)
    with closing(sqlite3.connect(newer / "journal.sqlite")) as journal:
        journal.execute("ALTER TABLE decision ADD COLUMN newer TEXT")
        journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = digests(newer)
    said = serve(newer)
    assert "has another form than this version writes" in said
    assert digests(newer) == before


def test_a_folder_that_another_server_has_is_refused(founded: Path) -> None:
    with operated(founded, "--demo", "--demo-patrons", 0) as server:
        said = serve(founded)
        assert said == (
            "The journal journal.sqlite is being written by another process"
            f" ({server.process.pid}): the house is open already."
        )
        assert server.call("GET", "/readyz").status == 200


def test_a_start_that_is_refused_leaves_the_ready_file_of_whoever_serves(
    founded: Path, taken: int
) -> None:
    ready = founded.with_name("ready.json")
    with operated(founded, "--demo", "--demo-patrons", 0):
        before = ready.read_bytes()
        serve(founded, "--ready", ready)
        refused("serve", "--data", founded, "--port", taken, "--ready", ready)
        assert ready.read_bytes() == before


@pytest.mark.parametrize("left", [b'{"pid": 2147483647}', b'{"pid": 0}', b"{}", b"\xff"])
def test_a_ready_file_of_nobody_is_removed_at_once(
    house: Path, taken: int, tmp_path: Path, left: bytes
) -> None:
    ready = tmp_path / "ready.json"
    ready.write_bytes(left)
    refused("serve", "--data", house, "--port", taken, "--ready", ready)
    assert not ready.exists()


def test_a_ready_file_of_another_process_is_written_anew(house: Path, tmp_path: Path) -> None:
    """Also one whose writer's number is another process's by now."""
    folder, ready = tmp_path / "again", tmp_path / "ready.json"
    shutil.copytree(house, folder)
    ready.write_text(json.dumps({"pid": os.getpid()}))
    with subprocess.Popen(  # noqa: S603  # our own program
        command("serve", "--demo", "--data", folder, "--port", 0, "--ready", ready),
        stdout=subprocess.DEVNULL,
        env=environment(),
    ) as process:
        end = time.monotonic() + START_SECONDS
        while b"url" not in (ready.read_bytes() if ready.exists() else b""):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.02)
        assert json.loads(ready.read_bytes())["pid"] == process.pid
        process.terminate()


def test_a_journal_behind_its_checkpoint_is_refused(house: Path) -> None:
    behind = house.with_name("behind")
    shutil.copytree(house, behind)
    with operated(behind, "--demo", "--demo-patrons", 0):
        pass
    shutil.copy(house / "journal.sqlite", behind / "journal.sqlite")
    before = digests(behind)
    said = serve(behind)
    assert said.startswith("The journal was cut off or rolled back, so nothing starts")
    assert digests(behind) == before


def test_a_backup_in_the_place_of_the_journal_is_refused_as_it_is(house: Path) -> None:
    behind = house.with_name("copied")
    shutil.copytree(house, behind)
    with closing(sqlite3.connect(behind / "journal.sqlite")) as earlier:
        earlier.execute("VACUUM INTO ?", (str(behind / "earlier"),))
    with operated(behind, "--demo", "--demo-patrons", 0):
        pass
    (behind / "earlier").rename(behind / "journal.sqlite")
    for beside in behind.glob("journal.sqlite-*"):
        beside.unlink()
    before = digests(behind)
    said = serve(behind)
    assert said.startswith("The journal was cut off or rolled back, so nothing starts")
    assert digests(behind) == before


def test_a_folder_that_is_none_is_refused(house: Path) -> None:
    said = serve(house / "journal.sqlite")
    file = house / "journal.sqlite"
    assert said == f"{file} is a file; a house lies in a folder of its own."


def test_a_folder_that_cannot_be_made_is_refused() -> None:
    said = serve(Path("/proc/none/house"))
    assert said == "The folder /proc/none/house cannot be used: No such file or directory."


def test_a_folder_that_cannot_be_written_is_refused() -> None:
    # Nobody makes a file there, not even root.
    assert "Permission denied" in serve(Path("/sys/kernel"))


def test_a_ready_file_that_cannot_be_written_is_refused(house: Path, tmp_path: Path) -> None:
    ready = tmp_path / "nowhere" / "ready.json"
    said = serve(house, "--ready", ready)
    assert said == f"The ready file {ready} cannot be written: No such file or directory."


def test_a_certificate_that_cannot_be_used_is_refused(house: Path, tmp_path: Path) -> None:
    (tmp_path / "cert.pem").write_text("no certificate", encoding="ascii")
    (tmp_path / "key.pem").write_text("no key", encoding="ascii")
    said = serve(
        house,
        CROUPIER_SERVER__TLS_CERTIFICATE=str(tmp_path / "cert.pem"),
        CROUPIER_SERVER__TLS_KEY=str(tmp_path / "key.pem"),
    )
    assert said.startswith(f"The certificate {tmp_path / 'cert.pem'} and its key")


def test_what_is_configured_wrongly_is_refused_by_where_it_is(house: Path) -> None:
    assert refused("serve", "--data", house, "--seed", 1) == (
        "--seed: A seed makes the shoes repeatable; it is for the demo alone."
    )
    said = serve(house, CROUPIER_SERVER__PROT="1")
    assert said.startswith("CROUPIER_SERVER__PROT: server has no 'prot'; it has data")


def test_a_house_that_is_no_demo_is_not_made_one(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    with operated(folder) as server:
        link = folder.with_name("output.log").read_text(encoding="utf-8").split("/setup#")[1]
        body = {"secret": link.strip(), "name": "ada", "password": "a long password"}
        assert server.call("POST", "/api/v1/setup", body).status == 201
    assert serve(folder).endswith("is no demo; start it without --demo.")
    assert not (folder / "demo-logins.json").exists()


def test_an_address_that_is_reached_from_outside_is_warned_of(tmp_path: Path) -> None:
    with operated(tmp_path / "house", "--demo", "--demo-patrons", 0, "--host", "0.0.0.0"):  # noqa: S104
        pass
    said = (tmp_path / "output.log").read_text(encoding="utf-8")
    assert "Warning: this address is reached from outside, and without TLS." in said


def test_a_start_after_a_kill_waits_for_the_writer(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    process = subprocess.Popen(  # noqa: S603  # our own program
        command("serve", "--demo", "--demo-patrons", 0, "--data", folder, "--port", 0),
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("The house is open")
    process.kill()
    process.wait()
    process.stdout.close()
    with operated(folder, "--demo", "--demo-patrons", 0) as server:
        assert server.call("GET", "/readyz").status == 200


def test_a_bug_of_ours_is_a_line_of_the_log_without_values(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from croupier.floor import serving, stopping\n"
        "async def opened(*_):\n"
        "    undealt = 'KH-of-the-undealt-shoe'\n"
        "    raise ZeroDivisionError('password=hunter2')\n"
        "serving._opened = opened\n"
        "options = serving.Options(data=serving.Path(sys.argv[1]), port=0)\n"
        "with stopping.heard() as told:\n"
        "    sys.exit(serving.run_server(options, sys.stdout, told))\n"
    )
    done = subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", code, str(tmp_path / "house")],
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    report = json.loads(line)
    assert (report["level"], report["error"]["type"]) == ("critical", "ZeroDivisionError")
    assert report["error"]["stack"]
    assert "undealt-shoe" not in line
    assert "hunter2" not in line
