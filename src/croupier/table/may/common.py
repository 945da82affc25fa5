"""What the looks of several people at one table have in common, found once.

Whoever asks for many people, as views do at every step, makes one ``Common`` and gives it to
every look. What follows from stakes or from the pay list is taken over from the table before,
as long as these are the same objects.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from operator import is_
from typing import TYPE_CHECKING

from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.opening import bound
from croupier.table.order import (
    drawer,
    handler_due,
    handlers_in_order,
    shoe_due,
    shoe_in_order,
)
from croupier.table.phases import timely
from croupier.table.settings import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from croupier.table.procedure import Methods
    from croupier.table.settings import Plan
    from croupier.table.state import Stake, Table

Kinds = tuple[type[c.Command], ...]


class Common:
    """What is the same for everybody who looks at one open table."""

    def __init__(self, table: Table, plan: Plan, before: Common | None = None) -> None:
        self.table, self.plan = table, plan
        self.now = timely(table)
        if before is not None:
            for facts, sources in TAKEN_OVER:
                if all(map(is_, sources(before), sources(self))):
                    known = before.__dict__
                    self.__dict__.update({name: known[name] for name in facts if name in known})

    # Who may do what at all

    @cached_property
    def everybodys(self) -> Kinds:
        """Return what any patron could be allowed to do now."""
        return _taken(self.now, EVERYBODYS)

    @cached_property
    def of_stakes(self) -> Kinds:
        """Return what whoever has a stake could be allowed to do now."""
        return _taken(self.now, OF_STAKES)

    @cached_property
    def theirs(self) -> Mapping[str, Sequence[type[c.Command]]]:
        """Return what only few patrons could be allowed to do now, by their names."""
        found: dict[str, list[type[c.Command]]] = {}
        for kind in _taken(self.now, FEW):
            for name in dict.fromkeys(WHOSE[kind](self)):
                if name is not None:
                    found.setdefault(name, []).append(kind)
        return found

    # Seats and credit

    @cached_property
    def free_seats(self) -> tuple[int, ...]:
        """Return where somebody may sit down: a terminal is for one patron alone."""
        taken = self.table.seats.values() if self.plan.procedure.terminals is not None else ()
        return tuple([at for at in self.positions if at not in taken])

    @cached_property
    def bound(self) -> Collection[str]:
        """Return the patrons who must stay."""
        return bound(self.table)

    @cached_property
    def reserved(self) -> Mapping[str, int]:
        """Return what of everybody's credit could be taken back."""
        return self.table.all_reserved()

    # Stakes

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """Return all playing positions."""
        return _positions(self.plan.positions)

    @cached_property
    def most(self) -> int:
        """Return the highest maximum of all wagers: whoever has more is not asked for it."""
        return max([limit.maximum_cents for limit in self.plan.limits.values()])

    @cached_property
    def by_wager(self) -> Mapping[str, Sequence[Stake]]:
        """Return the stakes on each wager."""
        found: dict[str, list[Stake]] = {}
        for stake in self.table.stakes:
            found.setdefault(stake.wager, []).append(stake)
        return found

    @cached_property
    def by_patron(self) -> Mapping[str, Sequence[Stake]]:
        """Return the stakes of which each patron has a share."""
        found: dict[str, list[Stake]] = {}
        for stake in self.table.stakes:
            for share in stake.shares:
                found.setdefault(share.patron, []).append(stake)
        return found

    @cached_property
    def shared(self) -> Sequence[Stake]:
        """Return the stakes that anybody may join."""
        return [stake for stake in self.table.stakes if stake.shared]

    @cached_property
    def full(self) -> Mapping[str, Collection[int]]:
        """Return at which positions the area of a wager holds no more stakes."""
        cap, found = self.plan.cap, dict[str, set[int]]()
        if cap is None or len(self.table.stakes) < cap:
            return found
        lie: dict[tuple[str, int], int] = {}
        for stake in self.table.stakes:
            area = (stake.wager, stake.position)
            lie[area] = lie.get(area, 0) + 1
        for (wager, position), count in lie.items():
            if count >= cap:
                found.setdefault(wager, set()).add(position)
        return found

    # In whose hands something is

    @cached_property
    def hand_orders(self) -> Mapping[Side, Sequence[str]]:
        """Return who may be passed the cards of each hand, in order."""
        return {side: handlers_in_order(self.table, side) for side in Side}

    @cached_property
    def hands_due(self) -> Mapping[Side, str | None]:
        """Return to whom each hand is offered, where patrons handle cards."""
        if not self.plan.face_down or self.plan.procedure.methods is None:
            return {}
        return {
            side: handler_due(self.table, side, order)
            for side, order in self.hand_orders.items()
        }

    @property
    def drawn_by_patrons(self) -> Methods | None:
        """Return the rules on methods, where patrons draw the cards."""
        plan = self.plan
        return plan.procedure.methods if plan.settings.method is Method.C else None

    @cached_property
    def shoe_order(self) -> Sequence[str]:
        """Return who may be offered the dealing device, in order."""
        return shoe_in_order(self.table)

    @cached_property
    def shoe_due(self) -> str | None:
        """Return to whom the dealing device is offered, while nobody draws."""
        if self.drawn_by_patrons is None or drawer(self.table) is not None:
            return None
        return shoe_due(self.table, self.shoe_order)


