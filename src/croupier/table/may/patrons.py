"""What a patron may do: with a seat and credit, with stakes, and with what is in their hands.

A patron's command names nobody else, so it has no field ``patron``: whoever may do the same
things is told the same, and what is told to several is made once.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.rules.errors import cited
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.dealing import to_be_exposed
from croupier.table.folding import hold_of, round_of
from croupier.table.handling import offered_hand, offered_shoe, take_refusal
from croupier.table.may.common import EVERYBODYS, OF_STAKES, WHOSE
from croupier.table.may.look import FIELDS, TAGS, Look, one_way
from croupier.table.may.placing import by_one, places_of, unstaked
from croupier.table.may.shapes import Field, FieldKind, Open
from croupier.table.options import asked
from croupier.table.phases import ALWAYS
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron
from croupier.table.settable import CENTS_MAX
from croupier.table.steps import all_or_none

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from croupier.table.may.common import Common
    from croupier.table.may.shapes import Allowed, Way
    from croupier.table.settings import Plan
    from croupier.table.state import Stake

HOUSES = ("patron", "transfer", "cash")
"""Fields that no patron says: who it is, the name of a transfer, what staff pay out."""
OWN_FIELDS: dict[type[c.Command], tuple[Field, ...]] = {
    kind: tuple(one for one in FIELDS[kind] if one.name not in HOUSES)
    for kind in (*EVERYBODYS, *OF_STAKES, *WHOSE)
}
"""The fields of a patron's commands."""


class OwnLook(Look):
    """A patron looks at a table."""

    __slots__ = ("name",)

    def __init__(self, common: Common, person: Patron, moment: datetime) -> None:
        super().__init__(common, person, moment)
        self.name = person.name

    def tried(self, command: c.Command) -> Open | None:
        """Return a small command, if the table takes it."""
        need = self.need(command)
        if need is None or not self.accepts(command):
            return None
        return _plain(type(command), need.clause)

    @property
    def changeable(self) -> Sequence[Stake]:
        """Return the stakes that this patron may change."""
        table = self.table
        if table.seats.get(self.name) in table.lost_terminals:
            return ()
        return self.common.by_patron.get(self.name, ())


def open_to(common: Common, name: str, moment: datetime) -> tuple[Open, ...]:
    """Return what a patron may do now, in the order of the commands."""
    seats, bound, credits_, reserved, by_patron, theirs = common.of_patrons
    found: list[Open | None] = []
    if name not in seats:
        found.append(_take_seat(common))
    elif name not in bound:
        found.append(LEAVE)
    free = credits_.get(name, 0) - reserved.get(name, 0)
    if free > 0:
        found.append(_take_credit(min(free, CENTS_MAX)))
    if common.placing and name in seats:
        found.append(_place_wager(common, name))
    if name in theirs or (common.of_stakes and name in by_patron):
        look = OwnLook(common, Patron(name), moment)
        kinds = common.of_stakes if name in by_patron else ()
        found += [ASKS[kind](look) for kind in (*kinds, *theirs.get(name, ()))]
    return tuple([one for one in found if one is not None])


# What is told to several


@lru_cache(maxsize=256)
def _plain(kind: type[c.Command], clause: str | None) -> Open:
    """Return a command of which nothing more is said."""
    return Open(TAGS[kind], OWN_FIELDS[kind], cited(clause) if clause else None)


def _with(kind: type[c.Command], name: str, allowed: Allowed, clause: str | None) -> Open:
    """Return a command of which one field may hold certain values."""
    fields = tuple(
        replace(field, allowed=allowed) if field.name == name else field
        for field in OWN_FIELDS[kind]
    )
    return Open(TAGS[kind], fields, cited(clause) if clause else None)


def _in_ways(kind: type[c.Command], ways: Sequence[Way]) -> Open | None:
    """Return a command whose fields go together; without a way it cannot be given."""
    if not ways:
        return None
    if len(ways) == 1:
        return Open(TAGS[kind], one_way(OWN_FIELDS[kind], ways[0]))
    return Open(TAGS[kind], OWN_FIELDS[kind], ways=(tuple(ways),))


