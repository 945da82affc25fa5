"""The demo: play money, one login for each position, twenty patrons, and a floor that plays."""

from __future__ import annotations

import json
import logging
import os
import secrets
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.accounts import commands as a
from croupier.accounts.commands import UserKind
from croupier.cage import commands as cage
from croupier.floor.desk import Request
from croupier.floor.door import TurnedAway
from croupier.floor.founding import FOUNDER, found_tables
from croupier.journal.errors import JournalError, NotInPositionError
from croupier.table.roles import HousePosition, HouseStaff, Staff, StaffPosition
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.floor import Floor
    from croupier.table.roles import Actor, Member

LOGGER: Final = logging.getLogger("croupier.demo")
LOGINS: Final = "demo-logins.json"
PATRONS: Final = 20
WALLET_CENTS: Final = 250_000_00
FLOAT_CENTS: Final = 5_000_000_00
"""The opener of every table."""
MANAGERS: Final = (
    StaffPosition.PIT_MANAGER,
    StaffPosition.GAMING_SHIFT_MANAGER,
    StaffPosition.ASSISTANT_CASINO_MANAGER,
)
"""Who opens tables and sets their clocks: the first of them who is still there."""
CASHIER: Final = HouseStaff("cashier", HousePosition.CASHIER)
SUPERVISOR: Final = HouseStaff("cage-supervisor", HousePosition.CAGE_SUPERVISOR)


class DemoLogin(msgspec.Struct, frozen=True):
    """A login of the demo."""

    name: str
    password: str
    kind: UserKind
    position: str | None

    def __repr__(self) -> str:
        return f"DemoLogin({self.name!r})"


def slug(position: str) -> str:
    """Return the name under which a position signs in."""
    return position.lower().replace(" ", "-")


def people() -> list[tuple[str, UserKind, str | None]]:
    """Return everybody of the demo: name, kind and position."""
    found: list[tuple[str, UserKind, str | None]] = [
        (f"patron-{n:02}", UserKind.PATRON, None) for n in range(1, PATRONS + 1)
    ]
    kinds = {
        HousePosition.AUDITOR: UserKind.AUDITOR,
        HousePosition.ADMINISTRATOR: UserKind.ADMIN,
    }
    for one in (*StaffPosition, *HousePosition):
        kind = (
            kinds.get(one, UserKind.STAFF) if isinstance(one, HousePosition) else UserKind.STAFF
        )
        found.append((slug(one.value), kind, one.value))
    return found


async def found_demo(floor: Floor, guests: int = 0) -> list[DemoLogin]:
    """Found the demo in a new house, or find it again; return its logins."""
    _require_demo(floor)
    everybody = people()
    everybody += [(f"guest-{n:02}", UserKind.PATRON, None) for n in range(1, guests + 1)]
    logins = _logins(floor.house.folder, everybody)
    await _add_people(floor, everybody)
    await _set_passwords(floor, logins)
    manager = _manager(floor)
    await found_tables(floor.house, manager)
    if manager is not None:
        await floor.house.set_clocks(manager)
    await _bring_money(floor, [name for name, kind, _ in everybody if kind is UserKind.PATRON])
    floor.logins = [one for one in logins if not one.name.startswith("guest-")]
    return floor.logins


def _require_demo(floor: Floor) -> None:
    """Refuse a house that was founded otherwise: nobody's wallet becomes play money."""
    path = floor.house.folder / LOGINS
    if floor.house.accounts.accounts.users.all and not path.exists():
        message = f"The house in {path.parent} is no demo; start it without --demo."
        raise JournalError(message)


def guests_of(folder: Path) -> list[DemoLogin]:
    """Return the logins of the patrons that the house plays."""
    return [one for one in _read(folder / LOGINS) if one.name.startswith("guest-")]


def _read(path: Path) -> list[DemoLogin]:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    try:
        return msgspec.json.decode(data, type=list[DemoLogin])
    except msgspec.MsgspecError as error:
        message = f"The demo's logins in {path.name} cannot be read: {error}."
        raise JournalError(message) from error


def _logins(folder: Path, everybody: list[tuple[str, UserKind, str | None]]) -> list[DemoLogin]:
    """Return the logins of a folder; new people get new ones, which are kept."""
    path = folder / LOGINS
    kept = {one.name: one for one in _read(path)}
    logins = [
        kept.get(name) or DemoLogin(name, f"demo-{secrets.token_hex(6)}", kind, position)
        for name, kind, position in everybody
    ]
    if any(one.name not in kept for one in logins):
        document = msgspec.to_builtins(
            [*logins, *(o for o in kept.values() if o not in logins)]
        )
        text = json.dumps(document, indent=1)
        new = path.with_suffix(".new")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    return logins


async def _add_people(floor: Floor, everybody: list[tuple[str, UserKind, str | None]]) -> None:
    desk = floor.house.accounts
    for name, kind, position in everybody:
        if desk.accounts.users.get(name) is not None:
            continue
        command = a.AddUser(name, kind, position)
        reply = await desk.submit(Request(uuid7(), FOUNDER, command))
        if reply.refusal is not None:
            message = f"{name} could not be added: {reply.refusal.sentence}"
            raise JournalError(message)


async def _set_passwords(floor: Floor, logins: list[DemoLogin]) -> None:
    new = {
        one.name: one.password
        for one in logins
        if not await floor.people.has_password(one.name)
    }
    if new:
        refused = await floor.people.set_passwords(new)
        if isinstance(refused, TurnedAway):
            raise JournalError(refused.sentence)


async def _bring_money(floor: Floor, patrons: list[str]) -> None:
    """Let every patron have play money once, and every table its chips."""
    house = floor.house
    known = house.cage.cage
    for patron in patrons:
        if known.wallets.get(patron) is None and not _plays(floor, patron):
            await _at_cage(floor, CASHIER, cage.BuyIn(patron, WALLET_CENTS))
    for name in house.tables:
        if not known.sheet(name).opener_cents:
            await _at_cage(floor, CASHIER, cage.SetOpener(name, FLOAT_CENTS), SUPERVISOR)


def _manager(floor: Floor) -> Staff | None:
    """Return who opens tables; None: somebody took everybody's position away."""
    for position in MANAGERS:
        actor = floor.house.accounts.actor(slug(position.value))
        if isinstance(actor, Staff) and actor.position is position:
            return actor
    return None


def _plays(floor: Floor, patron: str) -> bool:
    return any(patron in desk.table.credits for desk in floor.house.tables.values())


async def _at_cage(
    floor: Floor, actor: Actor, command: cage.CageCommand, approver: Member | None = None
) -> None:
    """Do something at the cage; what people of the demo made impossible is left undone."""
    request = Request(uuid7(), actor, command, approver)
    try:
        refusal = (await floor.house.cage.submit(request)).refusal
    except NotInPositionError as error:
        LOGGER.warning("the demo goes without play money: %s", error)
    else:
        if refusal is not None:
            LOGGER.warning("the demo goes without play money: %s", refusal.sentence)
