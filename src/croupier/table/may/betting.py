"""What may be done about bets: the calls, stakes, and the differential."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.differential import heavier
from croupier.table.finding import purse, to_find
from croupier.table.folding import round_of
from croupier.table.may.placing import Grouped, by_one, flags, rooms_of
from croupier.table.placement import call_refusal, to_add, to_take, within_limits
from croupier.table.settable import CENTS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.table.may.look import StaffLook
    from croupier.table.may.shapes import Way
    from croupier.table.settings import Plan
    from croupier.table.state import Stake


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
    plan, both, patrons = look.plan, flags(look.plan), tuple(look.table.seats)
    every, by_wager, grouped = look.common.positions, look.common.by_wager, Grouped()
    more: list[Way] = []
    known: dict[tuple[int, int, bool], tuple[Amounts, ...]] = {}

    def room(wager: str, held: int, shared: bool) -> tuple[Amounts, ...]:  # noqa: FBT001
        """StaffLook up what the limits leave: many wagers and stakes are alike."""
        key = (id(plan.limits[wager]), held, shared)
        if key not in known:
            known[key] = within_limits(plan, wager, held, shared=shared)
        return known[key]

    for wager in plan.offered:
        areas = _areas(by_wager.get(wager, ()))
        free = tuple([at for at in every if at not in areas]) if areas else every
        new = [room(wager, 0, shared) for shared in both]
        rooms = rooms_of(both, new[0], new[-1])
        for amounts, shared in rooms if free else ():
            grouped.add(wager, free, amounts, shared)
        for position, there in areas.items():
            area: Way = {"wager": (wager,), "position": (position,)}
            added = {one.shares[0].patron: one for one in there if not one.found}
            if plan.cap is None or len(there) < plan.cap:
                others = _without(patrons, added)
                for amounts, shared in rooms if others else ():
                    beside: Way = {"join": (None,), "shared": shared, "cents": amounts}
                    more.append({"patron": others, **area, **beside})
            for stake in there:
                for amounts in room(wager, stake.cents, stake.shared):
                    to: Way = {"shared": both, "cents": amounts}
                    more += _added_by_staff(stake, {**area, **to}, added)
    return [*grouped.ways(), *more]


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


def raise_wager(look: StaffLook) -> None:
    """Add to a stake."""
    need = look.need(c.RaiseWager("", 0, 0))
    if need is not None:
        look.add(c.RaiseWager, need, look.once(_raises))


def _raises(look: StaffLook) -> list[Way]:
    return [
        {"patron": (name,), "stake": (stake.number,), "cents": amounts}
        for name, stake in _shares(look)
        for amounts in to_add(look.table, name, stake.wager, stake.cents, stake.shared)
    ]


def _taken(look: StaffLook) -> list[tuple[str, Stake, tuple[Amounts, ...]]]:
    """Return what may be taken back of every stake, and by whom."""
    return [(name, stake, to_take(look.table, name, stake)) for name, stake in _shares(look)]


def lower_wager(look: StaffLook) -> None:
    """Take a part of a stake back."""
    need = look.need(c.LowerWager("", 0, 0))
    if need is not None:
        look.add(c.LowerWager, need, look.once(_lowerings))


def _lowerings(look: StaffLook) -> list[Way]:
    return [
        {"patron": (name,), "stake": (stake.number,), "cents": amounts}
        for name, stake, room in look.once(_taken)
        for amounts in room
    ]


def remove_wager(look: StaffLook) -> None:
    """Take a stake back."""
    need = look.need(c.RemoveWager("", 0))
    if need is not None:
        look.add(c.RemoveWager, need, look.once(_removals))


def _removals(look: StaffLook) -> list[Way]:
    ways: list[Way] = []
    for name, stake, room in look.once(_taken):
        share = stake.share(name)
        assert share is not None, "one of its shares"
        if any(share.cents in amounts for amounts in room):
            ways.append({"patron": (name,), "stake": (stake.number,)})
    return ways


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
    plan, patrons = look.plan, tuple(look.table.seats)
    by_wager = look.common.by_wager
    groups: dict[tuple[tuple[int, ...], Amounts], list[str]] = {}
    more: list[Way] = []
    for wager in plan.offered:
        areas = _areas(by_wager.get(wager, ()))
        free = tuple([at for at in look.common.positions if at not in areas])
        alone = to_find(plan, wager, None, CENTS_MAX)
        for amounts in alone if free else ():
            groups.setdefault((free, amounts), []).append(wager)
        for there in areas.values():
            more += _found_at(plan, patrons, there, alone)
    ways: list[Way] = [
        {"wager": tuple(wagers), "position": free, "cents": amounts}
        for (free, amounts), wagers in groups.items()
    ]
    return ways + more


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
