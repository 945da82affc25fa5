"""How fast the table decides and evolves: whole rounds with 20 stakes. Prints; asserts nothing.

A round is 20 stakes of 20 patrons placed one by one, closed, dealt and settled, as its
commands come: from the call for bets to the last confirmation. Beside the rounds a second
stands how many times as long that takes as settling the same coups and stakes without any
table: nothing decided, recorded or checked. Both are measured in turn within one run, in
processor time, because the machine may do other work.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.table import Table as Shown

from croupier import GAMES, find_game
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.course import due
from croupier.table.decide import act
from croupier.table.may import may
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff, StaffPosition, System
from croupier.table.rulebook import SINGAPORE
from croupier.table.settings import Method, Settings
from croupier.table.state import Table, unopened

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.rules.game import Game
    from croupier.table.roles import Actor

NOW = datetime(2026, 1, 1, 12, tzinfo=SINGAPORE)
STAKES = 20
STAKE = 100_00
GOAL = 5_000
DECKS, ROUNDS = 10, 80
"""Eighty rounds take at most 480 of 520 cards."""
REPEATS = 7

DEALER = Staff("Dan", StaffPosition.DEALER)
MANAGER = Staff("Mia", StaffPosition.PIT_MANAGER)
ASSISTANT = Staff("Ada", StaffPosition.ASSISTANT_CASINO_MANAGER)
SYSTEM = System()
PATRONS = [f"patron {number}" for number in range(STAKES)]


class Desk:
    """A table and those who ask; every answer must be yes."""

    def __init__(self, game: Game, method: Method | None) -> None:
        self.table: Table = unopened(RULEBOOKS)
        self.game = game
        self.method = method
        self.caller: Actor = SYSTEM if game.edition.code == "EB4" else DEALER
        room = "Paiza Club" if method is Method.C else "Main floor"
        layout, positions = ("E", 16) if game.edition.code == "FF3" else ("", 20)
        if game.edition.code == "BAC8":
            layout, positions = "C", 14
        opened = Settings(
            rulebook=game.edition.code,
            game=game.slug,
            method=method,
            room=room,
            layout=layout,
            positions=positions,
            decks=DECKS,
        )
        self.ask(c.OpenTable(opened), ASSISTANT if method is Method.C else MANAGER)
        self.ask(c.LoadShoe("shoe"), DEALER)
        for number, patron in enumerate(PATRONS):
            self.ask(c.TakeSeat(patron, number % positions + 1), DEALER)
            self.ask(c.BringCredit(patron, 10**9), DEALER)
        self.actors = {patron: Patron(patron) for patron in PATRONS}
        wagers = [wager.slug for wager in game.wagers][:5]
        # Twenty stakes: at most three lie in one area, and a Natural wager needs its main one.
        self.wagers = [wagers[number % len(wagers)] for number in range(STAKES)]
        self.bets = [
            c.Envelope(c.PlaceWager(patron, wager, STAKE), self.actors[patron], NOW)
            for patron, wager in zip(PATRONS, self.wagers, strict=True)
        ]
        """Made once: making envelopes is not what is measured."""

    def ask(
        self,
        command: c.Command,
        actor: Actor,
        cards: tuple[str, ...] = (),
        die: int | None = None,
    ) -> None:
        """Bring a command to the table."""
        self.bring(c.Envelope(command, actor, NOW, None, cards, die))

    def bring(self, envelope: c.Envelope) -> None:
        """Bring an envelope to the table."""
        answer = act(self.table, envelope)
        assert not isinstance(answer, Refusal), answer
        self.table = answer[1]

    def play(self, cards: list[str]) -> list[c.Envelope]:
        """Play one round in its usual course; return what was asked."""
        asked: list[c.Envelope] = []
        left = iter(cards)
        rounds = self.table.rounds
        while self.table.rounds == rounds or not self.table.between_rounds:
            now = due(self.table)
            if isinstance(now.command, c.CloseBets):
                asked += self.bets
                for envelope in self.bets:
                    self.bring(envelope)
            assert now.command is not None, now.why
            drawn = (next(left),) if isinstance(now.command, c.DrawCard) else ()
            actor = Patron(now.patrons[0]) if now.patrons else self.caller
            asked.append(c.Envelope(now.command, actor, NOW, None, drawn, 3))
            self.bring(asked[-1])
        return asked

    def play_all(self, rounds: list[list[c.Envelope]]) -> None:
        """Ask for all that rounds need: finding out what comes next is not measured."""
        for asked in rounds:
            for envelope in asked:
                self.bring(envelope)


def coups(game: Game) -> list[list[str]]:
    """Deal coups from one shoe, always the same ones."""
    shoe = list(game.shoe(DECKS).cards())
    random.Random(98).shuffle(shoe)
    made = []
    for _ in range(ROUNDS):
        coup = game.coup()
        while not coup.complete:
            coup = coup.draw(shoe.pop())
        made.append([card.text for card in coup.cards])
    return made


def plainly(game: Game, wagers: list[str], dealt: list[list[str]]) -> int:
    """Settle the same stakes on the same coups without a table; return what patrons won."""
    won = 0
    for cards in dealt:
        die = 3 if game.die is not None else None
        settlement = game.settle(cards, die=die)
        nets = {verdict.wager: verdict.net for verdict in settlement}
        for wager in wagers:
            net = nets[wager]
            won += STAKE * net.numerator // net.denominator
    return won


def timed(work: Callable[[], object]) -> float:
    """Return how many seconds of processor time something takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(game: Game, method: Method | None, repeats: int) -> tuple[list[float], list[float]]:
    """Return the times of all rounds at a table, and of the plain settlement, in turn."""
    dealt = coups(game)
    ours, plain = [], []
    first = Desk(game, method)
    rounds = [first.play(cards) for cards in dealt]
    for _ in range(repeats):
        desk = Desk(game, method)
        plain.append(timed(lambda: plainly(game, desk.wagers, dealt)))  # noqa: B023  # at once
        ours.append(timed(lambda: desk.play_all(rounds)))  # noqa: B023
    return ours, plain


