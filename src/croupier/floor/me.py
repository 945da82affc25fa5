"""The topic of whoever asks: the own wallet, the own seats, and messages of the house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from croupier.cage.events import CreditArrived, ReceivedFromTable, SentBack, SentToTable
from croupier.floor.framing import frame
from croupier.floor.rings import UNHEARD, Ring, Subscription
from croupier.floor.transfers import given_up
from croupier.journal.decision import written_moment
from croupier.table.events import CreditBrought, CreditTaken
from croupier.table.views.parts import lying

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.accounts.limits import Left
    from croupier.floor.calls import CallShown
    from croupier.floor.house import House
    from croupier.floor.reception import Asker
    from croupier.floor.rings import Receiver, Walker
    from croupier.journal.gathering import Committed, Landed

encode = msgspec.json.Encoder().encode


class SeatHeld(msgspec.Struct, frozen=True):
    """What a patron has at one table."""

    table: str
    position: int | None
    credit_cents: int
    in_play_cents: int
    reserved_cents: int


class Wallet(msgspec.Struct, frozen=True):
    """What a patron has: in the wallet, on its way, and at tables."""

    cents: int
    in_transit_cents: int
    seats: tuple[SeatHeld, ...]


def wallet_of(house: House, patron: str, between_cents: int = 0) -> Wallet:
    """Return what a patron has; ``between_cents`` is on its way beside what the cage sent.

    Less than nothing: a seat has it, and the cage has not taken note of that yet.
    """
    cage = house.cage.cage
    seats = []
    for name, desk in house.tables.items():
        table = desk.table
        held = table.credits.get(patron, 0)
        staked = sum(
            share.cents
            for stake in lying(table).values()
            for share in stake.shares
            if share.patron == patron
        )
        if held or staked or patron in table.seats:
            seats.append(
                SeatHeld(name, table.seats.get(patron), held, staked, table.reserved(patron))
            )
    going = cage.sent_cents(patron) + between_cents
    return Wallet(cage.held(patron), going, tuple(seats))


BETWEEN = frozenset(
    (CreditTaken, ReceivedFromTable, SentToTable, CreditBrought, CreditArrived, SentBack)
)
"""Events that begin or end a way between a wallet and a seat."""


class MeTopic:
    """What concerns one person; nobody shares it, so nothing is kept for it."""

    name = "me"

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self._people: dict[str, dict[Subscription, None]] = {}
        self._house: House | None = None
        self._leaving: dict[str, CreditTaken] = {}
        """By name of a transfer: what left a seat and is not in the wallet yet."""
        self._sent: dict[str, int] = {}
        """By name of a transfer: its number at the cage, until it came to a seat or back."""
        self._come: dict[int, CreditBrought] = {}
        """By number at the cage: what came to a seat, and the cage has not noted yet."""
        self.calls: Callable[[str], tuple[CallShown, ...]] = lambda _: ()
        """Says whom somebody called, and what came of it."""
        self._told: dict[str, Left] = {}
        """By patron with limits: what was last told to be left."""
        self.sequence = 0

    def attach(self, house: House) -> None:
        """Begin with a house."""
        self._house = house

    @property
    def watched(self) -> int:
        """Return how many watch."""
        return sum(map(len, self._people.values()))

    def wallet(self, patron: str) -> Wallet:
        """Return what a patron has, on its way included."""
        assert self._house is not None, "no house"
        leaving = sum(one.cents for one in self._leaving.values() if one.patron == patron)
        come = sum(one.cents for one in self._come.values() if one.patron == patron)
        return wallet_of(self._house, patron, leaving - come)

    def count(self, landed: Landed) -> None:
        """Count what is between wallets and seats: in two streams that are written in turn.

        A start finishes what another process saw leaving: that was never counted here.
        """
        if not landed.kinds.isdisjoint(BETWEEN):
            for one in landed.all:
                self._count(one)

    def _count(self, committed: Committed) -> None:
        for event in committed.decision.events:
            if isinstance(event, CreditTaken):
                given = given_up(committed.record, committed.decision)
                self._leaving |= {one.name: one.event for one in given}
                return
            if isinstance(event, ReceivedFromTable):
                self._leaving.pop(event.transfer, None)
            elif isinstance(event, SentToTable):
                self._sent[committed.record.hash.hex()] = event.transfer
            elif isinstance(event, CreditBrought):
                number = self._sent.pop(event.transfer or "", None)
                if number is not None:
                    self._come[number] = event
            elif isinstance(event, CreditArrived | SentBack):
                self._noted(event.transfer)

    def _noted(self, number: int) -> None:
        """Forget what the cage knows the end of: a seat took it, here or elsewhere, or none."""
        if self._come.pop(number, None) is not None:
            return
        self._sent = {name: one for name, one in self._sent.items() if one != number}

    def happened(self, landed: Landed) -> None:
        """Take note of decisions that may change what somebody has."""
        if not self._people or not landed.changed:
            return
        for name in _touched(landed):
            self.touch(name)

    def touch(self, name: str) -> None:
        """Tell somebody anew, soon."""
        for one in self._people.get(name, ()):
            one.own_due = True
            self.walker.soon(one.client)

    def look(self) -> None:
        """Tell whoever an own limit or an exclusion leaves more or less as time goes on."""
        for name, told in list(self._told.items()):
            if self._left(name) != told:
                self.touch(name)

    def _left(self, name: str) -> Left | None:
        assert self._house is not None, "no house"
        return self._house.limits.leaves(name, self._house.clock())

    def subscribe(self, client: Receiver, asker: Asker, after: int | None) -> Subscription:  # noqa: ARG002
        """Let somebody hear of what is their own, always from a snapshot."""
        assert asker.name is not None, "nobody has nothing of their own"
        one = Subscription(client, Ring(self.walker, 0), asker.name)
        self._people.setdefault(asker.name, {})[one] = None
        one.mark = UNHEARD
        self.walker.soon(client)
        return one

    def unsubscribe(self, one: Subscription) -> None:
        """Let somebody hear no more."""
        assert one.patron is not None
        others = self._people.get(one.patron, {})
        others.pop(one, None)
        if not others:
            self._people.pop(one.patron, None)
            self._told.pop(one.patron, None)

    def due(self, one: Subscription) -> list[bytes]:
        """Return what somebody has now, if it changed."""
        assert one.patron is not None
        if one.mark == UNHEARD:
            one.mark, one.own_due = one.ring.last, False
            return [self._message("snapshot", one.patron)]
        if not one.own_due:
            return []
        one.own_due = False
        return [self._message("change", one.patron)]

    def _message(self, kind: str, name: str) -> bytes:
        assert self._house is not None, "no house"
        self.sequence += 1
        left = self._left(name)
        if left is None:
            self._told.pop(name, None)
        else:
            self._told[name] = left
        calls = self.calls(name)
        body: dict[str, Any] = {
            "type": kind,
            "topic": self.name,
            "sequence": self.sequence,
            "time": written_moment(self._house.clock()),
            "view": {
                "wallet": self.wallet(name),
                "messages": [one.answer for one in calls if one.answer is not None],
                "calls": calls,
                "left": left,
            },
        }
        if kind == "change":
            body["events"] = []
        return frame(encode(body))


def _touched(landed: Landed) -> set[str]:
    """Return whose wallet, credit or stakes decisions may change."""
    found: set[str] = set()
    for committed in landed.all:
        for event in committed.decision.events:
            patron = getattr(event, "patron", None)
            if patron is not None:
                found.add(patron)
            elif (transfer := getattr(event, "transfer", None)) is not None:
                sent = committed.before.sent.get(transfer)
                found.update(() if sent is None else (sent.patron,))
            for name in ("lines", "refunds", "reversed"):
                found.update(one.patron for one in getattr(event, name, None) or ())
    before, after = landed.all[0].before, landed.last.after
    old, new = getattr(before, "table", None), getattr(after, "table", None)
    if old is not None and new is not None and old.credits is not new.credits:
        found.update(
            name
            for name in {*old.credits, *new.credits}
            if old.credits.get(name) != new.credits.get(name)
        )
    return found
