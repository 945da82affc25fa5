"""What the looks of several people at one table have in common, found once.

Whoever asks for many people, as views do at every step, makes one ``Common`` and gives it to
every look. What follows from stakes or from the pay list is taken over from the table before,
as long as these are the same objects.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from operator import is_, ne
from typing import TYPE_CHECKING, Any, TypeVar

from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.may.facts import Facts, once
from croupier.table.opening import bound
from croupier.table.order import (
    drawer,
    handler_due,
    handlers_in_order,
    shoe_due,
)
from croupier.table.phases import timely
from croupier.table.placement import NOTHING, own_stakes, to_add, to_take
from croupier.table.settable import CENTS_MAX
from croupier.table.settings import Method

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
    from typing import Self

    from croupier.table.may.shapes import Open, Way
    from croupier.table.procedure import Methods
    from croupier.table.settings import Plan
    from croupier.table.state import Stake, Table

    Numbers = Mapping[str, int]
    Stakes = Mapping[str, Sequence[Stake]]
    Areas = Mapping[str, Mapping[int, Sequence[Stake]]]
    Theirs = Mapping[str, Sequence[type[c.Command]]]
    OfPatrons = tuple[Numbers, Collection[str], Numbers, Numbers, Stakes, Theirs]

Kinds = tuple[type[c.Command], ...]

Fact = TypeVar("Fact")
Item = TypeVar("Item")
Key = TypeVar("Key")
Found = tuple[tuple[object, ...], "Mapping[Any, object]", dict[Any, Any]]
"""From which objects and items something was found, and what."""
Memory = dict[object, Found]
"""What was found of each item, by how."""
NOT_FOUND: Found = (), {}, {}


AGAIN_MAX = 1024
"""Of how many facts it is remembered what follows: several times as many as a round has."""
OF_PLAN = ("most", "positions")
OF_TIMELY = ("everybodys", "of_stakes", "placing")
OF_SEATS = ("free_seats",)
STAKES = ("areas", "by_patron", "shared", "full")
ORDERS = ("hand_orders", "lasting")
PAYMENT = ("bound", "reserved")
"""What follows from the plan, with the point of a round, with seats; from the stakes, with
their course, and the list."""


class Common(Facts):
    """What is the same for everybody who looks at one open table."""

    def __init__(
        self, table: Table, plan: Plan, before: Common | None = None, *, sealed: bool = False
    ) -> None:
        self.table, self.plan, self.sealed = table, plan, sealed
        self.timely = timely(table)
        self.found: dict[object, Any] = {}
        """What somebody of staff has found that is the same for all others of them."""
        self._own_stakes: dict[str, Mapping[str, int]] = {}
        self._to_add: dict[tuple[str, int], tuple[Amounts, ...]] = {}
        self._to_take: dict[tuple[str, int], tuple[Amounts, ...]] = {}
        self.memory: Memory = {}
        """What was found of items of this table and of those before it."""
        self.again: dict[Hashable, Any] = {}
        """What was found of facts that come again, for as long as the plan is the same."""
        if before is not None and before.plan is plan:
            self.memory, self.again = before.memory, before.again
            self._take_over(before)

    def _take_over(self, before: Common) -> None:
        """Keep what was found of the table before, as far as the same objects say it."""
        facts, known, new, old = self.__dict__, before.__dict__, self.table, before.table
        seats, play, played = new.seats is old.seats, new.round, old.round
        names: tuple[str, ...] = OF_PLAN if not seats else (*OF_PLAN, *OF_SEATS)
        if self.timely is before.timely:
            names = (*names, *OF_TIMELY)
        if play is not None and played is not None and play.stakes is played.stakes:
            names = (*names, *STAKES)
            if seats and play.course is played.course:
                names = (*names, *ORDERS)
            if new.phase is old.phase and play.lines is played.lines:
                names = (*names, *PAYMENT) if play.confirmed is played.confirmed else names
        for name in names:
            if name in known:
                facts[name] = known[name]

    def found_again(self, facts: Hashable, find: Callable[[], Fact]) -> Fact:
        """Return what follows from facts, and the plan, alone; it is found once for each."""
        try:
            found: Fact = self.again[facts]
        except KeyError:
            if len(self.again) >= AGAIN_MAX:
                self.again.clear()
            found = self.again[facts] = find()
        return found

    def of_each(
        self,
        find: Callable[[Self, Key, Item], Fact],
        items: Mapping[Key, Item],
        *sources: object,
    ) -> dict[Key, Fact]:
        """Return what follows from each of some items, and from these objects beside it.

        Of an item that is the same as at the table before, what was found then is taken.
        """
        before, known, kept = self.memory.get(find, NOT_FOUND)
        if len(before) != len(sources) or not all(map(is_, before, sources)):
            known, kept = {}, {}
        found = kept.copy()
        others = map(ne, map(known.get, items), items.values())
        for key in list(compress(items, others)):
            found[key] = find(self, key, items[key])
        if [*found] != [*items]:
            found = {key: found[key] for key in items}
        self.memory[find] = sources, items, found
        return found

    # Who may do what at all

    @once
    def everybodys(self) -> Kinds:
        """Return what any patron could be allowed to do now."""
        return _taken(self.timely, EVERYBODYS)

    @once
    def of_stakes(self) -> Kinds:
        """Return what whoever has a stake could be allowed to do now."""
        return _taken(self.timely, OF_STAKES)

    @once
    def placing(self) -> bool:
        """Tell whether new stakes are taken."""
        return c.PlaceWager in self.timely

    @once
    def of_patrons(self) -> OfPatrons:
        """Return what is asked for every patron: who sits, must stay, has credit or stakes."""
        table = self.table
        return (
            *(table.seats, self.bound, table.credits, self.reserved),
            *(self.by_patron, self.theirs),
        )

    @once
    def theirs(self) -> Theirs:
        """Return what only few patrons could be allowed to do now, by their names."""
        found: dict[str, list[type[c.Command]]] = {}
        for kind in _taken(self.timely, FEW):
            for name in dict.fromkeys(WHOSE[kind](self)):
                if name is not None:
                    found.setdefault(name, []).append(kind)
        return found

    @once
    def lasting(self) -> dict[object, Any]:
        """Return what staff have found that follows from plan, seats and stakes."""
        return {}

    # Seats and credit

    @once
    def free_seats(self) -> tuple[int, ...]:
        """Return where somebody may sit down: a terminal is for one patron alone."""
        taken = self.table.seats.values() if self.plan.procedure.terminals is not None else ()
        return tuple([at for at in self.positions if at not in taken])

    @once
    def bound(self) -> Collection[str]:
        """Return the patrons who must stay."""
        return bound(self.table)

    @once
    def reserved(self) -> Mapping[str, int]:
        """Return what of everybody's credit could be taken back."""
        return self.table.all_reserved()

    @once
    def free_credit(self) -> Mapping[str, int]:
        """Return what of everybody's credit no pay list can still take back."""
        held, reserved = self.table.credits, self.reserved
        if not reserved:
            return held
        return {name: cents - reserved.get(name, 0) for name, cents in held.items()}

    @once
    def purses(self) -> Mapping[str, Way | None]:
        """Return how much each patron may pay or take of it, if anything."""
        return self.of_each(_purse, self.free_credit)

    # Stakes

    @once
    def positions(self) -> tuple[int, ...]:
        """Return all playing positions."""
        return _positions(self.plan.positions)

    @once
    def most(self) -> int:
        """Return the highest maximum of all wagers: whoever has more is not asked for it."""
        return max([limit.maximum_cents for limit in self.plan.limits.values()])

    @once
    def first_wagers(self) -> dict[tuple[tuple[int, ...], int], Open | None]:
        """Return what was told to patrons without stakes, by where and how much they may."""
        return {}

    @property
    def plain(self) -> bool:
        """Tell whether others' stakes change nothing for a new one.

        None of them is shared, and no area is full.
        """
        return not self.shared and not self.full

    @once
    def areas(self) -> Areas:
        """Return the stakes of every area where some lie, by wager and position."""
        found: dict[str, dict[int, list[Stake]]] = {}
        for stake in self.table.stakes:
            found.setdefault(stake.wager, {}).setdefault(stake.position, []).append(stake)
        return found

    @once
    def by_patron(self) -> Stakes:
        """Return the stakes of which each patron has a share."""
        found: dict[str, list[Stake]] = {}
        for stake in self.table.stakes:
            for share in stake.shares:
                found.setdefault(share.patron, []).append(stake)
        return found

    @once
    def shared(self) -> Sequence[Stake]:
        """Return the stakes that anybody may join."""
        if self.plan.procedure.joint is None:
            return ()
        return [stake for stake in self.table.stakes if stake.shared]

    @once
    def full(self) -> Mapping[str, Collection[int]]:
        """Return at which positions the area of a wager holds no more stakes."""
        cap = self.plan.cap
        if cap is None or len(self.table.stakes) < cap:
            return {}
        full: dict[str, set[int]] = {}
        for wager, areas in self.areas.items():
            for position, there in areas.items():
                if len(there) >= cap:
                    full.setdefault(wager, set()).add(position)
        return full

    def own_stakes(self, name: str) -> Mapping[str, int]:
        """Return what a patron has on each wager, where preconditions need it."""
        if not self.plan.preconditions:
            return NOTHING
        own = self._own_stakes.get(name)
        if own is None:
            own = self._own_stakes[name] = own_stakes(self.table, name)
        return own

    def to_add(self, name: str, stake: Stake) -> tuple[Amounts, ...]:
        """Return what a patron may add to a stake; staff and the patron are told the same."""
        room = self._to_add.get((name, stake.number))
        if room is None:
            own = self.own_stakes(name)
            room = to_add(self.table, name, stake.wager, stake.cents, stake.shared, own)
            self._to_add[name, stake.number] = room
        return room

    def to_take(self, name: str, stake: Stake) -> tuple[Amounts, ...]:
        """Return how much of a stake a patron may take back, likewise."""
        room = self._to_take.get((name, stake.number))
        if room is None:
            room = to_take(self.table, name, stake, self.own_stakes(name))
            self._to_take[name, stake.number] = room
        return room

    # In whose hands something is

    @once
    def hand_orders(self) -> Mapping[Side, Sequence[str]]:
        """Return who may be passed the cards of each hand, in order."""
        return {side: handlers_in_order(self.table, side) for side in Side}

    @once
    def hands_offered(self) -> tuple[str | None, ...]:
        """Return to whom the hands are offered, as a fact."""
        return () if self.table.round is None else tuple(self.hands_due.values())

    @once
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

    @once
    def shoe_due(self) -> str | None:
        """Return to whom the dealing device is offered, while nobody draws."""
        if self.drawn_by_patrons is None or drawer(self.table) is not None:
            return None
        return shoe_due(self.table)


@lru_cache(maxsize=16)
def _positions(count: int) -> tuple[int, ...]:
    return tuple(range(1, count + 1))


@lru_cache(maxsize=512)
def _taken(now: frozenset[type[c.Command]], kinds: Kinds) -> Kinds:
    """Return which of some commands are taken at this point."""
    return tuple(kind for kind in kinds if kind in now)


def _purse(common: Common, name: str, cents: int) -> Way | None:
    if cents <= 0:
        return None
    return {"patron": (name,), "cents": Amounts(1, min(cents, CENTS_MAX))}


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
