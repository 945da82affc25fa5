"""next_act: what comes next at a table, as one pure function of its state and the moment.

The answer is an act of the system, a moment to wait for, or people. A driver asks after every
decision and when a wait is over; what it is told depends on nothing else, so it can be asked
again at any time, also after a restart. From the moment on at which a table was announced to
close, the system begins no further round there.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from croupier.table import commands as c
from croupier.table.attending import answers_until
from croupier.table.course import Clock, Due, Source, due
from croupier.table.roles import StaffPosition, System
from croupier.table.state import Phase

if TYPE_CHECKING:
    from croupier.table.state import Table

SYSTEM = System()


class Act(msgspec.Struct, frozen=True):
    """The system gives this command now."""

    command: c.Command
    actor: System = SYSTEM
    source: Source | None = None
    """What comes with it: a card where no sealed shoe has them, or a die."""


class WaitUntil(msgspec.Struct, frozen=True):
    """Nothing happens before this moment, unless somebody asks for something."""

    moment: datetime


class WaitFor(msgspec.Struct, frozen=True):
    """People come next: who may, and what for."""

    positions: tuple[StaffPosition, ...]
    patrons: tuple[str, ...]
    why: str
    clause: str | None = None
    command: c.Command | None = None
    """The command that they give in the usual course; None: they decide, or answer."""
    source: Source | None = None
    until: datetime | None = None
    """When the system goes on without the patrons; None: it does not."""


Next = Act | WaitUntil | WaitFor

BEGIN = (c.LoadShoe, c.EndShoe, c.CallBets)
CLOSES = "The table closes, as was announced; the system begins no further round."


def next_act(table: Table, moment: datetime, *, hurried: bool = False) -> Next:
    """Return what comes next at a table.

    ``hurried`` leaves out betting time, pause and pace, for a house that closes and for
    whoever plays without a clock; people are waited for all the same.
    """
    now = due(table)
    if not table.system_deals:
        return _people(now)
    if now.asks:
        until = answers_until(table)
        if until is not None and moment < until:
            return _people(now, until)
        return Act(c.PassOver(now.patrons[0]))
    if now.command is None or not now.system:
        return _people(now)
    start = None if hurried else _from(table, now.clock)
    if start is not None and moment < start:
        return WaitUntil(start)
    if table.closes is not None and moment >= table.closes and _begins(now):
        return WaitFor((table.settings.configures,), (), CLOSES)
    return Act(now.command, source=now.source)


def closes_at(table: Table) -> datetime | None:
    """Return when the system closes bets; None: they are not open, or a Dealer does."""
    if table.phase is not Phase.OPEN or table.hold is not None or not table.system_deals:
        return None
    return _from(table, Clock.BETTING)


def clocks_of(table: Table, now: Due) -> tuple[datetime | None, datetime | None]:
    """Return from when on the system takes a step, and until when patrons may answer.

    None: no clock runs for it, because people do it, or nobody is asked.
    """
    if not table.system_deals:
        return None, None
    if now.asks:
        return None, answers_until(table)
    if now.command is None or not now.system:
        return None, None
    begins, closes = _from(table, now.clock), table.closes
    if begins is not None and closes is not None and begins >= closes and _begins(now):
        return None, None
    return begins, None


def _begins(now: Due) -> bool:
    """Tell whether the next step begins a round, or makes ready for one."""
    return isinstance(now.command, BEGIN)


def _from(table: Table, clock: Clock) -> datetime | None:
    """Return from when on a step is taken; None: at once."""
    if table.since is None:
        return None
    clocks = table.settings.clocks
    wait = {
        Clock.BETTING: clocks.betting_ms,
        Clock.PAUSE: clocks.pause_ms,
        Clock.PACE: clocks.pace_ms,
    }[clock]
    return table.since + timedelta(milliseconds=wait)


def _people(now: Due, until: datetime | None = None) -> WaitFor:
    return WaitFor(
        now.positions, now.patrons, now.why, now.clause, now.command, now.source, until
    )
