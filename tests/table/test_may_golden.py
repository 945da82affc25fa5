"""What people may do in a few typical states, as a page that is read as a diff.

Write it anew with ``python -m tests.table.test_may_golden --anew``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.money import dollars
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.may import Amounts, Field, FieldKind, may
from croupier.table.roles import Patron, Staff
from croupier.table.rulings import Situation
from croupier.table.settings import Limits, Method
from tests.table.floor import DEALER, MANAGER, SHIFT, SUPERVISOR, SYSTEM, Floor
from tests.table.helpers import PLAYER_DRAWS, PLAYER_WINS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.table.may import Allowed, Open, Way
    from croupier.table.roles import Actor

PAGE = Path(__file__).parent / "may_golden.txt"
LIMITS = {"*": Limits(50_00, 1_000_00, 50_00)}


# The states


def betting() -> Floor:
    floor = Floor("baccarat", limits=LIMITS, positions=7)
    floor.seat("Ann", "Bea", cents=700_00)
    floor.open_bets()
    floor.bet("Ann", "banker", 200_00)
    floor.bet("Bea", "tie", 50_00, shared=True)
    return floor


def third_card() -> Floor:
    floor = betting()
    floor.close_bets()
    floor.deal(" ".join(PLAYER_DRAWS.split()[:4]))
    return floor


def third_card_squeezed() -> Floor:
    floor = Floor("baccarat", method=Method.A, limits=LIMITS)
    floor.seat("Ann", "Bea", cents=700_00)
    floor.bets(("Ann", "player", 200_00), ("Bea", "banker", 100_00))
    for face in PLAYER_DRAWS.split()[:4]:
        floor.draw(face)
    floor.do(c.PassHand(Side.PLAYER, "Ann"))
    floor.do(c.ChooseFirstHand(Side.PLAYER))
    return floor


def option() -> Floor:
    floor = betting()
    floor.close_bets()
    floor.draw("2C")
    floor.report(Situation.DEVICE_RESET)
    floor.confirm()
    return floor


def referred() -> Floor:
    floor = betting()
    floor.close_bets()
    floor.draw("2C")
    floor.report(Situation.OTHER)
    return floor


def unpaid() -> Floor:
    floor = betting()
    floor.close_bets()
    floor.deal(PLAYER_WINS)
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    return floor


def flagged() -> Floor:
    floor = Floor("tiger", limits=LIMITS, positions=4)
    floor.seat("Ann", "Bea", cents=700_00)
    floor.open_bets()
    floor.bet("Ann", "player", 100_00)
    floor.do(c.LoseTerminal(1), SYSTEM)
    floor.close_bets()
    return floor


def shaking() -> Floor:
    floor = Floor("power-98", limits=LIMITS)
    floor.seat("Ann", "Bea", cents=700_00)
    floor.bets(("Ann", "player", 100_00), ("Bea", "banker", 200_00))
    for _ in range(3):
        floor.do(c.ShakeDie())
    floor.do(c.PassShaker())
    return floor


ANN, BEA = Patron("Ann"), Patron("Bea")
STATES: dict[str, tuple[Callable[[], Floor], tuple[Actor, ...]]] = {
    "Betting at a live table": (betting, (ANN, BEA, Patron("Cid"), DEALER, MANAGER)),
    "A third card is due": (third_card, (ANN, DEALER)),
    "The Player hand is squeezed": (third_card_squeezed, (ANN, BEA, DEALER)),
    "An option to withdraw": (option, (ANN, DEALER, SUPERVISOR)),
    "A referred matter": (referred, (ANN, DEALER, SHIFT)),
    "Settled and not yet paid": (unpaid, (ANN, DEALER, SUPERVISOR)),
    "A terminal is flagged": (flagged, (ANN, BEA, SHIFT, SYSTEM)),
    "The die is shaken": (shaking, (ANN, BEA, DEALER)),
}
ALSO = ("report", "take_seat", "leave_seat", "bring_credit", "take_credit", "set_limits")
"""Open to staff in most states: they are written out in the first only."""


# The page


def page() -> str:
    lines: list[str] = []
    for number, (title, (build, people)) in enumerate(STATES.items()):
        floor = build()
        lines += [f"# {title}", ""]
        for person in people:
            lines.append(named(person))
            for one in may(floor.table, person, floor.moment):
                short = number > 0 and not isinstance(person, Patron) and one.command in ALSO
                lines += [f"  {one.command} ..."] if short else list(told(one))
            lines.append("")
    return "\n".join(without_repeats(lines))


def without_repeats(lines: list[str]) -> Iterator[str]:
    """Yield the lines; one that repeats the line before is left out."""
    before = None
    for line in lines:
        if line != before:
            yield line
        before = line


def named(person: Actor) -> str:
    if isinstance(person, Staff):
        return f"{person.position.value} {person.name}"
    return f"Patron {person.name}" if isinstance(person, Patron) else "The system"


def told(one: Open) -> Iterator[str]:
    head = f"  {one.command}"
    if one.clause:
        head += f" [{one.clause}]"
    if one.approver is not None:
        head += f", with a second person: {one.approver.value}"
    yield head
    kinds = {field.name: field for field in one.fields}
    plain = [field for field in one.fields if field.allowed is not None or not one.ways]
    if plain:
        yield f"      {'; '.join(map(said, plain))}"
    for at, ways in enumerate(one.ways):
        for way in ways:
            yield f"    {'and' if at else '  '} {the(way, kinds)}"


def said(field: Field) -> str:
    words = field.name if field.required else f"({field.name})"
    if field.house:
        words += " from the house"
    if field.allowed is None:
        words += f": {field.kind.value}"
    else:
        words += f" {values(field.kind, field.allowed)}"
    if field.then:
        words += f", then {' '.join(map(str, field.then))}"
    if field.other_than:
        words += f" other than {' '.join(map(str, field.other_than))}"
    return words


def the(way: Way, kinds: dict[str, Field]) -> str:
    return "; ".join(
        f"{name} {values(kinds[name].kind if name in kinds else None, allowed)}"
        for name, allowed in way.items()
    )


def values(kind: FieldKind | None, allowed: Allowed) -> str:
    if isinstance(allowed, Amounts):
        shown = dollars if kind is FieldKind.CENTS else str
        words = f"{shown(allowed.minimum)} to {shown(allowed.maximum)}"
        return words + (f" by {shown(allowed.step)}" if allowed.step > 1 else "")
    return "|".join("none" if one is None else str(one) for one in allowed) or "nothing"


def test_what_people_may_do_is_as_it_was_written_down() -> None:
    assert page() == PAGE.read_text(encoding="utf-8")


if __name__ == "__main__" and "--anew" in sys.argv:
    PAGE.write_text(page(), encoding="utf-8")
