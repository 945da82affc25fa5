"""A real server with a table of paper cards, its Dealer over HTTP, and its devices."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import httpx
import msgspec

from croupier.accounts import commands as a
from croupier.accounts.commands import DeviceKind, UserKind
from croupier.cli.device import Server, Simulator
from croupier.floor.alarms import AlarmCode
from croupier.floor.desk import Request
from croupier.floor.floor import Floor
from croupier.floor.founding import FOUNDER
from croupier.floor.rates import Rates
from croupier.floor.server import Running, bind
from croupier.floor.sessions import Settings as PeopleSettings
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.course import Source, due
from croupier.table.phases import timely
from croupier.table.roles import Staff, StaffPosition
from croupier.table.settings import Device, Limits, Method, Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from croupier.floor.desk import Desk
    from croupier.table.state import Table

PASSWORD = "a-long-word-of-the-house"  # noqa: S105  # of a test
STAFF = {
    "dan": "Dealer",
    "sue": "Pit Supervisor",
    "mia": "Pit Manager",
    "gil": "Gaming Shift Manager",
    "tec": "Technician",
}
SHOE, DIE, TABLE = "shoe-1", "die-1", "paper"
FAST = PeopleSettings(
    rates=Rates(messages_per_second=100_000, messages_burst=1_000_000, nobody_per_second=0)
)
WAIT_SECONDS = 60
BURNT = 104
"""Half of the shoe, taken out before it is dealt."""


def settings_of(slug: str, **more: Any) -> Settings:  # noqa: ANN401  # settings
    book, game = next((b, g) for b in RULEBOOKS for g in b.games if g.slug == slug)
    method = None if book.procedure.methods is None else Method.B
    usual: dict[str, Any] = {
        "decks": 4,
        "method": method,
        "device": Device(physical=True),
        "limits": {"*": Limits(20_00, 10_000_00, 20_00)},
    }
    return Settings(rulebook=book.code, game=game.slug, **usual | more)


class Fed:
    """A table of paper cards, and everybody around it."""

    def __init__(self, floor: Floor, running: Running) -> None:
        self.floor, self.running = floor, running
        self.http = httpx.AsyncClient(base_url=f"{running.url}/api/v1", timeout=WAIT_SECONDS)
        self._sessions: dict[str, str] = {}
        self.tokens: dict[str, str] = {}

    @property
    def desk(self) -> Desk:
        return self.floor.house.tables[TABLE]

    @property
    def table(self) -> Table:
        return self.desk.table

    async def headers(self, name: str) -> dict[str, str]:
        if name not in self._sessions:
            body = {"name": name, "password": PASSWORD}
            answer = await self.http.post("/sessions", json=body)
            self.http.cookies.clear()
            assert answer.status_code == 201, answer.text
            self._sessions[name] = answer.json()["token"]
        return {"Authorization": f"Bearer {self._sessions[name]}"}

    async def order(self, name: str, command: c.Command, **more: object) -> httpx.Response:
        headers = {**await self.headers(name), "Idempotency-Key": uuid4().hex}
        body = {"command": msgspec.to_builtins(command), **more}
        return await self.http.post(f"/tables/{TABLE}/commands", json=body, headers=headers)

    async def do(self, name: str, command: c.Command, **more: object) -> None:
        answer = await self.order(name, command, **more)
        assert answer.status_code == 200, answer.text

    async def token(self, device: str) -> str:
        headers = await self.headers("tec")
        answer = await self.http.post(f"/devices/{device}/token", headers=headers)
        assert answer.status_code == 201, answer.text
        self.tokens[device] = answer.json()["token"]
        return self.tokens[device]

    async def read(self, number: int, face: str, device: str = SHOE) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.tokens[device]}"}
        body = {"number": number, "face": face}
        return await self.http.post(f"/devices/{device}/cards", json=body, headers=headers)

    async def throw(self, number: int, face: int, device: str = DIE) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.tokens[device]}"}
        body = {"round": number, "face": face}
        return await self.http.post(f"/devices/{device}/die", json=body, headers=headers)

    async def status(self, device: str = SHOE) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.tokens[device]}"}
        answer = await self.http.get(f"/devices/{device}", headers=headers)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def alarms(self) -> list[dict[str, Any]]:
        answer = await self.http.get("/alarms", headers=await self.headers("sue"))
        assert answer.status_code == 200, answer.text
        return list(answer.json().get(TABLE, []))

    async def until_alarms(self, count: int) -> list[dict[str, Any]]:
        """Wait until so many alarms stand: they end beside the answers of the table."""
        async with asyncio.timeout(WAIT_SECONDS):
            while len(found := await self.alarms()) != count:  # noqa: ASYNC110  # over HTTP
                await asyncio.sleep(0.01)
        return found

    async def open_bets(self) -> None:
        await self.do("dan", c.CallBets())

    async def close_bets(self) -> None:
        await self.do("dan", c.CloseBets())

    async def follow(self, after: int) -> None:
        """Wait for the next record of the table."""
        async with asyncio.timeout(WAIT_SECONDS):
            while self.desk.seat.sequence <= after:  # noqa: ASYNC110  # as people look
                await asyncio.sleep(0.002)

    async def deal_to_the_end(self) -> int:
        """Do the Dealer's part until the shoe is to be ended; return how many rounds it had."""
        while True:
            table, before = self.table, self.desk.seat.sequence
            now, left = due(table), self.unreported()
            if isinstance(now.command, c.EndShoe):
                return table.rounds
            if left and c.RemoveCards in timely(table):
                # As the alarm says: the Dealer records what came out in error.
                await self.do("dan", c.RemoveCards(left))
                continue
            if now.source is Source.CARD or isinstance(now.command, c.AnnounceDie):
                await self.follow(before)
                continue
            assert now.command is not None, now
            await self.do("dan", now.command)

    def unreported(self) -> int:
        """Return how many cards left the shoe that the table does not count."""
        shoe, alarms = self.table.shoe, self.floor.devices.alarms.of(TABLE)
        out = 0 if shoe is None else shoe.out
        cards = [one.card for one in alarms if one.code is AlarmCode.LEFT_SHOE]
        return sum(card is not None and card >= out for card in cards)

    def simulator(self, device: str, **options: Any) -> Simulator:  # noqa: ANN401  # options
        server = Server(self.running.url, device, self.tokens[device])
        return Simulator(server, **options)


