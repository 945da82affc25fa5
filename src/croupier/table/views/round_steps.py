"""A finished round step by step: what was asked, by whom, and what came of it.

Staff and auditor read every step, refused ones too. A patron reads the own commands, and of
others' what everybody heard: neither who gave them nor what was in them, and no refusal. What
is told of a command is listed here, as events are: a face that nobody exposed, and the counts
from which one would follow, are told to nobody, and reasons and notes to pit and auditor alone.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # clients read steps back
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.table import commands as c
from croupier.table.roles import Actor, Member, Patron, Staff, System
from croupier.table.views.allowed import wire_name
from croupier.table.views.hearing import Audience, Heard, hear, seats_at
from croupier.table.views.rounds import OwnRound, StaffRound
from croupier.table.views.shapes_staff import settings_shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from croupier.table.events import Event


class WhoShown(msgspec.Struct, frozen=True, gc=False):
    """Who asked: a patron, staff or the system."""

    kind: str
    position: str | None
    name: str | None
    """For staff, and for whoever reads it of themselves."""


class CommandShown(msgspec.Struct, frozen=True):
    """What was asked, and with which content."""

    type: str
    content: dict[str, Any] | None
    """None: it is not told."""


class RefusalShown(msgspec.Struct, frozen=True, gc=False):
    """Why nothing was done."""

    code: str
    clause: str | None
    sentence: str


class RoundStep(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of a round, as somebody may know it."""

    sequence: int
    hash: str | None
    """Of its record in the journal; told to staff alone."""
    moment: datetime
    by: WhoShown
    approved_by: WhoShown | None
    """The second person; told to staff alone."""
    command: CommandShown
    accepted: bool
    refusal: RefusalShown | None
    clause: str | None
    """By which it was refused or decided, or is taken in every round."""
    events: tuple[Heard, ...]


class OwnRoundInSteps(OwnRound, frozen=True, kw_only=True):
    """A round with a patron's own part of it, step by step."""

    steps: tuple[RoundStep, ...]


class StaffRoundInSteps(StaffRound, frozen=True, kw_only=True):
    """A round with all that was decided in it, step by step."""

    steps: tuple[RoundStep, ...]


class StepFacts(msgspec.Struct, frozen=True):
    """What a journal says of a decision."""

    sequence: int
    moment: datetime
    actor: Actor
    approver: Member | None
    command: msgspec.Struct
    """A command of the table; the house's own, by which it starts, has no content."""
    refusal: RefusalShown | None
    events: tuple[Any, ...]
    """Those of the table."""
    seats: dict[str, int]
    """Who sat where before it."""
    ordered: str | None = None
    """The clause by which a round takes this step, whatever came of it."""
    hash: str | None = None
    """Of its record."""


CONTENT: dict[type[c.Command], tuple[str, ...]] = {
    c.OpenTable: ("settings",),
    c.CloseTable: (),
    c.AnnounceClosure: ("minutes",),
    c.SetMethod: ("method",),
    c.SetAreaCap: ("wagers",),
    c.SetLimits: ("limits",),
    c.SetDifferential: ("cents",),
    c.OfferWagers: ("optional",),
    c.SetClocks: ("clocks",),
    c.SetDealtBy: ("dealt_by",),
    c.SignIn: (),
    c.SignOut: (),
    c.LoadShoe: ("shoe", "cut_behind"),
    c.EndShoe: (),
    c.DeclareShoeLost: ("shoe",),
    c.RemoveCards: ("count",),
    c.TakeSeat: ("patron", "position"),
    c.LeaveSeat: ("patron",),
    c.BringCredit: ("patron", "cents"),
    c.TakeCredit: ("patron", "cents"),
    c.PassOver: ("patron",),
    c.LoseTerminal: ("position",),
    c.RestoreTerminal: ("position",),
    c.AcknowledgeClosing: ("position",),
    c.CallBets: (),
    c.CloseBets: (),
    c.PlaceWager: ("patron", "wager", "cents", "position", "shared", "join"),
    c.RaiseWager: ("patron", "stake", "cents"),
    c.LowerWager: ("patron", "stake", "cents"),
    c.RemoveWager: ("patron", "stake"),
    c.FindStake: ("patron", "wager", "cents", "position"),
    c.AskToLower: (),
    c.TakeOffWager: ("stake",),
    c.ShakeDie: (),
    c.PassShaker: ("patron",),
    c.RefuseShaker: ("patron",),
    c.ConfirmShake: (),
    c.OpenShaker: (),
    c.AnnounceDie: (),
    c.CallShakeInvalid: (),
    c.TakeShoe: ("patron",),
    c.RefuseShoe: ("patron",),
    c.RelinquishShoe: ("patron",),
    c.AllowShoe: ("patron", "allowed"),
    c.EndControl: ("patron",),
    c.AttestDraws: (),
    c.DrawCard: (),
    c.ShowCutCard: (),
    c.OfferWithdrawal: (),
    c.NameHandler: ("side", "patron"),
    c.PermitSqueeze: ("side", "patron", "designee"),
    c.PassHand: ("side", "patron"),
    c.RefuseHand: ("side", "patron"),
    c.ChooseFirstHand: ("side",),
    c.ExposeCard: ("position",),
    c.AnnounceOutcome: (),
    c.Settle: (),
    c.ConfirmPayment: (),
    c.Report: ("about",),
    c.ConfirmReport: (),
    c.DismissReport: (),
    c.Withdraw: ("patron", "stakes"),
    c.KeepWagers: ("patron",),
    c.EndOption: (),
    c.SetOrder: ("order",),
    c.ResetDevice: (),
    c.ReserveCards: (),
    c.RecordSorting: (),
    c.Substitute: (),
    c.DecideReferral: ("decision", "stake", "patron", "won_cents", "laid"),
    c.DecideTerminal: ("position", "stands"),
    c.DecideReplacement: ("replace",),
    c.CorrectCard: ("position",),
    c.CorrectDisplay: ("shown",),
}
"""What staff, and whoever gave it, are told of each command."""
FOR_PIT = ("reason", "note", "transfer")
"""What pit and auditor are told beside it."""
READ_BY_STAFF = (Audience.DEALER, Audience.PIT, Audience.AUDITOR)