# Seats, credit, and new stakes


def _take_seat(common: Common) -> Open | None:
    return _of_seats(common.free_seats) if common.free_seats else None


@lru_cache(maxsize=256)
def _of_seats(free: tuple[int, ...]) -> Open:
    return _with(c.TakeSeat, "position", free, None)


def _take_credit(cents: int) -> Open:
    return Open(CREDIT.command, (Field(*CENTS, allowed=Amounts(1, cents)),))


def _place_wager(common: Common, name: str) -> Open | None:
    if name in common.by_patron or not common.plain:
        return _in_ways(c.PlaceWager, by_one(common, name))
    # Whoever has none, and can pay so much, is told the same.
    positions, cents = places_of(common, name), min(common.table.credits[name], common.most)
    known = common.first_wagers
    if (positions, cents) not in known:
        ways = unstaked(common.plan, positions, cents) if positions else ()
        known[positions, cents] = _in_ways(c.PlaceWager, ways)
    return known[positions, cents]


LEAVE, CREDIT = _plain(c.LeaveSeat, None), _plain(c.TakeCredit, None)
(CENTS,) = ((one.name, one.kind, one.required) for one in CREDIT.fields)
assert {c.TakeSeat, c.LeaveSeat, c.TakeCredit} <= ALWAYS, "taken whatever a round waits for"


# Own stakes


def _raise_wager(look: OwnLook) -> Open | None:
    ways: list[Way] = [
        {"stake": (stake.number,), "cents": amounts}
        for stake in look.changeable
        for amounts in look.common.to_add(look.name, stake)
    ]
    return _in_ways(c.RaiseWager, ways)


def _lower_wager(look: OwnLook) -> Open | None:
    ways: list[Way] = [
        {"stake": (stake.number,), "cents": amounts}
        for stake in look.changeable
        for amounts in look.common.to_take(look.name, stake)
    ]
    return _in_ways(c.LowerWager, ways)


def _remove_wager(look: OwnLook) -> Open | None:
    ways: list[Way] = []
    for stake in look.changeable:
        share = stake.share(look.name)
        assert share is not None, "one of its shares"
        if any(share.cents in amounts for amounts in look.common.to_take(look.name, stake)):
            ways.append({"stake": (stake.number,)})
    return _in_ways(c.RemoveWager, ways)


# What is in their hands, or comes to them


def _refuse_shaker(look: OwnLook) -> Open | None:
    return look.tried(c.RefuseShaker(look.name))


def _confirm_shake(look: OwnLook) -> Open | None:
    return look.tried(c.ConfirmShake())


def _open_shaker(look: OwnLook) -> Open | None:
    return look.tried(c.OpenShaker())


def _take_shoe(look: OwnLook) -> Open | None:
    methods, due = look.common.drawn_by_patrons, look.common.shoe_due
    need = look.need(c.TakeShoe(look.name))
    if need is None or methods is None:
        return None
    if take_refusal(look.table, methods, look.name, due) is not None:
        return None
    return _plain(c.TakeShoe, methods.by_patron.draws)


def _refuse_shoe(look: OwnLook) -> Open | None:
    need = look.need(c.RefuseShoe(look.name))
    if need is None or not offered_shoe(look.table, look.name, look.common.shoe_due):
        return None
    return _plain(c.RefuseShoe, need.clause)


def _relinquish_shoe(look: OwnLook) -> Open | None:
    found, methods = look.tried(c.RelinquishShoe(look.name)), look.common.drawn_by_patrons
    if found is None or methods is None:
        return None
    return _plain(c.RelinquishShoe, methods.by_patron.relinquishes)


def _draw_card(look: OwnLook) -> Open | None:
    need = look.need(c.DrawCard())
    if need is None or look.common.to_draw is None:
        return None
    return _plain(c.DrawCard, need.clause)


def _refuse_hand(look: OwnLook) -> Open | None:
    common = look.common
    hands = common.hands_offered, common.handlers
    return common.found_again((_refuse_hand, look.name, hands), lambda: _to_refuse(look))


