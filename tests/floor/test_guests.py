"""The demo's patrons: they spread, play, leave room for people, and are gone at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import httpx

from tests.floor.serving import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.floor.serving import Served

WAIT_SECONDS = 30.0


def tables(served: Served) -> dict[str, Any]:
    found = httpx.get(f"{served.url}/api/v1/tables", trust_env=False).json()
    return {one["name"]: one for one in found}


def wait_for(served: Served, holds: Any) -> dict[str, Any]:  # noqa: ANN401  # of tables
    end = time.monotonic() + WAIT_SECONDS
    while not holds(found := tables(served)):
        assert time.monotonic() < end, found
        time.sleep(0.1)
    return found


def test_guests_play_at_every_table_and_are_gone_with_the_server(tmp_path: Path) -> None:
    with serving(tmp_path, demo_patrons=12) as served:
        assert not any(name.startswith("guest") for name in served.logins)
        wait_for(
            served, lambda found: all(one["seats"]["taken"] == 1 for one in found.values())
        )
        wait_for(served, lambda found: all(len(one["winners"]) > 1 for one in found.values()))
        assert served.stop() == 0
        served.start()
        wait_for(
            served, lambda found: all(one["seats"]["taken"] <= 1 for one in found.values())
        )


def test_guests_leave_room_for_people_and_those_too_many_go(tmp_path: Path) -> None:
    with serving(tmp_path, demo_patrons=30) as served:
        found = wait_for(
            served,
            lambda found: sum(one["seats"]["taken"] for one in found.values()) == 30,
        )
        for one in found.values():
            most = 3 if one["kind"] == "live" else 10
            assert one["seats"]["taken"] <= most
        served.kill()
        served.demo_patrons = 0
        served.start()
        wait_for(served, lambda found: _left(found) == 0)


def _left(found: dict[str, Any]) -> int:
    """Count seats at tables that wait for nobody's ruling."""
    return sum(one["seats"]["taken"] for one in found.values() if one["hold"] is None)
