"""Discretions: what the rulebooks leave to somebody, who used it, and what it moved.

One pass over decisions, as :mod:`croupier.journal.performance` has it. A discretion is an
accepted decision of staff in which somebody chose, made a round void, wagered for a patron, or
was a second person. Figures are for questions, and are no findings.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.frozen import Named
from croupier.journal.cages import STREAM as CAGE
from croupier.journal.decision import read_moment
from croupier.rules.errors import cited
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from croupier.journal.decision import Decision

TABLES = "table:"
KEPT = 20_000
"""How many are remembered; the oldest are forgotten."""


class Kind(Named):
    """What somebody decided, or did, that the rulebook leaves to them."""

    VOID = "void"
    ORDER = "order_of_cards"
    SQUEEZE = "squeeze"
    FOR_PATRON = "wager_for_patron"
    REMOVED = "stake_removed"
    REFERRAL = "referral"
    REPORT = "report"
    SETTING = "setting"
    CAGE = "cage"
    OTHER = "other"


KINDS: dict[type[msgspec.Struct], Kind] = {
    c.SetOrder: Kind.ORDER,
    c.PermitSqueeze: Kind.SQUEEZE,
    c.PlaceWager: Kind.FOR_PATRON,
    c.RaiseWager: Kind.FOR_PATRON,
    c.LowerWager: Kind.FOR_PATRON,
    c.RemoveWager: Kind.FOR_PATRON,
    c.TakeOffWager: Kind.REMOVED,
    c.DecideReferral: Kind.REFERRAL,
    c.ConfirmReport: Kind.REPORT,
    c.DismissReport: Kind.REPORT,
    c.SetMethod: Kind.SETTING,
    c.SetAreaCap: Kind.SETTING,
    c.SetLimits: Kind.SETTING,
    c.SetDifferential: Kind.SETTING,
    c.OfferWagers: Kind.SETTING,
    c.SetClocks: Kind.SETTING,
    c.SetDealtBy: Kind.SETTING,
}
"""By command; a decision that made a round void is a void, whatever it was asked by."""


class Discretion(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody of staff decided, and where it is found."""

    table: str | None
    """None: at the cage, for no table."""
    round: int | None
    sequence: int
    """Of the decision, in the stream of the table, or of the cage."""
    moment: datetime
    kind: Kind
    command: str
    by: str
    position: str | None
    second: str | None
    """Who approved it, where a second person did."""
    second_position: str | None
    clause: str | None
    question: str | None
    choice: str | None
    reason: str
    reported_by: str | None
    """Of a void: who reported what led to it."""
    known_cards: int
    """How many cards of the round were exposed before."""
    cents: int
    """What it moved: staked, returned or taken away."""


class _Table(msgspec.Struct):
    """What has to be remembered of a table from one decision to the next."""

    round: int | None = None
    reported_by: str | None = None
    exposed: int = 0
    stakes: dict[int, int] = {}


class Discretions:
    """What staff decided, kept up to date one decision at a time; the newest come last."""

    def __init__(self, kept: int = KEPT) -> None:
        self.all: deque[Discretion] = deque(maxlen=kept)
        self._tables: dict[str, _Table] = {}

    def feed(self, decision: Decision) -> None:
        """Take a decision; those of one stream come in their order, and none twice."""
        if decision.refusal is not None:
            return
        at = self._tables.get(decision.stream)
        if at is None:
            at = self._tables[decision.stream] = _Table()
        for event in decision.events:
            if type(event) in BEFORE:
                BEFORE[type(event)](at, event)
        if decision.actor.kind == "staff":
            self.all.extend(_used(decision, at))
        for event in decision.events:
            if type(event) in AFTER:
                AFTER[type(event)](at, event)


def _opened(at: _Table, event: e.BetsOpened) -> None:
    at.round, at.reported_by, at.exposed, at.stakes = event.round, None, 0, {}


def _reported(at: _Table, event: i.IrregularityReported | i.ReportQueued) -> None:
    at.reported_by = event.by.name


def _placed(at: _Table, event: e.WagerPlaced | e.StakeFound) -> None:
    at.stakes[event.stake] = event.cents