ASKED = 200
"""How often somebody asks what may be done, each time."""
MAY_GOALS = {"patron": 100, "Dealer": 300}


def microseconds(table: Table, person: Actor, repeats: int) -> float:
    """Return how long it takes at best to say what somebody may do."""

    def ask() -> None:
        for _ in range(ASKED):
            may(table, person, NOW)

    return min(timed(ask) for _ in range(repeats)) / ASKED * 1_000_000


def asked(repeats: int) -> Shown:
    """Return how long it takes to say what people may do, with 20 patrons and 20 stakes."""
    shown = Shown(title="What a person may do now: microseconds at best, 20 patrons, 20 stakes")
    for heading in ("game", "phase", "person", "microseconds", "goal", "commands", "bytes"):
        left = heading in ("game", "phase", "person")
        shown.add_column(heading, justify="left" if left else "right")
    people: dict[str, Actor] = {
        "patron": Patron(PATRONS[3]),
        "Dealer": DEALER,
        "Pit Manager": MANAGER,
    }
    for slug, method in (("baccarat", Method.B), ("power-98", None), ("tiger", None)):
        desk = Desk(find_game(slug), method)
        desk.ask(c.CallBets(), desk.caller)
        for envelope in desk.bets:
            desk.bring(envelope)
        betting = desk.table
        desk.ask(c.CloseBets(), desk.caller)
        for table in (betting, desk.table):
            for name, person in people.items():
                opens = may(table, person, NOW)
                shown.add_row(
                    slug,
                    table.phase.value,
                    name,
                    f"{microseconds(table, person, repeats):,.0f}",
                    str(MAY_GOALS.get(name, "")) if table is betting else "",
                    str(len(opens)),
                    f"{len(msgspec.json.encode(opens)):,}",
                )
    return shown


def main() -> None:
    """Measure and print; an argument says how many repeats."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS
    Console(width=100).print(asked(repeats))
    shown = Shown(title="Rounds with 20 stakes decided and evolved per second, one core")
    for heading in ("game", "method", "best", "median", "goal", "times the plain settlement"):
        shown.add_column(heading, justify="left" if heading in ("game", "method") else "right")
    for slug in [game.slug for game in GAMES]:
        game = find_game(slug)
        methods: list[Method | None] = [None]
        if game.edition.code in ("BAC8", "FF3"):
            methods = [Method.A, Method.B, Method.C]
        for method in methods:
            ours, plain = measure(game, method, repeats)
            ratio = statistics.median(
                one / other for one, other in zip(ours, plain, strict=True)
            )
            shown.add_row(
                slug,
                method.value if method else "",
                f"{ROUNDS / min(ours):,.0f}",
                f"{ROUNDS / statistics.median(ours):,.0f}",
                f"{GOAL:,}",
                f"{ratio:.0f}",
            )
    Console(width=100).print(shown)


if __name__ == "__main__":
    main()
