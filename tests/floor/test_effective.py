"""What is configured: the first source that says something holds; mistakes name a place."""

from __future__ import annotations

import json
import subprocess
import tomllib
from typing import TYPE_CHECKING

import pytest

from croupier.floor.configuration import SECTIONS
from croupier.floor.effective import MistakenError, configured, effective, reference
from croupier.floor.logs import Format, Level
from croupier.table.settings import Clocks
from tests.floor.operated import command, environment

if TYPE_CHECKING:
    from pathlib import Path

FILE = """\
# a comment
[server]
port = 1
origins = ["https://floor.example"]
table_numbers = { tiger = 31, baccarat-a = 8 }

[clocks]
betting = 30
pace = 2

[clocks.tables.tiger]
betting = 7

[clocks.tables."baccarat-a"]
pause = 9

[people.sessions]
session_hours = 8

[gaming_day.currency]
code = "EUR"
symbol = "E"

[log]
level = "debug"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_command_line_comes_before_the_environment_before_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    variables = {
        "CROUPIER_SERVER__PORT": "2",
        "CROUPIER_SERVER__HOST": "::1",
        "CROUPIER_LOG__ACCESS": "true",
        "CROUPIER_SERVER__ORIGINS": "https://a.example, https://b.example:1",
        "CROUPIER_URL": "not ours",
        "PATH": "/bin",
    }
    found = effective(path, variables, {"server.port": 3})
    server, values = found.configuration.server, found.values
    assert (server.port, server.host) == (3, "::1")
    assert server.origins == ("https://a.example", "https://b.example:1")
    assert found.configuration.people.sessions.session_hours == 8
    assert found.configuration.log.level is Level.DEBUG
    assert found.configuration.log.format is Format.AUTO
    assert found.configuration.log.access
    assert found.configuration.gaming_day.currency.code == "EUR"
    assert values["server.port"] == (3, "--port")
    assert values["server.host"] == ("::1", "CROUPIER_SERVER__HOST")
    assert values["clocks.pace"] == (2.0, "line 9 of house.toml")
    assert values["clocks.pause"] == (5.0, "usual")
    assert values["clocks.tables.tiger.betting"] == (7.0, "line 12 of house.toml")
    assert values["people.rates.failed_logins"] == (5, "usual")


@pytest.mark.parametrize(
    ("variables", "command_line", "tiger", "others"),
    [
        ({}, {}, 7_000, 30_000),
        ({"CROUPIER_CLOCKS__BETTING": "4"}, {}, 4_000, 4_000),
        ({"CROUPIER_CLOCKS__TABLES__TIGER__BETTING": "5"}, {}, 5_000, 30_000),
        (
            {"CROUPIER_CLOCKS__TABLES__TIGER__BETTING": "5", "CROUPIER_CLOCKS__BETTING": "4"},
            {},
            5_000,
            4_000,
        ),
        ({"CROUPIER_CLOCKS__BETTING": "4"}, {"clocks.betting": 1.5}, 1_500, 1_500),
    ],
)
def test_clocks_of_a_table_follow_the_same_order(
    tmp_path: Path,
    variables: dict[str, str],
    command_line: dict[str, float],
    tiger: int,
    others: int,
) -> None:
    found = effective(written(tmp_path, FILE), variables, command_line).configuration.clocks
    assert found.of("tiger").betting_ms == tiger
    assert found.of("super-six").betting_ms == others
    assert found.of("baccarat-a") == Clocks(betting_ms=others, pause_ms=9_000, pace_ms=2_000)


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("[server]\n\nport = 70000\n", ["line 3 of house.toml: server.port is 70000: "]),
        (
            "[server]\nprot = 1\n[clocks]\npace = -1\n[lgo]\nlevel = 'x'\n",
            [
                "line 2 of house.toml: server has no 'prot'; it has data",
                "line 4 of house.toml: clocks.pace is -1: -1 seconds came for pace",
                "line 5 of house.toml: there is no 'lgo'; the sections are server",
            ],
        ),
        ("[log]\nlevel = 'loud'\n", ["line 2 of house.toml: log.level is 'loud': Invalid"]),
        ("[server]\norigins = ['floor']\n", ["line 2 of house.toml: server.origins is "]),
        ("server.port = 'x'\n", ["line 1 of house.toml: server.port is 'x': Expected `int`"]),
        ("[server]\ntls_key = 'a'\n", ["line 2 of house.toml: TLS needs both"]),
        ("[demo]\nseed = 1\n", ["line 2 of house.toml: A seed makes the shoes repeatable"]),
        ("[server]\ndata = '/x'\n", ["line 2 of house.toml: server.data: the folder is"]),
        ("[clocks.tables]\ntiger = 3\n", ["line 2 of house.toml: clocks.tables.tiger is a s"]),
        ("[gaming_day]\nzone = 'Mars'\n", ["line 2 of house.toml: gaming_day.zone is 'Mars'"]),
        (
            "[server.table_numbers]\ntiger = 3\nbaccarat = 3\n",
            ["line 1 of house.toml: server.table_numbers is "],
        ),
        (
            "[alarms]\nbig_win_cents = -1\ndifferential_percent = 101\n",
            [
                "line 2 of house.toml: alarms.big_win_cents is -1: Expected",
                "line 3 of house.toml: alarms.differential_percent is 101: Expected",
            ],
        ),
        ("[server\n", ["house.toml: it is no TOML: "]),
    ],
)
def test_every_mistake_names_its_line(tmp_path: Path, text: str, mistakes: list[str]) -> None:
    with pytest.raises(MistakenError) as error:
        effective(written(tmp_path, text))
    said = [str(one) for one in error.value.mistakes]
    assert [one.startswith(wanted) for one, wanted in zip(said, mistakes, strict=True)] == (
        [True] * len(mistakes)
    ), said
    assert all(one.endswith(".") for one in said)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CROUPIER_SERVER__PORT", "many"),
        ("CROUPIER_NOTHING__AT_ALL", "1"),
        ("CROUPIER_SERVER__", "1"),
        ("CROUPIER_CLOCKS__TABLES__TIGER__PACE", "-2"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(name: str, text: str) -> None:
    with pytest.raises(MistakenError, match=name):
        effective(None, {name: text})


def test_a_file_that_is_named_must_be_there(tmp_path: Path) -> None:
    assert (
        configured(None, {"server.data": str(tmp_path)}, {}).configuration.server.port == 8000
    )
    with pytest.raises(MistakenError, match="there is no such file"):
        configured(tmp_path / "other.toml", {}, {})
    with pytest.raises(MistakenError, match="there is no such file"):
        configured(None, {}, {"CROUPIER_CONFIG": str(tmp_path / "other.toml")})


def test_a_file_that_is_named_may_say_where_the_house_is(tmp_path: Path) -> None:
    path = written(tmp_path, "[server]\ndata = '/srv/house'\n")
    assert configured(path, {}, {}).configuration.server.data == "/srv/house"


def test_no_password_of_a_database_is_shown() -> None:
    address = "postgresql://house:secret-word@db/house"
    found = effective(None, {"CROUPIER_SERVER__DATABASE": address})
    assert found.configuration.server.database == address
    assert found.values["server.database"][0] == "postgresql://house:***@db/house"


def test_every_key_says_what_it_is_for() -> None:
    known = {key: said for key, said, _ in reference()}
    assert {key.rpartition(".")[0] for key in known} == set(SECTIONS)
    assert [key for key, said in known.items() if not said] == []


def config(*arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  # our own program
        command("config", *arguments),
        capture_output=True,
        text=True,
        env=environment(**variables),
        check=False,
    )


def test_what_is_shown_can_be_used_again(tmp_path: Path) -> None:
    path = written(tmp_path, FILE)
    shown = config("show", path)
    assert shown.returncode == 0, shown.stderr
    again = tmp_path / "again.toml"
    again.write_text(shown.stdout, encoding="utf-8")
    tomllib.loads(shown.stdout)
    first, second = effective(path), effective(again, required=True)
    assert {key: one for key, (one, _) in second.values.items()} == {
        key: one for key, (one, _) in first.values.items()
    }
    for table in ("tiger", "baccarat-a", "super-six"):
        assert second.configuration.clocks.of(table) == first.configuration.clocks.of(table)
    checked = config("check", path, "--json", CROUPIER_SERVER__PORT="5")
    assert json.loads(checked.stdout)["server.port"] == {
        "value": 5,
        "from": "CROUPIER_SERVER__PORT",
    }
    shown_table = config("check", path)
    assert "line 3 of house.toml" in shown_table.stdout


def test_every_mistake_is_a_line_on_standard_error(tmp_path: Path) -> None:
    done = config("check", written(tmp_path, "[server]\nport = -1\nhots = 'a'\n"))
    assert done.returncode == 2
    assert done.stdout == ""
    first, second = done.stderr.splitlines()
    assert first.startswith("croupier: line 2 of house.toml: server.port is -1: ")
    assert second.startswith("croupier: line 3 of house.toml: server has no 'hots'")
