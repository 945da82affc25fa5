"""PAR sheets: everything a laboratory asks about a game, from exact counts.

This module holds what a sheet says; :mod:`croupier.odds.sheetfiles` writes it as HTML, PDF,
CSV or XLSX. The same game and shoe give the same sheet: no date is in it unless one is
given, and the hash is of the exact results only, so anybody can compute it again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from croupier.odds.figures import VOLATILITY_CONFIDENCE, GameOdds, exact_odds
from croupier.odds.frames import correlations
from croupier.odds.views import HandOdds, odds_by_decks, odds_by_hand

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from fractions import Fraction

    from croupier.odds.figures import WagerOdds
    from croupier.rules.game import Game

ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
"""After how many rounds the confidence interval of the return is given."""
PLOT_ROUNDS = 1_000

COUNTED = (
    "Exact enumeration: every ordered deal of six cards from the full shoe is counted by"
    " outcome with whole numbers; a coup of four or five cards is counted with every"
    " continuation. Their number is N(N-1)(N-2)(N-3)(N-4)(N-5) = {factors} = {deals}."
    "{averaged} No simulation and no rounding entered these figures; only what is printed is"
    " rounded."
)
AVERAGED = (
    " Where hands are averaged over the die, every deal is counted once for each of its six"
    " faces."
)
DEFINED = (
    "Probability = combinations / total. Contribution = probability x net pay per unit"
    " staked; a push pays 0 and a loss -1. Return = 1 + sum of contributions. Edge per unit"
    " placed = 1 - return; per unit resolved = the same divided by (1 - push rate)."
)
INTERVAL = (
    "Volatility index (VI) = {factor} x standard deviation (SD): the two-sided normal quantile"
    " of {confidence}. The interval of the return after n rounds is return +/- volatility"
    " index / square root of n, for independent rounds at equal stakes. It is a normal"
    " approximation: where a rare row pays very much, the distribution itself is needed, which"
    " is drawn above."
)
HASHED = (
    "The hash is the SHA-256 of the exact results as JSON with sorted keys, no spaces, in"
    " UTF-8; this command prints them, and writes the sheet again:"
)


class Interval(NamedTuple):
    """Where the return lies after so many rounds, with the stated confidence."""

    rounds: int
    low: float
    high: float


class Grid(NamedTuple):
    """A table to lay out; the first columns hold words, the others numbers."""

    head: list[str]
    lines: list[list[str]]
    words: int = 1


@dataclass(frozen=True, eq=False)
class ParSheet:
    """The PAR sheet of one game and one full shoe."""

    odds: GameOdds
    date: date | None = None
    """A date to print on the sheet, or none."""

    @property
    def game(self) -> Game:
        """Return the game."""
        return self.odds.game

    @cached_property
    def hands(self) -> tuple[HandOdds, ...]:
        """Return the odds of every kind of hand; most games have one kind."""
        return odds_by_hand(self.odds)

    @cached_property
    def by_decks(self) -> dict[int, GameOdds]:
        """Return the odds of every number of decks, for the plot."""
        return odds_by_decks(self.game, die=self.odds.die)

    @cached_property
    def results(self) -> dict[str, object]:
        """Return the exact results: what the hash is of. Numbers are text, none is rounded."""
        edition = self.game.edition
        return {
            "game": self.game.slug,
            "rulebook": edition.code,
            "version": edition.version,
            "effective": edition.effective.isoformat(),
            "deck": len(self.game.deck),
            "decks": self.odds.decks,
            "cards": len(self.odds.composition),
            "hands": [hand_results(hand.odds) for hand in self.hands],
        }

    @property
    def canonical(self) -> bytes:
        """Return the results as JSON with sorted keys and no spaces, in UTF-8."""
        text = json.dumps(
            self.results, sort_keys=True, separators=(",", ":"), ensure_ascii=False
        )
        return text.encode()

    @cached_property
    def sha256(self) -> str:
        """Return the SHA-256 of the canonical results."""
        return hashlib.sha256(self.canonical).hexdigest()

    @cached_property
    def identification(self) -> list[tuple[str, str]]:
        """Return what the sheet is about, line by line."""
        game, edition = self.game, self.game.edition
        optional = [wager.name for wager in game.wagers if wager.optional]
        lines = [
            ("Game", f"{game.name} ({game.slug})"),
            ("Rulebook", f"{edition.title} ({edition.code})"),
            ("Version", str(edition.version)),
            ("In force from", f"{edition.effective:%Y-%m-%d %H:%M} (Singapore time)"),
            ("Deck", game.deck.name),
            ("Shoe", f"{self.odds.decks} decks, {len(self.odds.composition)} cards"),
            ("Wagers", ", ".join(wager.name for wager in game.wagers)),
            ("Optional wagers", ", ".join(optional) or "none"),
            ("Software", f"Croupier {software_version()}"),
            ("SHA-256 of the results", self.sha256),
        ]
        if game.die is not None:
            lines.insert(-2, ("Hands", "; ".join(hand.title for hand in self.hands)))
        if self.date is not None:
            lines.append(("Date", self.date.isoformat()))
        return lines

    @property
    def method(self) -> list[str]:
        """Say how the figures were found."""
        cards = len(self.odds.composition)
        counted = COUNTED.format(
            factors=" x ".join(str(cards - drawn) for drawn in range(6)),
            deals=f"{self.hands[-1].odds.total:,}",
            averaged=AVERAGED if len(self.hands) > 1 else "",
        )
        interval = INTERVAL.format(
            factor=f"{volatility_factor():.6f}", confidence=f"{VOLATILITY_CONFIDENCE:.0%}"
        )
        return [counted, DEFINED, interval, HASHED]

    @property
    def command(self) -> str:
        """Return the command that writes this sheet again."""
        die = "" if self.odds.die is None else f" --die {self.odds.die}"
        shoe = f"--decks {self.odds.decks}{die}"
        return f"croupier parsheet {self.game.slug} {shoe} -o FILE --json"

    def __repr__(self) -> str:
        return f"ParSheet({self.game.slug}, {self.odds.decks} decks, {self.sha256[:8]})"


def par_sheet(
    game: Game, *, decks: int = 8, die: int | None = None, date: date | None = None
) -> ParSheet:
    """Return the PAR sheet of a full shoe.

    >>> from croupier import find_game
    >>> sheet = par_sheet(find_game("baccarat"))
    >>> sheet.sha256 == par_sheet(find_game("baccarat")).sha256
    True
    """
    return ParSheet(exact_odds(game, decks=decks, die=die), date)


def software_version() -> str:
    """Return the version of the package."""
    from importlib.metadata import version  # noqa: PLC0415  # slow to load

    return version("croupier")


def hand_results(odds: GameOdds) -> dict[str, object]:
    """Return the exact results of one kind of hand."""
    return {
        "die": odds.die,
        "total": str(odds.total),
        "wagers": [
            {
                "wager": wager.wager.slug,
                "optional": wager.wager.optional,
                "ev": str(wager.ev),
                "variance": str(wager.variance),
                "rows": [
                    {"label": row.label, "pays": row.pays, "count": str(row.count)}
                    for row in wager.rows
                ],
            }
            for wager in odds.wagers
        ],
        "covariance": [[str(cell) for cell in row] for row in odds.covariance],
    }


def volatility_factor() -> float:
    """Return the normal quantile that the volatility index uses."""
    from statistics import NormalDist  # noqa: PLC0415  # needed for a sheet only

    return NormalDist().inv_cdf((1 + VOLATILITY_CONFIDENCE) / 2)


def intervals(wager: WagerOdds) -> list[Interval]:
    """Return the confidence intervals of a wager's return."""
    mean = float(1 + wager.ev)
    return [
        Interval(
            rounds,
            mean - wager.volatility_index / rounds**0.5,
            mean + wager.volatility_index / rounds**0.5,
        )
        for rounds in ROUNDS
    ]


