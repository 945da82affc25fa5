"""Terminals that are lost in a round (EB4 5.10); a medium that fails under a real server."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from typing import TYPE_CHECKING, Any

import pytest

from croupier.client import Client
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.uuids import uuid7
from tests.floor.players import family, verify_command
from tests.floor.serving import Served, serving
from tests.floor.sockets import decisions, signed_in

if TYPE_CHECKING:
    from pathlib import Path

    from tests.floor.sockets import Login

TABLE = "tiger"
CREDIT_CENTS = 1_000_000
STAKE_CENTS = 50_00
LOST_SECONDS = 0.4


# Terminals


def open_round(view: dict[str, Any]) -> bool:
    return view["phase"] == "OPEN" and not view["own"]["stakes"]


@pytest.mark.clause("EB4 5.10")
def test_a_terminal_that_is_gone_is_lost_its_wagers_stay_and_it_comes_back(
    tmp_path: Path,
) -> None:
    """The time is configured; what the lost terminal never showed, staff decide on."""
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "house.toml").write_text(f"[terminals]\nlost = {LOST_SECONDS}\n")
    clocks = ("--betting", "2", "--pause", "1", "--pace", "0.5", "--answer", "0.5")

    async def play(served: Served) -> None:
        ann, bob, pit = "patron-01", "patron-02", "gaming-shift-manager"
        async with (
            Client(served.url, ann, served.password(ann)) as lost,
            Client(served.url, bob, served.password(bob)) as stays,
            Client(served.url, pit, served.password(pit)) as manager,
        ):
            watched = manager.subscribe(f"table:{TABLE}")
            seats = {}
            for position, client in ((1, lost), (2, stays)):
                seats[client] = client.subscribe(f"table:{TABLE}")
                await client.command(TABLE, {"type": "take_seat", "position": position})
                sent = {"type": "send_to_table", "table": TABLE, "cents": CREDIT_CENTS}
                await client.cage(sent)
            view = await seats[lost].until(open_round)
            number = view["round"]
            for client in (lost, stays):
                stake = {"type": "place_wager", "wager": "player", "cents": STAKE_CENTS}
                await client.command(TABLE, stake, round=number)
            seats[lost].close()
            flagged = await watched.until(lambda view: view["pit"]["flagged"])
            assert flagged["round"] == number
            assert flagged["lost_terminals"] == [1]
            assert [one["position"] for one in flagged["pit"]["flagged"]] == [1]
            decide = {
                "type": "decide_terminal", "position": 1, "stands": True,
                "reason": "accepted in time",
            }  # fmt: skip
            await manager.command(TABLE, decide)
            over = await watched.until(
                lambda view: any(one["round"] == number for one in view["results"])
            )
            assert over["lost_terminals"] == [1]
            # It is back with its next socket, and sees that its wager was settled.
            again = lost.subscribe(f"table:{TABLE}")
            back = await again.until(lambda view: not view["lost_terminals"])
            settled = [line["cents"] for line in back["own"]["lines"]]
            assert settled == [STAKE_CENTS] or back["round"] > number
            # One that showed the closing has nothing that waits for a decision.
            view = await again.until(open_round)
            await lost.command(TABLE, stake, round=view["round"])
            await again.until(lambda view: view["phase"] == "CLOSED")
            lost.shown(TABLE, view["round"])
            await lost.wallet()  # a moment later
            again.close()
            gone = await watched.until(lambda view: view["lost_terminals"] == [1])
            assert (gone["round"], gone["pit"]["flagged"]) == (view["round"], [])

    with serving(tmp_path, clocks=clocks) as served:
        asyncio.run(play(served))
        found = asyncio.run(decisions(served, f"table:{TABLE}"))
    events = [event for one in found for event in one.events]
    gone = [one for one in events if isinstance(one, e.TerminalLost)]
    assert [(one.takes_part, one.flagged) for one in gone] == [(True, True), (True, False)]
    assert [one.position for one in events if isinstance(one, e.TerminalRestored)] == [1]
    decided = [one for one in events if isinstance(one, i.TerminalDecided)]
    assert [(one.position, one.stands) for one in decided] == [(1, True)]
    lines = [one.lines for one in events if isinstance(one, e.WagersSettled)]
    assert {line.patron for line in lines[0]} == {"patron-01", "patron-02"}
    # Nobody was called lost twice, or in vain.
    assert [one.refusal for one in found if one.actor.name == "terminals"] == [None] * 4


# A medium that fails


def limit_files(pids: list[int], size: int) -> None:
    """Let processes write files up to a size; the kernel refuses the rest, as a full disk."""
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def until_done(login: Login, key: str) -> dict[str, Any]:
    """Ask again by the same key until it is done."""
    async with asyncio.timeout(30):
        while True:
            answer = await login.give(TABLE, {"type": "take_credit", "cents": 100}, key)
            if answer.status_code == 200:
                told: dict[str, Any] = answer.json()
                return told
            assert answer.status_code == 503, answer.text
            await asyncio.sleep(0.2)


async def fill_people(served: Served) -> None:
    """Let the disk be full where the people are, too: nobody comes in; who is in may read."""
    assert served.process is not None
    login = {"name": "patron-02", "password": served.password("patron-02")}
    pids = family(served.process.pid)
    async with signed_in(served, "patron-01") as (ann,):
        limit_files(pids, 1)
        refused = await ann.http.post("/sessions", json=login)
        assert refused.status_code == 503, refused.text
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert (await ann.http.get(f"/tables/{TABLE}")).status_code == 200
        limit_files(pids, resource.RLIM_INFINITY)
        async with asyncio.timeout(20):
            while (await ann.http.post("/sessions", json=login)).status_code != 201:  # noqa: ASYNC110
                await asyncio.sleep(0.2)


def test_a_disk_that_is_full_refuses_commands_and_the_house_goes_on_by_itself(
    tmp_path: Path,
) -> None:
    async def fill(served: Served) -> list[str]:
        assert served.process is not None
        _, *writer = family(served.process.pid)
        async with signed_in(served, "patron-01") as (ann,), ann.socket() as socket:
            await ann.sit(TABLE, 1, CREDIT_CENTS)
            limit_files(writer, 1)
            key, other = uuid7(), uuid7()
            refused = await ann.give(TABLE, {"type": "take_credit", "cents": 100}, key)
            assert refused.status_code == 503
            assert refused.json()["code"] == "not_done"
            assert int(refused.headers["Retry-After"]) >= 1
            assert "sequence" not in refused.json()
            # Whoever reads is served, over both ways; commands over the socket are answered.
            for path in (f"/tables/{TABLE}", "/tables", "/me/wallet"):
                assert (await ann.http.get(path)).status_code == 200, path
            await socket.say({"type": "subscribe", "topic": f"table:{TABLE}"})
            assert (await socket.hear())["type"] == "snapshot"
            await socket.order(other, TABLE, {"type": "take_credit", "cents": 100})
            answer = await socket.until(lambda one: one["type"] == "answer")
            assert answer["problem"]["code"] == "not_done"
            await socket.say({"type": "ping", "n": 5})
            assert (await socket.until(lambda one: one["type"] == "pong"))["n"] == 5
            limit_files(writer, resource.RLIM_INFINITY)
            for one in (key, other):
                assert (await until_done(ann, one))["accepted"]
            number = (await ann.http.get(f"/tables/{TABLE}")).json()["view"]["round"]
            over = await socket.until(
                lambda one: one["type"] == "change" and one["view"].get("round", 0) > number
            )
            assert over["sequence"] > 0  # and rounds go on
            await ann.leave(TABLE)
            return [key, other]

    with serving(tmp_path) as served:
        asyncio.run(fill_people(served))
        keys = asyncio.run(fill(served))
        found = asyncio.run(decisions(served, f"table:{TABLE}"))
        assert [one.command_id for one in found if one.command_id in keys] == keys
    verify_command(served)


def test_a_writer_that_dies_is_replaced_and_nothing_told_is_lost(tmp_path: Path) -> None:
    async def kill(served: Served) -> list[str]:
        assert served.process is not None
        keys = []
        async with signed_in(served, "patron-01") as (ann,):
            await ann.sit(TABLE, 1, CREDIT_CENTS)
            for _ in range(3):
                _, *writer = family(served.process.pid)
                giving = [asyncio.create_task(until_done(ann, uuid7())) for _ in range(5)]
                await asyncio.sleep(0.01)
                for pid in writer:
                    os.kill(pid, signal.SIGKILL)
                key = uuid7()
                assert (await until_done(ann, key))["accepted"]
                keys.append(key)
                assert all(one["accepted"] for one in await asyncio.gather(*giving))
            await ann.leave(TABLE)
        return keys

    with serving(tmp_path) as served:
        keys = asyncio.run(kill(served))
        found = asyncio.run(decisions(served, f"table:{TABLE}"))
        assert [one.command_id for one in found if one.command_id in keys] == keys
        taken = [one for one in found if any(isinstance(x, e.CreditTaken) for x in one.events)]
        assert len(taken) == 3 * 6 + 1  # and the rest, when the seat was left
    verify_command(served)
