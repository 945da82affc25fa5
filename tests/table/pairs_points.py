"""The tables at which two irregularities meet, and every point of their round."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.rulebooks import RULEBOOKS
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.settings import Device, Limits
from tests.deals import in_deck_of
from tests.table.helpers import (
    CREDIT,
    GAMES,
    HIGH_LIMIT_ROOM,
    PATRONS,
    WITH_METHODS,
    settings,
)
from tests.table.pairs_end import PLAIN, end
from tests.table.pairs_world import Ask, World, draw, expose, plain, told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DECKS = 4
LIMITS = {"*": Limits(25_00, 1000_00, 25_00)}
DIFFERENTIAL = 150_00
EARLIER = "9C 2H 9C 3S 9C 2H 9C 3S"
"""Two rounds that were played before: every nine of clubs is out."""
COUPS = {
    "both draw": "2C KH KD 3S 3H 4C",
    "player draws": "2C KH KD 7S 7H",
    "banker draws": "6C KH KD 3S 4H",
    "nobody draws": "6C KH KD 7S",
    "natural": "2C KH 7D 3S",
}
THIRD = {
    "both draw": ("P3", "B3"),
    "player draws": ("P3",),
    "banker draws": ("B3",),
    "nobody draws": (),
    "natural": (),
}
BOTH_DRAW = "both draw"
NEXT = "5D 6S 8H AD 7C 2S QC 5H 6D TS"
"""What comes when the cards of the coup were set aside."""
FIRST_CARD = len(EARLIER.split())


class Setting(NamedTuple):
    """A rulebook, a dealing method and a device."""

    code: str
    method: str | None = None
    device: Device = Device()
    coup: str = BOTH_DRAW

    def __str__(self) -> str:
        parts = [self.code, self.method, None if self.device.reads_cards else "unread"]
        parts += [None if self.coup == BOTH_DRAW else self.coup]
        return " ".join(part for part in parts if part)


BAC8 = (
    Setting("BAC8", "A"),
    Setting("BAC8", "A", Device(electronic=True, reads_cards=False, physical=True)),
    Setting("BAC8", "B"),
    Setting("BAC8", "C"),
)
OTHER_COUPS = tuple(
    Setting("BAC8", method, coup=coup)
    for method, coup in product("ABC", COUPS)
    if coup != BOTH_DRAW
)
OTHERS = (
    Setting("FF3", "A"),
    Setting("FF3", "C"),
    Setting("EB4"),
    Setting("PB6"),
    Setting("F6T2"),
)
SIDE = {
    "BAC8": ("player-pair", "banker-pair"),
    "FF3": ("player-precious-pair", "banker-fabulous-4"),
    "EB4": ("tiger-pair", "small-tiger"),
    "PB6": ("player-pair", "banker-pair"),
    "F6T2": ("player-pair", "fortune-six"),
}


def truth_of(code: str, coup: str = BOTH_DRAW, seed: int = 1) -> tuple[str, ...]:
    """Return a whole shoe: the cards that matter, and the others in some order."""
    game = next(one for book in RULEBOOKS for one in book.games if one.slug == GAMES[code])
    first = in_deck_of(game.slug, f"{EARLIER} {COUPS[coup]} {NEXT}").split()
    left = Counter({card.text: DECKS for card in game.deck.cards})
    left.subtract(first)
    assert min(left.values()) >= 0
    rest = list(left.elements())
    Random(seed).shuffle(rest)
    return (*first, *rest)


def opened(at: Setting, truth: tuple[str, ...] | None = None) -> World:
    """Open a table with its patrons, and play two rounds."""
    world = World(truth or truth_of(at.code, at.coup))
    others: dict[str, Any] = {"decks": DECKS, "limits": LIMITS, "device": at.device}
    if at.code in WITH_METHODS:
        others |= {"differential_cents": DIFFERENTIAL, "room": HIGH_LIMIT_ROOM}
    world.do(Ask(c.OpenTable(settings(at.code, at.method, **others))))
    world.do(Ask(c.LoadShoe("first")))
    for seat, patron in enumerate(PATRONS, 1):
        world.do(Ask(c.TakeSeat(patron, seat)))
        world.do(Ask(c.BringCredit(patron, CREDIT)))
    for _ in range(2):
        world.do(Ask(c.CallBets()))
        world.do(Ask(c.PlaceWager("ann", "banker", 100_00)))
        end(world, PLAIN)
    return world


def stakes(at: Setting) -> list[c.Command]:
    """Return what patrons put down: all kinds of wagers, one of them of two patrons."""
    first, second = SIDE[at.code]
    joint = at.code in WITH_METHODS
    return [
        c.PlaceWager("ann", "player", 300_00),
        c.PlaceWager("bob", "banker", 250_00),
        c.PlaceWager("cyd", "tie", 50_00),
        c.PlaceWager("cyd", first, 25_00),
        c.PlaceWager("dee", second, 25_00),
        c.PlaceWager("dee", "player", 50_00, shared=joint),
        *([c.PlaceWager("cyd", "player", 25_00, join=6)] if joint else []),
        c.PlaceWager("ann", second, 25_00),
    ]


def way(at: Setting) -> Iterator[Callable[[World], Ask]]:
    """Go through a round, one command after the other."""
    yield plain(c.CallBets())
    for stake in stakes(at):
        yield plain(stake)
    yield plain(c.CloseBets())
    if at.code == "PB6":
        yield from _shaking()
    if at.method == "C":
        yield plain(c.TakeShoe("ann"))
    yield from [draw] * 4
    yield from _turning(at)
    if at.code != "EB4":
        yield plain(c.AnnounceOutcome())
    yield plain(c.Settle())
    if at.code != "EB4":
        yield plain(c.ConfirmPayment())


def _shaking() -> Iterator[Callable[[World], Ask]]:
    yield from (plain(c.ShakeDie()) for _ in range(3))
    yield from (plain(c.PassShaker()), plain(c.ConfirmShake()), plain(c.OpenShaker()))
    yield lambda _: Ask(c.AnnounceDie(), die=3)


def _turning(at: Setting) -> Iterator[Callable[[World], Ask]]:
    """Pass the hands, turn them up, and draw what the tableau calls for."""
    down = at.method in ("A", "C")
    if at.method == "A":
        yield plain(c.ChooseFirstHand(Side.PLAYER))
        yield plain(c.PassHand(Side.PLAYER, "ann"))
    if down:
        yield plain(c.PassHand(Side.BANKER, "bob"))
    for place in ("P1", "P2", "B1", "B2") if down else ():
        yield expose(Position(place))
    for place in THIRD[at.coup]:
        yield draw
        if down:
            yield expose(Position(place))


def points(at: Setting, truth: tuple[str, ...] | None = None) -> Iterator[tuple[str, World]]:
    """Go through a round from the last stake on; give the name of every point, and a copy."""
    world = opened(at, truth)
    first = len(stakes(at))
    for number, make in enumerate(way(at)):
        ask = make(world)
        world.do(ask)
        if number >= first:
            name = "open" if number == first else told(ask).partition(" cards")[0]
            yield f"{number - first:02} {name}", world.fork()
