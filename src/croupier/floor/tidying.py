"""Tidying: what a house puts right by itself at its tables, beside dealing them.

A Dealer who took a table over from the house and is gone, who was disabled or moved, or whose
last session ended, is signed out there: else the table would wait for them for ever. Credit of
a patron who left, and to whom a void returned a stake since, goes to the wallet. Both are found
from what the journal has, so a start finds them as well.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.floor.looking import Looking
from croupier.floor.problems import ConditionError, ServerCode
from croupier.journal.accounts_stream import STREAM as ACCOUNTS
from croupier.journal.errors import JournalError
from croupier.journal.positions import CHANGES
from croupier.journal.writer import Request
from croupier.table.authority import Needs, right_of
from croupier.table.commands import SignOut, TakeCredit
from croupier.table.events import DealerSignedIn
from croupier.table.roles import Staff, StaffPosition, System
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.floor.desk import Desk
    from croupier.floor.house import House
    from croupier.journal.gathering import Landed
    from croupier.journal.tables import TableState
    from croupier.table.state import Table

LOOK_SECONDS, SOON_SECONDS = 10.0, 0.5
"""How often the house looks anyway, as an acting position ends by the clock; and how soon
again, while something is left to be done."""
GRACE_SECONDS = 2.0
"""Whoever changes a password loses all sessions, and has a new one at once."""
HOUSE: Final = System("house")
DEALS = Needs(StaffPosition.DEALER)


class StillSignedIn(msgspec.Struct, frozen=True):
    """That a Dealer is still who deals at a table, and nobody has relieved them meanwhile."""

    dealer: str

    def __call__(self, state: TableState) -> JournalError | None:
        """Say that somebody else is; None: it is still the same."""
        if state.table.dealer == self.dealer:
            return None
        return ConditionError(ServerCode.OTHER_ROUND, f"Dealer {self.dealer} was relieved.")


class StillAway(msgspec.Struct, frozen=True):
    """That a patron who left has not come back meanwhile."""

    patron: str

    def __call__(self, state: TableState) -> JournalError | None:
        """Say that the patron is back; None: still away."""
        if self.patron not in state.table.seats:
            return None
        return ConditionError(ServerCode.OTHER_ROUND, f"Patron {self.patron} came back.")


class Tidying:
    """Signs out Dealers who are gone, and sends credit that was left to its wallet.

    ``committed`` is to be called with every durable decision; it never waits.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._looking = Looking(house.store, self._look, self._seconds)
        self._present: Callable[[str], bool] | None = None
        self._gone: dict[str, float] = {}
        """Who has no session any more, since when."""
        self._left = False
        """Whether something is still to be done."""

    def start(self) -> None:
        """Look for the first time now."""
        self._looking.start()

    async def stop(self) -> None:
        """Look no more."""
        await self._looking.stop()

    # What tells it to look

    def attend(self, present: Callable[[str], bool]) -> None:
        """Ask from now on whether somebody has a session; a house without doors never asks."""
        self._present = present
        self._looking.wake()

    def left(self, name: str) -> None:
        """Take note that a session of somebody ended, perhaps the last one."""
        self._gone[name] = time.monotonic()
        self._looking.wake()

    def committed(self, landed: Landed) -> None:
        """Look if something was decided after which there may be something to do."""
        if landed.stream == ACCOUNTS:
            if not landed.kinds.isdisjoint(CHANGES):
                self._looking.wake()
            return
        table: Table | None = getattr(landed.last.after, "table", None)
        if table is not None and (DealerSignedIn in landed.kinds or _left_behind(table)):
            self._looking.wake()

    def heard(self) -> None:
        """Look: the accounts of another house may have changed."""
        self._looking.wake()

    # Looking

    def _seconds(self) -> float:
        return SOON_SECONDS if self._left else LOOK_SECONDS

    async def _look(self) -> None:
        self._left = False
        acts = [
            self._submit(desk, request)
            for desk in self._house.tables.values()
            if desk.serves and desk.table.plan is not None
            for request in self._due(desk.table)
        ]
        if acts:
            await asyncio.gather(*acts)
        dealers = {desk.table.dealer for desk in self._house.tables.values()}
        self._gone = {name: since for name, since in self._gone.items() if name in dealers}

    def _due(self, table: Table) -> Iterator[Request]:
        """Return what is to be done at a table."""
        dealer = table.dealer
        if dealer is not None and self._has_gone(table, dealer):
            yield Request(uuid7(), HOUSE, SignOut(), condition=StillSignedIn(dealer))
        for patron, cents in _left_behind(table).items():
            takes = TakeCredit(patron, cents)
            yield Request(uuid7(), HOUSE, takes, condition=StillAway(patron))

    async def _submit(self, desk: Desk, request: Request) -> None:
        """Give a command; what the medium or a full house keeps from it is tried again."""
        try:
            await desk.submit(request)
        except ConditionError:
            return
        except JournalError:
            self._left = True

    # Dealers

    def _has_gone(self, table: Table, dealer: str) -> bool:
        """Tell whether a Dealer who signed in at a table can deal there no more."""
        return not self._able(table, dealer) or self._absent(dealer)

    def _able(self, table: Table, dealer: str) -> bool:
        """Tell whether somebody's account may deal at a table.

        Before anybody was given a position, people act as staff without accounts.
        """
        accounts, moment = self._house.accounts.accounts, self._house.clock()
        if not accounts.staffed:
            return True
        staff = accounts.actor(dealer, moment)
        assert table.plan is not None, "the table is not open"
        return (
            isinstance(staff, Staff) and right_of(table.plan, staff, moment, DEALS) is not None
        )

    def _absent(self, dealer: str) -> bool:
        """Tell whether the last session of somebody ended a while ago."""
        if self._present is None:
            return False
        if self._present(dealer):
            self._gone.pop(dealer, None)
            return False
        if self._house.own.tables is None:
            # All doors are this house's: whoever has no session here has none.
            self._gone.setdefault(dealer, time.monotonic())
        since = self._gone.get(dealer)
        if since is None:
            return False  # signed in at the door of another house
        if time.monotonic() - since < GRACE_SECONDS:
            self._left = True
            return False
        return True


def _left_behind(table: Table) -> dict[str, int]:
    """Return the credit of patrons who are not seated any more, as far as it is theirs."""
    if len(table.credits) == len(table.seats):
        return {}  # whoever sits has an account, and nobody else
    away = table.credits.keys() - table.seats.keys()
    free = {patron: table.credits[patron] - table.reserved(patron) for patron in away}
    return {patron: cents for patron, cents in free.items() if cents > 0}
