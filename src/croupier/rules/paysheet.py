"""Paysheets: the rows of a game evaluated for every reachable outcome.

Most conditions look only at the points, or only at the pairs, and a paysheet finds that out
by itself. It first asks a wager about an outcome with one respect left *unseen*: an answer
given without looking there holds for all outcomes that differ in that respect only. So the
rows are evaluated some hundred times instead of tens of thousands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from croupier.rules.outcome import HandSummary, Outcome

if TYPE_CHECKING:
    from croupier.rules.game import Game
    from croupier.rules.wagers import Verdict, Wager

CELLS = 4 * 10 * 10
"""How many combinations of drawn cards and points the index of an outcome can hold."""


class LookedError(Exception):
    """A condition looked at something unseen."""


class Unseen:
    """A value that cannot be looked at: comparing it, testing it or counting with it fails."""

    def _looked(self, *_: object) -> NoReturn:
        raise LookedError

    __bool__ = __hash__ = __index__ = __int__ = _looked
    __add__ = __radd__ = __sub__ = __rsub__ = __mod__ = __and__ = _looked
    __lt__ = __le__ = __gt__ = __ge__ = _looked
    __eq__ = __ne__ = _looked


UNSEEN: Any = Unseen()


class PayClass(NamedTuple):
    """Outcomes that pay every wager of a game by the same rows."""

    verdicts: tuple[Verdict, ...]
    outcomes: tuple[int, ...]
    """The indices of the outcomes."""


class Paysheet:
    """The number of the row that applies, for each wager and each reachable outcome."""

    def __init__(self, game: Game, *, power: bool = False) -> None:
        self.game = game
        self.power = power
        self.outcomes = game.outcomes
        self.rows = tuple(self._column(wager) for wager in game.wagers)
        """For each wager the row numbers, in the order of ``outcomes``."""

    def _column(self, wager: Wager) -> tuple[int, ...]:
        by_points: dict[int, int | None] = {}
        by_pairs: dict[int, int | None] = {}
        column = []
        for index in self.outcomes:
            pairs, points = divmod(index, CELLS)
            if points not in by_points:
                by_points[points] = _row_unseen(wager, self._without_pairs(index))
            row = by_points[points]
            if row is None:
                if pairs not in by_pairs:
                    by_pairs[pairs] = _row_unseen(wager, self._without_points(index))
                row = by_pairs[pairs]
            if row is None:
                row = wager.row_number(Outcome.from_index(index, power=self.power))
            column.append(row)
        return tuple(column)

    def _without_pairs(self, index: int) -> Outcome:
        player, banker = _hands(index)
        return Outcome(
            HandSummary(player.points, player.cards, UNSEEN, UNSEEN),
            HandSummary(banker.points, banker.cards, UNSEEN, UNSEEN),
            self.power,
        )

    def _without_points(self, index: int) -> Outcome:
        player, banker = _hands(index)
        return Outcome(
            HandSummary(UNSEEN, UNSEEN, player.pair, player.precious),
            HandSummary(UNSEEN, UNSEEN, banker.pair, banker.precious),
            self.power,
        )

    def classes(self) -> tuple[PayClass, ...]:
        """Group the outcomes by the rows that they pay."""
        found: dict[tuple[int, ...], list[int]] = {}
        for index, rows in zip(self.outcomes, zip(*self.rows, strict=True), strict=True):
            found.setdefault(rows, []).append(index)
        wagers = self.game.wagers
        return tuple(
            PayClass(
                tuple(wager.verdicts[row] for wager, row in zip(wagers, rows, strict=True)),
                tuple(outcomes),
            )
            for rows, outcomes in found.items()
        )

    def __repr__(self) -> str:
        power = ", Power hand" if self.power else ""
        return f"Paysheet({self.game.slug}, {len(self.outcomes)} outcomes{power})"


def _hands(index: int) -> tuple[HandSummary, HandSummary]:
    outcome = Outcome.from_index(index)
    return outcome.player, outcome.banker


def _row_unseen(wager: Wager, outcome: Outcome) -> int | None:
    """Return the row that applies whatever the unseen part is, or None if it matters."""
    try:
        return wager.row_number(outcome)
    except LookedError:
        return None
