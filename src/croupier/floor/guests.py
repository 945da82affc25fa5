"""The demo's patrons: guests whom the house plays, over loopback, by the client's own code.

They bet modestly and by chance, answer what they are asked, move now and then, and leave room
for people. They run as tasks of the server's process and end with it.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from typing import TYPE_CHECKING, Final

from croupier.client import Client, ClientError
from croupier.client.playing import Habits, Seen, Visit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.floor.demo import DemoLogin
    from croupier.table.views.lobby import TableSummary

LOGGER: Final = logging.getLogger("croupier.guests")
HABITS: Final = Habits(
    sits_out=0.25, more=0.25, refuses=0.1, units_max=5, thinks_seconds=1.5, spread=0.8
)
LIVE_MAX: Final = 3
"""Guests at one live table."""
ELECTRONIC_MAX: Final = 10
FREE_MIN: Final = 2
"""Positions that guests leave free at any table, people at it included."""
STAYS: Final = (8, 40)
"""Rounds after which a guest moves on, from and to."""
LEAVE_SECONDS: Final = 60.0
APART_SECONDS: Final = 0.15
"""Guests come one after the other: every sign-in is a hash of a password."""
AGAIN_SECONDS: Final = (2.0, 10.0)
LEAVING_SECONDS, STOP_SECONDS = 0.5, 0.4
"""Together less than the second within which guests are gone."""


class Guests:
    """All guests of a demo."""

    def __init__(
        self, url: str, playing: Sequence[DemoLogin], going: Sequence[DemoLogin]
    ) -> None:
        self._url, self._playing, self._going = url, playing, going
        self._stop = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.sitting: Counter[str] = Counter()
        """How many guests are at each table, or on their way there."""

    def start(self) -> None:
        """Let the guests come, and those who play no more go."""
        # The server's own log need not have every request of its guests.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        for number, login in enumerate(self._playing):
            self._tasks.append(asyncio.create_task(self._guest(number, login)))
        for login in self._going:
            self._tasks.append(asyncio.create_task(self._go(login)))

    async def close(self) -> None:
        """Let everybody go: in order as far as that is possible at once, else as they are.

        A guest who holds a shaker or cards answers in this time, so that the round can end.
        """
        self._stop.set()
        if not self._tasks:
            return
        await asyncio.wait(self._tasks, timeout=LEAVING_SECONDS)
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks, timeout=STOP_SECONDS)

    # One guest

    async def _guest(self, number: int, login: DemoLogin) -> None:
        """Play for as long as the house is open; whatever goes wrong, come again later."""
        chance = random.Random()  # noqa: S311  # what a guest does is no secret
        await asyncio.sleep(APART_SECONDS * number)
        while not self._stop.is_set():
            try:
                async with Client(self._url, login.name, login.password) as client:
                    await self._visits(client, number, chance)
            except ClientError as error:
                LOGGER.info("%s comes again: %s", login.name, error)
            except Exception:
                LOGGER.exception("%s could not go on", login.name)
            if not self._stop.is_set():
                await asyncio.sleep(chance.uniform(*AGAIN_SECONDS))

    async def _visits(self, client: Client, number: int, chance: random.Random) -> None:
        """Go from table to table; a seat that is still the guest's is the first."""
        wallet = await client.wallet()
        held = [seat.table for seat in wallet.seats if seat.position is not None]
        while not self._stop.is_set():
            table = held.pop() if held else await self._choose(client, number, chance)
            if table is None:
                await asyncio.sleep(chance.uniform(*AGAIN_SECONDS))
                continue
            number += 1  # the next time another one
            self.sitting[table] += 1
            try:
                await self._visit(Visit(client, table, HABITS, chance, Seen()), chance)
            finally:
                self.sitting[table] -= 1

    async def _visit(self, visit: Visit, chance: random.Random) -> None:
        try:
            if await visit.sit():
                await visit.play(self._stop, chance.randint(*STAYS))
                while not await visit.leave(LEAVE_SECONDS):
                    pass  # a round that waits for people: the guest still answers
        finally:
            visit.close()

    async def _choose(self, client: Client, number: int, chance: random.Random) -> str | None:
        """Return a table with room for a guest: spread at first, by chance later."""
        found = [one for one in await client.tables() if self._has_room(one)]
        if not found:
            return None
        fewest = min(self.sitting[one.name] for one in found)
        least = [one.name for one in found if self.sitting[one.name] == fewest]
        return least[number % len(least)] if fewest == 0 else chance.choice(least)

    def _has_room(self, table: TableSummary) -> bool:
        """Tell whether one guest more leaves room for people."""
        if table.kind is None:
            return False
        most = LIVE_MAX if table.kind == "live" else ELECTRONIC_MAX
        free = table.seats.positions - table.seats.taken
        return self.sitting[table.name] < most and free > FREE_MIN

    async def _go(self, login: DemoLogin) -> None:
        """Let a guest of an earlier start leave the seats that were kept."""
        try:
            async with Client(self._url, login.name, login.password) as client:
                for seat in (await client.wallet()).seats:
                    visit = Visit(client, seat.table, HABITS, random.Random(), Seen())  # noqa: S311
                    if seat.position is not None and await visit.sit():
                        await visit.leave(LEAVE_SECONDS)
                    visit.close()
        except ClientError as error:
            LOGGER.info("%s could not leave: %s", login.name, error)
