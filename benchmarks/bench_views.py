"""How long a change takes for all audiences, with 20 patrons. Prints; asserts nothing.

For every step of rounds with 20 stakes, as ``bench_table.py`` plays them: what all audiences
see and hear of it is built (``Projection.follow``), and encoded once for each audience and for
each patron who learns more than everybody. Once with nobody watching for a patron or in a
position, and once with somebody watching for each of the 20, a Dealer and a Pit Supervisor:
then what they may do now is built, and the own part of everybody whom a step concerns. In every
fourth round something is reported when the first card is out, a Gaming Shift Manager offers
withdrawal, and everybody answers.

Both tables are played in turn. Microseconds of processor time: the median, and the least in
brackets, because the machine may do other work.
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import TYPE_CHECKING

import msgspec
from bench_table import PATRONS, Desk, coups
from rich.console import Console
from rich.table import Table as Shown

from croupier import find_game
from croupier.table import commands as c
from croupier.table.decide import act
from croupier.table.refusals import Refusal
from croupier.table.roles import Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Method
from croupier.table.state import HoldKind
from croupier.table.views import Audience, Projection
from croupier.table.views.projection import NOT_WORKING

if TYPE_CHECKING:
    from croupier.rules.game import Game
    from croupier.table.views import Changes

GOAL = 300
TABLES = (("baccarat", Method.A), ("baccarat", Method.C), ("power-98", None), ("tiger", None))
STAFF = (
    (Audience.DEALER, StaffPosition.DEALER),
    (Audience.PIT, StaffPosition.PIT_SUPERVISOR),
    (Audience.AUDITOR, None),
)
"""Who of staff watches in which position, where everybody is watched for."""
ENCODE = msgspec.json.Encoder().encode
ROUNDS = 40
SHIFT = Staff("Sam", StaffPosition.GAMING_SHIFT_MANAGER)
OFFERING = ("BAC8", "FF3", "EB4")
"""Rulebooks by which a Gaming Shift Manager may offer withdrawal."""


class Watched(Desk):
    """A desk whose table is watched by all audiences."""

    def __init__(self, game: Game, method: Method | None, watched: int) -> None:
        self.projection: Projection | None = None
        self.took: dict[str, list[tuple[float, float]]] = {}
        self.offering = False
        """Whether withdrawal is offered in the round that is played."""
        super().__init__(game, method)
        self.projection = Projection(self.table)
        for patron in PATRONS[:watched]:
            self.projection.own(patron)
        for audience, position in STAFF if watched else NOT_WORKING:
            self.projection.view(audience, position=position)

    def bring(self, envelope: c.Envelope) -> None:
        """Bring an envelope to the table, and measure what everybody learns of it."""
        answer = act(self.table, envelope)
        assert not isinstance(answer, Refusal), answer
        events, self.table = answer
        if self.projection is None:
            return
        start = time.process_time_ns()
        changes = self.projection.follow(self.table, events)
        built = time.process_time_ns()
        encode(changes)
        encoded = time.process_time_ns()
        name = str(type(envelope.command).__struct_config__.tag)
        times = ((built - start) / 1000, (encoded - built) / 1000)
        self.took.setdefault(name, []).append(times)
        if self.offering and isinstance(envelope.command, c.DrawCard):
            self.offering = False
            self.offer()

    def offer(self) -> None:
        """Report something that is referred: everybody may withdraw, and stays."""
        self.ask(c.report(Situation.OTHER), self.caller)
        if self.table.hold is None or self.table.hold.kind is not HoldKind.REFERRAL:
            return
        self.ask(c.DecideReferral(c.Decision.OFFER_WITHDRAWAL, "so it is fair"), SHIFT)
        for patron in PATRONS:
            self.ask(c.KeepWagers(patron), self.actors[patron])
        self.ask(c.EndOption(), SHIFT)


def encode(changes: Changes) -> int:
    """Encode what everybody learns, once each; return how many bytes that is."""
    told = (changes.public, *changes.staff.values())
    size = sum(len(ENCODE(one)) for one in told if one is not None)
    return size + sum(len(ENCODE(one)) for one in changes.patrons.values())


def main() -> None:
    """Measure and print; an argument says how many rounds."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    shown = Shown(title="Microseconds for a change to all audiences, 20 patrons")
    columns = ("built", "encoded", "built, all watched", "encoded, all watched", "goal")
    for heading in ("game", "what happened", *columns):
        shown.add_column(heading, justify="right" if heading in columns else "left")
    for slug, method in TABLES:
        game = find_game(slug)
        desks = [Watched(game, method, watched) for watched in (0, len(PATRONS))]
        offers = game.edition.code in OFFERING
        for number, cards in enumerate(coups(game)[:rounds]):
            for desk in desks:
                desk.offering = offers and number % 4 == 0
                desk.play(cards)
        for name in desks[0].took:
            medians = [
                f"{statistics.median(times):,.0f} ({min(times):,.0f})"
                for desk in desks
                for times in zip(*desk.took[name], strict=True)
            ]
            where = f"{slug} {method.value}" if method else slug
            shown.add_row(where, name, *medians, f"{GOAL}")
    Console(width=120).print(shown)


if __name__ == "__main__":
    main()