def _exposed(at: _Table, _: e.CardExposed) -> None:
    at.exposed += 1


def _raised(at: _Table, event: e.WagerRaised) -> None:
    at.stakes[event.stake] = at.stakes.get(event.stake, 0) + event.cents


def _lowered(at: _Table, event: e.WagerLowered) -> None:
    at.stakes[event.stake] = at.stakes.get(event.stake, 0) - event.cents


BEFORE: Final[Mapping[type, Callable[[_Table, Any], None]]] = {
    e.BetsOpened: _opened,
    i.IrregularityReported: _reported,
    i.ReportQueued: _reported,
    e.WagerPlaced: _placed,
    e.StakeFound: _placed,
}
"""What a decision says of the round before it is judged."""
AFTER: Final[Mapping[type, Callable[[_Table, Any], None]]] = {
    e.CardExposed: _exposed,
    e.WagerRaised: _raised,
    e.WagerLowered: _lowered,
}
"""What is known after it."""


def _used(decision: Decision, at: _Table) -> Iterator[Discretion]:
    """Yield the discretion that a decision of staff is; nothing, if it is none."""
    events, command = decision.events, decision.command
    record = next((one for one in events if isinstance(one, e.DecisionRecorded)), None)
    void = next((one for one in events if isinstance(one, i.RoundVoided)), None)
    kind = KINDS.get(type(command), Kind.OTHER)
    if decision.stream == CAGE:
        kind = Kind.CAGE
    if void is not None:
        kind = Kind.VOID
    approver = decision.approver
    if record is None and void is None and approver is None and kind is not Kind.FOR_PATRON:
        return
    clause = record.clause if record is not None else None
    clause = void.clause if void is not None and clause is None else clause
    at_table = decision.stream.startswith(TABLES)
    yield Discretion(
        table=decision.stream.removeprefix(TABLES)
        if at_table
        else getattr(command, "table", None),
        round=at.round if at_table else None,
        sequence=decision.sequence,
        moment=read_moment(decision.moment),
        kind=kind,
        command=str(type(command).__struct_config__.tag),
        by=decision.actor.name,
        position=decision.actor.position,
        second=None if approver is None else approver.name,
        second_position=None if approver is None else approver.position,
        clause=cited(clause) if clause else None,
        question=None if record is None else record.question,
        choice=None if record is None else record.choice,
        reason=getattr(command, "reason", "") or "",
        reported_by=at.reported_by if void is not None else None,
        known_cards=at.exposed,
        cents=_moved(decision, at),
    )


def _moved(decision: Decision, at: _Table) -> int:
    """Return how much a decision moved: refunds, returned stakes, wagers for patrons."""
    cents = 0
    for event in decision.events:
        if isinstance(event, i.RoundVoided):
            cents += sum(one.cents for one in event.refunds)
        elif isinstance(event, e.WagerReturned):
            cents += at.stakes.get(event.stake, 0)
        elif isinstance(event, e.WagerPlaced | e.WagerRaised | e.WagerLowered):
            cents += event.cents
    return cents or (getattr(decision.command, "cents", 0) if decision.stream == CAGE else 0)


class Using(msgspec.Struct):
    """How often somebody used which discretion, and what it moved."""

    person: str
    position: str | None
    counts: dict[Kind, int]
    cents: int = 0
    seconds: int = 0
    """How often they were the second person for somebody else."""

    @property
    def total(self) -> int:
        """Return how many they used in all."""
        return sum(self.counts.values())


def by_person(found: list[Discretion]) -> list[Using]:
    """Return what everybody used, the most active first."""
    people: dict[tuple[str, str | None], Using] = {}

    def of(person: str, position: str | None) -> Using:
        return people.setdefault((person, position), Using(person, position, {}))

    for one in found:
        using = of(one.by, one.position)
        using.counts[one.kind] = using.counts.get(one.kind, 0) + 1
        using.cents += one.cents
        if one.second is not None:
            of(one.second, one.second_position).seconds += 1
    return sorted(people.values(), key=lambda one: (-one.total, one.person))