def row_grid(wager: WagerOdds) -> Grid:
    """Lay out the rows of a wager, and their sums."""
    lines = [
        [
            row.label if row.pays else row.label.capitalize(),
            row.pays or "",
            row.clause or "",
            f"{row.count:,}",
            f"{float(row.probability):.10f}",
            signed(row.contribution),
        ]
        for row in wager.rows
    ]
    lines.append(["Sum", "", "", f"{wager.total:,}", f"{1:.10f}", signed(wager.ev)])
    head = ["Result", "Pays", "Clause", "Combinations", "Probability", "Contribution"]
    return Grid(head, lines, words=3)


def signed(number: Fraction | float) -> str:
    """Write a number with its sign; zero has none."""
    return f"{float(number):+.10f}" if number else f"{0:.10f}"


def percent(number: Fraction | float) -> str:
    """Write a share as a percentage."""
    return f"{float(number):.4%}".replace("%", " %")


def figure_grid(odds: GameOdds) -> Grid:
    """Lay out the figures of all wagers."""
    head = ["Wager", "Return", "Edge placed", "Edge resolved", "Hit rate", "Push rate"]
    lines = [
        [
            wager.wager.name,
            percent(1 + wager.ev),
            percent(wager.edge),
            percent(wager.edge_resolved),
            percent(wager.hit_rate),
            percent(wager.push_rate),
            f"{wager.sd:.6f}",
            f"{wager.volatility_index:.6f}",
        ]
        for wager in odds.wagers
    ]
    return Grid([*head, "SD", f"VI {VOLATILITY_CONFIDENCE:.0%}"], lines)


