"""Counting what a small table can come to: states and transitions, depth by depth.

The idea is the *perft* of chess programs: a fixed position, a fixed menu of moves, and
integers that any change of the rules changes. A menu here is every command of a list, by
the right person, with one of two cards. The counts lie in ``tests/counts/table_*.txt``;
``python -m tests.table.perft`` writes them anew.
"""

from __future__ import annotations

from datetime import datetime
from hashlib import blake2b
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from croupier.rules.cards import Card
from croupier.rules.coup import Coup, Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.decide import act
from croupier.table.order import MAIN
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import Limits, Method
from croupier.table.state import Hold, Round, Shoe
from tests.table.floor import (
    DEALER,
    MANAGER,
    SECOND,
    SHIFT,
    SUPERVISOR,
    SYSTEM,
    Floor,
    faces,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from croupier.table.roles import Actor, Staff
    from croupier.table.state import Course, Table


COUNTS = Path(__file__).resolve().parent.parent / "counts"
ANN, BEA = Patron("Ann"), Patron("Bea")
STAKE = 100_00
MOMENT = datetime.fromisoformat("2026-01-01T13:00:00+08:00")


class Small(NamedTuple):
    """A small table: its game, its method, and how deep it is counted."""

    name: str
    game: str
    method: Method | None
    depths: dict[str, tuple[int, int]]
    """From each start: how deep in every run, and how deep when there is time."""


class Row(NamedTuple):
    """What there is at one depth."""

    start: str
    depth: int
    states: int
    """States first reached at this depth."""
    accepted: int
    """Commands accepted in the states of the depth before."""
    refused: int


BETTING, CARDS, OUTCOME = "betting", "cards", "outcome"
USUAL = {BETTING: (4, 6), CARDS: (3, 5), OUTCOME: (3, 5)}
SMALL = (
    Small("BAC8_A", "baccarat", Method.A, USUAL),
    Small("BAC8_B", "baccarat", Method.B, USUAL),
    Small("BAC8_C", "baccarat", Method.C, USUAL),
    Small("FF3_A", "fa-fa-fabulous-4", Method.A, USUAL),
    Small("FF3_B", "fa-fa-fabulous-4", Method.B, USUAL),
    Small("FF3_C", "fa-fa-fabulous-4", Method.C, USUAL),
    Small("F6T2", "fortune-six-tournament", None, USUAL),
    Small("PB6", "power-98", None, {**USUAL, CARDS: (4, 6)}),
    Small("EB4", "tiger", None, USUAL),
)


# The table and the menu


def start(small: Small, where: str) -> Table:
    """Return the table to count from: before the bets, before the cards, or after them."""
    how = {} if small.method is None else {"method": small.method}
    limits = {"*": Limits(STAKE, 3 * STAKE, 100)}
    floor = Floor(small.game, decks=4, positions=2, limits=limits, **how)
    floor.seat("Ann", "Bea", cents=5 * STAKE)
    if where in (CARDS, OUTCOME):
        floor.bets(("Ann", "player", STAKE), ("Bea", "banker", 2 * STAKE))
    if where == OUTCOME:
        floor.deal(faces(small.game, "4 9 4 4"))
    return floor.table


def menu(small: Small) -> list[c.Envelope]:
    """Return every command that is tried in every state."""
    two = faces(small.game, "4 9").split()
    caller: Actor = SYSTEM if small.name == "EB4" else DEALER
    asked = [*_round(caller, two), *_bets(), *_reports(two)]
    if small.method is not None:
        asked += _hands()
    if small.method is Method.C:
        asked += [_by(c.DrawCard(), who, cards=(two[0],)) for who in (ANN, BEA)]
    if small.name == "PB6":
        asked += _die()
    if small.name == "EB4":
        asked += _terminals()
    return asked


def _by(
    command: c.Command,
    actor: Actor,
    approver: Staff | None = None,
    cards: tuple[str, ...] = (),
    die: int | None = None,
) -> c.Envelope:
    return c.Envelope(command, actor, MOMENT, approver, cards, die)


def _round(caller: Actor, two: list[str]) -> Iterator[c.Envelope]:
    yield _by(c.CallBets(), caller)
    yield _by(c.CloseBets(), caller)
    for face in two:
        yield _by(c.DrawCard(), caller, cards=(face,))
    for position in Position:
        yield _by(c.ExposeCard(position), caller)
    yield _by(c.AnnounceOutcome(), caller)
    yield _by(c.Settle(), caller)
    yield _by(c.ConfirmPayment(), DEALER)
    yield _by(c.ShowCutCard(), caller)


def _bets() -> Iterator[c.Envelope]:
    for who, wager in product((ANN, BEA), ("player", "banker")):
        yield _by(c.PlaceWager(who.name, wager, STAKE), who)
    yield _by(c.PlaceWager("Ann", "tie", STAKE), ANN)
    yield _by(c.LowerWager("Bea", 2, STAKE), BEA)
    for who in (ANN, BEA):
        yield _by(c.RemoveWager(who.name, 1), who)
        yield _by(c.TakeCredit(who.name, STAKE), who)


def _hands() -> Iterator[c.Envelope]:
    for side in Side:
        yield _by(c.ChooseFirstHand(side), DEALER)
        who = ANN if side is Side.PLAYER else BEA
        yield _by(c.PassHand(side, who.name), DEALER)
        yield _by(c.RefuseHand(side, who.name), who)
    for position in (Position.P1, Position.P2, Position.B1, Position.B2):
        yield _by(c.ExposeCard(position), ANN if position.side is Side.PLAYER else BEA)
    for who in (ANN, BEA):
        yield _by(c.TakeShoe(who.name), who)
        yield _by(c.RelinquishShoe(who.name), who)


def _die() -> Iterator[c.Envelope]:
    yield _by(c.ShakeDie(), DEALER)
    yield _by(c.PassShaker(), DEALER)
    for who in (ANN, BEA):
        yield _by(c.RefuseShaker(who.name), who)
    yield _by(c.ConfirmShake(), DEALER)
    yield _by(c.OpenShaker(), DEALER)
    for die in (3, 6):
        yield _by(c.AnnounceDie(), DEALER, die=die)
    yield _by(c.CallShakeInvalid("it fell"), DEALER)


def _terminals() -> Iterator[c.Envelope]:
    yield _by(c.LoseTerminal(1), SYSTEM)
    yield _by(c.RestoreTerminal(1), SYSTEM)
    for stands in (True, False):
        yield _by(c.DecideTerminal(1, stands, "so"), SHIFT, SECOND)


def _reports(two: list[str]) -> Iterator[c.Envelope]:
    for situation in (
        Situation.FOREIGN_CARD,
        Situation.POWER_FAILURE,
        Situation.DEVICE_RESET,
        Situation.OTHER,
    ):
        yield _by(c.report(situation), DEALER)
    for known in (False, True):
        report = c.report(Situation.DRAWN_TOGETHER, order_known=known, count=2)
        yield _by(report, DEALER, cards=tuple(two))
        yield _by(c.report(Situation.WRONG_NUMBER, order_known=known), DEALER)
    yield _by(c.ConfirmReport(), SUPERVISOR, SECOND)
    yield _by(c.DismissReport("no"), SUPERVISOR)
    for who in (ANN, BEA):
        yield _by(c.Withdraw(who.name), who)
        yield _by(c.KeepWagers(who.name), who)
    yield _by(c.EndOption(), SUPERVISOR)
    for order in ((0, 1), (1, 0)):
        yield _by(c.SetOrder(order), MANAGER, SECOND)
    yield _by(c.ResetDevice(), SUPERVISOR, SECOND)
    laid = (Position.P1, Position.P2, Position.B1, Position.B2)
    for decision in c.Decision:
        decided = c.DecideReferral(decision, "so", stake=1, won_cents=0, laid=laid)
        yield _by(decided, SHIFT, SECOND)
    yield _by(c.CorrectCard(Position.P2, "misread"), SUPERVISOR, SECOND, cards=(two[1],))
    yield _by(c.FindStake("Ann", "player", 3 * STAKE), SUPERVISOR, SECOND)
    for replaced in (False, True):
        yield _by(c.DecideReplacement(replaced), MANAGER)


# Counting


def _plain(value: object) -> object:
    """Write what a table holds beside structs and plain values."""
    if isinstance(value, Card):
        return value.text
    assert isinstance(value, Coup), value
    return [card.text for card in value.cards]


ENCODE = msgspec.json.Encoder(enc_hook=_plain).encode
SHOWN = ("ruled", "mended", "ruling", "confirmed_at", "reported_steps", "reported_confirmed_at")
LEFT_OUT = ("rulebooks", "plan", *SHOWN)
"""What is the same at every table, and what is only shown: no decision asks for it."""


def _fields(struct: msgspec.Struct) -> list[object]:
    """Return the fields of a struct, with what has no order of its own in order."""
    fields: list[object] = []
    for name in struct.__struct_fields__:
        value = getattr(struct, name)
        if name in LEFT_OUT:
            continue
        if name == "course":
            value = _reached(value)
        if isinstance(value, dict):
            value = sorted(value.items(), key=str)
        elif isinstance(value, frozenset):
            value = sorted(value)
        elif isinstance(value, Round | Shoe | Hold):
            value = _fields(value)
        elif name == "suspended":
            value = [_fields(one) for one in value]
        fields.append(value)
    return fields


def _reached(course: Course) -> list[object]:
    """Return all of a history of stakes that can still matter: who reached what before whom.

    Somebody is chosen by what they have on a hand, on both, on other wagers or on all, and
    then by who reached that first. What is taken back comes off what was put down last, so
    of each way to count this is a pile for every patron; only the order of its layers among
    those of others matters.
    """
    found: list[object] = []
    for counted in COUNTED:
        kept = piles(course, counted)
        places = sorted(place for pile in kept.values() for place, _ in pile)
        found.append(
            sorted(
                (patron, [(places.index(place), cents) for place, cents in pile])
                for patron, pile in kept.items()
                if pile
            )
        )
    return found


def piles(course: Course, counted: Callable[[str], bool]) -> dict[str, list[tuple[int, int]]]:
    """Return what each patron has on the wagers that count: when put down, how many cents."""
    kept: dict[str, list[tuple[int, int]]] = {}
    for place, (patron, wager, cents) in enumerate(chain.from_iterable(course)):
        if counted(wager):
            _pile_up(kept.setdefault(patron, []), place, cents)
    return kept


def _pile_up(pile: list[tuple[int, int]], place: int, cents: int) -> None:
    if cents > 0:
        pile.append((place, cents))
    while cents < 0:
        first, there = pile.pop()
        cents += there
        if cents > 0:
            pile.append((first, cents))
            return


COUNTED: tuple[Callable[[str], bool], ...] = (
    lambda wager: wager == "player",
    lambda wager: wager == "banker",
    lambda wager: wager in MAIN,
    lambda wager: wager not in MAIN,
    lambda _: True,
)
"""Which wagers count for who handles a hand, who takes the device, and who shakes."""


def key(table: Table) -> bytes:
    """Return a digest that two tables of one plan share if they are equal."""
    return blake2b(ENCODE(_fields(table)), digest_size=12).digest()


def count(small: Small, where: str, depth: int) -> Iterator[Row]:
    """Count breadth first; every state is asked everything once."""
    first = start(small, where)
    asked = menu(small)
    known = {key(first)}
    level = [first]
    yield Row(where, 0, 1, 0, 0)
    for below in range(1, depth + 1):
        found: list[Table] = []
        accepted = 0
        for table in level:
            for envelope in asked:
                answer = act(table, envelope)
                if isinstance(answer, Refusal):
                    continue
                accepted += 1
                reached = key(answer[1])
                if reached not in known:
                    known.add(reached)
                    found.append(answer[1])
        refused = len(level) * len(asked) - accepted
        yield Row(where, below, len(found), accepted, refused)
        level = found


# Golden files


def path(small: Small) -> Path:
    """Return where the counts of a small table lie."""
    return COUNTS / f"table_{small.name}.txt"


def written(small: Small) -> str:
    """Write the counts of a small table, as deep as there is time for."""
    method = f", method {small.method.value}" if small.method else ""
    lines = [
        f"# What a small table of {small.game}{method} can come to: states first reached at a",
        "# depth, and commands accepted and refused in the states of the depth before.",
        f"# There are {len(menu(small))} commands in the menu, with two cards to draw.",
        "# Ann and Bea have 500.00 each; limits are 100.00 to 300.00.",
        "# From `betting`: before the call for bets. From `cards`: Ann has 100.00 on Player,",
        "# Bea 200.00 on Banker, and bets are closed. From `outcome`: then Player has",
        "# a natural 8 against 3, and all four cards lie open.",
        "# start depth states accepted refused",
    ]
    for where, (_, deep) in small.depths.items():
        lines += [" ".join(map(str, row)) for row in count(small, where, deep)]
    return "\n".join(lines) + "\n"


def golden(small: Small) -> list[Row]:
    """Read the counts of a small table."""
    rows = []
    for line in path(small).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            where, *numbers = line.split()
            rows.append(Row(where, *map(int, numbers)))
    return rows


if __name__ == "__main__":
    for one in SMALL:
        path(one).write_text(written(one), encoding="utf-8")
