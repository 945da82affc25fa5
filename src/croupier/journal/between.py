"""What two streams say of the same: transfers between cage and tables, and counted chips.

No order is kept between the records of two streams. So each side is collected by itself, and
compared when both are known.
"""

from __future__ import annotations

import msgspec

from croupier.journal import cage as c
from croupier.journal.reader import Finding


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

    def same(self, other: Transfer) -> bool:
        """Tell whether both sides mean the same."""
        mine = (self.kind, self.patron, self.table, self.cents)
        return mine == (other.kind, other.patron, other.table, other.cents)


class Transfers:
    """Transfers seen from both sides."""

    def __init__(self) -> None:
        self._cage: dict[str, Transfer] = {}
        """What the cage did last with each."""
        self._tables: dict[str, Transfer] = {}
        self._twice: list[Finding] = []

    def add(self, transfers: list[Transfer]) -> None:
        """Take what one stream shows."""
        for one in transfers:
            if one.stream == c.STREAM:
                self._cage[one.name] = one
            elif one.name in self._tables:
                self._twice.append(_transfer(one, "reached a table twice"))
            else:
                self._tables[one.name] = one

    @property
    def findings(self) -> list[Finding]:
        """Return transfers of which one side knows nothing, or something else."""
        found = list(self._twice)
        for name, one in self._tables.items():
            there = self._cage.get(name)
            # What left a table may still be on its way to the cage.
            on_its_way = there is None and one.kind == RECEIVED
            if not on_its_way and (there is None or not one.same(there)):
                found.append(_transfer(one, "is another one at the cage"))
        found += [
            _transfer(one, "was received, and no table sent it")
            for name, one in self._cage.items()
            if one.kind == RECEIVED and name not in self._tables
        ]
        return found


SENT, RECEIVED = "sent_to_table", "received_from_table"


def _transfer(one: Transfer, what: str) -> Finding:
    return Finding(one.stream, one.sequence, "transfer", f"Transfer {one.name} {what}.")


# Counts


class Count(msgspec.Struct, frozen=True):
    """Chips or cash of a table that were counted, as the cage's stream shows it."""

    table: str
    counted: c.Counted
    left_cents: int
    """What all records of the cage up to here leave on the table's account."""
    sequence: int


class Closing(msgspec.Struct, frozen=True):
    """What a table's own records leave in its tray and its box when it closes."""

    tray_cents: int = 0
    box_cents: int = 0


class Counts:
    """Counts of the cage, and the closings of the tables they were made at.

    A tray or a box is counted while its table is closed, and is empty afterwards: what was
    over or short is a record of its own. So what the cage leaves on the account is the
    opposite of what the table left there at a closing, and later counts belong to the same
    closing or to a later one.
    """

    def __init__(self) -> None:
        self._counts: list[Count] = []
        self._closings: dict[str, list[Closing]] = {}

    def add(self, counts: list[Count], table: str, closings: list[Closing]) -> None:
        """Take what one stream shows."""
        self._counts += counts
        if closings:
            self._closings[table] = closings

    @property
    def findings(self) -> list[Finding]:
        """Return counts that leave a tray or a box not empty."""
        found: list[Finding] = []
        newest: dict[str, int] = {}
        for count in self._counts:
            # A table that never closed was never open: it left nothing.
            closings = [Closing(), *self._closings.get(count.table, ())]
            tray = count.counted is c.Counted.CLOSER
            for number in range(newest.get(count.table, 0), len(closings)):
                closing = closings[number]
                if count.left_cents + (closing.tray_cents if tray else closing.box_cents) == 0:
                    newest[count.table] = number
                    break
            else:
                what = "tray" if tray else "box"
                sentence = (
                    f"What was counted does not leave the {what} of table {count.table} empty."
                )
                found.append(Finding(c.STREAM, count.sequence, "balance", sentence))
        return found


class CountCheck:
    """Follows the counts of the cage through its records."""

    def __init__(self) -> None:
        self.counts: list[Count] = []
        self._due: c.DifferenceFound | None = None
        """What was over or short, until the count itself follows."""

    def check(self, event: c.CageEvent) -> str | None:
        """Say that a difference and its count do not belong together."""
        due, self._due = self._due, event if isinstance(event, c.DifferenceFound) else None
        if due is None:
            return None
        kind = c.TableCloserCounted if due.counted is c.Counted.CLOSER else c.DropCounted
        if event == kind(due.table, due.counted_cents, due.by):
            return None
        return f"A difference at table {due.table} was found, and its count did not follow."

    def take(self, event: c.CageEvent, balances: dict[str, int], sequence: int) -> None:
        """Note what a count leaves; the balances are those of the cage's records alone."""
        if isinstance(event, c.TableCloserCounted):
            left = balances.get(c.bank(event.table), 0)
            self.counts.append(Count(event.table, c.Counted.CLOSER, left, sequence))
        elif isinstance(event, c.DropCounted):
            left = balances.get(c.box(event.table), 0)
            self.counts.append(Count(event.table, c.Counted.DROP, left, sequence))

    def missing(self) -> str | None:
        """Say what should still have followed the last record."""
        if self._due is None:
            return None
        return f"A difference at table {self._due.table} was found, and no count followed."
