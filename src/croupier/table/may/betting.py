"""What may be done about bets: the calls, stakes, and the differential."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.differential import heavier
from croupier.table.finding import purse, to_find
from croupier.table.folding import round_of
from croupier.table.may.placing import Grouped, by_one, flags, rooms_of
from croupier.table.placement import call_refusal, to_add, to_take, within_limits
from croupier.table.settable import CENTS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from croupier.table.may.common import Common
    from croupier.table.may.look import StaffLook
    from croupier.table.may.placing import Rooms
    from croupier.table.may.shapes import Way
    from croupier.table.settings import Plan
    from croupier.table.state import Stake

    OnWager = tuple[str, tuple[Stake, ...]]

Fact = TypeVar("Fact")


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
    more: list[Way] = []
    for wager, (free, rooms, beside) in _each_wager(look, _placed_on).items():
        for amounts, shared in rooms if free else ():
            grouped.add(wager, free, amounts, shared)
        more += beside
    return [*grouped.ways(), *more]


def _each_wager(look: StaffLook, find: Callable[[Common, OnWager], Fact]) -> dict[str, Fact]:
    """Return what follows from the stakes on each wager, and from who is seated."""
    by_wager = look.common.by_wager
    items = {wager: (wager, tuple(by_wager.get(wager, ()))) for wager in look.plan.offered}
    return look.common.of_each(find, items, look.table.seats)


def _placed_on(common: Common, item: OnWager) -> tuple[tuple[int, ...], Rooms, list[Way]]:
    """Return where a wager is free, what may be put there, and what where stakes lie."""
    wager, stakes = item
    plan, both, patrons = common.plan, flags(common.plan), tuple(common.table.seats)
    areas = _areas(stakes)
    more: list[Way] = []
    new = [within_limits(plan, wager, 0, shared=shared) for shared in both]
    rooms = rooms_of(both, new[0], new[-1])
    for position, there in areas.items():
        area: Way = {"wager": (wager,), "position": (position,)}
        added = {one.shares[0].patron: one for one in there if not one.found}
        if plan.cap is None or len(there) < plan.cap:
            others = _without(patrons, added)
            for amounts, shared in rooms if others else ():
                beside: Way = {"join": (None,), "shared": shared, "cents": amounts}
                more.append({"patron": others, **area, **beside})
        for stake in there:
            for amounts in within_limits(plan, wager, stake.cents, shared=stake.shared):
                to: Way = {"shared": both, "cents": amounts}
                more += _added_by_staff(stake, {**area, **to}, added)
    return _free(common, areas), rooms, more


def _free(common: Common, areas: Mapping[int, object]) -> tuple[int, ...]:
    """Return the positions where nothing lies on a wager."""
    every = common.positions
    return tuple([at for at in every if at not in areas]) if areas else every


def _areas(stakes: Iterable[Stake]) -> dict[int, list[Stake]]:
    """Return the stakes on a wager by their position."""
    areas: dict[int, list[Stake]] = {}
    for stake in stakes:
        areas.setdefault(stake.position, []).append(stake)
    return areas


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


def _purses(held: dict[str, int], enough: int) -> list[Way]:
    """Return how much each patron has; those who have enough for anything, together."""
    rich = tuple(name for name, cents in held.items() if cents >= enough)
    poor = [(name, cents) for name, cents in held.items() if 0 < cents < enough]
    ways: list[Way] = [{"patron": rich}] if rich else []
    return ways + [{"patron": (name,), "cents": Amounts(1, cents)} for name, cents in poor]


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
    purses = _purses({name: look.table.credits[name] for name in patrons}, look.common.most)
    if _payable(ways, purses):
        look.add(c.PlaceWager, need, ways, purses, fields=fields)


# Own stakes


def _shares(look: StaffLook) -> Iterator[tuple[str, Stake]]:
    """Return the stakes that this person may change, each with whose part of it."""
    table = look.table
    for stake in table.stakes:
        for share in stake.shares:
            if table.seats.get(share.patron) not in table.lost_terminals:
                yield share.patron, stake


def _by_itself(look: StaffLook) -> tuple[object, ...]:
    """Return from what it follows how a stake may change, beside the stake and the credit."""
    table, play = look.table, round_of(look.table)
    if table.hold is None and not look.plan.preconditions:
        return ()
    return table.hold, play.stakes, play.cards


def raise_wager(look: StaffLook) -> None:
    """Add to a stake."""
    need = look.need(c.RaiseWager("", 0, 0))
    if need is not None:
        look.add(c.RaiseWager, need, look.once(_raises))


def _raises(look: StaffLook) -> list[Way]:
    held = look.table.credits
    items = {(name, one.number): (name, one, held[name]) for name, one in _shares(look)}
    each = look.common.of_each(_raised, items, *_by_itself(look))
    return [way for ways in each.values() for way in ways]


def _raised(common: Common, item: tuple[str, Stake, int]) -> list[Way]:
    name, stake, _ = item
    room = to_add(common.table, name, stake.wager, stake.cents, stake.shared)
    return [{"patron": (name,), "stake": (stake.number,), "cents": amounts} for amounts in room]


def _taken(look: StaffLook) -> Iterable[tuple[list[Way], list[Way]]]:
    """Return how each stake may be lowered, and taken back, by each of its patrons."""
    items = {(name, stake.number): (name, stake) for name, stake in _shares(look)}
    return look.common.of_each(_taken_back, items, *_by_itself(look)).values()


def _taken_back(common: Common, item: tuple[str, Stake]) -> tuple[list[Way], list[Way]]:
    name, stake = item
    share, room = stake.share(name), to_take(common.table, name, stake)
    assert share is not None, "one of its shares"
    own: Way = {"patron": (name,), "stake": (stake.number,)}
    whole = any(share.cents in amounts for amounts in room)
    return [{**own, "cents": amounts} for amounts in room], [own] if whole else []


def lower_wager(look: StaffLook) -> None:
    """Take a part of a stake back."""
    need = look.need(c.LowerWager("", 0, 0))
    if need is not None:
        look.add(c.LowerWager, need, look.once(_lowerings))


def _lowerings(look: StaffLook) -> list[Way]:
    return [way for lowered, _ in look.once(_taken) for way in lowered]


def remove_wager(look: StaffLook) -> None:
    """Take a stake back."""
    need = look.need(c.RemoveWager("", 0))
    if need is not None:
        look.add(c.RemoveWager, need, look.once(_removals))


def _removals(look: StaffLook) -> list[Way]:
    return [way for _, removed in look.once(_taken) for way in removed]


# Stakes that are found


def _found_at(
    plan: Plan, patrons: tuple[str, ...], there: list[Stake], alone: tuple[Amounts, ...]
) -> list[Way]:
    """Return what may be found in one area where stakes lie: alone, or beside one's own."""
    owners: dict[str, Stake] = {}
    for stake in there:
        owners.setdefault(stake.shares[0].patron, stake)
    area: Way = {"wager": (there[0].wager,), "position": (there[0].position,)}
    ways: list[Way] = []
    others = _without(patrons, owners)
    if others and (plan.cap is None or len(there) < plan.cap):
        ways += [{"patron": others, **area, "cents": amounts} for amounts in alone]
    for name, stake in owners.items():
        if name in patrons:
            room = to_find(plan, stake.wager, stake, CENTS_MAX)
            ways += [{"patron": (name,), **area, "cents": amounts} for amounts in room]
    return ways


