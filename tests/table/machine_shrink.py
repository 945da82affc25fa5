"""The shortest way to a failure: the script of a walk, with everything left out that can be.

A table answers every command with events or a refusal, so any part of a script is a script.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tests.table.machine_finish import finish
from tests.table.machine_views import check_views
from tests.table.machine_watch import Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.table.commands import Envelope


def failure(script: Sequence[Envelope]) -> str | None:
    """Play a script; say what fails and where, or return None."""
    watch = Watch()
    try:
        for envelope in script:
            watch.ask(envelope)
            check_views(watch.table, Random(1), None)
        if script:
            finish(watch, script[-1].moment)
        watch.check_replay()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what we look for
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        assert trace is not None
        return f"{type(error).__name__} at {trace.tb_frame.f_code.co_name}"
    return None


def shortest(script: Sequence[Envelope]) -> list[Envelope]:
    """Return a script that fails as this one does, and from which nothing can be left out."""
    left = list(script)
    why = failure(left)
    if why is None:
        return left
    size = len(left) // 2
    while size:
        at = 0
        while at < len(left):
            fewer = left[:at] + left[at + size :]
            if failure(fewer) == why:
                left = fewer
            else:
                at += size
        size //= 2
    return left


def written(script: Sequence[Envelope]) -> str:
    """Write a script so that it can be read, and typed in again."""
    lines = []
    for envelope in script:
        line = f"{envelope.command!r} by {envelope.actor!r}"
        if envelope.approver is not None:
            line += f" with {envelope.approver!r}"
        if envelope.cards:
            line += f" cards {' '.join(envelope.cards)}"
        if envelope.die is not None:
            line += f" die {envelope.die}"
        lines.append(line)
    return "\n".join(lines)
