"""The book of exceptions: whatever did not go its usual way, and who had a hand in it.

One pass over the decisions of tables and of the cage. An exception is no reproach: it is what
somebody who answers for the floor reads at the end of a shift.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.cage.events import DifferenceFound
from croupier.frozen import Named
from croupier.journal.decision import read_moment
from croupier.rules.errors import cited
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from croupier.journal.decision import Decision

TABLES: Final = "table:"
KEPT: Final = 20_000
"""How many are remembered; the oldest are forgotten."""


class ExceptionKind(Named):
    """What was out of the usual."""

    VOID = "void"
    WITHDRAWAL = "withdrawal"
    REPORT = "report"
    RULING = "ruling"
    REFERRAL = "referral"
    CORRECTION = "correction"
    REFUSED = "refused"
    SECOND_PERSON = "second_person"
    COUNT = "count"
    ALARM = "alarm"


class Exceptional(msgspec.Struct, frozen=True, kw_only=True):
    """One exception, and where it is found."""

    kind: ExceptionKind
    code: str
    """What exactly: an event, the code of a refusal or an alarm, or the command."""
    about: str | None
    """The situation that was reported or ruled; what was counted; the command refused."""
    table: str | None
    """None: at the cage, for no table."""
    round: int | None
    sequence: int | None
    """Of the decision, in the stream of the table, or of the cage; None: of an alarm."""
    moment: datetime
    by: str | None
    """Who did it; None: the system."""
    position: str | None
    second: str | None
    """Who approved it, or acknowledged it."""
    patron: str | None
    clause: str | None
    cents: int
    """What went back to patrons; of a count, by how much it is over, or, below 0, short."""


class Found(msgspec.Struct, frozen=True):
    """What an event is as an exception."""

    kind: ExceptionKind
    about: str | None = None
    clause: str | None = None
    cents: int = 0
    patron: str | None = None


class Exceptions:
    """All exceptions, kept up to date one decision at a time; the newest come last."""

    def __init__(self, kept: int = KEPT) -> None:
        self.all: deque[Exceptional] = deque(maxlen=kept)
        self._rounds: dict[str, int] = {}

    def feed(self, decision: Decision) -> None:
        """Take a decision; those of one stream come in their order, and none twice."""
        if _is_usual(decision):
            return
        for event in decision.events:
            if isinstance(event, e.BetsOpened):
                self._rounds[decision.stream] = event.round
        self.all.extend(_exceptional(decision, self._rounds.get(decision.stream)))


def _is_usual(decision: Decision) -> bool:
    """Tell at once that nothing is to be noted: most decisions are wagers that were taken."""
    return (
        decision.refusal is None
        and decision.approver is None
        and type(decision.command) is not c.ConfirmReport
        and NOTED.isdisjoint(map(type, decision.events))
    )


def _exceptional(decision: Decision, number: int | None) -> Iterator[Exceptional]:
    """Yield what was out of the usual about a decision."""
    actor, approver, refusal = decision.actor, decision.approver, decision.refusal
    command = str(type(decision.command).__struct_config__.tag)
    table = getattr(decision.command, "table", None)
    if decision.stream.startswith(TABLES):
        table = decision.stream.removeprefix(TABLES)

    def one(code: str, found: Found) -> Exceptional:
        return Exceptional(
            kind=found.kind,
            code=code,
            about=found.about,
            table=table,
            round=number,
            sequence=decision.sequence,
            moment=read_moment(decision.moment),
            by=None if actor.kind == "system" else actor.name,
            position=actor.position,
            second=None if approver is None else approver.name,
            patron=found.patron,
            clause=cited(found.clause) if found.clause else None,
            cents=found.cents,
        )

    if refusal is not None:
        if actor.kind == "staff":
            clause = refusal.clause
            yield one(refusal.code, Found(ExceptionKind.REFUSED, command, clause))
        return
    for event in decision.events:
        rule = RULES.get(type(event))
        if rule is not None:
            yield one(str(type(event).__struct_config__.tag), rule(event))
    if isinstance(decision.command, c.ConfirmReport):
        yield one(command, Found(ExceptionKind.RULING))
    if approver is not None:
        yield one(command, Found(ExceptionKind.SECOND_PERSON))


def _void(event: i.RoundVoided) -> Found:
    cents = sum(one.cents for one in event.refunds)
    return Found(ExceptionKind.VOID, clause=event.clause, cents=cents)


def _withdrawn(event: i.WagersWithdrawn) -> Found:
    patron, cents = event.patron, event.cents
    return Found(ExceptionKind.WITHDRAWAL, clause=event.clause, cents=cents, patron=patron)


def _offered(event: i.WithdrawalOffered) -> Found:
    return Found(ExceptionKind.WITHDRAWAL, clause=event.clause)


def _situation(report: c.Report) -> str:
    return str(type(report.about).__struct_config__.tag)


def _queued(event: i.ReportQueued) -> Found:
    return Found(ExceptionKind.REPORT, _situation(event.report))


def _reported(event: i.IrregularityReported) -> Found:
    # One that had waited was reported before: that its turn came is its ruling.
    kind = ExceptionKind.RULING if event.queued else ExceptionKind.REPORT
    return Found(kind, _situation(event.report), event.clause)


def _dismissed(event: i.ReportDismissed) -> Found:
    return Found(ExceptionKind.RULING, event.situation.value)


def _referred(event: i.ReferralDecided) -> Found:
    return Found(
        ExceptionKind.REFERRAL, event.decision.value, event.clause, patron=event.patron
    )


def _terminal(event: i.TerminalDecided) -> Found:
    return Found(ExceptionKind.RULING, clause=event.clause)


def _lost(_: e.ShoeLost) -> Found:
    return Found(ExceptionKind.REPORT)


def _corrected(event: Any) -> Found:  # noqa: ANN401  # an event that may have a clause
    return Found(ExceptionKind.CORRECTION, clause=getattr(event, "clause", None))


def _differs(event: DifferenceFound) -> Found:
    return Found(ExceptionKind.COUNT, event.counted.value, cents=event.over_cents)


RULES: Final[Mapping[type, Callable[[Any], Found]]] = {
    i.RoundVoided: _void,
    i.WagersWithdrawn: _withdrawn,
    i.WithdrawalOffered: _offered,
    i.IrregularityReported: _reported,
    i.ReportQueued: _queued,
    i.ReportDismissed: _dismissed,
    i.ReferralDecided: _referred,
    i.TerminalDecided: _terminal,
    i.SettlementReversed: _corrected,
    i.CardCorrected: _corrected,
    i.CardsReconstructed: _corrected,
    i.DisplayCorrected: _corrected,
    e.ShoeLost: _lost,
    DifferenceFound: _differs,
}
NOTED: Final = frozenset({e.BetsOpened, *RULES})
"""Events of which something is remembered."""
