"""What two streams say of the same: transfers between cage and tables, and what was counted.

No order is kept between the decisions of two streams. So each side is collected by itself,
and compared when both are known. What the cage took from a table it took as of a sequence of
the table's stream, and there it is looked up.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from croupier.journal import cage as c
from croupier.journal.cages import ASLEEP, BOX, COUNTS, LOST, OPEN, TRAY
from croupier.journal.reader import Finding
from croupier.table import events as e

if TYPE_CHECKING:
    from croupier.journal.decision import Decision, Known

SENT, RECEIVED = "sent_to_table", "received_from_table"
NAMES = {
    c.SentToTable: SENT,
    c.SentBack: "sent_back",
    c.ReceivedFromTable: RECEIVED,
    e.CreditBrought: SENT,
    e.CreditTaken: RECEIVED,
}
"""What the cage calls credit on its way, by what either side records of it."""


class Transfer(msgspec.Struct, frozen=True):
    """Credit on its way between the cage and a table, seen from one side."""

    name: str
    kind: str
    """What the cage calls it."""
    patron: str
    table: str
    cents: int
    stream: str
    sequence: int
    given_up: str
    """The command under which the cage takes over what this decision of a table gave up, or
    under which it did."""

    def same(self, other: Transfer) -> bool:
        """Tell whether both sides mean the same."""
        mine = (self.kind, self.patron, self.table, self.cents)
        return mine == (other.kind, other.patron, other.table, other.cents)


def transfer_in(event: msgspec.Struct, one: Decision, digest: bytes) -> Transfer | None:
    """Return the transfer that an event of a decision is a side of, if it is one."""
    name = getattr(event, "transfer", None)
    if name is None:
        return None
    at_cage = one.stream == c.STREAM
    table = event.table if at_cage else one.stream.partition(":")[2]  # type: ignore[attr-defined]
    given_up = one.command_id if at_cage else f"receive-{digest.hex()}"
    patron, cents = event.patron, event.cents  # type: ignore[attr-defined]
    kind = NAMES[type(event)]
    return Transfer(name, kind, patron, table, cents, one.stream, one.sequence, given_up)


class Transfers:
    """Transfers seen from both sides.

    What the cage sends a table takes over by its name, once in the whole house. What a table
    gives up the cage takes over by the hash of the decision.
    """

    def __init__(self) -> None:
        self._sent: dict[str, Transfer] = {}
        """What the cage did last with each that it sent."""
        self._brought: dict[str, Transfer] = {}
        self._taken: dict[str, Transfer] = {}
        self._received: list[Transfer] = []
        self._twice: list[Finding] = []

    def add(self, transfers: list[Transfer]) -> None:
        """Take what one stream shows."""
        for one in transfers:
            at_cage = one.stream == c.STREAM
            if one.kind == RECEIVED:
                if at_cage:
                    self._received.append(one)
                else:
                    self._taken[one.given_up] = one
            elif at_cage:
                self._sent[one.name] = one
            elif one.name in self._brought:
                self._twice.append(_transfer(one, "reached a table twice"))
            else:
                self._brought[one.name] = one

    @property
    def findings(self) -> list[Finding]:
        """Return transfers of which one side knows nothing, or something else.

        What the cage sent, or a table gave up, may still be on its way.
        """
        found = list(self._twice)
        for name, one in self._brought.items():
            there = self._sent.get(name)
            if there is None or not one.same(there):
                found.append(_transfer(one, "is another one at the cage"))
        for one in self._received:
            there = self._taken.pop(one.given_up, None)
            if there is None:
                found.append(_transfer(one, "was received, and no decision gave it up"))
            elif not (one.same(there) and one.name == there.name):
                found.append(_transfer(one, "is another one at its table"))
        return found


def _transfer(one: Transfer, what: str) -> Finding:
    return Finding(one.stream, one.sequence, "transfer", f"Transfer {one.name} {what}.")


# What was taken from a table


class Held(msgspec.Struct, frozen=True):
    """What a table's own decisions leave in its tray and its box, from a sequence on."""

    sequence: int
    tray_cents: int
    box_cents: int
    open: bool


class Fact(msgspec.Struct, frozen=True):
    """What the cage took from a table, without what the cage itself has put there."""

    table: str
    """The name of its stream."""
    at: int
    """As of which sequence of the table's stream."""
    tray_cents: int
    box_cents: int
    counted: bool
    """It was counted, so the table was closed."""
    sequence: int
    """Of the cage's decision."""


def fact_of(one: Decision, balances: dict[str, int]) -> Fact | str | None:
    """Return what a decision of the cage took from a table, or say what is wrong with it.

    The balances are those of the cage's decisions before it. Where nothing was counted
    because the table was open or somebody else's, nobody took what it held.
    """
    command = one.command
    event = command.event if isinstance(command, c.Act) else None
    if isinstance(event, c.DifferenceFound):
        return "Nobody finds a difference; it comes of a count."
    if not one.house.facts:
        return None
    table = event.table  # type: ignore[union-attr]
    known: Known = one.house.facts[f"table:{table}"]
    values = known.values
    if not {TRAY, BOX} <= values.keys() <= {TRAY, BOX, OPEN, LOST, ASLEEP}:
        return "What it took from a table is not what is taken from one."
    counted = isinstance(event, COUNTS)
    if counted and one.refusal is not None:
        return None
    return Fact(
        f"table:{table}",
        known.sequence,
        values[TRAY] - balances.get(c.bank(table), 0),
        values[BOX] - balances.get(c.box(table), 0),
        counted,
        one.sequence,
    )


class Facts:
    """What the cage took from tables, and what the tables held."""

    def __init__(self) -> None:
        self._facts: list[Fact] = []
        self._held: dict[str, list[Held]] = {}
        self._ends: dict[str, int] = {}

    def add(self, stream: str, facts: list[Fact], held: list[Held], end: int) -> None:
        """Take what one stream shows, and where it ends."""
        self._facts += facts
        self._held[stream], self._ends[stream] = held, end

    @property
    def findings(self) -> list[Finding]:
        """Return what a table did not hold when it was taken from it."""
        found: list[Finding] = []
        newest: dict[str, int] = {}
        for fact in self._facts:
            wrong = self._wrong(fact, newest.get(fact.table, 0))
            newest[fact.table] = fact.at
            if wrong is not None:
                found.append(Finding(c.STREAM, fact.sequence, "fact", wrong))
        return found

    def _wrong(self, fact: Fact, newest: int) -> str | None:
        where = f"decision {fact.at} of {fact.table}"
        if not 0 <= fact.at <= self._ends.get(fact.table, 0):
            return f"It knew what was so at {where}, which does not exist."
        if fact.at < newest:
            return f"It knew what was so at {where}, and decision {newest} was known before."
        history = self._held.get(fact.table, [])
        place = bisect_right(history, fact.at, key=lambda one: one.sequence)
        held = history[place - 1] if place else Held(0, 0, 0, open=False)
        if fact.counted and held.open:
            return f"It was counted at {where}, when the table was open."
        if (fact.tray_cents, fact.box_cents) != (held.tray_cents, held.box_cents):
            return f"Tray and box did not hold at {where} what it knew of them."
        return None
