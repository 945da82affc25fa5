"""Which commands each phase of a round allows, and which ones a hold lets through."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table.state import HoldKind, Phase

if TYPE_CHECKING:
    from croupier.table.state import Table

BETWEEN = (Phase.IDLE, Phase.SETTLED, Phase.VOID)
IN_ROUND = (
    Phase.OPEN,
    Phase.CLOSED,
    Phase.SHAKE,
    Phase.DEALING,
    Phase.RESULT,
    Phase.SETTLED,
)
WITH_CARDS = (Phase.CLOSED, Phase.SHAKE, Phase.DEALING, Phase.RESULT)
ANY = (*IN_ROUND, Phase.IDLE, Phase.VOID)

PHASES: dict[type[c.Command], tuple[Phase, ...]] = {
    c.OpenTable: (Phase.UNOPENED,),
    c.CloseTable: BETWEEN,
    c.AnnounceClosure: ANY,
    c.SetMethod: ANY,
    c.SetAreaCap: ANY,
    c.SetLimits: ANY,
    c.SetDifferential: ANY,
    c.OfferWagers: ANY,
    c.SetClocks: ANY,
    c.SetDealtBy: ANY,
    c.SignIn: ANY,
    c.SignOut: ANY,
    c.LoadShoe: BETWEEN,
    c.EndShoe: BETWEEN,
    c.DeclareShoeLost: ANY,
    c.RemoveCards: (*BETWEEN, Phase.OPEN, Phase.CLOSED, Phase.SHAKE),
    c.TakeSeat: ANY,
    c.LeaveSeat: ANY,
    c.BringCredit: ANY,
    c.TakeCredit: ANY,
    c.PassOver: IN_ROUND,
    c.LoseTerminal: ANY,
    c.RestoreTerminal: ANY,
    c.AcknowledgeClosing: (Phase.CLOSED, Phase.DEALING, Phase.RESULT, Phase.SETTLED),
    c.CallBets: BETWEEN,
    c.CloseBets: (Phase.OPEN,),
    c.PlaceWager: (Phase.OPEN,),
    c.RaiseWager: (Phase.OPEN,),
    c.LowerWager: (Phase.OPEN,),
    c.RemoveWager: (Phase.OPEN,),
    c.FindStake: (*WITH_CARDS, Phase.SETTLED),
    c.AskToLower: (),
    c.TakeOffWager: (),
    c.ShakeDie: (Phase.CLOSED, Phase.SHAKE),
    c.PassShaker: (Phase.SHAKE,),
    c.RefuseShaker: (Phase.SHAKE,),
    c.ConfirmShake: (Phase.SHAKE,),
    c.OpenShaker: (Phase.SHAKE,),
    c.AnnounceDie: (Phase.SHAKE,),
    c.CallShakeInvalid: (Phase.SHAKE,),
    c.TakeShoe: (Phase.CLOSED, Phase.DEALING),
    c.RefuseShoe: (Phase.CLOSED, Phase.DEALING),
    c.RelinquishShoe: ANY,
    c.AllowShoe: ANY,
    c.EndControl: (Phase.SETTLED, Phase.IDLE),
    c.AttestDraws: IN_ROUND,
    c.DrawCard: (Phase.CLOSED, Phase.SHAKE, Phase.DEALING),
    c.ShowCutCard: (Phase.CLOSED, Phase.SHAKE, Phase.DEALING),
    c.OfferWithdrawal: (Phase.CLOSED,),
    c.NameHandler: (Phase.CLOSED, Phase.DEALING),
    c.PermitSqueeze: (Phase.CLOSED, Phase.DEALING),
    c.PassHand: (Phase.DEALING,),
    c.RefuseHand: (Phase.CLOSED, Phase.DEALING),
    c.ChooseFirstHand: (Phase.DEALING,),
    c.ExposeCard: (Phase.DEALING,),
    c.AnnounceOutcome: (Phase.DEALING,),
    c.Settle: (Phase.RESULT,),
    c.ConfirmPayment: (Phase.SETTLED,),
    c.Report: IN_ROUND,
    c.ConfirmReport: (),
    c.DismissReport: (),
    c.Withdraw: (),
    c.KeepWagers: (),
    c.EndOption: (),
    c.SetOrder: (),
    c.ResetDevice: (),
    c.ReserveCards: (),
    c.RecordSorting: (),
    c.Substitute: (),
    c.DecideReferral: (),
    c.DecideReplacement: (Phase.VOID,),
    c.DecideTerminal: ANY,
    c.CorrectCard: (Phase.DEALING, Phase.RESULT, Phase.SETTLED),
    c.CorrectDisplay: ANY,
}

ALLOWED: dict[Phase, frozenset[type[c.Command]]] = {
    phase: frozenset(kind for kind, phases in PHASES.items() if phase in phases)
    for phase in Phase
}
"""What each phase allows, as long as nothing is on hold."""

ALWAYS = frozenset(
    {
        c.TakeSeat,
        c.LeaveSeat,
        c.BringCredit,
        c.TakeCredit,
        c.PassOver,
        c.LoseTerminal,
        c.RestoreTerminal,
        c.AcknowledgeClosing,
        c.DecideTerminal,
        c.CorrectCard,
        c.FindStake,
        c.AnnounceClosure,
        c.SetMethod,
        c.SetAreaCap,
        c.SetLimits,
        c.SetDifferential,
        c.OfferWagers,
        c.SetClocks,
        c.SetDealtBy,
        c.SignIn,
        c.SignOut,
        c.RelinquishShoe,
        c.AttestDraws,
        c.CorrectDisplay,
        c.DeclareShoeLost,
    }
)
"""What a hold does not stop."""

DURING: dict[HoldKind, frozenset[type[c.Command]]] = {
    HoldKind.REPORT: frozenset({c.ConfirmReport, c.DismissReport}),
    HoldKind.BALANCE: frozenset(
        {
            c.AskToLower,
            c.TakeOffWager,
            c.RaiseWager,
            c.LowerWager,
            c.RemoveWager,
        }
    ),
    HoldKind.WITHDRAWAL: frozenset({c.Withdraw, c.KeepWagers, c.EndOption}),
    HoldKind.ORDER: frozenset({c.SetOrder}),
    HoldKind.RESET: frozenset({c.ResetDevice}),
    HoldKind.RESERVE: frozenset({c.ReserveCards, c.ExposeCard, c.DecideReferral}),
    HoldKind.SORT: frozenset({c.RecordSorting, c.ExposeCard, c.DecideReferral}),
    HoldKind.SUBSTITUTE: frozenset({c.Substitute, c.DecideReferral}),
    HoldKind.REFERRAL: frozenset({c.DecideReferral}),
}
"""What answers each kind of hold."""

UNPAID = frozenset({c.FindStake, c.CorrectCard})
"""What a settled round takes until its payment is confirmed, and not after (A22)."""

BETTING = frozenset({c.PlaceWager, c.RaiseWager, c.LowerWager, c.RemoveWager})


def timely(table: Table) -> frozenset[type[c.Command]]:
    """Return all commands that are taken at this point."""
    hold = table.hold
    return _timely(table.phase, hold.kind if hold else None, table.between_rounds)


@lru_cache(maxsize=512)
def _timely(
    phase: Phase,
    hold: HoldKind | None,
    over: bool,  # noqa: FBT001  # the round
) -> frozenset[type[c.Command]]:
    kinds = ALLOWED[phase] - (UNPAID if over else frozenset())
    if hold is None:
        return kinds
    return DURING[hold] | {c.Report} | (kinds & ALWAYS)
