"""Recalling the last rounds of a table: what was staked, dealt, paid, decided and refused.

Everything is folded from the records, whose chain is checked on the way. A card that was not
exposed stays face down: its face is in the journal alone.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import msgspec

from croupier.journal.codec import decode_record
from croupier.journal.record import GENESIS, Head
from croupier.journal.replay import check_chain
from croupier.journal.shoes import Interrupted
from croupier.journal.store import JournalError
from croupier.rules.errors import listed
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import evolve
from croupier.table.refusals import Refusal
from croupier.table.state import Stake, Table, unopened

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.reader import Reader
    from croupier.journal.record import Answer, Record
    from croupier.table.rulebook import Rulebook


class Act(msgspec.Struct):
    """A command, and what came of it."""

    first: int
    last: int
    moment: str
    actor: str
    command: str
    before: Table
    events: list[e.Event]
    interrupted: Interrupted | None = None


class Refused(msgspec.Struct):
    """A command that the table refused."""

    place: int
    """The record that would have been the next."""
    actor: str
    command: str
    refusal: Refusal


class Recalled(msgspec.Struct):
    """A round of play as the journal has it."""

    number: int
    game: str
    opened: str
    first: int
    last: int
    table: Table
    """As it was at the end of the round, or is now."""
    ended: str | None = None
    """ "settled" or "void"; None: the round is in progress."""
    stakes: tuple[Stake, ...] = ()
    """As they were when the round was settled or void."""
    dealt: dict[str, str | None] = {}
    """By place: the face; None: face down."""
    lines: tuple[e.PayLine, ...] = ()
    refunds: tuple[i.Refund, ...] = ()
    acts: list[Act] = []
    decisions: list[e.DecisionRecorded] = []
    refusals: list[Refused] = []
    patrons: frozenset[str] = frozenset()
    """Who had a stake at any moment of it."""


class Folded(msgspec.Struct):
    """A table as it was at a record."""

    table: Table
    head: Head
    moment: str = ""


def stream_of(table: str) -> str:
    """Return the stream of a table."""
    return f"table:{table}"


async def tables_of(reader: Reader) -> list[str]:
    """Return the names of a journal's tables."""
    streams = [head.stream for head in await reader.heads()]
    return [name.partition(":")[2] for name in streams if name.startswith(stream_of(""))]


async def require_table(reader: Reader, table: str) -> Head:
    """Return where a table's stream ends; refuse a table that the journal does not have."""
    heads = {head.stream: head for head in await reader.heads()}
    head = heads.get(stream_of(table))
    if head is None:
        names = await tables_of(reader)
        have = f"its tables are {listed(names)}" if names else "it has no tables"
        message = f"There is no table {table!r} in {reader.name}; {have}."
        raise JournalError(message)
    return head


async def fold_until(
    reader: Reader, table: str, rulebooks: tuple[Rulebook, ...], until: int | None = None
) -> Folded:
    """Return a table as it was after a record; None: after the last one."""
    head = await require_table(reader, table)
    last = head.sequence if until is None else until
    if not 0 <= last <= head.sequence:
        message = (
            f"Table {table} has the records 1 to {head.sequence}; {until} is not one of them,"
            " nor 0, before the first."
        )
        raise JournalError(message)
    folded = Folded(unopened(rulebooks), Head(head.stream, 0, GENESIS))
    async for page in reader.pages(head.stream):
        for record in page.records:
            if record.sequence > last:
                return folded
            folded.head = check_chain(folded.head, record)
            folded.moment = record.moment
            event = decode_record(record)
            if isinstance(event, e.Event):
                folded.table = evolve(folded.table, event)
    return folded


async def recall(
    reader: Reader,
    table: str,
    rulebooks: tuple[Rulebook, ...],
    rounds: int,
    wanted: Callable[[Recalled], bool] = lambda _: True,
) -> list[Recalled]:
    """Return the last rounds of a table that are wanted, the oldest first."""
    head = await require_table(reader, table)
    memory = _Memory(unopened(rulebooks), rounds, wanted)
    at = Head(head.stream, 0, GENESIS)
    async for page in reader.pages(head.stream):
        for record in page.records:
            at = check_chain(at, record)
            memory.take(record)
    memory.keep()
    async for answers in reader.answers(head.stream):
        for answer in answers:
            memory.refuse(answer)
    return list(memory.rounds)


class _Memory:
    """Folds a table and keeps its last rounds."""

    def __init__(self, table: Table, rounds: int, wanted: Callable[[Recalled], bool]) -> None:
        self.table = table
        self.rounds: deque[Recalled] = deque(maxlen=rounds)
        self._wanted = wanted
        self._open: Recalled | None = None
        self._last: Recalled | None = None
        """The newest round, open or not; at its end it shows whether it is wanted."""

    def take(self, record: Record) -> None:
        """Fold one record."""
        event, before = decode_record(record), self.table
        if isinstance(event, e.Event):
            self.table = evolve(before, event)
        if isinstance(event, e.BetsOpened):
            here = record.sequence
            self.keep()
            self._open = self._last = Recalled(
                event.round, event.game, record.moment, here, here, self.table, acts=[],
                decisions=[], refusals=[],
            )  # fmt: skip
        if self._open is not None:
            self._note(self._open, record, event, before)

    def keep(self) -> None:
        """Keep the newest round, which is over or in progress, if it is wanted."""
        if self._last is not None and self._wanted(self._last):
            self.rounds.append(self._last)

    def _note(
        self, one: Recalled, record: Record, event: msgspec.Struct, before: Table
    ) -> None:
        one.last, one.table = record.sequence, self.table
        self._act(one, record, event, before)
        if self.table.stakes is not before.stakes:
            here = (share.patron for stake in self.table.stakes for share in stake.shares)
            one.patrons |= {*here}
        play = self.table.round
        if play is not None and play.number == one.number:
            one.dealt = {
                card.position.value: card.card.text if card.exposed and card.card else None
                for card in play.cards
            }
        if isinstance(event, e.DecisionRecorded):
            one.decisions.append(event)
        elif isinstance(event, e.WagersSettled):
            one.ended, one.stakes, one.lines = "settled", before.stakes, event.lines
        elif isinstance(event, i.RoundVoided):
            one.ended, one.refunds = "void", event.refunds
            one.stakes, one.lines = before.stakes or one.stakes, ()
        elif one.ended is None:
            one.stakes = self.table.stakes
        if isinstance(event, e.RoundClosed):
            self._open = None

    def _act(self, one: Recalled, record: Record, event: msgspec.Struct, before: Table) -> None:
        last = one.acts[-1] if one.acts else None
        if last is None or (last.actor, last.command) != (record.actor, record.command):
            last = Act(
                record.sequence, record.sequence, record.moment, record.actor,
                record.command, before, [],
            )  # fmt: skip
            one.acts.append(last)
        last.last = record.sequence
        if isinstance(event, e.Event):
            last.events.append(event)
        elif isinstance(event, Interrupted):
            last.interrupted = event

    def refuse(self, answer: Answer) -> None:
        """Take a refusal to the round in which it was given."""
        if answer.last >= answer.first:
            return
        for one in self.rounds:
            if one.first < answer.first <= one.last + 1:
                refusal = _refusal(answer)
                one.refusals.append(
                    Refused(answer.first, answer.actor, answer.command, refusal)
                )
                return


def _refusal(answer: Answer) -> Refusal:
    try:
        return msgspec.json.decode(answer.result, type=Refusal)
    except msgspec.MsgspecError as error:
        message = f"The answer to {answer.command} of {answer.actor} cannot be read."
        raise JournalError(message) from error
