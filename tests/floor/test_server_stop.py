"""SIGTERM and Ctrl-C: the server ends in order, wherever its rounds are.

No new round is opened, rounds that the house deals come to their end, what waits for people
stays and is ruled by the next start; everybody who listens is told, and the exit code is 0.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from croupier.journal.decision import read_moment
from croupier.journal.tables import TableStream
from croupier.rulebooks import RULEBOOKS
from croupier.table import events as e
from croupier.table.next import WaitFor, next_act
from tests.floor.players import (
    TABLES,
    Party,
    check_rulings,
    check_told,
    decided,
    family,
    journal,
    kill,
    verify_command,
)
from tests.floor.serving import START_SECONDS, Served

if TYPE_CHECKING:
    from croupier.journal.store import Store

CLOCKS = ("--betting", "1", "--pause", "0.3", "--pace", "0.2", "--answer", "3")
"""Answers are waited for long enough that somebody may be asked when the server stops."""
STOP_SECONDS = 10.0
HEARS_SECONDS = 1.0
"""A signal is heard within this time also on a machine that is busy."""
SIGNALS = (
    (signal.SIGTERM,),
    (signal.SIGINT,),
    (signal.SIGTERM, signal.SIGTERM),
    (signal.SIGINT, signal.SIGTERM, signal.SIGINT),
)
GOING_AWAY = 1012
REFERRED = "fortune-six-tournament"
"""Where no rule says what a power failure does, so that somebody must."""
REACHED_SECONDS = 10.0


class Listener:
    """A socket that takes down everything until it is closed."""

    def __init__(self, served: Served, name: str) -> None:
        self._served, self._name = served, name
        self.heard: list[dict[str, Any]] = []
        self.code: int | None = None

    async def listen(self, ready: asyncio.Event) -> None:
        """Sign in, hear of all tables, and go on until the server closes."""
        url = self._served.url
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            login = {"name": self._name, "password": self._served.password(self._name)}
            token = (await http.post("/api/v1/sessions", json=login)).json()["token"]
        async with connect(
            f"{url.replace('http', 'ws')}/api/v1/live",
            additional_headers={"Authorization": f"Bearer {token}"},
            proxy=None,
        ) as socket:
            for table in TABLES:
                await socket.send(json.dumps({"type": "subscribe", "topic": f"table:{table}"}))
            ready.set()
            with contextlib.suppress(ConnectionClosed):
                while True:
                    self.heard.append(json.loads(await socket.recv()))
        self.code = socket.close_code


def send(served: Served, numbers: tuple[signal.Signals, ...]) -> datetime:
    """Send signals, as a terminal does: to the writer too; return when."""
    assert served.process is not None
    pids, now = family(served.process.pid), datetime.now(UTC)
    for turn, number in enumerate(numbers):
        for pid in pids if number is signal.SIGINT else pids[:1]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                assert turn, "the server was gone before it was stopped"
        time.sleep(0.05)
    return now


async def stop_in_play(
    served: Served, party: Party, numbers: tuple[signal.Signals, ...]
) -> datetime:
    """Stop a server while everybody plays; check how it ends, and what listeners are told."""
    listener, ready = Listener(served, "auditor"), asyncio.Event()
    listening = asyncio.create_task(listener.listen(ready))
    hears = asyncio.create_task(ready.wait())
    await asyncio.wait({hears, listening}, timeout=60, return_when=asyncio.FIRST_COMPLETED)
    if listening.done():
        listening.result()  # why it could not listen
    assert ready.is_set(), "the listener hears nothing"
    await asyncio.sleep(Random(time.time()).uniform(0.5, 2.5))
    assert party.failures() == []
    moment = await asyncio.to_thread(send, served, numbers)
    begun = time.monotonic()
    assert served.process is not None
    code = await asyncio.to_thread(served.process.wait, STOP_SECONDS)
    assert code == 0, served.output
    assert time.monotonic() - begun < STOP_SECONDS
    await listening
    assert (listener.heard[-1]["type"], listener.heard[-1]["code"]) == ("bye", "going_down")
    assert listener.code == GOING_AWAY
    return moment


async def check_stopped(store: Store, moment: datetime) -> set[str]:
    """Check where every table stands; return those that wait for people."""
    waiting = set()
    latest = moment + timedelta(seconds=HEARS_SECONDS)
    for table in TABLES:
        stream = TableStream(table, RULEBOOKS)
        state = stream.initial()
        for one in await decided(store, stream.name):
            if one.accepted:
                state = stream.fold(state, one.house, one.events, one.sequence)
            opened = any(isinstance(event, e.BetsOpened) for event in one.events)
            assert not opened or read_moment(one.moment) < latest, f"{table} opened a round"
        if state.table.between_rounds and state.table.hold is None:
            continue
        waiting.add(table)
        if not one.actor.key.startswith("system:") and read_moment(one.moment) > moment:
            continue  # somebody answered when the house had left the round to them
        now = next_act(state.table, read_moment(one.moment), hurried=True)
        assert isinstance(now, WaitFor), (table, state.table.phase, now)
    return waiting


async def stop_again_and_again(
    served: Served, stops: list[tuple[signal.Signals, ...]]
) -> Counter[str | None]:
    """Stop and start a server while people play; check everything.

    Before the last stop it is killed, and nobody decides what is referred by that. Returns
    how often rounds were interrupted, by what they waited for.
    """
    async with Party(served, seed=7) as party:
        for turn, numbers in enumerate(stops, 1):
            if turn == len(stops):
                party.decides.clear()
                await party.reached(REFERRED, "card 1", REACHED_SECONDS)
                kill(served, whole=True)
                await asyncio.to_thread(served.start)
                await party.reached(REFERRED, "referral", REACHED_SECONDS)
            moment = await stop_in_play(served, party, numbers)
            async with journal(served) as store:
                waiting = await check_stopped(store, moment)
            await asyncio.to_thread(served.start)
        assert REFERRED in waiting
        party.decides.set()
        await party.leave()
        said = party.said
    assert served.stop() == 0
    found: Counter[str | None] = Counter()
    async with journal(served) as store:
        await check_told(store, said)
        await check_rulings(store)
        for table in TABLES:
            facts = [one.house.interruption for one in await decided(store, f"table:{table}")]
            found.update(fact.hold for fact in facts if fact is not None)
    verify_command(served)
    assert "Traceback" not in served.output, served.output
    return found


def stopped(folder: Path, stops: list[tuple[signal.Signals, ...]]) -> Counter[str | None]:
    served = Served(folder, clocks=CLOCKS)
    served.start()
    try:
        return asyncio.run(stop_again_and_again(served, stops))
    finally:
        if served.process is not None and served.process.poll() is None:
            served.kill()


def test_a_server_that_is_stopped_ends_its_rounds_and_what_waits_for_people_stays(
    tmp_path: Path,
) -> None:
    found = stopped(tmp_path, [SIGNALS[0], SIGNALS[3]])
    # By the kill in the middle of the round, and by the stop while it waited for staff.
    assert found[None] >= 1
    assert found["referral"] >= 1


@pytest.mark.crash
def test_servers_are_stopped_in_every_phase(tmp_path: Path) -> None:
    stopped(tmp_path, [SIGNALS[turn % len(SIGNALS)] for turn in range(24)])


STARTS = ((signal.SIGTERM, 0.0), (signal.SIGINT, 0.2), (signal.SIGTERM, 0.8))
"""How long after its writer is there a start is stopped, and how."""


def test_a_server_that_is_stopped_while_it_starts_leaves_nothing_behind(tmp_path: Path) -> None:
    served = Served(tmp_path)
    for number, wait in STARTS:
        served.begin()
        assert served.process is not None
        pid = served.process.pid
        end = time.monotonic() + START_SECONDS
        while len(family(pid)) == 1:  # the writer is there: it has begun to open the house
            assert time.monotonic() < end
            time.sleep(0.01)
        time.sleep(wait)
        pids = family(pid)
        os.kill(pid, number)
        assert served.process.wait(STOP_SECONDS) == 0, served.output
        assert [one for one in pids if Path(f"/proc/{one}").exists()] == []
    served.start()
    assert served.stop() == 0
    assert "Traceback" not in served.output, served.output