def round_steps(
    steps: Sequence[StepFacts], audience: Audience, patron: str = ""
) -> tuple[RoundStep, ...]:
    """Return the decisions of a round as an audience, and which patron of all, reads them."""
    shown = (_step(one, audience, patron) for one in steps)
    return tuple(one for one in shown if one is not None)


def _step(one: StepFacts, audience: Audience, patron: str) -> RoundStep | None:
    staff = audience in READ_BY_STAFF
    own = audience is Audience.PATRON and one.actor == Patron(patron)
    events = _heard(one.events, one.seats, audience, patron)
    if not staff and not own and not events:
        return None
    told = staff or own
    return RoundStep(
        sequence=one.sequence,
        hash=one.hash if staff else None,
        moment=one.moment,
        by=_who(one.actor, named=told),
        approved_by=_who(one.approver, named=True) if staff and one.approver else None,
        command=_command(one.command, audience, told=told),
        accepted=one.refusal is None,
        refusal=one.refusal,
        clause=_clause(one, events),
        events=events,
    )


def _clause(one: StepFacts, heard: Sequence[Heard]) -> str | None:
    """Return the clause of a step: of what came of it, the last that its reader hears."""
    if one.refusal is not None:
        return one.refusal.clause
    named = (event.facts.get("clause") for event in reversed(heard))
    return next((clause for clause in named if clause), one.ordered)


def _heard(
    events: Sequence[Event], seats: Mapping[str, int], audience: Audience, patron: str
) -> tuple[Heard, ...]:
    listener = patron if audience is Audience.PATRON else None
    heard = (
        hear(event, audience, at, listener)
        for event, at in zip(events, seats_at(seats, events), strict=True)
    )
    return tuple(one for one in heard if one is not None)


def _who(actor: Actor, *, named: bool) -> WhoShown:
    if isinstance(actor, Patron):
        return WhoShown("patron", None, actor.name if named else None)
    if isinstance(actor, System):
        return WhoShown("system", None, actor.name if named else None)
    kind = "staff" if isinstance(actor, Staff) else "house"
    return WhoShown(kind, actor.position.value, actor.name if named else None)


def _command(command: msgspec.Struct, audience: Audience, *, told: bool) -> CommandShown:
    if not isinstance(command, c.Command):
        return CommandShown(str(type(command).__struct_config__.tag), {} if told else None)
    name = wire_name(type(command))
    if not told:
        return CommandShown(name, None)
    fields = CONTENT[type(command)]
    if audience in (Audience.PIT, Audience.AUDITOR):
        fields += tuple(one for one in FOR_PIT if one in command.__struct_fields__)
    content = {field: getattr(command, field) for field in fields}
    if isinstance(command, c.OpenTable):
        content["settings"] = settings_shown(command.settings)
    return CommandShown(name, content)
