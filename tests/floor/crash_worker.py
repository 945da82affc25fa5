"""A program that plays for ever on an SQLite journal, and tells what it was told.

It writes a line before it asks for something, and a line when it has the answer; somebody
kills it, and looks whether everything that was told is in the journal. What got no answer in
an earlier life comes in on standard input, and is asked for again first::

    python -m tests.floor.crash_worker JOURNAL KEYS LIFE
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import msgspec

from croupier.floor.desk import Desk, Reply, Request
from croupier.floor.sources import SealedSource
from croupier.journal.seal import KeyBox
from croupier.journal.snapshots import Snapshots
from croupier.journal.sqlite import SqliteStore
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron, Staff, System  # noqa: TC001  # read by msgspec
from tests.floor.rounds import SCRIPTS, People

if TYPE_CHECKING:
    from croupier.table.state import Table

GAMES = ("baccarat", "power-98", "tiger")
"""What is played, each at a table of its own: an option, a referral, a void."""
CARDS_MIN = 20
"""With fewer cards left, the next shoe comes."""
ROUNDS = 10**9


class Asked(msgspec.Struct, frozen=True):
    """A request as a line has it, and the table that it is for."""

    table: str
    command_id: str
    actor: Patron | Staff | System
    command: Union[c.COMMANDS]  # type: ignore[valid-type]  # noqa: UP007
    approver: Staff | None = None
    cards: tuple[str, ...] = ()
    die: int | None = None

    def request(self) -> Request:
        """Return the request itself."""
        return Request(
            self.command_id, self.actor, self.command, self.approver, self.cards, self.die
        )


class Told(msgspec.Struct, frozen=True):
    """An answer as a line has it."""

    table: str
    command_id: str
    sequence: int
    refusal: Any = None

    @property
    def reply(self) -> Reply:
        """Return the answer itself."""
        return Reply(self.sequence, self.refusal)


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the program writes."""

    asked: Asked | None = None
    told: Told | None = None
    started: bool = False


def tell(line: Line) -> None:
    """Write a line at once: what was written stays written when the program is killed."""
    os.write(1, msgspec.json.encode(line) + b"\n")


class Crowd(People):
    """People who play for ever, shoe after shoe, with small stakes."""

    def __init__(self, game: str, prefix: str, *, quiet: bool = False) -> None:
        script = SCRIPTS[game]
        stakes = tuple(
            (patron, wager, 10_00 if wager in ("player", "banker") else 2_00)
            for patron, wager, _ in script.stakes
        )
        super().__init__(script._replace(cards=(), stakes=stakes, rounds=ROUNDS), prefix)
        self.game, self._quiet = game, quiet
        self.stopping = False
        """Whether the round in progress is the last one."""

    async def ask(self, desk: Desk, request: Request) -> Reply:
        """Bring a command, and tell what is asked for and what comes of it."""
        if not self._quiet:
            what = msgspec.structs.asdict(request)
            for unset in ("condition", "read", "concealed"):
                del what[unset]
            tell(Line(asked=Asked(self.game, **what)))
        reply = await super().ask(desk, request)
        if not self._quiet:
            told = Told(self.game, request.command_id, reply.sequence, reply.refusal)
            tell(Line(told=told))
        return reply

    def _between(self, table: Table) -> list[Request]:
        assert table.shoe is not None
        if self.stopping:
            return []
        if table.shoe.ended:
            return [self.request(table, c.LoadShoe(f"after round {table.rounds}"))]
        if table.shoe.left < CARDS_MIN:
            return [self.request(table, c.EndShoe())]
        return super()._between(table)


async def play(writer: Writer, keys: KeyBox, crowd: Crowd) -> None:
    """Start the desk of a table, and play at it until somebody ends it."""
    desk = Desk(writer, crowd.game, RULEBOOKS, SealedSource(writer.store, keys))
    await desk.start()
    await crowd.repeat(desk)
    while True:
        asked = [crowd.ask(desk, one) for one in crowd.next(desk.table)]
        replies = await asyncio.gather(*asked)
        assert any(reply.accepted for reply in replies), replies


async def main(journal: Path, keys: Path, life: str, left: list[Asked]) -> None:
    """Open the journal and play at all tables at once."""
    store = await SqliteStore.open(journal)
    writer = Writer(store, snapshots=Snapshots(bytes(32)))
    tell(Line(started=True))
    crowds = [Crowd(game, f"{life}-{game}") for game in GAMES]
    for crowd in crowds:
        requests = [one.request() for one in left if one.table == crowd.game]
        crowd.open = {one.command_id: one for one in requests}
    await asyncio.gather(*[play(writer, KeyBox(keys), crowd) for crowd in crowds])


if __name__ == "__main__":
    decode = msgspec.json.Decoder(Asked).decode
    unanswered = [decode(line) for line in sys.stdin.buffer]
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], unanswered))
