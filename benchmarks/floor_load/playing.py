"""Rounds played to their end: bets for a while, then cards at their pace, payment, and again.

A round that never ends keeps every wager that was ever placed in it, and memory with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from floor_load.crowd import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from floor_load.common import Floor

BETTING_SECONDS = 8.0
"""How long bets are taken in each round."""
CARDS = 4
"""So many are always drawn; whether more are, the outcome is asked for."""
SHOE_ROUNDS = 50
"""A shoe has cards for so many rounds, whatever is drawn."""
CLOSE, CALL = '{"type":"close_bets"}', '{"type":"call_bets"}'
DRAW, OUTCOME = '{"type":"draw_card"}', '{"type":"announce_outcome"}'
SETTLE, PAY = '{"type":"settle"}', '{"type":"confirm_payment"}'
END_SHOE = '{"type":"end_shoe"}'


class Playing:
    """The rounds of one table, as its Dealer goes on with them, one command at a time."""

    def __init__(self, floor: Floor, table: str, first_seconds: float) -> None:
        """Take bets in the first round, which is called, for so long."""
        self._floor, self._table = floor, table
        self.round = 1
        self._closes = clock() + first_seconds
        self._course: Iterator[str] | None = None

    @property
    def open(self) -> bool:
        """Tell whether bets are taken."""
        return self._course is None

    def go_on(self) -> None:
        """Do what comes next, unless the Dealer waits for an answer: guests come, or cards."""
        if self._table in self._floor.asked:
            return
        if self._course is None and clock() >= self._closes:
            self._course = self._commands()
        command = None if self._course is None else next(self._course, None)
        if command is not None:
            self._floor.order(self._table, command, refusable=command == OUTCOME)
            return
        if self._course is not None:
            self._course = None
            self.round += 1
            self._closes = clock() + BETTING_SECONDS
        self._floor.change(self._table)

    def _commands(self) -> Iterator[str]:
        """Yield the commands from the closing of bets to the next call, each once answered."""
        yield CLOSE
        yield from [DRAW] * CARDS
        yield OUTCOME
        while not self._floor.done[self._table]:
            yield DRAW
            yield OUTCOME
        yield SETTLE
        yield PAY
        if not self.round % SHOE_ROUNDS:
            yield END_SHOE
            yield f'{{"type":"load_shoe","shoe":"{self.round // SHOE_ROUNDS + 1}"}}'
        yield CALL
