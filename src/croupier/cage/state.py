"""The state of the cage: wallets, tickets, what is on its way to tables, and game sheets."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from croupier.cage.events import SentToTable  # noqa: TC001  # read by msgspec

Value = TypeVar("Value")
NEWEST_MIN = 64
"""So many newest values are kept apart in any case."""


class Shelf(msgspec.Struct, Generic[Value], frozen=True, eq=False):
    """Values by name, never changed in place; a change copies the newest few of them only.

    The newest are as many as the square root of all: then they join the others.
    """

    old: dict[str, Value] = {}
    new: dict[str, Value] = {}

    def get(self, name: str) -> Value | None:
        """Return the value of a name, if it has one."""
        found = self.new.get(name)
        return self.old.get(name) if found is None else found

    def put(self, name: str, value: Value) -> Shelf[Value]:
        """Return a shelf on which a name has this value."""
        new = {**self.new, name: value}
        if len(new) > NEWEST_MIN and len(new) ** 2 > len(self.old):
            return Shelf({**self.old, **new})
        return Shelf(self.old, new)

    @property
    def all(self) -> dict[str, Value]:
        """Return all values by their names."""
        return {**self.old, **self.new}

    def __eq__(self, other: object) -> bool:
        """Compare what is on it, however it is kept."""
        return isinstance(other, Shelf) and self.all == other.all

    __hash__ = None  # type: ignore[assignment]


class Sheet(msgspec.Struct, frozen=True):
    """The game sheet of a table: chips and cash between it and the house."""

    opener_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    closer_cents: int = 0
    drop_cents: int = 0
    over_cents: int = 0
    """What was counted too much; negative: too little."""
    open: bool = False
    """The table has chips of the house."""

    @property
    def win_cents(self) -> int:
        """Return what the table won, as a casino counts it, once closer and drop are in."""
        back = self.drop_cents + self.closer_cents + self.credits_cents
        return back - self.opener_cents - self.fills_cents


class Ticket(msgspec.Struct, frozen=True):
    """A ticket: what it is worth, and what proves it."""

    cents: int
    digest: str
    paid: bool = False


class Cage(msgspec.Struct, frozen=True):
    """The state of the cage."""

    wallets: Shelf[int] = Shelf()
    tickets: Shelf[Ticket] = Shelf()
    sent: dict[int, SentToTable] = {}
    """What is on its way to tables: until it arrived, or is back."""
    sheets: dict[str, Sheet] = {}

    def held(self, patron: str) -> int:
        """Return what a wallet holds."""
        return self.wallets.get(patron) or 0

    def sent_cents(self, patron: str) -> int:
        """Return what of a patron's credit is on its way to tables."""
        return sum(one.cents for one in self.sent.values() if one.patron == patron)

    def sheet(self, table: str) -> Sheet:
        """Return a table's newest game sheet."""
        return self.sheets.get(table) or Sheet()
