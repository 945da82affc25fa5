"""The first administrator: made once, by a link that the first start prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.accounts.commands import AddUser, UserKind
from croupier.floor.desk import Request
from croupier.floor.founding import FOUNDER
from croupier.table.roles import HousePosition
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from croupier.floor.door import Issued, TurnedAway
    from croupier.floor.floor import Floor
    from croupier.journal.gathering import Reply

ADMINISTRATOR = HousePosition.ADMINISTRATOR.value


async def first_link(floor: Floor) -> Issued | None:
    """Return a link for the first administrator; None: somebody can administer already."""
    users = floor.house.accounts.accounts.users
    known = [
        name
        for name, user in users.all.items()
        if user.enabled and user.position == ADMINISTRATOR
    ]
    return await floor.people.first_link(known)


async def found_administrator(
    floor: Floor, token: str, name: str, password: str
) -> Reply | TurnedAway | None:
    """Make the first administrator; None: it is done. What is returned says why it is not."""

    async def create(name: str) -> Reply | None:
        command = AddUser(name, UserKind.ADMIN, ADMINISTRATOR)
        reply = await floor.house.accounts.submit(Request(uuid7(), FOUNDER, command))
        return None if reply.accepted else reply

    return await floor.people.found(token, name, password, create)
