"""A house to load: tables dealt by a Dealer, patrons with a seat and credit, people who watch.

Everybody has a session of their own, opened without a password: what a sign-in costs is
measured elsewhere. The tables rest when the house is closed; whoever loads it calls for bets.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx
import msgspec

from croupier.accounts.commands import AddUser, UserKind
from croupier.floor.desk import Request
from croupier.floor.floor import Floor
from croupier.floor.founding import FOUNDER, give
from croupier.floor.sessions import Settings as PeopleSettings
from croupier.floor.sessions import Times, standing
from croupier.table import commands as c
from croupier.table.roles import Staff, StaffPosition
from croupier.table.settings import Method, Settings
from croupier.uuids import uuid7

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.desk import Desk

DEALER = Staff("dealer", StaffPosition.DEALER)
MANAGER = Staff("manager", StaffPosition.PIT_MANAGER)
SETTINGS = Settings(rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14)
AT_ONCE = 1_000
"""So many are added together: the accounts let no more than a few thousand commands wait."""
CREDIT_CENTS = 10**11
WAGERS = ("player", "banker", "tie")
SESSIONS_OF_ALL = PeopleSettings(sessions=Times(session_hours=24))


class Bettor(msgspec.Struct, frozen=True):
    """A patron with a seat."""

    table: str
    token: str
    wager: str
    """Chosen so that no area of the layout has too many."""


class House(msgspec.Struct, frozen=True):
    """Who is in a house, each with the token of a session."""

    tables: list[str]
    dealer: str
    bettors: list[Bettor]
    watchers: list[str]


async def found(folder: Path, tables: int, bettors: int, watchers: int) -> House:
    """Found a house in a folder, and close it."""
    floor = await Floor.open(folder, settings=SESSIONS_OF_ALL)
    try:
        names = [f"load-{number:02}" for number in range(tables)]
        betting = [f"bettor-{number:05}" for number in range(bettors)]
        watching = [f"watcher-{number:05}" for number in range(watchers)]
        await _add(floor, betting + watching)
        here = {name: betting[number::tables] for number, name in enumerate(names)}
        await asyncio.gather(*(_open(floor, name, here[name]) for name in names))
        dealer = await _token(floor, DEALER.name)
        tokens = await asyncio.gather(*(_token(floor, name) for name in betting + watching))
    finally:
        await floor.close()
    seated = [
        Bettor(
            names[number % tables],
            tokens[number],
            WAGERS[number // tables // SETTINGS.positions % len(WAGERS)],
        )
        for number in range(bettors)
    ]
    return House(names, dealer, seated, tokens[bettors:])


def signed_in(ready: dict[str, Any]) -> House:
    """Sign the patrons of a demo in; they only watch."""
    patrons = [one for one in ready["logins"] if one["kind"] == "patron"]
    with httpx.Client(base_url=f"{ready['url']}/api/v1", trust_env=False) as http:
        tables = [one["name"] for one in http.get("/tables").json()]
        told = ({"name": one["name"], "password": one["password"]} for one in patrons)
        tokens = [http.post("/sessions", json=one).json()["token"] for one in told]
    return House(tables, "", [], tokens)


async def _add(floor: Floor, patrons: list[str]) -> None:
    desk = floor.house.accounts
    users = [AddUser(name, UserKind.PATRON, None) for name in patrons]
    users += [
        AddUser(one.name, UserKind.STAFF, one.position.value) for one in (DEALER, MANAGER)
    ]
    for first in range(0, len(users), AT_ONCE):
        some = users[first : first + AT_ONCE]
        replies = await asyncio.gather(
            *(desk.submit(Request(uuid7(), FOUNDER, user)) for user in some)
        )
        assert all(reply.accepted for reply in replies), "everybody is added once"


async def _open(floor: Floor, name: str, patrons: list[str]) -> None:
    desk: Desk = await floor.house.table(name)
    await give(desk, MANAGER, c.OpenTable(SETTINGS))
    for number, patron in enumerate(patrons):
        await give(desk, DEALER, c.TakeSeat(patron, number % SETTINGS.positions + 1))
        await give(desk, DEALER, c.BringCredit(patron, CREDIT_CENTS))


async def _token(floor: Floor, name: str) -> str:
    known = standing(floor.house.accounts.accounts, name)
    assert known is not None, f"{name} was added"
    return (await floor.people.sessions.open(name, known)).token
