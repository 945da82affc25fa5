"""The page for operators and the examples of deployment fit the code."""

from __future__ import annotations

import re
import shlex

import pytest

from croupier.cli.admin import admin
from croupier.floor.effective import effective
from tools import operations_page
from tools.operations_page import PAGE

DEPLOY = PAGE.parent.parent / "deploy"


def test_the_tables_are_fresh() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written.count("<!-- generated: ") == len(operations_page.PARTS)
    assert written == operations_page.page(written), (
        "docs/operations.md is stale: run make docs"
    )


def test_every_command_of_admin_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    names = {name for name in admin if not name.startswith("-")}
    missing = [name for name in names if not re.search(rf"`(?:croupier admin )?{name}\b", page)]
    assert set(missing) <= {"setup"}
    assert "croupier admin setup " in page


def test_the_example_of_a_configuration_can_be_used() -> None:
    found = effective(DEPLOY / "house.toml", required=True)
    assert found.configuration.server.data == "/var/lib/croupier/house"
    assert found.configuration.clocks.of("tiger").betting_ms == 30_000


@pytest.mark.parametrize("name", ["croupier.service", "Containerfile"])
def test_variables_of_the_examples_are_keys(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    variables = {
        one.split("=")[0]: one.split("=", 1)[1].strip('"')
        for one in re.findall(r"CROUPIER_\w+__\w+=\S+", text)
    }
    assert variables
    effective(None, variables)


def test_the_container_copies_what_a_wheel_is_built_with() -> None:
    project = (DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8")
    (hook,) = re.findall('^path = "(.+)"$', project, re.MULTILINE)
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    (copied,) = re.findall("^COPY (pyproject.toml .+)$", text, re.MULTILINE)
    assert hook in copied.split()


def test_every_location_of_nginx_says_where_a_request_came_from() -> None:
    """One that sets any header inherits none, and the house would take it for this machine."""
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    named = {"Host", "X-Forwarded-Proto", "X-Forwarded-For", "X-Request-Id"}
    locations = re.findall(r"^    location .*?^    }$", text, re.MULTILINE | re.DOTALL)
    assert len(locations) == 4
    for one in locations:
        here = set(re.findall(r"proxy_set_header (\S+)", one))
        assert not here or named <= here, one


def test_the_unit_starts_what_the_command_line_knows() -> None:
    text = (DEPLOY / "croupier.service").read_text(encoding="utf-8")
    (start,) = re.findall("^ExecStart=(.+)$", text, re.MULTILINE)
    words = shlex.split(start)
    assert words[1:3] == ["serve", "--config"]
    assert "KillMode=mixed" in text
    assert "RestartPreventExitStatus=2" in text
