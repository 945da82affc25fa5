"""The state of the cage: wallets, tickets, what is on its way to tables, and game sheets."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec

import msgspec

from croupier.cage.events import SentToTable  # noqa: TC001  # read by msgspec
from croupier.shelf import Shelf


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
    expires: datetime | None = None


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

    def sent_cents(self, patron: str, table: str | None = None) -> int:
        """Return what of a patron's credit is on its way to a table; None: to all of them."""
        return sum(
            one.cents
            for one in self.sent.values()
            if one.patron == patron and table in (None, one.table)
        )

    def sheet(self, table: str) -> Sheet:
        """Return a table's newest game sheet."""
        return self.sheets.get(table) or Sheet()