def _to_refuse(look: OwnLook) -> Open | None:
    """Return which hands a patron may refuse; it follows from whose they are, or would be."""
    need = look.need(c.RefuseHand(Side.PLAYER, look.name))
    sides = [
        side.value
        for side, due in look.common.hands_due.items()
        if offered_hand(look.table, side, look.name, due)
    ]
    if need is None or not sides:
        return None
    return _with(c.RefuseHand, "side", tuple(sides), need.clause)


def _expose_card(look: OwnLook) -> Open | None:
    common = look.common
    lie = common.order, common.unread, common.handlers, common.first_hand, common.on_hold
    return common.found_again((_expose_card, look.name, lie), lambda: _to_expose(look))


def _to_expose(look: OwnLook) -> Open | None:
    """Return which cards a patron may turn up; it follows from how cards lie."""
    places: list[str] = []
    clause: str | None = None
    for dealt in round_of(look.table).cards:
        need = None if dealt.exposed else look.need(c.ExposeCard(dealt.position))
        if need is None or isinstance(to_be_exposed(look.table, dealt.position), Refusal):
            continue
        places.append(dealt.position.value)
        clause = need.clause
    return _with(c.ExposeCard, "position", tuple(places), clause) if places else None


# Options to withdraw


def _withdraw(look: OwnLook) -> Open | None:
    hold = hold_of(look.table)
    if not asked(hold, look.name):
        return None
    stakes = look.common.by_patron.get(look.name, ())
    may = tuple([stake.number for stake in stakes if stake.number in hold.stakes])
    together = all_or_none(look.table, hold.steps[0][0], look.name)
    return Open(TAGS[c.Withdraw], (replace(ALL if together else SOME, allowed=may),))


def _keep_wagers(look: OwnLook) -> Open | None:
    return KEEP if asked(hold_of(look.table), look.name) else None


(SOME,) = OWN_FIELDS[c.Withdraw]
ALL, KEEP = replace(SOME, kind=FieldKind.ALL), _plain(c.KeepWagers, None)


ASKS: dict[type[c.Command], Callable[[OwnLook], Open | None]] = {
    c.RaiseWager: _raise_wager,
    c.LowerWager: _lower_wager,
    c.RemoveWager: _remove_wager,
    c.RefuseShaker: _refuse_shaker,
    c.ConfirmShake: _confirm_shake,
    c.OpenShaker: _open_shaker,
    c.TakeShoe: _take_shoe,
    c.RefuseShoe: _refuse_shoe,
    c.RelinquishShoe: _relinquish_shoe,
    c.DrawCard: _draw_card,
    c.RefuseHand: _refuse_hand,
    c.ExposeCard: _expose_card,
    c.Withdraw: _withdraw,
    c.KeepWagers: _keep_wagers,
}
"""What each other command of a patron asks before it is said to be open."""
assert tuple(ASKS) == (*OF_STAKES, *WHOSE), "a command of patrons that nobody is told of"
OF_PATRONS = (*EVERYBODYS, *ASKS)
"""What a patron could ever be allowed to do."""
SHAKERS = frozenset({c.RefuseShaker, c.ConfirmShake, c.OpenShaker})
IN_HAND = frozenset(
    {c.TakeShoe, c.RefuseShoe, c.RelinquishShoe, c.DrawCard, c.RefuseHand, c.ExposeCard}
)
"""What takes a rulebook that lets patrons touch cards, by one of its methods."""


def of_patrons(plan: Plan) -> frozenset[type[c.Command]]:
    """Return what a patron could ever be allowed to do at a table of this plan."""
    procedure = plan.procedure
    return _of_patrons(procedure.shake is not None, procedure.methods is not None)


@cache
def _of_patrons(shaken: bool, in_hand: bool) -> frozenset[type[c.Command]]:  # noqa: FBT001  # two facts of a plan
    never = frozenset() if shaken else SHAKERS
    return frozenset(OF_PATRONS) - (never if in_hand else never | IN_HAND)
