"""Commands that a table has no use for, and the names of commands on the wire."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table.settings import DealtBy, Method

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from croupier.table.settings import Plan

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


def wire_name(kind: type[c.Command]) -> str:
    """Return the name of a command on the wire."""
    return str(kind.__struct_config__.tag)
