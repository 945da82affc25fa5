"""Who may do what at the cage: the one place where a right is tested.

No rulebook names who serves the cage: all of it is the house's own control, and a higher
position of the house always may. Rulebook positions serve no cage; those from a Pit
Supervisor on may be the second person where chips and cash of a table go, because they see
the table's side of it. A wallet is the cage's own matter, and so is its second person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.cage import commands as c
from croupier.cage.refusals import CageCode, CageRefusal, refuse
from croupier.table.roles import (
    HousePosition,
    HouseStaff,
    Patron,
    StaffPosition,
    System,
    authority,
)

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.roles import Actor, Member

CAGE = System("cage")
"""Who brings credit from one stream to the other."""
CASHIER = HousePosition.CASHIER


class Who(msgspec.Struct, frozen=True):
    """Who may give a command: the patron it names, a position, or else the house."""

    patron: bool = False
    position: HousePosition | None = None
    second: tuple[HousePosition | StaffPosition, ...] = ()
    """A second person approves it, of one of these positions or a higher one."""


SECOND = (HousePosition.CAGE_SUPERVISOR, StaffPosition.PIT_SUPERVISOR)
"""Of which position a second person is where chips and cash of a table go."""
OWN = Who(patron=True)
WINDOW = Who(position=CASHIER)
FOR_A_PATRON = Who(position=CASHIER, second=(HousePosition.CAGE_SUPERVISOR,))
WITH_A_SECOND = Who(position=CASHIER, second=SECOND)
HOUSE = Who()
WHO: dict[type[c.CageCommand], Who] = {
    c.SendToTable: OWN,
    c.CashOut: OWN,
    c.TakeInTicket: OWN,
    c.BuyIn: WINDOW,
    c.PayTicket: WINDOW,
    c.PayOut: FOR_A_PATRON,
    c.SetOpener: WITH_A_SECOND,
    c.FillTable: WITH_A_SECOND,
    c.CreditTable: WITH_A_SECOND,
    c.CountCloser: WITH_A_SECOND,
    c.CountDrop: WITH_A_SECOND,
    c.NoteArrival: HOUSE,
    c.SendBack: HOUSE,
    c.ReceiveFromTable: HOUSE,
}


def authorise(envelope: c.Envelope) -> CageRefusal | None:
    """Say why somebody may not give a command, or return None."""
    command, actor = envelope.command, envelope.actor
    need = WHO[type(command)]
    if need.patron:
        patron: str = command.patron  # type: ignore[attr-defined]
        if actor == Patron(patron):
            return None
        why = f"{described(actor)} asks; this is for patron {patron} alone"
        return refuse(CageCode.NOT_YOURS, why)
    if need.position is None:
        if actor == CAGE:
            return None
        why = f"{described(actor)} asks; this is done by the house's system alone"
        return refuse(CageCode.NEEDS_SYSTEM, why)
    if not isinstance(actor, HouseStaff) or not actor.stands_for(
        need.position, envelope.moment
    ):
        why = f"{described(actor)} asks; this needs a {need.position.value}"
        return refuse(CageCode.NEEDS_CASHIER, why)
    return _approved(envelope, actor, need) if need.second else None


def _approved(envelope: c.Envelope, actor: HouseStaff, need: Who) -> CageRefusal | None:
    second = envelope.approver
    wanted = " or ".join(f"a {one.value}" for one in need.second)
    if second is None:
        why = f"This needs the approval of {wanted}, and {actor.name} came alone"
        return refuse(CageCode.NEEDS_APPROVAL, why)
    if second.name == actor.name:
        why = f"{described(actor)} asks and approves; a second person must approve"
        return refuse(CageCode.SELF_APPROVAL, why)
    if not any(_stands_for(second, one, envelope.moment) for one in need.second):
        why = f"{described(second)} approves; this needs {wanted}"
        return refuse(CageCode.APPROVER_TOO_LOW, why)
    return None


def _stands_for(
    second: Member, position: HousePosition | StaffPosition, moment: datetime
) -> bool:
    """Tell whether somebody is of a position, or of a higher one."""
    if isinstance(position, StaffPosition):
        return authority(second, position, moment, higher_may_act=True) is not None
    return isinstance(second, HouseStaff) and second.stands_for(position, moment)


def described(actor: Actor) -> str:
    """Name somebody with what they are."""
    if isinstance(actor, Patron):
        return f"Patron {actor.name}"
    if isinstance(actor, System):
        return "The system"
    return f"{actor.position.value} {actor.name}"
