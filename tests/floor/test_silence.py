"""Devices that are not heard: told once, and over when they are heard or no longer expected."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from croupier.accounts.commands import DeviceKind
from croupier.floor.silence import expected
from croupier.table import commands as c
from tests.floor.fed import SHOE, TABLE, fed, settings_of
from tests.floor.rounds import looped
from tests.table.floor import Floor

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("baccarat", {DeviceKind.SHOE, DeviceKind.SCANNER}),
        ("power-98", {DeviceKind.SHOE, DeviceKind.SCANNER, DeviceKind.DIE}),
    ],
)
def test_who_is_expected_to_read(game: str, kinds: set[DeviceKind]) -> None:
    floor = Floor(game, device=settings_of(game).device)
    assert {kind for kind in DeviceKind if expected(kind, floor.table)} == kinds


def test_nobody_is_expected_where_cards_are_of_the_system() -> None:
    floor = Floor("power-98")
    assert not [kind for kind in DeviceKind if expected(kind, floor.table)]


@looped
async def test_a_silence_is_told_once_and_ends_when_the_device_is_heard(tmp_path: Path) -> None:
    text = "[alarms]\ndevice_silent_seconds = 1\n"
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    async with fed(tmp_path, settings_of("baccarat")) as table:
        (one,) = await table.until_alarms(1)
        assert (one["code"], one["device"], one["usual"]) == ("device_silent", SHOE, 1)
        assert one["sentence"].startswith("shoe-1 has not been heard for ")
        assert not one["for_pit"]
        await table.status()
        await table.until_alarms(0)
        (again,) = await table.until_alarms(1)
        assert again["number"] > one["number"]
        path = f"/tables/{TABLE}/alarms/{again['number']}/acknowledged"
        answer = await table.http.post(path, headers=await table.headers("dan"))
        assert answer.status_code == 204
        await asyncio.sleep(2.2)
        assert await table.alarms() == [], "what was looked at is told again"
        await table.status()
        await table.until_alarms(1)
        await table.do("dan", c.EndShoe())
        await table.until_alarms(0)
        await table.do("dan", c.LoadShoe("second"))
        await table.until_alarms(1)
