"""What is open to a patron, turned into commands: answers to what is asked, and wagers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.table.amounts import Amounts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from random import Random

    from croupier.table.may.shapes import Allowed, Field, Open, Way
    from croupier.table.views.shapes import OwnPart

Order = dict[str, Any]
"""A command as it goes over the wire."""
MAIN: Final = ("player", "banker")
ANSWERS: Final = ("confirm_shake", "open_shaker", "take_shoe", "draw_card", "expose_card")
"""What a patron does who holds something, or to whom it is offered."""
REFUSALS: Final = ("refuse_shaker", "refuse_shoe", "refuse_hand")
KEEP, WITHDRAW = "keep_wagers", "withdraw"


class Possible(msgspec.Struct, frozen=True):
    """A wager on which a stake may be put, with the amounts."""

    wager: str
    amounts: Amounts


def opened(own: OwnPart) -> dict[str, Open]:
    """Return what a patron may do now, by the name of the command."""
    return {one.command: one for one in own.may}


def answer(own: OwnPart, chance: Random, refuses: float) -> Order | None:
    """Return the answer to what a patron is asked, or the next thing to do with the cards."""
    may = opened(own)
    if KEEP in may or WITHDRAW in may:
        withdraws = WITHDRAW in may and (KEEP not in may or chance.random() < refuses)
        return {"type": WITHDRAW if withdraws else KEEP}
    if chance.random() < refuses:
        for name in REFUSALS:
            if name in may:
                return fill(may[name], chance)
    for name in ANSWERS:
        if name in may:
            return fill(may[name], chance)
    return None


def fill(one: Open, chance: Random) -> Order:
    """Return a command with a value, picked by chance, for every field that it needs.

    A patron's own name is left out: the floor knows who asks.
    """
    order: Order = {"type": one.command}
    for field in one.fields:
        if field.required and not field.house and field.name != "patron":
            order[field.name] = _pick(field, chance)
    return order


def seat(one: Open, taken: Collection[int], chance: Random) -> Order:
    """Return the command to take a seat: where nobody sits, else beside somebody."""
    order = fill(one, chance)
    for field in one.fields:
        if field.name == "position" and isinstance(field.allowed, tuple):
            free = [position for position in field.allowed if position not in taken]
            order["position"] = chance.choice(free or field.allowed)
    return order


def _pick(field: Field, chance: Random) -> object:
    allowed = field.allowed
    if isinstance(allowed, Amounts):
        return allowed.minimum
    assert allowed, f"{field.name} has no value that may be given"
    return chance.choice(allowed)


def possible(one: Open, seat: int) -> Iterator[Possible]:
    """Yield the wagers on which a new stake of one's own may be put, at one's own position."""
    fixed = {field.name: field.allowed for field in one.fields if field.allowed is not None}
    for way in one.ways[0] if one.ways else ({},):
        together: Way = {**fixed, **way}
        amounts = together.get("cents")
        if not isinstance(amounts, Amounts) or not _new_at(together, seat):
            continue
        wagers = together.get("wager")
        for wager in wagers if isinstance(wagers, tuple) else ():
            yield Possible(str(wager), amounts)


def _new_at(way: Mapping[str, Allowed], seat: int) -> bool:
    """Tell whether a way is a stake of one's own, at this position, that joins no other."""
    wanted: tuple[tuple[str, object], ...] = (
        ("position", seat),
        ("shared", False),
        ("join", None),
    )
    for name, value in wanted:
        allowed = way.get(name)
        if isinstance(allowed, tuple) and value not in allowed:
            return False
    return True


def wager(own: OwnPart, chance: Random, units_max: int) -> Order | None:
    """Return a new stake by chance: on Player or Banker first, then on what else is open."""
    one = opened(own).get("place_wager")
    if one is None or own.seat is None:
        return None
    lie = {stake.wager for stake in own.stakes}
    found = [each for each in possible(one, own.seat) if each.wager not in lie]
    if lie.isdisjoint(MAIN):
        found = [each for each in found if each.wager in MAIN] or found
    else:
        found = [each for each in found if each.wager not in MAIN]
    if not found:
        return None
    chosen = chance.choice(found)
    cents = modest(chosen.amounts, chance.randint(1, units_max))
    return {"type": "place_wager", "wager": chosen.wager, "cents": cents, "position": own.seat}


def modest(amounts: Amounts, units: int) -> int:
    """Return so many times the least amount, or the nearest below it that may be given.

    >>> modest(Amounts(1000, 5000, 300), 3), modest(Amounts(1000, 2000, 500), 9)
    (2800, 2000)
    """
    wanted = min(units * amounts.minimum, amounts.maximum)
    return wanted - (wanted - amounts.minimum) % amounts.step
