"""The order of patrons: by amount, then by who placed first, then counter-clockwise."""

from __future__ import annotations

from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from croupier.rules.outcome import Side
    from croupier.table.procedure import DealerMethods
    from croupier.table.state import Table


MAIN = ("player", "banker")
"""The wagers on the two hands."""
Staked = tuple[dict[str, int], dict[str, int]]
"""What each patron has on some wagers, and when each reached that."""


def counter_clockwise(
    table: Table, totals: Mapping[str, int], first: Mapping[str, int]
) -> list[str]:
    """Order patrons by their totals, the highest first.

    Among equal totals the one who placed first leads; the others follow counter-clockwise
    from there (A16, A27).
    """
    ordered: list[str] = []
    settings, seats = table.settings, table.seats
    step = 1 if settings.readings.seats_run_counter_clockwise else -1
    ranked = sorted([(-cents, first[name], name) for name, cents in totals.items()])
    for _, group in groupby(ranked, key=itemgetter(0)):
        (_, _, leader), *others = group
        lead = seats.get(leader, 0)
        # How many positions counter-clockwise each of the others sits from there.
        turns = [
            (step * (seats.get(name, 0) - lead) % settings.positions, place, name)
            for _, place, name in others
        ]
        ordered += [leader, *[name for _, _, name in sorted(turns)]]
    return ordered


def handlers_in_order(table: Table, side: Side) -> list[str]:
    """Return who may be passed the cards of a hand: the most wagered on it first (A27)."""
    totals, first = _on(table, side)
    return counter_clockwise(table, totals, first)


def handler_due(table: Table, side: Side, order: Sequence[str] | None = None) -> str | None:
    """Return to whom a hand is passed, or None when nobody is left to take it.

    ``order`` is who may be passed it in order, for whoever has asked for that already.
    """
    play = table.round
    assert play is not None, "no round"
    refused = play.refused.get(side, ())
    named = play.named.get(side)
    if named is not None and named not in refused:
        return named
    order = handlers_in_order(table, side) if order is None else order
    return next((name for name in order if name not in refused), None)


def handler_clause(table: Table, side: Side, rule: DealerMethods) -> str:
    """Return the clause by which a hand goes to whom it is due."""
    play, due = table.round, handler_due(table, side)
    assert play is not None, "no round"
    if play.named.get(side) == due and due is not None:
        return play.named_by[side]
    if due is None:
        return rule.discretion
    totals, _ = _on(table, side)
    equal = [name for name in totals if totals[name] == totals.get(due)]
    refused = play.refused.get(side, ())
    if len(equal) > 1:
        return rule.equal_refused if set(equal) & set(refused) else rule.equal
    return rule.refused if refused else rule.handler


def _on(table: Table, side: Side) -> Staked:
    """Return what each patron has on a hand, and when each first reached that."""
    return staked_on(table, (side.value,))


def staked_on(table: Table, wagers: Collection[str]) -> Staked:
    """Return what each patron has on some wagers, and when each reached it.

    A raise counts from the raise; what was taken back and put down again, from then (A27).
    """
    play = table.round
    assert play is not None, "no round"
    totals: dict[str, int] = {}
    for stake in play.stakes.values():
        if stake.wager in wagers:
            for share in stake.shares:
                totals[share.patron] = totals.get(share.patron, 0) + share.cents
    running: dict[str, int] = {}
    reached: dict[str, int] = {}
    for place, (patron, wager, cents) in enumerate(chain.from_iterable(play.course)):
        if wager in wagers and patron in totals:
            before = running.get(patron, 0)
            running[patron] = before + cents
            if before < totals[patron] <= running[patron]:
                reached[patron] = place
    return totals, reached


def with_valid_wagers(table: Table) -> set[str]:
    """Return who has a wager within the limits in this round, whichever (A53)."""
    return {
        share.patron
        for stake in table.stakes
        for share in stake.shares
        if share.cents > share.found_cents
    }


def has_valid_wager(table: Table, patron: str) -> bool:
    """Tell whether a patron has a wager within the limits in this round."""
    return any(
        share.patron == patron and share.cents > share.found_cents
        for stake in table.stakes
        for share in stake.shares
    )


def drawer(table: Table) -> str | None:
    """Return who controls the device and may draw; None: it is offered, or the Dealer draws."""
    holder = table.shoe_holder
    if holder is None or holder in table.shoe_permitted:
        return holder
    return holder if has_valid_wager(table, holder) else None


def _for_shoe(table: Table) -> Iterator[Staked]:
    """Yield what counts for the dealing device: stakes on both hands, then on other wagers."""
    yield staked_on(table, MAIN)
    yield staked_on(table, {stake.wager for stake in table.stakes}.difference(MAIN))


def _shoe_in_order(table: Table, staked: Iterable[Staked]) -> Iterator[str]:
    """Yield who may be offered the dealing device; whoever gave it up comes last of all."""
    valid, last = with_valid_wagers(table), table.shoe_relinquished
    for totals, reached in staked:
        for name in counter_clockwise(table, totals, reached):
            if name in valid and name != last:
                yield name
    for name in table.shoe_permitted:
        if name != last:
            yield name
    if last is not None and (last in valid or last in table.shoe_permitted):
        yield last


def shoe_order(table: Table) -> list[tuple[str, int]]:
    """Return to whom the dealing device is offered in turn, each with the stakes that count."""
    staked = (main, _), (other, _) = [*_for_shoe(table)]
    names = dict.fromkeys(_shoe_in_order(table, staked))
    return [(name, main.get(name) or other.get(name, 0)) for name in names]


def anybody_takes_shoe(table: Table) -> bool:
    """Tell whether the dealing device is offered to anybody, whoever comes first."""
    play = table.round
    assert play is not None, "no round"
    return not with_valid_wagers(table).union(table.shoe_permitted) <= {*play.shoe_refused}


def shoe_due(table: Table) -> str | None:
    """Return to whom the dealing device is offered; None: the Dealer draws (A46, A53).

    By the stakes on both hands first, then by those on other wagers, then to whom staff
    allowed it without a wager; whoever gave it up comes after all others.
    """
    play = table.round
    assert play is not None, "no round"
    order = _shoe_in_order(table, _for_shoe(table))
    return next((name for name in order if name not in play.shoe_refused), None)