@lru_cache(maxsize=16)
def _positions(count: int) -> tuple[int, ...]:
    return tuple(range(1, count + 1))


@lru_cache(maxsize=512)
def _taken(now: frozenset[type[c.Command]], kinds: Kinds) -> Kinds:
    """Return which of some commands are taken at this point."""
    return tuple(kind for kind in kinds if kind in now)


def _of_plan(common: Common) -> tuple[object, ...]:
    return (common.plan,)


def _of_seats(common: Common) -> tuple[object, ...]:
    return (common.plan, common.table.seats)


def _of_stakes(common: Common) -> tuple[object, ...]:
    table, play = common.table, common.table.round
    if play is None:
        return (None, None, table.seats, common.plan)
    return (play.stakes, play.course, table.seats, common.plan)


def _of_offers(common: Common) -> tuple[object, ...]:
    table = common.table
    return (*_of_stakes(common), table.shoe_permitted, table.shoe_relinquished)


def _of_payment(common: Common) -> tuple[object, ...]:
    table, play = common.table, common.table.round
    if play is None:
        return (table.phase, None, None, None)
    return (table.phase, play.stakes, play.lines, play.confirmed)


TAKEN_OVER: tuple[tuple[tuple[str, ...], Callable[[Common], tuple[object, ...]]], ...] = (
    (("most",), _of_plan),
    (("free_seats",), _of_seats),
    (("by_wager", "by_patron", "shared", "full", "hand_orders"), _of_stakes),
    (("shoe_order",), _of_offers),
    (("bound", "reserved"), _of_payment),
)
"""Facts, and the objects from which they follow."""


# Of which patrons a command could be


def _shaker(common: Common) -> Iterable[str | None]:
    return (common.table.round.shaker,) if common.table.round else ()


def _takes_shoe(common: Common) -> Iterable[str | None]:
    if common.drawn_by_patrons is None:
        return ()
    return (common.shoe_due, *common.table.shoe_permitted)


def _offered_shoe(common: Common) -> Iterable[str | None]:
    return (common.shoe_due,)


def _has_shoe(common: Common) -> Iterable[str | None]:
    return (common.table.shoe_holder,)


def _has_cards(common: Common) -> Iterable[str | None]:
    return common.table.round.handlers.values() if common.table.round else ()


def _offered_cards(common: Common) -> Iterable[str | None]:
    return (*_has_cards(common), *common.hands_due.values())


def _is_asked(common: Common) -> Iterable[str | None]:
    hold = common.table.hold
    return [name for name in hold.patrons if name not in hold.answers] if hold else ()


EVERYBODYS: Kinds = (
    c.TakeSeat,
    c.LeaveSeat,
    c.TakeCredit,
    c.PlaceWager,
)
"""What any patron could be allowed to do."""

OF_STAKES: Kinds = (c.RaiseWager, c.LowerWager, c.RemoveWager)
"""What whoever has a stake could be allowed to do."""

WHOSE: dict[type[c.Command], Callable[[Common], Iterable[str | None]]] = {
    c.RefuseShaker: _shaker,
    c.ConfirmShake: _shaker,
    c.OpenShaker: _shaker,
    c.TakeShoe: _takes_shoe,
    c.RefuseShoe: _offered_shoe,
    c.RelinquishShoe: _has_shoe,
    c.DrawCard: _has_shoe,
    c.RefuseHand: _offered_cards,
    c.ExposeCard: _has_cards,
    c.Withdraw: _is_asked,
    c.KeepWagers: _is_asked,
}
"""What only those could be allowed to do who have something, or are offered it or asked."""
FEW: Kinds = tuple(WHOSE)
