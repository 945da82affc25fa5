"""A server that goes down opens no round while its guests still leave."""

from __future__ import annotations

import asyncio
import gc
import io
import json
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING

import httpx

from croupier.floor import serving
from croupier.floor.effective import configured
from croupier.floor.guests import Guests
from croupier.floor.stopping import Stopping
from croupier.journal.decision import read_moment
from croupier.journal.sqlite import SqliteStore
from croupier.table.events import BetsOpened
from tests.floor.players import TABLES, decided

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

LEAVING_SECONDS = 1.5
"""In this time every electronic table would open several rounds."""
SAID = {
    "server.port": 0,
    "demo.on": True,
    "demo.patrons": 6,
    "clocks.betting": 0.1,
    "clocks.pause": 0.0,
    "clocks.pace": 0.0,
}


async def until_played(url: str) -> None:
    """Wait until rounds follow each other at some tables."""
    async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
        async with asyncio.timeout(60):
            while True:
                tables = (await http.get("/api/v1/tables")).json()
                if sum(len(one["winners"]) > 1 for one in tables) > 1:
                    return
                await asyncio.sleep(0.1)


async def opened_after_the_stop(folder: Path) -> tuple[Counter[str], Counter[str]]:
    """Run a house, stop it, and count the rounds that were called before and after that."""
    ready = folder.parent / "ready.json"
    said = {**SAID, "server.data": str(folder), "server.ready": str(ready)}
    stopping = Stopping()
    configuration = configured(None, said, {}).configuration
    running = asyncio.create_task(
        serving._serve(configuration, io.StringIO(), stopping, named=True)  # noqa: SLF001
    )
    while not ready.exists():
        assert not running.done(), running.result()
        await asyncio.sleep(0.05)
    await until_played(json.loads(ready.read_text())["url"])
    stopping.stop()
    await asyncio.sleep(0)
    moment = datetime.now(UTC)
    assert await running == 0
    before, after = Counter[str](), Counter[str]()
    store = await SqliteStore.open(folder / "journal.sqlite")
    for table in TABLES:
        for one in await decided(store, f"table:{table}"):
            if any(isinstance(event, BetsOpened) for event in one.events):
                (before if read_moment(one.moment) <= moment else after)[table] += 1
    await store.close()
    return before, after


def test_no_round_is_opened_while_guests_leave(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave = Guests.close

    async def slowly(self: Guests) -> None:
        await asyncio.sleep(LEAVING_SECONDS)
        await leave(self)

    monkeypatch.setattr(Guests, "close", slowly)
    kept = SimpleNamespace(collect=gc.collect, freeze=int, set_threshold=lambda *_: None)
    monkeypatch.setattr("croupier.floor.server.gc", kept)
    before, after = asyncio.run(opened_after_the_stop(tmp_path / "house"))
    assert max(before.values()) > 1
    # One of each table may have been on its way.
    assert [table for table, count in after.items() if count > 1] == []
