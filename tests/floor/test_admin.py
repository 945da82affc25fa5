"""A house is administered while it runs: people, sessions, tables, backups; over its API."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.floor.operated import Operated, command, environment, operated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ADMINISTRATOR = "ada"
PASSWORD = "correct horse battery"  # noqa: S105  # of a test


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("administered") / "house"


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Operated]:
    """Run a new house, whose first administrator is made by its link."""
    folder.mkdir()
    keys = folder.with_name("keys")
    text = f'[backup]\nkeys_folder = "{keys}"\n[log]\naccess = true\n'
    (folder / "house.toml").write_text(text, encoding="utf-8")
    (folder.parent / "password").write_text(f"{PASSWORD}\n", encoding="utf-8")
    with operated(folder) as running:
        printed = folder.with_name("output.log").read_text(encoding="utf-8")
        link = folder.with_name("link")
        link.write_text(printed.splitlines()[-1].strip(), encoding="utf-8")
        done = admin(running, folder, "setup", ADMINISTRATOR, "--secret-file", link)
        assert done == {"name": ADMINISTRATOR}
        yield running


def admin(
    server: Operated,
    folder: Path,
    *arguments: object,
    name: str = ADMINISTRATOR,
    typed: str | None = None,
) -> Any:  # noqa: ANN401  # JSON
    done = run(server, folder, *arguments, "--json", name=name, typed=typed)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def run(
    server: Operated,
    folder: Path,
    *arguments: object,
    name: str = ADMINISTRATOR,
    typed: str | None = None,
) -> subprocess.CompletedProcess[str]:
    options = ("--url", server.url, "--password-file", folder.parent / "password")
    who = () if arguments[0] == "setup" else ("--name", name)
    return subprocess.run(  # noqa: S603  # our own program
        command("admin", *arguments, *options, *who),
        capture_output=True,
        input=typed,
        text=True,
        env=environment(),
        check=False,
        timeout=60,
    )


def test_the_link_works_once(server: Operated, folder: Path) -> None:
    secret = folder.with_name("link").read_text(encoding="utf-8").rpartition("#")[2]
    body = {"secret": secret, "name": "eve", "password": PASSWORD}
    answer = server.call("POST", "/api/v1/setup", body)
    assert (answer.status, answer.json["code"]) == (403, "bad_link")


def test_people_are_added_moved_and_disabled(server: Operated, folder: Path) -> None:
    added = admin(server, folder, "add", "pat", "staff", "--position", "Dealer")
    secret = added["link"]["secret"]
    body = {"secret": secret, "password": PASSWORD}
    assert server.call("POST", "/api/v1/passwords", body).json == {"name": "pat"}
    assert server.call("POST", "/api/v1/passwords", body).status == 403
    token = server.sign_in("pat", PASSWORD)
    admin(server, folder, "position", "pat", "Pit Supervisor")
    assert server.call("GET", "/api/v1/me", token=token).status == 401
    token = server.sign_in("pat", PASSWORD)
    shown = admin(server, folder, "user", "pat")
    assert (shown["position"], shown["sessions"]) == ("Pit Supervisor", 1)
    printed = run(server, folder, "user", "pat").stdout
    assert "Pit Supervisor" in printed
    assert '"position"' not in printed, "JSON is for programs"
    assert len(admin(server, folder, "sessions", "pat", "--close")) == 1
    assert server.call("GET", "/api/v1/me", token=token).status == 401
    admin(server, folder, "act", "pat", "Pit Manager", "--hours", "1")
    assert admin(server, folder, "user", "pat")["acts"]["position"] == "Pit Manager"
    admin(server, folder, "end-acting", "pat")
    admin(server, folder, "disable", "pat", "--reason", "left")
    assert not admin(server, folder, "user", "pat")["enabled"]
    refused = run(server, folder, "users", name="pat")
    assert refused.returncode == 2
    assert "The name or the password is wrong" in refused.stderr
    admin(server, folder, "enable", "pat", "--reason", "came back")
    assert {one["name"] for one in admin(server, folder, "users")} == {ADMINISTRATOR, "pat"}
    refused = run(server, folder, "users", name="pat")
    assert "this needs Administrator" in refused.stderr


def test_an_administrator_opens_no_table(server: Operated, folder: Path) -> None:
    assert len(admin(server, folder, "tables")) >= 10
    refused = run(server, folder, "close-table", "tiger")
    assert refused.returncode == 2
    assert refused.stderr == "croupier: An admin gives no command to a table.\n"


def test_a_command_comes_from_standard_input(server: Operated, folder: Path) -> None:
    order = {"type": "add_user", "user": "una", "kind": "auditor", "position": "Auditor"}
    done = run(server, folder, "order", "accounts", "-", typed=json.dumps(order))
    assert (done.returncode, done.stdout) == (0, "It is done.\n")
    shown = run(server, folder, "users").stdout
    assert "state" in shown
    assert "may act" in shown
    admin(server, folder, "disable", "una", "--reason", "left")


def test_a_refusal_names_its_clause_once(server: Operated, folder: Path) -> None:
    added = admin(server, folder, "add", "max", "staff", "--position", "Pit Manager")
    body = {"secret": added["link"]["secret"], "password": PASSWORD}
    server.call("POST", "/api/v1/passwords", body)
    settings = json.dumps({"rulebook": "BAC8", "game": "baccarat"})
    refused = run(server, folder, "open-table", "baccarat", "-", name="max", typed=settings)
    assert refused.stderr.count("[BAC8 3.8]") == 1


def test_a_second_person_approves_limits(server: Operated, folder: Path) -> None:
    for name, position in (("mia", "Pit Manager"), ("sam", "Pit Supervisor")):
        added = admin(server, folder, "add", name, "staff", "--position", position)
        body = {"secret": added["link"]["secret"], "password": PASSWORD}
        server.call("POST", "/api/v1/passwords", body)
    figures = (
        "--minimum",
        2000,
        "--maximum",
        400_000,
        "--step",
        1000,
        "--reason",
        "a busy day",
    )
    wanted = ("limits", "tiger", "banker", *figures)
    alone = run(server, folder, *wanted, name="mia")
    assert alone.returncode == 2
    assert "second person" in alone.stderr
    missing = run(server, folder, *wanted, "--approved-by", "sam", name="mia")
    told = "The password of sam is missing; give it by --approver-password-file."
    assert missing.stderr == f"croupier: {told}\n"
    by = ("--approver-password-file", folder.parent / "password", "--approved-by")
    oneself = run(server, folder, *wanted, *by, "mia", name="mia")
    assert oneself.returncode == 2
    done = run(server, folder, *wanted, *by, "sam", name="mia")
    assert (done.stdout, done.stderr) == ("The limits of banker at tiger are set.\n", "")
    assert admin(server, folder, "user", "sam")["sessions"] == 0, "signed out again"


def test_a_device_says_where_it_stands(server: Operated, folder: Path, tmp_path: Path) -> None:
    order = {"type": "register_device", "device": "shoe-1", "kind": "shoe", "table": "tiger"}
    admin(server, folder, "order", "accounts", "-", typed=json.dumps(order))
    held = tmp_path / "token"
    held.write_text("another one's\n", encoding="utf-8")
    words = command("device", server.url, "--device", "shoe-1", "--token-file", held)
    refused = subprocess.run(  # noqa: S603  # our own program
        words, capture_output=True, text=True, env=environment(), check=False, timeout=60
    )
    sentence = "The token is not that of shoe-1, or not any more; ask for a new one."
    assert (refused.returncode, refused.stderr) == (2, f"croupier: {sentence}\n")
    token = server.sign_in(ADMINISTRATOR, PASSWORD)
    given = server.call("POST", "/api/v1/devices/shoe-1/token", token=token).json
    held.write_text(given["token"], encoding="utf-8")
    with subprocess.Popen(  # noqa: S603  # our own program
        words, stdout=subprocess.PIPE, text=True, env=environment()
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        process.terminate()
    assert said == (
        "shoe-1 stands at table tiger and waits until it is to read (Ctrl-C ends it).\n"
    )


def test_what_is_not_there_is_said(server: Operated, folder: Path) -> None:
    assert run(server, folder, "user", "nobody").stderr == (
        "croupier: Nobody has the name 'nobody'.\n"
    )
    away = Operated(server.process, {"url": "http://127.0.0.1:1"})
    said = run(away, folder, "users").stderr
    assert said == (
        "croupier: The server at http://127.0.0.1:1 does not answer: Connection refused.\n"
    )


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/users"),
        ("GET", "/api/v1/users/ada"),
        ("GET", "/api/v1/users/ada/sessions"),
        ("DELETE", "/api/v1/users/ada/sessions"),
        ("POST", "/api/v1/users/ada/password-link"),
        ("POST", "/api/v1/admin/backup"),
        ("GET", "/api/v1/admin/backups"),
    ],
)
def test_nobody_administers_without_being_signed_in(
    server: Operated, method: str, path: str
) -> None:
    body: dict[str, str] | None = {} if method == "POST" else None
    assert server.call(method, path, body).json["code"] == "unauthenticated"


def test_a_house_is_backed_up_while_it_runs_and_restored(
    server: Operated, folder: Path, tmp_path: Path
) -> None:
    shown = admin(server, folder, "backup", "first")
    assert shown["made"]["decisions"] > 0
    again = run(server, folder, "backup", "first")
    assert again.returncode == 2
    assert "nothing is written over it" in again.stderr
    token = server.sign_in(ADMINISTRATOR, PASSWORD)
    (kept,) = server.call("GET", "/api/v1/admin/backups", token=token).json
    assert (kept["made"], kept["error"]) == (shown["made"], None)
    backup = folder / "backups" / "first"
    names = {path.name for path in backup.rglob("*") if path.is_file()}
    assert "signing.key" not in names
    assert not any(name.endswith(".key") for name in names)
    restored = tmp_path / "restored"
    restore("restore", backup, restored, "--keys", folder.with_name("keys") / "first")
    with operated(restored) as second:
        assert second.sign_in(ADMINISTRATOR, PASSWORD)
        printed = restored.with_name("output.log").read_text(encoding="utf-8")
        assert "/setup#" not in printed


def restore(*arguments: object) -> str:
    done = subprocess.run(  # noqa: S603  # our own program
        command(*arguments), capture_output=True, text=True, env=environment(), check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_backup_that_was_changed_is_not_restored(
    server: Operated, folder: Path, tmp_path: Path
) -> None:
    admin(server, folder, "backup", "second")
    copy = tmp_path / "copy"
    shutil.copytree(folder / "backups" / "second", copy)
    with (copy / "people.sqlite").open("ab") as people:
        people.write(b"more")
    done = subprocess.run(  # noqa: S603  # our own program
        command("restore", copy, tmp_path / "new"),
        capture_output=True, text=True, env=environment(), check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "'people.sqlite' is not as it was backed up" in done.stderr
    assert not (tmp_path / "new").exists()


def test_no_secret_is_in_the_log(server: Operated, folder: Path) -> None:
    token = server.sign_in(ADMINISTRATOR, PASSWORD)
    server.call("GET", f"/api/v1/users?token={token}", token=token)
    said = folder.with_name("errors.log").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in said.splitlines()]
    assert any(one["logger"] == "croupier.access" for one in lines)
    assert all(one.keys() >= {"time", "level", "logger", "message"} for one in lines)
    secret = folder.with_name("link").read_text(encoding="utf-8").rpartition("#")[2]
    for one in (token, PASSWORD, secret):
        assert one not in said
