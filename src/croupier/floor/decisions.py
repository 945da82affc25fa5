"""Decisions of the journal as an auditor reads them, one by one or all of them.

Commands, events and refusals are told as everywhere else: no face that nobody exposed, no
digest of a ticket, nothing of what only the house knew. What was refused in a round that is in
progress is told without its sentence, since that may repeat what somebody keyed in.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.cage.commands import CageCommand
from croupier.floor.hearing import hear_accounts, hear_cage
from croupier.journal.cages import STREAM as CAGE
from croupier.journal.decision import read_moment, read_record
from croupier.rules.errors import cited
from croupier.table import events as e
from croupier.table.roles import Patron, Staff, System
from croupier.table.views.hearing import Audience, Heard
from croupier.table.views.round_steps import (
    CommandShown,
    RefusalShown,
    StepFacts,
    WhoShown,
    round_steps,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from croupier.journal.decision import Decision, Person, Record

TABLES: Final = "table:"
CONCEALED: Final = frozenset(("validation", "digest"))
NOT_YET: Final = "It is told when the round is over."


class DecisionShown(msgspec.Struct, frozen=True, kw_only=True):
    """A decision: who asked for what, who approved, and what came of it."""

    stream: str
    sequence: int
    moment: datetime
    by: WhoShown
    approved_by: WhoShown | None
    command: CommandShown
    accepted: bool
    refusal: RefusalShown | None
    clauses: tuple[str, ...]
    """By which it was decided, or refused."""
    events: tuple[Heard, ...]
    command_id: str
    epoch: int
    release: str
    hash: str
    """Over the whole decision, and the hash before it."""


def shown(record: Record, in_progress_since: datetime | None = None) -> DecisionShown:
    """Return a decision as an auditor reads it.

    ``in_progress_since`` is when the round of its table was called that is not over.
    """
    decision = read_record(record)
    moment = read_moment(decision.moment)
    in_progress = in_progress_since is not None and moment >= in_progress_since
    command, events = (_of_table if record.stream.startswith(TABLES) else _of_house)(decision)
    return DecisionShown(
        stream=record.stream,
        sequence=record.sequence,
        moment=moment,
        by=_who(decision.actor),
        approved_by=None if decision.approver is None else _who(decision.approver),
        command=command,
        accepted=decision.accepted,
        refusal=_refusal(decision, in_progress=in_progress),
        clauses=_clauses(decision),
        events=events,
        command_id=decision.command_id,
        epoch=decision.epoch,
        release=decision.release,
        hash=record.hash.hex(),
    )


def _of_table(decision: Decision) -> tuple[CommandShown, tuple[Heard, ...]]:
    events = tuple(one for one in decision.events if isinstance(one, e.Event))
    facts = StepFacts(
        decision.sequence,
        read_moment(decision.moment),
        decision.actor.actor,
        None,
        decision.command,
        None,
        events,
        {},  # an auditor is told names
    )
    (step,) = round_steps([facts], Audience.AUDITOR)
    return step.command, step.events


def _of_house(decision: Decision) -> tuple[CommandShown, tuple[Heard, ...]]:
    command = decision.command
    content: dict[str, Any] = {
        name: getattr(command, name)
        for name in command.__struct_fields__
        if name not in CONCEALED
    }
    told = CommandShown(str(type(command).__struct_config__.tag), content)
    if decision.stream == CAGE or isinstance(command, CageCommand):
        return told, tuple(hear_cage(decision.events, None))
    return told, tuple(hear_accounts(decision.events))


def _refusal(decision: Decision, *, in_progress: bool) -> RefusalShown | None:
    refused = decision.refusal
    if refused is None:
        return None
    clause = cited(refused.clause) if refused.clause else None
    return RefusalShown(refused.code, clause, NOT_YET if in_progress else refused.sentence)


def _clauses(decision: Decision) -> tuple[str, ...]:
    found: Iterable[str | None] = (getattr(one, "clause", None) for one in decision.events)
    if decision.refusal is not None:
        found = (decision.refusal.clause,)
    return tuple(dict.fromkeys(cited(one) for one in found if one))


def _who(person: Person) -> WhoShown:
    actor = person.actor
    if isinstance(actor, Patron | System):
        return WhoShown(person.kind, None, actor.name)
    kind = "staff" if isinstance(actor, Staff) else "house"
    return WhoShown(kind, actor.position.value, actor.name)


def has_kind(one: DecisionShown, kind: str) -> bool:
    """Tell whether a decision is of a kind: its command, one of its events, or its refusal."""
    if kind == "refused":
        return not one.accepted
    return one.command.type == kind or any(event.name == kind for event in one.events)
