"""What a sender says must hold of a table when a command is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.floor.problems import ConditionError, ServerCode

if TYPE_CHECKING:
    from croupier.journal.errors import JournalError
    from croupier.journal.tables import TableState
    from croupier.table.state import Table


class StillOn(msgspec.Struct, frozen=True):
    """That a round is in progress, that a hold is on: those that the sender saw."""

    round: int | None = None
    hold: int | None = None
    """The number of the record with which it began."""

    def __call__(self, state: TableState) -> JournalError | None:
        """Say what does not hold; None: all does."""
        number, since = self.round, self.hold
        table: Table | None = getattr(state, "table", None)
        play = None if table is None or table.between_rounds else table.round
        current = None if play is None else play.number
        if number is not None and number != current:
            now = "no round is" if current is None else f"round {current} is"
            message = f"The command is for round {number}; {now} in progress."
            return ConditionError(ServerCode.OTHER_ROUND, message)
        if since is not None and (
            table is None or table.hold is None or state.held_since != since
        ):
            message = (
                f"The command is for the hold that began with record {since}; it is not on."
            )
            return ConditionError(ServerCode.OTHER_HOLD, message)
        return None
