"""Terminals on the floor: lost with the last socket of a patron, and back again (EB4 5.10)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from croupier.floor.configuration import Configuration
from croupier.floor.desk import Request
from croupier.floor.house import House
from croupier.floor.terminals import Terminals
from croupier.journal.errors import PoisonedError
from croupier.journal.memory import MemoryStore
from croupier.table import commands as c
from croupier.table.roles import Patron
from tests.floor.rounds import looped
from tests.table.floor import MANAGER, SYSTEM
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from croupier.floor.desk import Desk
    from croupier.journal.gathering import Landed
    from croupier.table.roles import Actor

TOPIC = "table:1"
LOST_SECONDS = 0.02


class Floored:
    """A house with one electronic table, and somebody who counts sockets."""

    def __init__(self, folder: Path) -> None:
        self.house = House(
            folder, MemoryStore(), Configuration(), subscribers=(self._committed,)
        )
        self._tasks: set[asyncio.Task[None]] = set()
        loop = asyncio.get_running_loop()
        self.terminals = Terminals(self.house, loop, self._spawn, LOST_SECONDS)
        self._asked = 0

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _committed(self, landed: Landed) -> None:
        if landed.stream == TOPIC:
            self.terminals.happened("1", landed)

    @property
    def desk(self) -> Desk:
        return self.house.tables["1"]

    async def start(self) -> None:
        """Open the table, seat ann, and begin a round."""
        await self.house.keeper.start()
        await self.house.start(drive=False)
        await self.house.table("1")
        await self.ask(c.OpenTable(settings_of("tiger", None)), MANAGER)
        await self.sit("ann")
        await self.ask(c.LoadShoe("1"), SYSTEM)
        await self.ask(c.CallBets(), SYSTEM)

    async def ask(self, command: c.Command, actor: Actor) -> None:
        self._asked += 1
        reply = await self.desk.submit(Request(f"ask-{self._asked}", actor, command))
        assert reply.accepted, reply.refusal

    async def sit(self, patron: str) -> None:
        await self.ask(c.TakeSeat(patron, 1), Patron(patron))

    async def lose(self) -> None:
        """Let ann's last socket be gone for long enough."""
        self.terminals.came("ann", TOPIC)
        self.terminals.left("ann", TOPIC)
        await until(lambda: 1 in self.desk.table.lost_terminals)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110  # others work meanwhile
            await asyncio.sleep(0.002)


@pytest.mark.clause("EB4 5.10")
@pytest.mark.parametrize("watches", [True, False], ids=["with a socket", "without one"])
@looped
async def test_whoever_sits_down_at_a_lost_terminal_is_not_lost(
    tmp_path: Path, *, watches: bool
) -> None:
    floor = Floored(tmp_path)
    await floor.start()
    await floor.lose()
    if watches:
        floor.terminals.came("bob", TOPIC)  # looks on from before
    await floor.ask(c.LeaveSeat("ann"), Patron("ann"))
    await floor.sit("bob")
    await until(lambda: not floor.desk.table.lost_terminals)
    await floor.house.close()


@pytest.mark.clause("EB4 5.10")
@looped
async def test_a_terminal_whose_return_could_not_be_recorded_is_back_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floored(tmp_path)
    await floor.start()
    await floor.lose()

    async def away(_: object) -> None:
        message = "The medium is away."
        raise PoisonedError(message)

    with monkeypatch.context() as patched:
        patched.setattr(floor.desk, "submit", away)
        floor.terminals.came("ann", TOPIC)
        await asyncio.sleep(0.01)
    assert 1 in floor.desk.table.lost_terminals
    await floor.ask(c.CloseBets(), SYSTEM)
    await until(lambda: not floor.desk.table.lost_terminals)
    await floor.house.close()


@pytest.mark.clause("EB4 5.10")
@looped
async def test_a_lost_terminal_stays_lost_while_others_go_on(tmp_path: Path) -> None:
    floor = Floored(tmp_path)
    await floor.start()
    await floor.lose()
    await floor.ask(c.TakeSeat("bob", 2), Patron("bob"))
    await floor.ask(c.CloseBets(), SYSTEM)
    await asyncio.sleep(0.01)
    assert floor.desk.table.lost_terminals == {1}
    await floor.house.close()


@pytest.mark.clause("EB4 5.10")
@looped
async def test_that_a_terminal_displayed_the_closing_is_recorded_once(tmp_path: Path) -> None:
    floor = Floored(tmp_path)
    await floor.start()
    number = floor.desk.table.rounds
    before = floor.desk.seat.sequence
    for _ in range(5):
        floor.terminals.shown("ann", "1", number)  # bets are open: nothing can have been shown
    await asyncio.sleep(0.01)
    assert floor.desk.seat.sequence == before
    await floor.ask(c.CloseBets(), SYSTEM)
    before = floor.desk.seat.sequence
    for _ in range(5):
        floor.terminals.shown("ann", "1", number)
    await until(lambda: floor.desk.seat.sequence > before)
    floor.terminals.shown("ann", "1", number)
    floor.terminals.shown("ann", "1", number - 1)
    await asyncio.sleep(0.01)
    play = floor.desk.table.round
    assert play is not None
    assert play.terminals_closed == (1,)
    assert floor.desk.seat.sequence == before + 1
    await floor.house.close()
