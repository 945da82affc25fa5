"""Who may do what with the accounts: the one place where a right is tested.

Nobody acts here in a position that the accounts themselves do not know of. The house's own
system founds: it adds the first users, gives them positions and registers devices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.accounts import commands as c
from croupier.accounts.refusals import AccountsCode as Code
from croupier.accounts.refusals import AccountsRefusal, refuse
from croupier.table.roles import (
    HOUSE_ABOVE,
    POSITIONS,
    HousePosition,
    HouseStaff,
    Patron,
    Staff,
    StaffPosition,
    System,
    authority,
    is_higher,
)

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.accounts.state import Accounts
    from croupier.table.roles import Actor, Member

FOUNDER = System("house")
ADMINISTRATOR = HousePosition.ADMINISTRATOR


class Who(msgspec.Struct, frozen=True):
    """Who may give a command: positions, or higher ones; the patron it names; the founder."""

    positions: tuple[StaffPosition | HousePosition, ...] = ()
    code: Code | None = None
    """As what everybody else is refused."""
    patron: bool = False
    founds: bool = False
    others: bool = False
    """It changes the rights of an account, and nobody does that to their own."""


ADMINISTERS = Who((ADMINISTRATOR,), Code.NEEDS_ADMINISTRATOR, founds=True, others=True)
ADDS_PATRONS = Who((HousePosition.CASHIER, ADMINISTRATOR), Code.NEEDS_CASHIER, founds=True)
LETS_ACT = Who((ADMINISTRATOR,), Code.NEEDS_HIGHER, others=True)
TENDS_DEVICES = Who(
    (HousePosition.TECHNICIAN, ADMINISTRATOR), Code.NEEDS_TECHNICIAN, founds=True
)
LETS_IN = Who((ADMINISTRATOR,), Code.NEEDS_ADMINISTRATOR)
LETS_DEVICES_IN = Who((HousePosition.TECHNICIAN, ADMINISTRATOR), Code.NEEDS_TECHNICIAN)
EXCLUDES = Who((StaffPosition.PIT_MANAGER,), Code.NEEDS_PIT_MANAGER, patron=True)
LIFTS = Who((StaffPosition.PIT_MANAGER,), Code.NEEDS_PIT_MANAGER)
OWN = Who(code=Code.NOT_YOURS, patron=True)
WHO: dict[type[c.AccountsCommand], Who] = {
    c.AddUser: ADMINISTERS,
    c.DisableUser: ADMINISTERS,
    c.EnableUser: ADMINISTERS,
    c.GivePosition: ADMINISTERS,
    c.WithdrawPosition: ADMINISTERS,
    c.LetAct: LETS_ACT,
    c.EndActing: LETS_ACT,
    c.RegisterDevice: TENDS_DEVICES,
    c.MoveDevice: TENDS_DEVICES,
    c.RetireDevice: TENDS_DEVICES,
    c.NoteAccess: LETS_IN,
    c.ExcludePatron: EXCLUDES,
    c.LiftExclusion: LIFTS,
    c.SetStakeLimit: OWN,
    c.SetLossLimit: OWN,
    c.SetTimeLimit: OWN,
}


def authorise(accounts: Accounts, envelope: c.Envelope) -> AccountsRefusal | None:
    """Say why somebody may not give a command, or return None."""
    command, actor = envelope.command, envelope.actor
    need = WHO[type(command)]
    if isinstance(command, c.AddUser) and command.kind is c.UserKind.PATRON:
        need = ADDS_PATRONS
    if isinstance(command, c.NoteAccess) and command.user is None:
        need = LETS_DEVICES_IN
    if isinstance(actor, System):
        return None if need.founds and actor == FOUNDER else _refused(actor, need)
    if isinstance(actor, Patron):
        own = need.patron and getattr(command, "patron", None) == actor.name
        return _disabled(accounts, actor) if own else _refused(actor, need)
    known = accounts.actor(actor.name, envelope.moment)
    if not _same(known, actor, envelope.moment):
        said = "as nobody who may act" if known is None else f"as {described(known)}"
        why = f"{described(actor)} asks; the accounts know {actor.name} {said}"
        return refuse(Code.NOT_IN_POSITION, why)
    if not _may(accounts, actor, need, envelope):
        return _refused(actor, need)
    if need.others and getattr(command, "user", None) == actor.name:
        why = f"{described(actor)} asks; nobody changes the rights of their own account"
        return refuse(Code.OWN_ACCOUNT, why)
    return None


def _disabled(accounts: Accounts, patron: Patron) -> AccountsRefusal | None:
    """Refuse a patron whose account is disabled."""
    user = accounts.users.get(patron.name)
    if user is None or user.enabled:
        return None
    why = f"{described(patron)} asks; the accounts know {patron.name} as nobody who may act"
    return refuse(Code.NOT_IN_POSITION, why)


def _same(known: Actor | None, actor: Member, moment: datetime) -> bool:
    """Tell whether somebody asks in the positions that the accounts know of."""
    if not isinstance(known, Staff | HouseStaff):
        return False
    return known.position is actor.position and known.positions(moment) == actor.positions(
        moment
    )


def _may(accounts: Accounts, actor: Member, need: Who, envelope: c.Envelope) -> bool:
    command, moment = envelope.command, envelope.moment
    for position in need.positions:
        if isinstance(position, StaffPosition):
            if authority(actor, position, moment, higher_may_act=True) is not None:
                return True
        elif isinstance(actor, HouseStaff) and actor.stands_for(position, moment):
            return True
    if not isinstance(command, c.LetAct | c.EndActing):
        return False
    user = accounts.users.get(command.user)
    acts = None if user is None else user.acts
    if isinstance(command, c.EndActing):
        return acts is not None and _above(actor, acts.position)
    # It takes the place of whatever else that person acts in, now or later.
    stands = acts is not None and moment < acts.until
    over = not stands or (acts is not None and _above(actor, acts.position))
    return over and _above(actor, command.position)


def _above(actor: Member, position: str) -> bool:
    """Tell whether somebody stands above a position, by the one they hold themselves."""
    lower = POSITIONS.get(position)
    if lower is None:
        return False
    if isinstance(actor, Staff):
        return isinstance(lower, StaffPosition) and is_higher(actor.position, lower)
    return isinstance(lower, HousePosition) and actor.position in HOUSE_ABOVE.get(lower, ())


NEEDED = {
    Code.NEEDS_CASHIER: "this needs a Cashier or an Administrator",
    Code.NEEDS_TECHNICIAN: "this needs a Technician or an Administrator",
    Code.NEEDS_PIT_MANAGER: "this needs a Pit Manager or somebody higher",
    Code.NEEDS_ADMINISTRATOR: "this needs an Administrator",
    Code.NEEDS_HIGHER: "this needs an Administrator or somebody above that position",
    Code.NOT_YOURS: "this is for the patron whose account it is",
}


def _refused(actor: Actor, need: Who) -> AccountsRefusal:
    assert need.code is not None, "nobody would be refused"
    return refuse(need.code, f"{described(actor)} asks; {NEEDED[need.code]}")


def described(actor: Actor) -> str:
    """Name somebody with what they are."""
    if isinstance(actor, Patron):
        return f"Patron {actor.name}"
    if isinstance(actor, System):
        return "The system"
    return f"{actor.position.value} {actor.name}"
