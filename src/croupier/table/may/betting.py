"""What may be done about bets: the calls, stakes, and the differential."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.differential import heavier
from croupier.table.finding import to_find
from croupier.table.folding import round_of
from croupier.table.may.placing import Grouped, by_one, flags, rooms_of
from croupier.table.placement import call_refusal, within_limits
from croupier.table.settable import CENTS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from croupier.table.may.common import Common
    from croupier.table.may.look import StaffLook
    from croupier.table.may.placing import Rooms
    from croupier.table.may.shapes import Way
    from croupier.table.settings import Plan
    from croupier.table.state import Stake

Area = tuple[str, int]
"""A wager, and a position."""
NO_AREAS: Mapping[int, Sequence[Stake]] = MappingProxyType({})


def call_bets(look: StaffLook) -> None:
    """Call for bets."""
    need = look.need(c.CallBets())
    if need is not None and call_refusal(look.table) is None:
        look.add(c.CallBets, need)


def close_bets(look: StaffLook) -> None:
    """Call "no more bets"."""
    need = look.need(c.CloseBets())
    if need is not None:
        look.add(c.CloseBets, need)


# Placing


def _by_any(look: StaffLook) -> list[Way]:
    """Return how staff may place wagers for patrons, whatever each of them can pay."""
    grouped = Grouped()
    for wager in look.plan.offered:
        free = _free(look.common, wager)
        for amounts, shared in _alone(look.plan, wager) if free else ():
            grouped.add(wager, free, amounts, shared)
    return [*grouped.ways(), *_each_area(look, _placed_in)]


def _each_area(
    look: StaffLook, find: Callable[[Common, Area, Sequence[Stake]], list[Way]]
) -> list[Way]:
    """Return the ways that follow from the stakes in each area, and from who is seated."""
    areas, common = look.common.areas, look.common
    items = {
        (wager, position): there
        for wager in look.plan.offered
        for position, there in areas.get(wager, NO_AREAS).items()
    }
    each = common.of_each(find, items, look.table.seats)
    return list(chain.from_iterable(each.values()))


@lru_cache(maxsize=1024)
def _alone(plan: Plan, wager: str) -> Rooms:
    """Return what may be put on a wager where nothing lies."""
    both = flags(plan)
    new = [within_limits(plan, wager, 0, shared=shared) for shared in both]
    return rooms_of(both, new[0], new[-1])


def _placed_in(common: Common, where: Area, there: Sequence[Stake]) -> list[Way]:
    """Return what may be put in an area where stakes lie: beside them, or added to one."""
    plan, both, patrons = common.plan, flags(common.plan), tuple(common.table.seats)
    wager, position = where
    ways: list[Way] = []
    area: Way = {"wager": (wager,), "position": (position,)}
    added = {one.shares[0].patron: one for one in there if not one.found}
    if plan.cap is None or len(there) < plan.cap:
        others = _without(patrons, added)
        for amounts, shared in _alone(plan, wager) if others else ():
            beside: Way = {"join": (None,), "shared": shared, "cents": amounts}
            ways.append({"patron": others, **area, **beside})
    for stake in there:
        for amounts in within_limits(plan, wager, stake.cents, shared=stake.shared):
            to: Way = {"shared": both, "cents": amounts}
            ways += _added_by_staff(stake, {**area, **to}, added)
    return ways


def _free(common: Common, wager: str) -> tuple[int, ...]:
    """Return the positions where nothing lies on a wager."""
    every, areas = common.positions, common.areas.get(wager)
    return tuple([at for at in every if at not in areas]) if areas else every


def _without(patrons: tuple[str, ...], some: Iterable[str]) -> tuple[str, ...]:
    """Return the other patrons."""
    for name in some:
        if name in patrons:
            at = patrons.index(name)
            patrons = patrons[:at] + patrons[at + 1 :]
    return patrons


def _added_by_staff(stake: Stake, area: Way, added: dict[str, Stake]) -> list[Way]:
    """Return who may add to a stake: its owner without naming it, others by its number."""
    owner = stake.shares[0].patron
    unnamed = added.get(owner) is stake
    if not stake.shared:
        joins = (None, stake.number) if unnamed else (stake.number,)
        return [{"patron": (owner,), **area, "join": joins}]
    ways: list[Way] = [{**area, "join": (stake.number,)}]
    if unnamed:
        ways.append({"patron": (owner,), **area, "join": (None,)})
    return ways


def _purses(common: Common, patrons: tuple[str, ...], enough: int) -> list[Way]:
    """Return how much each patron has; those who have enough for anything, together."""
    held, purses = common.free_credit, common.purses
    rich = tuple([name for name in patrons if held[name] >= enough])
    ways: list[Way] = [{"patron": rich}] if rich else []
    if len(rich) == len(patrons):
        return ways
    others = [purses[name] for name in patrons if held[name] < enough]
    return ways + [way for way in others if way is not None]


def _payable(ways: list[Way], purses: list[Way]) -> bool:
    """Tell whether somebody has enough for one of the ways."""
    for way in ways:
        least = way["cents"]
        assert isinstance(least, Amounts)
        for one in purses:
            most, names = one.get("cents"), one["patron"]
            if isinstance(most, Amounts) and most.maximum < least.minimum:
                continue
            if "patron" not in way or set(_names(names)) & set(_names(way["patron"])):
                return True
    return False


def _names(allowed: object) -> tuple[str, ...]:
    assert isinstance(allowed, tuple)
    return allowed


def place_wager(look: StaffLook) -> None:
    """Put a stake on a wager; where one's own lies it is a raise."""
    patrons = tuple(look.table.seats)
    need = look.need(c.PlaceWager("", "", 0)) if patrons else None
    if need is None:
        return
    fields = look.fields(c.PlaceWager, patron=patrons)
    if look.plan.preconditions or look.plan.procedure.terminals is not None:
        ways = [
            {"patron": (one,), **way} for one in patrons for way in by_one(look.common, one)
        ]
        look.add(c.PlaceWager, need, ways, fields=fields)
        return
    ways = look.once(_by_any)
    purses = _purses(look.common, patrons, look.common.most)
    if _payable(ways, purses):
        look.add(c.PlaceWager, need, ways, purses, fields=fields)


