"""What may be done about bets: the calls, stakes, and the differential."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table.amounts import Amounts
from croupier.table.differential import heavier
from croupier.table.finding import purse, to_find
from croupier.table.folding import round_of
from croupier.table.placement import (
    call_refusal,
    own_stakes,
    to_add,
    to_take,
    within_limits,
)
from croupier.table.settable import CENTS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from croupier.table.may.look import Look
    from croupier.table.may.shapes import Way
    from croupier.table.settings import Plan
    from croupier.table.state import Stake, Table


def call_bets(look: Look) -> None:
    """Call for bets."""
    need = look.need(c.CallBets())
    if need is not None and call_refusal(look.table) is None:
        look.add(c.CallBets, need)


def close_bets(look: Look) -> None:
    """Call "no more bets"."""
    need = look.need(c.CloseBets())
    if need is not None:
        look.add(c.CloseBets, need)


# Placing


def _by_wager(table: Table) -> dict[str, list[Stake]]:
    found: dict[str, list[Stake]] = {}
    for stake in table.stakes:
        found.setdefault(stake.wager, []).append(stake)
    return found


def _flags(plan: Plan) -> tuple[bool, ...]:
    """Return whether a stake may be shared, or must not be."""
    return (False,) if plan.procedure.joint is None else (False, True)


class Grouped:
    """Ways that differ in the wager alone, as one."""

    def __init__(self) -> None:
        self.wagers: dict[tuple[tuple[int, ...], Amounts, tuple[bool, ...]], list[str]] = {}

    def add(
        self, wager: str, positions: tuple[int, ...], amounts: Amounts, shared: tuple[bool, ...]
    ) -> None:
        """Add a new stake on a wager at one of these positions."""
        self.wagers.setdefault((positions, amounts, shared), []).append(wager)

    def ways(self) -> list[Way]:
        """Return one way for all wagers that are alike."""
        return [
            {
                "wager": tuple(wagers),
                "position": positions,
                "join": (None,),
                "shared": shared,
                "cents": amounts,
            }
            for (positions, amounts, shared), wagers in self.wagers.items()
        ]


Rooms = list[tuple[Amounts, tuple[bool, ...]]]


def _rooms(
    flags: tuple[bool, ...], alone: tuple[Amounts, ...], joint: tuple[Amounts, ...]
) -> Rooms:
    """Return how much a new stake may be; what may be shared often begins lower."""
    if alone == joint:
        return [(amounts, flags) for amounts in alone]
    return [
        *((amounts, (False,)) for amounts in alone),
        *((amounts, (True,)) for amounts in joint),
    ]


def _added_to(there: list[Stake], patron: str) -> dict[int, Stake]:
    """Return to which stake at each position a patron adds who names none."""
    return {
        stake.position: stake
        for stake in there
        if stake.shares[0].patron == patron and not stake.found
    }


def _open_positions(
    plan: Plan, positions: tuple[int, ...], there: list[Stake], added: dict[int, Stake]
) -> tuple[int, ...]:
    """Return where a new stake may lie: not where it adds to one, and in no full area."""
    shut = set(added)
    if plan.cap is not None and len(there) >= plan.cap:
        lie: dict[int, int] = {}
        for stake in there:
            lie[stake.position] = count = lie.get(stake.position, 0) + 1
            if count >= plan.cap:
                shut.add(stake.position)
    return tuple([at for at in positions if at not in shut]) if shut else positions


def _by_one(look: Look, patron: str) -> list[Way]:
    """Return how one patron may place a wager."""
    table, plan = look.table, look.plan
    seat, flags = table.seats[patron], _flags(plan)
    positions = tuple(range(1, plan.positions + 1))
    if plan.procedure.terminals is not None:
        positions = () if seat in table.lost_terminals else (seat,)
    by_wager, grouped, more = _by_wager(table), Grouped(), []
    rooms: dict[object, Rooms] = {}
    own = own_stakes(table, patron) if plan.preconditions else None
    for wager in plan.offered if positions else ():
        there = by_wager.get(wager, [])
        added = _added_to(there, patron)
        free = _open_positions(plan, positions, there, added)
        # Where nothing else counts, wagers with the same limits have the same room.
        alike = wager if plan.preconditions else id(plan.limits[wager])
        if alike not in rooms:
            new = [to_add(table, patron, wager, 0, shared, own) for shared in flags]
            rooms[alike] = _rooms(flags, new[0], new[-1])
        for amounts, shared in rooms[alike] if free else ():
            grouped.add(wager, free, amounts, shared)
        for stake in there:
            if stake.position not in positions:
                continue
            if not stake.shared and stake.share(patron) is None:
                continue
            joins: tuple[int | None, ...] = (stake.number,)
            if added.get(stake.position) is stake:
                joins = (None, stake.number)
            more += [
                _joined(stake, joins, flags, amounts)
                for amounts in to_add(table, patron, wager, stake.cents, stake.shared, own)
            ]
    return [*grouped.ways(), *more]


def _joined(
    stake: Stake, joins: tuple[int | None, ...], flags: tuple[bool, ...], amounts: Amounts
) -> Way:
    return {
        "wager": (stake.wager,),
        "position": (stake.position,),
        "join": joins,
        "shared": flags,
        "cents": amounts,
    }


def _by_any(look: Look, patrons: tuple[str, ...]) -> list[Way]:
    """Return how staff may place wagers for patrons, whatever each of them can pay."""
    table, plan, flags = look.table, look.plan, _flags(look.plan)
    every = tuple(range(1, plan.positions + 1))
    by_wager, grouped = _by_wager(table), Grouped()
    more: list[Way] = []
    known: dict[tuple[int, int, bool], tuple[Amounts, ...]] = {}

    def room(wager: str, held: int, shared: bool) -> tuple[Amounts, ...]:  # noqa: FBT001
        """Look up what the limits leave: many wagers and stakes are alike."""
        key = (id(plan.limits[wager]), held, shared)
        if key not in known:
            known[key] = within_limits(plan, wager, held, shared=shared)
        return known[key]

    for wager in plan.offered:
        areas = _areas(by_wager.get(wager, ()))
        free = tuple([at for at in every if at not in areas]) if areas else every
        new = [room(wager, 0, shared) for shared in flags]
        rooms = _rooms(flags, new[0], new[-1])
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
                    to: Way = {"shared": flags, "cents": amounts}
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


def place_wager(look: Look) -> None:
    """Put a stake on a wager; where one's own lies it is a raise."""
    patrons = look.patrons()
    need = look.need(c.PlaceWager(look.own or "", "", 0)) if patrons else None
    if need is None:
        return
    fields = look.fields(c.PlaceWager, patron=patrons)
    if look.own is not None:
        look.add(c.PlaceWager, need, _by_one(look, look.own), fields=fields)
        return
    if look.plan.preconditions or look.plan.procedure.terminals is not None:
        ways = [{"patron": (one,), **way} for one in patrons for way in _by_one(look, one)]
        look.add(c.PlaceWager, need, ways, fields=fields)
        return
    ways = _by_any(look, patrons)
    most = max(limit.maximum_cents for limit in look.plan.limits.values())
    purses = _purses({name: look.table.credits[name] for name in patrons}, most)
    if _payable(ways, purses):
        look.add(c.PlaceWager, need, ways, purses, fields=fields)