async def _account(floor: Floor, command: a.AccountsCommand) -> None:
    reply = await floor.house.accounts.submit(Request(uuid4().hex, FOUNDER, command))
    assert reply.accepted, reply.refusal


async def found(floor: Floor, settings: Settings) -> None:
    """Found the table, its people and its devices."""
    for name, position in STAFF.items():
        await _account(floor, a.AddUser(name, UserKind.STAFF, position))
    await _account(floor, a.AddUser("ann", UserKind.PATRON))
    await floor.people.set_passwords(dict.fromkeys((*STAFF, "ann"), PASSWORD))
    for name, kind in ((SHOE, DeviceKind.SHOE), (DIE, DeviceKind.DIE)):
        await _account(floor, a.RegisterDevice(name, kind, TABLE))
    desk = await floor.house.table(TABLE)
    mia = Staff("mia", StaffPosition.PIT_MANAGER)
    for actor, command in (
        (mia, c.OpenTable(settings)),
        (Staff("dan", StaffPosition.DEALER), c.LoadShoe("first")),
    ):
        reply = await desk.submit(Request(uuid4().hex, actor, command))
        assert reply.accepted, reply.refusal


@asynccontextmanager
async def fed(
    folder: Path, settings: Settings | None = None, people: PeopleSettings = FAST
) -> AsyncIterator[Fed]:
    """Serve a table of paper cards; without settings one that was founded before."""
    floor = await Floor.open(folder, settings=people)
    try:
        if settings is not None:
            await found(floor, settings)
        floor.start()
    except BaseException:
        await floor.close()
        raise
    running = Running(floor, bind("127.0.0.1", 0))
    await running.start()
    everybody = Fed(floor, running)
    try:
        if settings is not None:
            await everybody.token(SHOE)
            await everybody.token(DIE)
        yield everybody
    finally:
        await everybody.http.aclose()
        await running.close()