# Own stakes


def _by_itself(look: StaffLook) -> tuple[object, ...]:
    """Return from what it follows how a stake may change, beside the stake and the credit."""
    table, play = look.table, round_of(look.table)
    if table.hold is None and not look.plan.preconditions:
        return ()
    return table.hold, play.stakes, play.cards


class Changed(NamedTuple):
    """How a patron's part of a stake may change."""

    raised: list[Way]
    lowered: list[Way]
    removed: list[Way]


def _changed(look: StaffLook) -> Collection[Changed]:
    """Return how each part of a stake may change."""
    table, held, lost = look.table, look.table.credits, look.table.lost_terminals
    items = {
        (share.patron, number): (stake, held[share.patron])
        for number, stake in round_of(table).stakes.items()
        for share in stake.shares
        if not lost or table.seats.get(share.patron) not in lost
    }
    return look.common.of_each(_changed_by, items, *_by_itself(look)).values()


def _changed_by(common: Common, part: tuple[str, int], item: tuple[Stake, int]) -> Changed:
    (name, number), (stake, _) = part, item
    share, more, room = (
        stake.share(name),
        common.to_take(name, stake),
        common.to_add(name, stake),
    )
    assert share is not None, "one of its shares"
    own: Way = {"patron": (name,), "stake": (number,)}
    whole = any(share.cents in amounts for amounts in more)
    return Changed(
        [{**own, "cents": amounts} for amounts in room],
        [{**own, "cents": amounts} for amounts in more],
        [own] if whole else [],
    )


def raise_wager(look: StaffLook) -> None:
    """Add to a stake."""
    need = look.need(c.RaiseWager("", 0, 0))
    if need is not None:
        look.add(c.RaiseWager, need, [way for one in look.once(_changed) for way in one.raised])


def lower_wager(look: StaffLook) -> None:
    """Take a part of a stake back."""
    need = look.need(c.LowerWager("", 0, 0))
    if need is not None:
        ways = [way for one in look.once(_changed) for way in one.lowered]
        look.add(c.LowerWager, need, ways)


def remove_wager(look: StaffLook) -> None:
    """Take a stake back."""
    need = look.need(c.RemoveWager("", 0))
    if need is not None:
        ways = [way for one in look.once(_changed) for way in one.removed]
        look.add(c.RemoveWager, need, ways)


# Stakes that are found


def find_stake(look: StaffLook) -> None:
    """Report a stake on the layout that nobody entered, outside the limits."""
    plan, patrons = look.plan, tuple(look.table.seats)
    need = look.need(c.FindStake("", "", 0))
    if need is None or plan.procedure.breaches is None or not patrons:
        return
    assert plan.procedure.terminals is None, "what a terminal accepts is never found"
    ways = look.lasting(_found)
    purses = _purses(look.common, patrons, CENTS_MAX)
    if _payable(ways, purses):
        look.add(
            c.FindStake, need, ways, purses, fields=look.fields(c.FindStake, patron=patrons)
        )


def _found(look: StaffLook) -> list[Way]:
    """Return what may be found, whatever each patron can pay."""
    groups: dict[tuple[tuple[int, ...], Amounts], list[str]] = {}
    for wager in look.plan.offered:
        free = _free(look.common, wager)
        for amounts in to_find(look.plan, wager, None, CENTS_MAX) if free else ():
            groups.setdefault((free, amounts), []).append(wager)
    ways: list[Way] = [
        {"wager": tuple(wagers), "position": free, "cents": amounts}
        for (free, amounts), wagers in groups.items()
    ]
    return ways + _each_area(look, _found_in)


def _found_in(common: Common, where: Area, there: Sequence[Stake]) -> list[Way]:
    """Return what may be found in an area where stakes lie: alone, or beside one's own."""
    plan, patrons, (wager, position) = common.plan, tuple(common.table.seats), where
    owners: dict[str, Stake] = {}
    for stake in there:
        owners.setdefault(stake.shares[0].patron, stake)
    area: Way = {"wager": (wager,), "position": (position,)}
    ways: list[Way] = []
    others = _without(patrons, owners)
    if others and (plan.cap is None or len(there) < plan.cap):
        alone = to_find(plan, wager, None, CENTS_MAX)
        ways += [{"patron": others, **area, "cents": amounts} for amounts in alone]
    for name, stake in owners.items():
        if name in patrons:
            room = to_find(plan, wager, stake, CENTS_MAX)
            ways += [{"patron": (name,), **area, "cents": amounts} for amounts in room]
    return ways


# The differential


def ask_to_lower(look: StaffLook) -> None:
    """Ask the patrons of the heavier hand to lower their wagers."""
    need = look.need(c.AskToLower())
    if need is not None:
        look.add(c.AskToLower, need)


def take_off_wager(look: StaffLook) -> None:
    """Remove a stake to meet the table differential."""
    need, heavy = look.need(c.TakeOffWager(0)), heavier(look.table)
    if need is None or round_of(look.table).asked_to_lower is not heavy:
        return
    stakes = tuple(one.number for one in look.table.stakes if one.wager == heavy.value)
    if stakes:
        look.add(c.TakeOffWager, need, fields=look.fields(c.TakeOffWager, stake=stakes))