# Own stakes


def _shares(look: Look) -> Iterator[tuple[str, Stake]]:
    """Return the stakes that this person may change, each with whose part of it."""
    table = look.table
    for stake in table.stakes:
        for share in stake.shares:
            if look.own is not None and share.patron != look.own:
                continue
            if table.seats.get(share.patron) not in table.lost_terminals:
                yield share.patron, stake


def raise_wager(look: Look) -> None:
    """Add to a stake."""
    need = look.need(c.RaiseWager(look.own or "", 0, 0))
    if need is None:
        return
    ways: list[Way] = [
        {"patron": (name,), "stake": (stake.number,), "cents": amounts}
        for name, stake in _shares(look)
        for amounts in to_add(look.table, name, stake.wager, stake.cents, stake.shared)
    ]
    look.add(c.RaiseWager, need, ways)


def _taken(look: Look) -> list[tuple[str, Stake, tuple[Amounts, ...]]]:
    """Return what may be taken back of every stake, and by whom."""
    if look.taken is None:
        look.taken = [
            (name, stake, to_take(look.table, name, stake)) for name, stake in _shares(look)
        ]
    return look.taken


def lower_wager(look: Look) -> None:
    """Take a part of a stake back."""
    need = look.need(c.LowerWager(look.own or "", 0, 0))
    if need is None:
        return
    ways: list[Way] = [
        {"patron": (name,), "stake": (stake.number,), "cents": amounts}
        for name, stake, room in _taken(look)
        for amounts in room
    ]
    look.add(c.LowerWager, need, ways)


def remove_wager(look: Look) -> None:
    """Take a stake back."""
    need = look.need(c.RemoveWager(look.own or "", 0))
    if need is None:
        return
    ways: list[Way] = []
    for name, stake, room in _taken(look):
        share = stake.share(name)
        assert share is not None, "one of its shares"
        if any(share.cents in amounts for amounts in room):
            ways.append({"patron": (name,), "stake": (stake.number,)})
    look.add(c.RemoveWager, need, ways)


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


def find_stake(look: Look) -> None:
    """Report a stake on the layout that nobody entered, outside the limits."""
    table, plan, patrons = look.table, look.plan, tuple(look.table.seats)
    need = look.need(c.FindStake("", "", 0))
    if need is None or plan.procedure.breaches is None or not patrons:
        return
    assert plan.procedure.terminals is None, "what a terminal accepts is never found"
    by_wager = _by_wager(table)
    groups: dict[tuple[tuple[int, ...], Amounts], list[str]] = {}
    more: list[Way] = []
    for wager in plan.offered:
        areas = _areas(by_wager.get(wager, ()))
        free = tuple([at for at in range(1, plan.positions + 1) if at not in areas])
        alone = to_find(plan, wager, None, CENTS_MAX)
        for amounts in alone if free else ():
            groups.setdefault((free, amounts), []).append(wager)
        for there in areas.values():
            more += _found_at(plan, patrons, there, alone)
    ways: list[Way] = [
        {"wager": tuple(wagers), "position": free, "cents": amounts}
        for (free, amounts), wagers in groups.items()
    ]
    ways += more
    purses = _purses({name: purse(table, name) for name in patrons}, CENTS_MAX)
    if _payable(ways, purses):
        look.add(
            c.FindStake, need, ways, purses, fields=look.fields(c.FindStake, patron=patrons)
        )


# The differential


def ask_to_lower(look: Look) -> None:
    """Ask the patrons of the heavier hand to lower their wagers."""
    need = look.need(c.AskToLower())
    if need is not None:
        look.add(c.AskToLower, need)


def take_off_wager(look: Look) -> None:
    """Remove a stake to meet the table differential."""
    need, heavy = look.need(c.TakeOffWager(0)), heavier(look.table)
    if need is None or round_of(look.table).asked_to_lower is not heavy:
        return
    stakes = tuple(one.number for one in look.table.stakes if one.wager == heavy.value)
    if stakes:
        look.add(c.TakeOffWager, need, fields=look.fields(c.TakeOffWager, stake=stakes))