def find_stake(look: StaffLook) -> None:
    """Report a stake on the layout that nobody entered, outside the limits."""
    plan, patrons = look.plan, tuple(look.table.seats)
    need = look.need(c.FindStake("", "", 0))
    if need is None or plan.procedure.breaches is None or not patrons:
        return
    assert plan.procedure.terminals is None, "what a terminal accepts is never found"
    ways = look.lasting(_found)
    purses = _purses({name: purse(look.table, name) for name in patrons}, CENTS_MAX)
    if _payable(ways, purses):
        look.add(
            c.FindStake, need, ways, purses, fields=look.fields(c.FindStake, patron=patrons)
        )


def _found(look: StaffLook) -> list[Way]:
    """Return what may be found, whatever each patron can pay."""
    groups: dict[tuple[tuple[int, ...], Amounts], list[str]] = {}
    more: list[Way] = []
    for wager, (free, alone, beside) in _each_wager(look, _found_on).items():
        for amounts in alone if free else ():
            groups.setdefault((free, amounts), []).append(wager)
        more += beside
    ways: list[Way] = [
        {"wager": tuple(wagers), "position": free, "cents": amounts}
        for (free, amounts), wagers in groups.items()
    ]
    return ways + more


def _found_on(
    common: Common, item: OnWager
) -> tuple[tuple[int, ...], tuple[Amounts, ...], list[Way]]:
    """Return where a wager is free, what may be found there, and what where stakes lie."""
    wager, stakes = item
    plan, patrons, areas = common.plan, tuple(common.table.seats), _areas(stakes)
    alone = to_find(plan, wager, None, CENTS_MAX)
    more = [way for there in areas.values() for way in _found_at(plan, patrons, there, alone)]
    return _free(common, areas), alone, more


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
