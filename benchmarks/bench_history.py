"""How long a page of finished rounds takes, however long the journal. Prints; asserts nothing.

A table with so many decisions (an argument; 100,000 otherwise) in an SQLite file, eight to a
round. The newest page of 20 rounds is asked for by a house that just started, then again after
one round more; a page in the middle and a single round step by step are asked for as well. Last
the same page by folding the whole journal, for comparison.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.floor.desk import Desk, Request
from croupier.floor.history import History
from croupier.floor.sources import DeviceSource
from croupier.journal.reader import StoreReader
from croupier.journal.recall import recall, round_in_steps
from croupier.journal.sqlite import SqliteStore
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron, Staff, StaffPosition, System
from croupier.table.settings import Settings
from croupier.table.views import Audience

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from croupier.table.roles import Actor

DECISIONS = 100_000
PAGE = 20
FACES = ("4S", "2H", "5D", "3C")
SHOE_CARDS = 32
"""How many cards of a shoe are dealt: the same faces, as often as the decks have them."""
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
DEALER = Staff("Dan", StaffPosition.DEALER)
SYSTEM = System()


class Table:
    """A table at which one patron plays the same round again and again."""

    def __init__(self, writer: Writer) -> None:
        self.desk, self.count = Desk(writer, "1", RULEBOOKS, DeviceSource()), 0

    async def ask(self, *asked: tuple[c.Command, Actor, tuple[str, ...]]) -> None:
        """Ask for these things, one behind the other."""
        waits = []
        for command, actor, cards in asked:
            self.count += 1
            request = Request(f"a{self.count}", actor, command, None, cards)
            waits.append(asyncio.ensure_future(self.desk.submit(request)))
        for reply in await asyncio.gather(*waits):
            assert reply.accepted, reply

    async def open(self) -> None:
        """Open the table, and seat a patron."""
        await self.desk.start()
        settings = Settings(rulebook="EB4", game="tiger")
        await self.ask(
            (c.OpenTable(settings), MANAGER, ()),
            (c.LoadShoe("0"), DEALER, ()),
            (c.TakeSeat("ann", 1), DEALER, ()),
            (c.BringCredit("ann", 1_000_000_000_00), DEALER, ()),
        )

    async def play(self) -> None:
        """Play a round."""
        shoe = self.desk.table.shoe
        if shoe is None or shoe.out >= SHOE_CARDS:
            load = c.LoadShoe(f"{self.count}")
            await self.ask((c.EndShoe(), DEALER, ()), (load, DEALER, ()))
        await self.ask(
            (c.CallBets(), SYSTEM, ()),
            (c.PlaceWager("ann", "player", 10_00), Patron("ann"), ()),
            (c.CloseBets(), SYSTEM, ()),
            *((c.DrawCard(), SYSTEM, (face,)) for face in FACES),
            (c.Settle(), SYSTEM, ()),
        )


async def timed(what: str, work: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401
    """Wait for work, and print how long it took."""
    start = time.perf_counter()
    done = await work
    print(f"{what:<60} {(time.perf_counter() - start) * 1000:>10,.1f} ms")
    return done


async def main() -> None:
    """Measure and print."""
    decisions = int(sys.argv[1]) if len(sys.argv) > 1 else DECISIONS
    with tempfile.TemporaryDirectory() as folder:
        store = await SqliteStore.open(Path(folder) / "journal.sqlite")
        writer = Writer(store)
        table = Table(writer)
        await table.open()
        while table.count < decisions:
            await table.play()
        print(f"{table.count:,} decisions, {table.desk.table.rounds:,} rounds")
        history = History(store, RULEBOOKS)
        await timed(f"the newest {PAGE} rounds, asked for first", history.page("1", None, PAGE))
        await table.play()
        await timed("the same after one round more", history.page("1", None, PAGE))
        middle = table.desk.table.rounds // 2
        await timed(f"{PAGE} rounds in the middle", history.page("1", middle, PAGE))
        one = await timed("a round in the middle", history.round("1", middle))
        start = time.perf_counter()
        round_in_steps(one, Audience.PIT)
        took = (time.perf_counter() - start) * 1000
        print(f"{'its decisions step by step':<60} {took:>10,.1f} ms")
        folding = recall(StoreReader(store), "1", RULEBOOKS, PAGE)
        await timed("the newest page by folding the whole journal", folding)
        await writer.close()
        await store.close()


if __name__ == "__main__":
    asyncio.run(main())
