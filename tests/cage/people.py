"""People of every kind and position, as tests of the cage and the accounts need them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from croupier.table.roles import (
    ActingInHouse,
    HousePosition,
    HouseStaff,
    Patron,
    Staff,
    StaffPosition,
    System,
)

if TYPE_CHECKING:
    from croupier.table.roles import Actor

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ACTS = ActingInHouse(HousePosition.CASHIER, NOW - HOUR, NOW + HOUR)
LATE = ActingInHouse(HousePosition.CASHIER, NOW - 2 * HOUR, NOW - HOUR)
EVERYBODY: dict[str, Actor] = {
    "own patron": Patron("ann"),
    "other patron": Patron("bea"),
    "cage system": System("cage"),
    "house system": System("house"),
    "other system": System("terminal"),
    **{one.value: Staff(f"s-{one.name}", one) for one in StaffPosition},
    **{one.value: HouseStaff(f"h-{one.name}", one) for one in HousePosition},
    "acting Cashier": HouseStaff("acts", HousePosition.TECHNICIAN, ACTS),
    "acted as Cashier": HouseStaff("acted", HousePosition.TECHNICIAN, LATE),
}
