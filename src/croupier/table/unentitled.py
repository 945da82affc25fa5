"""How somebody is refused who has no right to something: whom it needs, or whose it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.roles import StaffPosition, System

if TYPE_CHECKING:
    from croupier.table.authority import Needs
    from croupier.table.roles import Member, Patron, Staff
    from croupier.table.state import Table

NEEDED = {
    StaffPosition.DEALER: Code.NEEDS_DEALER,
    StaffPosition.PIT_SUPERVISOR: Code.NEEDS_PIT_SUPERVISOR,
    StaffPosition.PIT_MANAGER: Code.NEEDS_PIT_MANAGER,
    StaffPosition.ASSISTANT_CASINO_MANAGER: Code.NEEDS_ASSISTANT_CASINO_MANAGER,
    StaffPosition.GAMING_SHIFT_MANAGER: Code.NEEDS_GAMING_SHIFT_MANAGER,
}


def by_the_house(table: Table, staff: Staff) -> Refusal:
    """Refuse staff what the house does by itself where it deals."""
    why = f"{staff.position.value} {staff.name} asks; the house deals"
    if table.between_rounds:
        why += " here; sign in to deal the next round"
    elif table.dealer is None:
        why += " this round; sign in to take over from the next one on"
    else:
        why += f" this round; Dealer {table.dealer}, who signed in, deals from the next one on"
    return refuse(Code.HOUSE_DEALS, f"{why} (house control)")


def a_position(position: StaffPosition) -> str:
    """Name a position with its article."""
    article = "an" if position is StaffPosition.ASSISTANT_CASINO_MANAGER else "a"
    return f"{article} {position.value}"


def refused_patron(actor: Patron, need: Needs) -> Refusal:
    """Refuse a patron what is somebody else's."""
    if need.patron is not None or need.position is None:
        theirs = "another patron" if need.patron else "the house's system"
        code = Code.NOT_YOURS if need.patron or not need.system else Code.NEEDS_SYSTEM
        return refuse(code, f"Patron {actor.name} asks; this is for {theirs}", need.clause)
    why = f"Patron {actor.name} asks; this needs {a_position(need.position)}"
    return refuse(NEEDED[need.position], why, need.clause)


def refused(actor: Member | System, need: Needs) -> Refusal:
    """Refuse staff, or the system, what needs another position, or is somebody else's."""
    who = "The system" if isinstance(actor, System) else f"{actor.position.value} {actor.name}"
    if need.position is not None:
        why = f"{who} asks; this needs {a_position(need.position)}"
        return refuse(NEEDED[need.position], why, need.clause)
    if need.system and need.patron is None:
        why = f"{who} asks; this is done by the house's system alone"
        return refuse(Code.NEEDS_SYSTEM, why, need.clause)
    if isinstance(need.patron, str):
        return refuse(
            Code.NOT_YOURS, f"{who} asks; this is for patron {need.patron}", need.clause
        )
    whose = (
        "it is for patrons and staff of the table" if need.anyone else "nobody may do this now"
    )
    return refuse(Code.NOT_YOURS, f"{who} asks; {whose}", need.clause)