def interval_grid(odds: GameOdds) -> Grid:
    """Lay out the confidence intervals of the returns."""
    lines = [
        [
            wager.wager.name,
            *(
                f"{100 * found.low:.3f} to {100 * found.high:.3f} %"
                for found in intervals(wager)
            ),
        ]
        for wager in odds.wagers
    ]
    return Grid(["Wager", *(f"{rounds:,} rounds" for rounds in ROUNDS)], lines)


def matrix_grid(
    odds: GameOdds, matrix: Sequence[Sequence[Fraction | float]], digits: int
) -> Grid:
    """Lay out a matrix of all wagers; its columns are numbered as its lines."""
    lines = [
        [f"{number} {wager.wager.name}", *(f"{float(cell):.{digits}f}" for cell in row)]
        for number, (wager, row) in enumerate(zip(odds.wagers, matrix, strict=True), start=1)
    ]
    return Grid(["Wager", *(str(number + 1) for number in range(len(lines)))], lines)


def decks_grid(sheet: ParSheet) -> Grid:
    """Lay out the edges by the number of decks."""
    lines = [
        [wager.name, *(percent(odds[wager.slug].edge) for odds in sheet.by_decks.values())]
        for wager in sheet.game.wagers
    ]
    return Grid(["Edge placed", *(f"{decks} decks" for decks in sheet.by_decks)], lines)


def hand_layout(hand: HandOdds) -> dict[str, object]:
    """Lay out everything about one kind of hand."""
    odds = hand.odds
    return {
        "title": hand.title,
        "total": f"{odds.total:,}",
        "figures": figure_grid(odds)._asdict(),
        "intervals": interval_grid(odds)._asdict(),
        "wagers": [
            {
                "name": wager.wager.name,
                "slug": wager.wager.slug,
                "optional": wager.wager.optional,
                "ev": str(wager.ev),
                "grid": row_grid(wager)._asdict(),
            }
            for wager in odds.wagers
        ],
        "covariance": matrix_grid(odds, odds.covariance, 6)._asdict(),
        "correlation": matrix_grid(odds, correlations(odds), 4)._asdict(),
    }


def layout(sheet: ParSheet) -> dict[str, object]:
    """Return the sheet as texts and tables; a template only has to place them."""
    rounds = f"{PLOT_ROUNDS:,} rounds"
    shoe = f"{sheet.odds.decks} decks of {len(sheet.game.deck)} cards"
    averaged = ", averaged over the die" if len(sheet.hands) > 1 else ""
    return {
        "title": f"PAR sheet: {sheet.game.name}",
        "summary": f"{sheet.game.edition}; {shoe}",
        "running": f"PAR sheet: {sheet.game.name}, {shoe}",
        "identification": sheet.identification,
        "confidence": f"{VOLATILITY_CONFIDENCE:.0%}",
        "hands": [hand_layout(hand) for hand in sheet.hands],
        "decks": decks_grid(sheet)._asdict(),
        "plots": {
            "decks": f"Edge per unit placed against the number of decks{averaged}. Every"
            " panel has a scale of its own; wagers with equal edges share one.",
            "rounds": f"Net result of {rounds} at a stake of one unit{averaged}: its"
            " distribution, the normal curve with the same mean and deviation, and the mean.",
        },
        "method": sheet.method,
        "command": sheet.command,
        "sha256": sheet.sha256,
    }
