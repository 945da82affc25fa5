"""Checks that cage and tables agree: transfers between them, and what was counted.

No order is kept between the decisions of two streams. So each side is collected by itself,
and compared when both are known. What one stream gives up the other takes over under the hash
of the decision that gave it up. What the cage took from a table it took as of a sequence of
the table's stream, and there it is looked up.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from croupier.cage import commands as c
from croupier.cage import events as ce
from croupier.cage.ledger import bank, box
from croupier.journal.cages import BOX, OPEN, STREAM, TRAY
from croupier.journal.reader import Finding
from croupier.table import events as e

if TYPE_CHECKING:
    from croupier.journal.decision import Decision, Known

SENT, ARRIVED, BACK, BROUGHT, TAKEN, RECEIVED = (
    "sent",
    "arrived",
    "back",
    "brought",
    "taken",
    "received",
)
TRANSFERRED = {
    ce.SentToTable: SENT,
    ce.CreditArrived: ARRIVED,
    ce.SentBack: BACK,
    ce.ReceivedFromTable: RECEIVED,
    e.CreditBrought: BROUGHT,
    e.CreditTaken: TAKEN,
}
"""Events that are one side of a transfer."""
MADE_OTHERWISE = "was not made under the identification that its hash gives"


class Transfer(msgspec.Struct, frozen=True):
    """Credit on its way between the cage and a table, seen from one side."""

    name: str
    """The hash of the decision that gave it up, for a table's with the place of its event;
    what the cage says of its own it names by its number."""
    kind: str
    patron: str
    table: str
    cents: int
    stream: str
    sequence: int
    command_id: str

    def same(self, other: Transfer) -> bool:
        """Tell whether both sides mean the same."""
        mine = (self.patron, self.table, self.cents)
        return mine == (other.patron, other.table, other.cents)


def bring_id(name: str) -> str:
    """Identify the command by which a table takes over what the cage sent."""
    return f"transfer-{name}"


def end_id(name: str, *, arrived: bool) -> str:
    """Identify the command by which the cage hears what became of what it sent."""
    return f"{'arrived' if arrived else 'back'}-{name}"


def receive_id(name: str) -> str:
    """Identify the command by which the cage takes over what a table gave up."""
    return f"receive-{name}"


def given_up_name(digest: bytes, line: int) -> str:
    """Name what an event of a table's decision gave up."""
    return f"{digest.hex()}-{line}"


def transfer_in(
    event: msgspec.Struct, one: Decision, digest: bytes, line: int
) -> Transfer | None:
    """Return the transfer that an event of a decision is a side of, if it is one."""
    kind = TRANSFERRED[type(event)]
    where = (one.stream, one.sequence, one.command_id)
    if isinstance(event, ce.CreditArrived):
        return Transfer(str(event.transfer), kind, "", "", 0, *where)
    patron, cents = event.patron, event.cents  # type: ignore[attr-defined]
    table = one.stream.partition(":")[2]
    if isinstance(event, e.CreditBrought):
        if event.transfer is None:
            return None
        return Transfer(event.transfer, kind, patron, table, cents, *where)
    if isinstance(event, e.CreditTaken):
        if not event.to_wallet:
            return None
        return Transfer(given_up_name(digest, line), kind, patron, table, cents, *where)
    name = digest.hex() if kind == SENT else str(event.transfer)  # type: ignore[attr-defined]
    return Transfer(name, kind, patron, event.table, cents, *where)  # type: ignore[attr-defined]


class Transfers:
    """Transfers seen from both sides."""

    def __init__(self) -> None:
        self._sent: dict[str, Transfer] = {}
        self._brought: dict[str, Transfer] = {}
        self._taken: dict[str, Transfer] = {}
        self._ended: list[Transfer] = []
        """What the cage says became of what it sent."""
        self._received: list[Transfer] = []
        self._twice: list[Finding] = []

    def add(self, transfers: list[Transfer]) -> None:
        """Take what one stream shows."""
        for one in transfers:
            if one.kind == SENT:
                self._sent[one.name] = one
            elif one.kind == TAKEN:
                self._taken[one.name] = one
            elif one.kind == RECEIVED:
                self._received.append(one)
            elif one.kind != BROUGHT:
                self._ended.append(one)
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
            elif one.command_id != bring_id(name):
                found.append(_transfer(one, MADE_OTHERWISE))
        found += self._wrong_ends()
        for one in self._received:
            there = self._taken.pop(one.name, None)
            if there is None:
                found.append(_transfer(one, "was received, and no decision gave it up"))
            elif not one.same(there):
                found.append(_transfer(one, "is another one at its table"))
            elif one.command_id != receive_id(one.name):
                found.append(_transfer(one, MADE_OTHERWISE))
        return found

    def _wrong_ends(self) -> list[Finding]:
        names = {str(one.sequence): one.name for one in self._sent.values()}
        found = []
        for one in self._ended:
            name = names.get(one.name, "")
            brought = name in self._brought
            if one.command_id != end_id(name, arrived=one.kind == ARRIVED):
                found.append(_transfer(one, MADE_OTHERWISE))
            elif one.kind == ARRIVED and not brought:
                found.append(_transfer(one, "arrived, and no table took it over"))
            elif one.kind == BACK and brought:
                found.append(_transfer(one, "is back, and its table took it over"))
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
    open: bool
    sequence: int
    """Of the cage's decision."""


LOOKS = (c.SetOpener, c.CreditTable, c.CountCloser, c.CountDrop)
"""Commands that take something from a table."""


def fact_of(one: Decision, balances: dict[str, int]) -> Fact | str | None:
    """Return what a decision of the cage took from a table, or say what is wrong with it.

    The balances are those of the cage's decisions before it.
    """
    command = one.command
    if not isinstance(command, LOOKS):
        return None
    table = command.table
    known: Known | None = one.house.facts.get(f"table:{table}")
    if known is None:
        return None
    values = known.values
    if values.keys() != {TRAY, BOX, OPEN} or values[OPEN] not in (0, 1):
        return "What it took from a table is not what is taken from one."
    return Fact(
        f"table:{table}",
        known.sequence,
        values[TRAY] - balances.get(bank(table), 0),
        values[BOX] - balances.get(box(table), 0),
        bool(values[OPEN]),
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
                found.append(Finding(STREAM, fact.sequence, "fact", wrong))
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
        if fact.open is not held.open:
            was = "open" if held.open else "closed"
            return f"It was decided as of {where}, when the table was {was}."
        if (fact.tray_cents, fact.box_cents) != (held.tray_cents, held.box_cents):
            return f"Tray and box did not hold at {where} what it knew of them."
        return None
