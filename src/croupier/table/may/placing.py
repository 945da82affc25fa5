"""Where a patron may put a stake, and how much: the areas of the layout, and the amounts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.table.amounts import Amounts, between
from croupier.table.placement import addable_by_rule

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.table.may.common import Common
    from croupier.table.may.shapes import Way
    from croupier.table.settings import Plan
    from croupier.table.state import Stake

Rooms = list[tuple[Amounts, tuple[bool, ...]]]
"""How much a new stake may be, and whether it may be shared."""
Least = tuple[tuple[int, ...], int, int]
"""How much it is at least, alone and shared, at most, and in which steps."""


def flags(plan: Plan) -> tuple[bool, ...]:
    """Return whether a stake may be shared, or must not be."""
    return (False,) if plan.procedure.joint is None else (False, True)


def _way(
    wagers: tuple[str, ...],
    positions: tuple[int, ...],
    amounts: Amounts,
    shared: tuple[bool, ...],
) -> Way:
    """Return how a new stake may be put down."""
    return {
        "wager": wagers,
        "position": positions,
        "join": (None,),
        "shared": shared,
        "cents": amounts,
    }


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
            _way(tuple(wagers), positions, amounts, shared)
            for (positions, amounts, shared), wagers in self.wagers.items()
        ]


def rooms_of(
    shared: tuple[bool, ...], alone: tuple[Amounts, ...], joint: tuple[Amounts, ...]
) -> Rooms:
    """Return how much a new stake may be; what may be shared often begins lower."""
    if alone == joint:
        return [(amounts, shared) for amounts in alone]
    return [
        *((amounts, (False,)) for amounts in alone),
        *((amounts, (True,)) for amounts in joint),
    ]


Own = tuple[tuple[str, int], ...]


@lru_cache(maxsize=4096)
def _alike(plan: Plan, own: Own) -> tuple[tuple[Least, tuple[str, ...]], ...]:
    """Return which wagers leave the same room for a new stake, whatever somebody can pay."""
    staked, found = dict(own), dict[Least, list[str]]()
    for wager in plan.offered:
        ends = [addable_by_rule(plan, wager, 0, shared, staked) for shared in flags(plan)]
        least = tuple(first for first, _ in ends)
        room = (least, ends[0][1], plan.limits[wager].step_cents)
        found.setdefault(room, []).append(wager)
    return tuple((room, tuple(wagers)) for room, wagers in found.items())


def _rooms(plan: Plan, room: Least, cents: int) -> Rooms:
    """Return how much a new stake may be of somebody who can pay so much."""
    (alone, *joint), most, step = room
    most = min(most, cents)
    one = between(alone, most, step)
    return rooms_of(flags(plan), one, between(joint[0], most, step) if joint else one)


def unstaked(plan: Plan, positions: tuple[int, ...], cents: int) -> list[Way]:
    """Return how somebody may place a wager who has none, as long as no area is full."""
    return [
        _way(wagers, positions, amounts, shared)
        for room, wagers in _alike(plan, ())
        for amounts, shared in _rooms(plan, room, cents)
    ]


def places_of(common: Common, patron: str) -> tuple[int, ...]:
    """Return where a patron may put a stake: at a terminal, there alone and while it works."""
    table = common.table
    if common.plan.procedure.terminals is None:
        return common.positions
    seat = table.seats[patron]
    return () if seat in table.lost_terminals else (seat,)


def by_one(common: Common, patron: str) -> list[Way]:
    """Return how one patron may place a wager."""
    table, plan, positions = common.table, common.plan, places_of(common, patron)
    if not positions:
        return []
    cents, own = table.credits[patron], common.by_patron.get(patron, ())
    if not own and common.plain:
        return unstaked(plan, positions, min(cents, common.most))
    mine = common.own_stakes(patron)
    added: dict[str, dict[int, Stake]] = {}
    for stake in own:
        if stake.shares[0].patron == patron and not stake.found:
            # Whoever names no stake adds to this one.
            added.setdefault(stake.wager, {})[stake.position] = stake
    there = {stake.number: stake for stake in (*own, *common.shared)}
    return [
        *_new(common, positions, cents, tuple(sorted(mine.items())), added),
        *[
            _joined(plan, stake, added, amounts)
            for _, stake in sorted(there.items())
            if stake.position in positions
            for amounts in common.to_add(patron, stake)
        ],
    ]


def _new(
    common: Common,
    positions: tuple[int, ...],
    cents: int,
    mine: Own,
    added: Mapping[str, Mapping[int, Stake]],
) -> list[Way]:
    """Return how a stake may be put down where none lies to which it would be added."""
    plan, full = common.plan, common.full
    ways: list[Way] = []
    for room, wagers in _alike(plan, mine):
        rooms = _rooms(plan, room, cents)
        free: dict[tuple[int, ...], list[str]] = {}
        for wager in wagers if rooms else ():
            at = positions
            if wager in added or wager in full:
                shut = {*added.get(wager, ()), *full.get(wager, ())}
                at = tuple([one for one in positions if one not in shut])
            if at:
                free.setdefault(at, []).append(wager)
        ways += [
            _way(tuple(alike), at, amounts, shared)
            for at, alike in free.items()
            for amounts, shared in rooms
        ]
    return ways


def _joined(
    plan: Plan, stake: Stake, added: Mapping[str, Mapping[int, Stake]], amounts: Amounts
) -> Way:
    """Return how somebody adds to a stake: by its number, or to the own one without it."""
    unnamed = added.get(stake.wager, {}).get(stake.position) is stake
    return {
        "wager": (stake.wager,),
        "position": (stake.position,),
        "join": (None, stake.number) if unnamed else (stake.number,),
        "shared": flags(plan),
        "cents": amounts,
    }
