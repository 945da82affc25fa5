"""People who play at a real server over the network, and what the journal must say of them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from croupier.accounting import parts_of
from croupier.client import Client, Refused
from croupier.client.playing import Habits, Seen, Visit
from croupier.journal.loading import decisions_of
from croupier.journal.sqlite import SqliteStore
from croupier.journal.tables import TableStream
from croupier.rulebooks import RULEBOOKS
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.views.hearing import Audience
from croupier.table.views.projection import Projection
from tests.floor.rounds import check_recoveries, told
from tests.floor.serving import croupier, environment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from croupier.client import Answer, Subscription
    from croupier.journal.decision import Decision
    from croupier.journal.store import Store
    from tests.floor.serving import Served

TABLES = {
    "tiger": "EB4",
    "fabulous-4s": "EB4",
    "baccarat": "BAC8",
    "baccarat-a": "BAC8",
    "fa-fa-fabulous-4": "FF3",
    "fortune-six-tournament": "F6T2",
    "power-98": "PB6",
}
"""Where is played, and by which rulebook."""
WALLET_CENTS = 250_000_00
HABITS = Habits(more=0.5, refuses=0.3, units_max=3)


class Said(NamedTuple):
    """What somebody was told of a command."""

    where: str
    actor: str
    sequence: int | None
    accepted: bool
    events: tuple[str, ...] = ()


class Recording(Client):
    """A client that keeps what it asked for and was told."""

    def __init__(self, served: Served, name: str, said: dict[str, Said]) -> None:
        super().__init__(served.url, name, served.password(name))
        self._said = said

    async def _order(self, where: str, path: str, body: dict[str, object], key: str) -> Answer:
        try:
            answer = await super()._order(where, path, body, key)
        except Refused as error:
            if error.problem.sequence is not None:
                told = Said(where, self.name, error.problem.sequence, accepted=False)
                self._said[key] = told
            raise
        names = tuple(event.name for event in answer.events)
        self._said[key] = Said(where, self.name, answer.sequence, accepted=True, events=names)
        return answer


class Party:
    """Patrons at several tables, and somebody of staff who decides what is referred."""

    def __init__(self, served: Served, seed: int) -> None:
        self._served, self._chance = served, Random(seed)
        self.said: dict[str, Said] = {}
        self.seen = Seen()
        self._stop = asyncio.Event()
        self.decides = asyncio.Event()
        """Whether staff decide what is referred; else it waits for them."""
        self.decides.set()
        self._tasks: list[asyncio.Task[None]] = []
        self._open = contextlib.AsyncExitStack()
        self.clients: dict[str, Recording] = {}
        """By table: who plays there."""
        self._boss: Recording | None = None
        self._watched: dict[str, Subscription] = {}
        self._second: Recording | None = None
        """Who approves that a round is void."""

    async def __aenter__(self) -> Self:
        for number, table in enumerate(TABLES, 1):
            self.clients[table] = await self._enter(f"patron-{number:02}")
            self._tasks.append(asyncio.create_task(self._play(table)))
        self._boss = await self._enter("gaming-shift-manager")
        self._second = await self._enter("pit-supervisor")
        for table in TABLES:
            self._tasks.append(asyncio.create_task(self._decide(table)))
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._open.aclose()

    async def _enter(self, name: str) -> Recording:
        return await self._open.enter_async_context(Recording(self._served, name, self.said))

    async def _play(self, table: str) -> None:
        """Sit down, play until it is enough, and leave."""
        chance = Random(self._chance.random())
        visit = Visit(self.clients[table], table, HABITS, chance, self.seen)
        assert await visit.sit()
        await visit.play(self._stop)
        assert await visit.leave(60.0)
        visit.close()

    async def _decide(self, table: str) -> None:
        """Decide what the rulebook leaves open: to go on, or that the round is void."""
        assert self._boss is not None
        assert self._second is not None
        self._watched[table] = self._boss.subscribe(f"table:{table}")
        async for update in self._watched[table]:
            hold = update.view["hold"]
            if hold is None or hold["kind"] != "referral":
                continue
            await self.decides.wait()
            choice = self._chance.choice(("continue", "void"))
            command = {"type": "decide_referral", "decision": choice, "reason": "the power"}
            approval = None
            if choice == "void":
                given = await self._second.approve(table, command, self._boss.name)
                approval = given.approval
            with contextlib.suppress(Refused):  # it was over before
                await self._boss.command(table, command, hold=hold["since"], approval=approval)

    async def reached(self, table: str, at: str, seconds: float) -> None:
        """Wait until a table stands somewhere in its round, but not for ever."""
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            if table in self._watched and standing(self._watched[table].view) == at:
                return
            await asyncio.sleep(0.01)

    def failures(self) -> list[BaseException]:
        """Return why somebody stopped who should not have."""
        done = [task for task in self._tasks if task.done() and not task.cancelled()]
        return [error for one in done if (error := one.exception()) is not None]

    async def leave(self) -> None:
        """Let everybody play their round to its end, and leave."""
        self._stop.set()
        async with asyncio.timeout(90):
            await asyncio.gather(*self._tasks[: len(TABLES)])

    async def wallets(self) -> dict[str, int]:
        """Return what everybody has, when nothing is on its way any more."""
        found = {}
        for client in self.clients.values():
            me = client.subscribe("me")
            await me.until(lambda view: not view["wallet"]["in_transit_cents"])
            me.close()
            wallet = await client.wallet()
            assert wallet.seats == ()
            found[client.name] = wallet.cents
        return found


def standing(view: dict[str, Any]) -> str:
    """Say where in its round a table is: for what it waits, the phase, or the cards known."""
    if any(one["round"] == view["round"] for one in view.get("results", ())):
        return "over"
    if view.get("hold") is not None:
        return str(view["hold"]["kind"])
    if view.get("phase") != "DEALING":
        return str(view.get("phase"))
    faces = [card["face"] for hand in view["hands"] for card in hand["cards"]]
    return f"card {sum(face is not None for face in faces)}"


# Processes


def family(pid: int) -> list[int]:
    """Return a process and its children: the server and its writer."""
    children: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        children += map(int, (task / "children").read_text("ascii").split())
    return [pid, *children]


def kill(served: Served, *, whole: bool) -> None:
    """Kill a server from one instant to the next: with its writer, or alone."""
    assert served.process is not None
    pids = family(served.process.pid) if whole else [served.process.pid]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    served.process.wait()


# What the journal must say


@contextlib.asynccontextmanager
async def journal(served: Served) -> AsyncIterator[Store]:
    """Open the journal of a house whose server is gone."""
    store = await SqliteStore.open(served.folder / "house" / "journal.sqlite")
    try:
        yield store
    finally:
        await store.close()


async def decided(store: Store, stream: str) -> list[Decision]:
    """Return everything that was decided in a stream."""
    return [one async for one in decisions_of(store, stream)]


async def check_told(store: Store, said: dict[str, Said]) -> None:
    """Check that all that somebody was told is there, once, as it was told."""
    known: dict[tuple[str, str], Decision] = {}
    for stream in ("cage", *(f"table:{table}" for table in TABLES)):
        for one in await decided(store, stream):
            assert (one.stream, one.command_id) not in known
            known[one.stream, one.command_id] = one
    for key, answer in said.items():
        stream = answer.where if answer.where == "cage" else f"table:{answer.where}"
        decision = known[stream, key]
        if answer.where == "cage" and not answer.accepted:
            continue  # perhaps the table would not have it
        assert decision.sequence == answer.sequence, key
        assert decision.accepted is answer.accepted, key
        assert decision.actor.name == answer.actor
        names = Counter(str(type(event).__struct_config__.tag) for event in decision.events)
        assert not Counter(answer.events) - names, (answer, names)


async def check_rulings(store: Store) -> Counter[tuple[str, str, str]]:
    """Check that every interruption has its consequence; count by table, moment and what."""
    found: Counter[tuple[str, str, str]] = Counter()
    for table, code in TABLES.items():
        await check_recoveries(store, code, f"table:{table}")
        for one in await decided(store, f"table:{table}"):
            fact = one.house.interruption
            if fact is not None and fact.hold is None:
                what, _ = told(one.events[1:])[-1]
                at = f"card {len(fact.cards)}" if fact.phase == "DEALING" else fact.phase
                found[table, at, what] += 1
    return found


async def check_money(store: Store, wallets: dict[str, int]) -> None:
    """Check that everybody has what they brought and what their rounds gave."""
    won: Counter[str] = Counter()
    for table in TABLES:
        for one in await decided(store, f"table:{table}"):
            for event in one.events:
                if isinstance(event, e.WagersSettled):
                    won.update({line.patron: 0 for line in event.lines})
                    for line in event.lines:
                        won[line.patron] += line.won_cents
                for line in _taken_back(event):
                    won[line.patron] -= line.won_cents
    assert wallets == {name: WALLET_CENTS + won[name] for name in wallets}
    balances = await store.balances()
    assert sum(balances.values()) == 0
    held = {name: cents for name, cents in balances.items() if cents and _at_tables(name)}
    assert held == {}


def _taken_back(event: object) -> tuple[e.PayLine, ...]:
    if isinstance(event, i.SettlementReversed):
        return event.lines
    return tuple(event.reversed) if isinstance(event, i.RoundVoided) else ()


def _at_tables(account: str) -> bool:
    return parts_of(account)[0] in ("seat", "stakes", "transit")


async def view_at(store: Store, table: str, sequence: int, patron: str) -> dict[str, Any]:
    """Return what a patron sees of a table as the journal alone has it, at a record."""
    stream = TableStream(table, RULEBOOKS)
    state = stream.initial()
    for one in await decided(store, stream.name):
        if one.sequence > sequence:
            break
        if one.accepted:
            state = stream.fold(state, one.house, one.events, one.sequence)
    view = Projection(state.table, state.held_since).view(Audience.PATRON, patron)
    shown: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(view))
    return shown


def verify_command(served: Served) -> None:
    """Let ``croupier verify`` look at a house that is closed: it finds nothing."""
    done = subprocess.run(  # noqa: S603  # our own command
        croupier("verify", str(served.folder / "house")),
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
