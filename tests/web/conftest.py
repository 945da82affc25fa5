"""A browser, and a floor that deals fast enough to be watched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import sync_playwright

from croupier.gaming_day import GamingDay
from tests.floor.serving import Served
from tests.web.staff import Staff
from tools.browser import ARGUMENTS, chromium
from tools.build_web import build

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

CLOCKS = ("--betting", "8", "--pause", "1", "--pace", "0.15", "--answer", "4")
SLOW = ("--betting", "600", "--pause", "600", "--pace", "0.1", "--answer", "600")
"""Of a house whose tables wait for people."""


SHIFT = timedelta(hours=8)


def within_a_shift(folder: Path, since: timedelta = SHIFT / 2) -> tuple[str, str]:
    """Return the options of a house whose gaming day, and first shift, began so long ago.

    No run of the tests passes the end of either, whenever it is begun.
    """
    usual = GamingDay()
    first = datetime.now(UTC).astimezone(ZoneInfo(usual.zone)) - since
    file = folder / "shifts.toml"
    with file.open("w") as text:
        for number, shift in enumerate(usual.shifts):
            begins = f"{first + number * SHIFT:%H:%M}"
            text.write(f'[[gaming_day.shifts]]\nname = "{shift.name}"\nbegins = "{begins}"\n')
    return "--config", str(file)


@pytest.fixture(scope="session")
def screens() -> None:
    """Build the screens, where they are not built from the sources that are here."""
    build()


@pytest.fixture(scope="session")
def browser(screens: None) -> Iterator[Browser]:
    """Start a Chromium; one that cannot be had is a failure."""
    del screens
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield started
        started.close()


@pytest.fixture(scope="session")
def floor(tmp_path_factory: pytest.TempPathFactory, screens: None) -> Iterator[Served]:
    """Serve a demo house; whoever stops it or needs it quiet takes one of their own."""
    del screens
    folder = tmp_path_factory.mktemp("floor")
    served = Served(folder, *within_a_shift(folder), clocks=CLOCKS)
    served.start()
    yield served
    assert served.stop() == 0, served.output


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory, screens: None) -> Iterator[Served]:
    """Serve a demo house that hurries nobody: its live tables are dealt by a Dealer."""
    del screens
    folder = tmp_path_factory.mktemp("quiet")
    served = Served(folder, *within_a_shift(folder), clocks=SLOW)
    served.start()
    yield served
    assert served.stop() == 0, served.output


@pytest.fixture(scope="session")
def staff(quiet: Served) -> Iterator[Staff]:
    """Let people of the quiet house act over HTTP."""
    people = Staff(quiet)
    yield people
    people.hang_up()
