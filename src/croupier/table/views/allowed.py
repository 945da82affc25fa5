"""What may be asked for at this point of a round, and by whom at least."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table.authority import needs
from croupier.table.phases import ALLOWED, ALWAYS, DURING, PHASES, UNPAID
from croupier.table.settings import DealtBy, Method
from croupier.table.state import Phase
from croupier.table.views.shapes_staff import Answer

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from croupier.table.settings import Plan
    from croupier.table.state import Table

Kinds = frozenset[type[c.Command]]

SHAKING: Kinds = frozenset(
    {
        c.ShakeDie,
        c.PassShaker,
        c.RefuseShaker,
        c.ConfirmShake,
        c.OpenShaker,
        c.AnnounceDie,
        c.CallShakeInvalid,
    }
)
HANDLING: Kinds = frozenset(
    {c.NameHandler, c.PermitSqueeze, c.PassHand, c.RefuseHand, c.ChooseFirstHand}
)
DEVICE: Kinds = frozenset(
    {
        c.TakeShoe,
        c.RefuseShoe,
        c.RelinquishShoe,
        c.AllowShoe,
        c.EndControl,
        c.AttestDraws,
    }
)
TERMINALS: Kinds = frozenset(
    {c.LoseTerminal, c.RestoreTerminal, c.AcknowledgeClosing, c.DecideTerminal}
)
NEXT_ROUND: Kinds = frozenset({c.CloseTable, c.LoadShoe, c.EndShoe, c.CallBets})
"""What waits until the payment of a settled round is confirmed."""


@lru_cache(maxsize=256)
def absent_commands(plan: Plan) -> Kinds:
    """Return the commands that a table has no use for, by its rulebook, room and method."""
    procedure, method = plan.procedure, plan.settings.method
    cut_card = procedure.cut_card
    cut_first = plan.hlga and cut_card is not None and cut_card.first is not None
    absent: set[type[c.Command]] = set()
    of_mechanics: tuple[tuple[AbstractSet[type[c.Command]], bool], ...] = (
        (SHAKING, procedure.shake is not None),
        (HANDLING, plan.face_down),
        (DEVICE, method is Method.C),
        (TERMINALS, procedure.terminals is not None),
        ({c.SetMethod}, procedure.methods is not None),
        ({c.SetDealtBy}, not plan.calls_by_system),
        ({c.SignIn, c.SignOut}, plan.settings.dealt_by is DealtBy.HOUSE),
        ({c.PassOver}, plan.calls_by_system or plan.settings.dealt_by is DealtBy.HOUSE),
        ({c.SetAreaCap}, procedure.area_cap is not None),
        ({c.SetDifferential}, procedure.differential is not None),
        ({c.FindStake}, procedure.breaches is not None),
        ({c.OfferWithdrawal}, cut_first),
        ({c.ConfirmPayment}, procedure.dealer_confirms),
    )
    for kinds, present in of_mechanics:
        if not present:
            absent |= kinds
    return frozenset(absent)


def allowed_commands(table: Table) -> tuple[type[c.Command], ...]:
    """Return what may be asked for at this point of the round, by whom it is due."""
    plan, hold = table.plan, table.hold
    if plan is None:
        return (c.OpenTable,)
    kinds: set[type[c.Command]] = set(ALLOWED[table.phase])
    if hold is not None:
        paid = UNPAID if table.between_rounds else frozenset()
        kinds = {*DURING[hold.kind], *(kinds & ALWAYS - paid), c.Report}
    elif table.phase is Phase.SETTLED:
        over = table.between_rounds
        kinds -= {c.ConfirmPayment, *UNPAID} if over else NEXT_ROUND
        if over and plan.procedure.voidable is None:
            kinds -= {c.Report}
    announced = table.round is not None and table.round.outcome is not None
    if not announced and all(result.void for result in table.results):
        kinds -= {c.CorrectDisplay}
    kinds -= absent_commands(plan)
    return tuple(kind for kind in PHASES if kind in kinds)


def wire_name(kind: type[c.Command]) -> str:
    """Return the name of a command on the wire."""
    return str(kind.__struct_config__.tag)


ASKED: dict[type[c.Command], c.Command] = {
    c.SetLimits: c.SetLimits({}),
    c.SetDifferential: c.SetDifferential(None),
    c.FindStake: c.FindStake("", "", 0),
    c.AskToLower: c.AskToLower(),
    c.TakeOffWager: c.TakeOffWager(0),
    c.ConfirmReport: c.ConfirmReport(),
    c.DismissReport: c.DismissReport(""),
    c.EndOption: c.EndOption(),
    c.SetOrder: c.SetOrder(()),
    c.ResetDevice: c.ResetDevice(),
    c.ReserveCards: c.ReserveCards(),
    c.RecordSorting: c.RecordSorting({}),
    c.Substitute: c.Substitute(()),
    c.DecideReferral: c.DecideReferral(c.Decision.VOID, ""),
    c.CorrectCard: c.CorrectCard(Position.P1, ""),
}
"""Commands of staff by which a hold is answered, or that a second person approves; a
referral is asked about at its gravest."""


def answer_to(table: Table, plan: Plan, kind: type[c.Command]) -> Answer:
    """Return who may give a command, as far as staff answer by it, and who approves."""
    if kind not in ASKED:
        return Answer(wire_name(kind), None, None)
    need = needs(table, ASKED[kind])
    approval = getattr(plan.settings.approvals, need.approval) if need.approval else None
    return Answer(wire_name(kind), need.position, approval)
