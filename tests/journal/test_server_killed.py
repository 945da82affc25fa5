"""The database server itself is killed under load: nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import signal
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from croupier.floor.desk import Desk, Reply, Request
from croupier.floor.sources import DeviceSource
from croupier.journal.errors import JournalError
from croupier.journal.postgres import PostgresStore
from croupier.journal.verify import verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.settings import Method, Settings
from tests.table.floor import DEALER, MANAGER
from tools.postgres import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = Settings(rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14)
PATRONS = [f"patron-{number}" for number in range(8)]
RESTARTS_MAX = 20
numbers = count()


@pytest.fixture
def own_server() -> Iterator[Any]:
    """Start a server that nobody else uses: it is going to be killed."""
    with running_server() as server:
        yield server


async def restarted(server: Any) -> None:  # noqa: ANN401
    """Start the server again; its old processes may take a while to be gone."""
    for _ in range(RESTARTS_MAX):
        try:
            await asyncio.to_thread(server.ensure_postgres_running)
            # A process that was killed and not yet taken off the list looks like a running one.
            await (await asyncpg.connect(server.get_uri())).close()
        except Exception:  # noqa: BLE001  # whatever it is, it is tried again
            await asyncio.sleep(0.5)
        else:
            return
    pytest.fail("the server did not start again")


async def opened(desk: Desk) -> None:
    """Open the table, seat everybody, and call for bets."""
    asked: list[tuple[c.Command, Any]] = [(c.OpenTable(SETTINGS), MANAGER)]
    asked.append((c.LoadShoe("first"), DEALER))
    for place, patron in enumerate(PATRONS):
        asked.append((c.TakeSeat(patron, place + 1), DEALER))
        asked.append((c.BringCredit(patron, 10**9), DEALER))
    asked.append((c.CallBets(), DEALER))
    for number, (command, actor) in enumerate(asked):
        assert (await desk.submit(Request(f"open-{number}", actor, command))).accepted


async def wager(
    desk: Desk, patron: str, told: dict[Request, Reply], sent: list[Request]
) -> None:
    """Send wagers until the desk fails; note what was sent and what was told."""
    while True:
        command = c.PlaceWager(patron, "tie", 1_00)
        request = Request(f"bet-{next(numbers)}", Patron(patron), command)
        sent.append(request)
        told[request] = await desk.submit(request)


async def lives(server: Any, kills: int, seed: int) -> int:  # noqa: ANN401
    """Kill the server again and again; return how many commands were acknowledged."""
    told: dict[Request, Reply] = {}
    sent: list[Request] = []
    chance = Random(seed)
    for life in range(kills + 1):
        store = await PostgresStore.open(server.get_uri())
        desk = Desk(Writer(store), "1", RULEBOOKS, DeviceSource())
        await desk.start()
        if life == 0:
            await opened(desk)
        # What was acknowledged is there, and what was not is answered now, once.
        for request in sent:
            reply = await desk.submit(request)
            assert told.setdefault(request, reply) == reply
        sent.clear()
        if life < kills:
            senders = [
                asyncio.create_task(wager(desk, patron, told, sent)) for patron in PATRONS
            ]
            await asyncio.sleep(chance.uniform(0.05, 0.4))
            os.kill(server.get_pid(), signal.SIGKILL)
            ended = await asyncio.gather(*senders, return_exceptions=True)
            assert all(isinstance(one, JournalError) for one in ended), ended
            await desk.close()
            await store.close()
            await restarted(server)
    for request, reply in told.items():
        assert await desk.submit(request) == reply
    verified = await verify(store, RULEBOOKS)
    assert verified.findings == []
    await desk.close()
    await store.close()
    return len(told)


async def test_a_server_that_is_killed_loses_nothing_acknowledged(own_server: Any) -> None:  # noqa: ANN401
    assert await lives(own_server, kills=2, seed=1) > 50


@pytest.mark.crash
@pytest.mark.parametrize("seed", range(3))
async def test_a_server_that_is_killed_often(own_server: Any, seed: int) -> None:  # noqa: ANN401
    assert await lives(own_server, kills=15, seed=seed) > 500
