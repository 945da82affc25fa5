"""How long a change takes for all audiences, with 20 patrons. Prints; asserts nothing.

For every step of rounds with 20 stakes, as ``bench_table.py`` plays them: what all audiences
see and hear of it is built (``Projection.follow``), and encoded once for each audience and for
each patron who learns more than everybody. Three times: with nobody watching for a patron;
with somebody watching for each of the 20, so the own part of everybody whom a step concerns is
built, with what they may do; and with a Dealer and a Pit Supervisor at work too, so what staff
may do now is built. In every fourth round something is reported when the first card is out, a
Gaming Shift Manager offers withdrawal, and everybody answers.

Cycles are sought as in the server, which sets the collector up the same way. The tables are
played in turn. Microseconds of processor time, built and encoded: the median,
and the least in brackets, because the machine may do other work. The last line of a game is
the mean of all steps.
"""

from __future__ import annotations

import statistics
import sys
import time
from itertools import chain
from typing import TYPE_CHECKING

from bench_table import PATRONS, Desk, coups
from rich.console import Console
from rich.table import Table as Shown

from croupier import find_game
from croupier.floor.running import tune
from croupier.table import commands as c
from croupier.table.decide import act
from croupier.table.refusals import Refusal
from croupier.table.roles import Staff, StaffPosition
from croupier.table.rulings import Situation
from croupier.table.settings import Method
from croupier.table.state import HoldKind
from croupier.table.views import Audience, Projection
from croupier.table.views.encoding import ChangeEncoder
from croupier.table.views.projection import NOT_WORKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.rules.game import Game
    from croupier.table.views import Changes
    from croupier.table.views.staff import Watch

GOAL = 300
TABLES = (("baccarat", Method.A), ("baccarat", Method.C), ("power-98", None), ("tiger", None))
AT_WORK = (
    (Audience.DEALER, StaffPosition.DEALER),
    (Audience.PIT, StaffPosition.PIT_SUPERVISOR),
    (Audience.AUDITOR, None),
)
"""Who of staff watches in which position, where staff is at work."""
WATCHING = {
    "nobody for a patron": (0, NOT_WORKING),
    "for 20 patrons": (len(PATRONS), NOT_WORKING),
    "and staff at work": (len(PATRONS), AT_WORK),
}
"""For how many patrons somebody watches, and who of staff."""
ROUNDS = 40
SHIFT = Staff("Sam", StaffPosition.GAMING_SHIFT_MANAGER)
OFFERING = ("BAC8", "FF3", "EB4")
"""Rulebooks by which a Gaming Shift Manager may offer withdrawal."""


class Watched(Desk):
    """A desk whose table is watched by all audiences."""

    def __init__(
        self, game: Game, method: Method | None, patrons: int, staff: Iterable[Watch]
    ) -> None:
        self.projection: Projection | None = None
        self.took: dict[str, list[float]] = {}
        self.offering = False
        """Whether withdrawal is offered in the round that is played."""
        self.encoder = ChangeEncoder()
        super().__init__(game, method)
        self.projection = Projection(self.table)
        for patron in PATRONS[:patrons]:
            self.projection.own(patron)
        for audience, position in staff:
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
        self.encode(changes)
        took = (time.process_time_ns() - start) / 1000
        name = str(type(envelope.command).__struct_config__.tag)
        self.took.setdefault(name, []).append(took)
        if self.offering and isinstance(envelope.command, c.DrawCard):
            self.offering = False
            self.offer()

    def encode(self, changes: Changes) -> int:
        """Encode what everybody learns, once each; return how many bytes that is."""
        step = self.encoder.step(changes)
        told = [(Audience.PUBLIC, changes.public)]
        told += [(audience, change) for (audience, _), change in changes.staff.items()]
        told += [(Audience.PATRON, change) for change in changes.patrons.values()]
        return sum(
            len(step.events(one)) + len(step.view(one, audience))
            for audience, one in told
            if one is not None
        )

    def offer(self) -> None:
        """Report something that is referred: everybody may withdraw, and stays."""
        self.ask(c.report(Situation.OTHER), self.caller)
        if self.table.hold is None or self.table.hold.kind is not HoldKind.REFERRAL:
            return
        self.ask(c.DecideReferral(c.Decision.OFFER_WITHDRAWAL, "so it is fair"), SHIFT)
        for patron in PATRONS:
            self.ask(c.KeepWagers(patron), self.actors[patron])
        self.ask(c.EndOption(), SHIFT)


def main() -> None:
    """Measure and print; an argument says how many rounds."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    tune()
    shown = Shown(title="Microseconds for a change to all audiences, 20 patrons")
    for heading in ("game", "what happened", *WATCHING, "goal"):
        left = heading in ("game", "what happened")
        shown.add_column(heading, justify="left" if left else "right")
    for slug, method in TABLES:
        game = find_game(slug)
        desks = [Watched(game, method, *watching) for watching in WATCHING.values()]
        offers = game.edition.code in OFFERING
        for number, cards in enumerate(coups(game)[:rounds]):
            for desk in desks:
                desk.offering = offers and number % 4 == 0
                desk.play(cards)
        where = f"{slug} {method.value}" if method else slug
        for name in desks[0].took:
            figures = [
                f"{statistics.median(desk.took[name]):,.0f} ({min(desk.took[name]):,.0f})"
                for desk in desks
            ]
            shown.add_row(where, name, *figures, f"{GOAL}")
        means = [f"{statistics.mean(chain(*desk.took.values())):,.0f}" for desk in desks]
        shown.add_row(where, "mean of all steps", *means, f"{GOAL}", end_section=True)
    Console(width=120).print(shown)


if __name__ == "__main__":
    main()
