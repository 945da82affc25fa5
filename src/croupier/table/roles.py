"""People at a table: patrons, staff and their positions, and who may act for whom.

Dealer < Pit Supervisor < Pit Manager < {Assistant Casino Manager, Gaming Shift Manager}.
Which of the last two is higher no rulebook says; until the operator does, neither stands in
for the other (A29). A higher or acting position may do what a lower one may only where the
rulebook has that clause: 6.2 of Baccarat, Fa Fa Fabulous 4 and Electronic Baccarat.

Beside them the house has positions of its own, which no rulebook names. Nobody of them does
what a rulebook gives to a position: a Cashier is not a Dealer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003  # read at run time to decode

import msgspec

from croupier.frozen import Named


class Patron(msgspec.Struct, frozen=True, tag="patron"):
    """A person who wagers, known by the name the house gave."""

    name: str


class System(msgspec.Struct, frozen=True, tag="system"):
    """The house's own machines: terminals, the dealing source, the cage, recovery."""

    name: str = "system"


class StaffPosition(Named):
    """A position of staff that the rulebooks name."""

    DEALER = "Dealer"
    PIT_SUPERVISOR = "Pit Supervisor"
    PIT_MANAGER = "Pit Manager"
    ASSISTANT_CASINO_MANAGER = "Assistant Casino Manager"
    GAMING_SHIFT_MANAGER = "Gaming Shift Manager"


class HousePosition(Named):
    """A position of the house that no rulebook names."""

    CASHIER = "Cashier"
    CAGE_SUPERVISOR = "Cage Supervisor"
    SURVEILLANCE = "Surveillance"
    TECHNICIAN = "Technician"
    AUDITOR = "Auditor"
    ADMINISTRATOR = "Administrator"


HOUSE_ABOVE: dict[HousePosition, tuple[HousePosition, ...]] = {
    HousePosition.CASHIER: (HousePosition.CAGE_SUPERVISOR,),
}
"""Who stands above whom in the house; all others stand apart, above and below nobody."""
POSITIONS: dict[str, StaffPosition | HousePosition] = {
    one.value: one for one in (*StaffPosition, *HousePosition)
}
"""Every position by its name; no name is in both."""


class HigherManager(Named):
    """The operator's answer to A29: who of the two highest stands above the other."""

    NEITHER = "neither"
    ASSISTANT_CASINO_MANAGER = "Assistant Casino Manager"
    GAMING_SHIFT_MANAGER = "Gaming Shift Manager"


LADDER = (StaffPosition.DEALER, StaffPosition.PIT_SUPERVISOR, StaffPosition.PIT_MANAGER)
TOP = (StaffPosition.ASSISTANT_CASINO_MANAGER, StaffPosition.GAMING_SHIFT_MANAGER)


class Acting(msgspec.Struct, frozen=True):
    """A position in which somebody acts for a time."""

    position: StaffPosition
    since: datetime
    until: datetime


class Staff(msgspec.Struct, frozen=True, tag="staff"):
    """A member of staff at the moment of an act."""

    name: str
    position: StaffPosition
    acting: Acting | None = None

    def positions(self, moment: datetime) -> tuple[StaffPosition, ...]:
        """Return the positions held, and acted in, at a moment."""
        acting = self.acting
        if acting is None or not acting.since <= moment < acting.until:
            return (self.position,)
        return (self.position, acting.position)


class ActingInHouse(msgspec.Struct, frozen=True):
    """A position of the house in which somebody acts for a time."""

    position: HousePosition
    since: datetime
    until: datetime


class HouseStaff(msgspec.Struct, frozen=True, tag="house_staff"):
    """Somebody in a position of the house at the moment of an act."""

    name: str
    position: HousePosition
    acting: ActingInHouse | None = None

    def positions(self, moment: datetime) -> tuple[HousePosition, ...]:
        """Return the positions held, and acted in, at a moment."""
        acting = self.acting
        if acting is None or not acting.since <= moment < acting.until:
            return (self.position,)
        return (self.position, acting.position)

    def stands_for(self, needed: HousePosition, moment: datetime) -> bool:
        """Tell whether somebody may do what a position of the house may: it, or higher."""
        may = (needed, *HOUSE_ABOVE.get(needed, ()))
        return any(one in may for one in self.positions(moment))


Member = Staff | HouseStaff
"""Staff in whatever position."""


def is_higher(
    one: StaffPosition, other: StaffPosition, top: HigherManager = HigherManager.NEITHER
) -> bool:
    """Tell whether one position stands above another.

    >>> is_higher(StaffPosition.PIT_MANAGER, StaffPosition.DEALER)
    True
    >>> is_higher(*TOP), is_higher(*TOP, HigherManager.ASSISTANT_CASINO_MANAGER)
    (False, True)
    """
    if one in TOP and other in TOP:
        return one is not other and one.value == top.value
    if one in TOP or other in TOP:
        return one in TOP
    return LADDER.index(one) > LADDER.index(other)


Actor = Patron | Staff | HouseStaff | System


@dataclass(frozen=True, slots=True)
class Authority:
    """By which position somebody may act, and for which one."""

    position: StaffPosition
    acting_for: StaffPosition | None
    """The named position, where a higher one stands in for it."""


def authority(
    staff: Member,
    needed: StaffPosition,
    moment: datetime,
    *,
    higher_may_act: bool,
    top: HigherManager = HigherManager.NEITHER,
) -> Authority | None:
    """Return by which position somebody may do what a position may, or None.

    ``higher_may_act`` says whether the rulebook lets an acting or higher position perform a
    function; without it only the holder of the position may. A position of the house is
    none that a rulebook names.
    """
    if isinstance(staff, HouseStaff):
        return None
    if staff.position is needed:
        return Authority(needed, None)
    if not higher_may_act:
        return None
    for position in staff.positions(moment):
        if position is needed:
            return Authority(position, None)
        if is_higher(position, needed, top):
            return Authority(position, needed)
    return None
