"""What goes over a socket: the order of commands, wagers around the closing, what is cut off.

Every command is answered once, or known by its key afterwards; who does not read is closed, and
nobody else notices.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket as sockets
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosed

from croupier.client.folding import fold
from croupier.floor.framing import unframe
from croupier.table import events as e
from croupier.uuids import uuid7
from tests.floor.proxy import Proxy
from tests.floor.serving import Served, serving
from tests.floor.sockets import decisions, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.floor.sockets import Login, Message, Socket

TABLE = "tiger"
CLOCKS = ("--betting", "2", "--pause", "0.5", "--pace", "0.05", "--answer", "0.5")
CREDIT_CENTS = 1_000_000
RACERS = 20
WAGERS_EACH = 10
BEFORE_SECONDS, APART_SECONDS = 0.15, 0.03
SLOW_SECONDS = 10.0
ASKED, ASK_SECONDS = 80, 0.01
"""Snapshots that somebody asks for and does not read: more than any buffer has room for."""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("floor"), clocks=CLOCKS) as one:
        yield one


def test_commands_of_one_socket_are_decided_in_the_order_sent(floor: Served) -> None:
    """Also those whose keys must be looked up, and when all of it is sent again."""

    async def send() -> None:
        async with signed_in(floor, "patron-01") as (ann,), ann.socket() as socket:
            await ann.sit(TABLE, 1, CREDIT_CENTS)
            keys = [uuid7() if turn % 3 else f"plain-{turn}" for turn in range(40)]
            first: list[Message] = []
            for _ in range(2):
                for turn, key in enumerate(keys):
                    # Every fourth is more than there is, and refused.
                    cents = 10 * CREDIT_CENTS if turn % 4 == 3 else 100
                    await socket.order(key, TABLE, {"type": "take_credit", "cents": cents})
                answers = {one["id"]: one for one in await socket.answers(len(keys))}
                sequences = [answers[key]["sequence"] for key in keys]
                assert sequences == sorted(set(sequences))
                accepted = [answers[key]["accepted"] for key in keys]
                assert accepted == [turn % 4 != 3 for turn in range(len(keys))]
                first = first or [answers[key] for key in keys]
                assert [answers[key] for key in keys] == first
                await asyncio.sleep(1.0)  # the allowance of messages fills again
            done = [one.command_id for one in await decisions(floor, f"table:{TABLE}")]
            assert [key for key in done if key in keys] == keys
            await ann.leave(TABLE)

    asyncio.run(send())


async def opened(socket: Socket) -> dict[str, Any]:
    """Return the view when bets are open next."""
    await socket.say({"type": "subscribe", "topic": f"table:{TABLE}"})
    view: dict[str, Any] = (await socket.hear())["view"]
    fresh = False
    while not (fresh and view["phase"] == "OPEN"):
        fresh = fresh or view["phase"] != "OPEN"
        message = await socket.until(lambda one: one["type"] == "change")
        view = fold(view, message["view"])
    return view


async def race(login: Login, view: dict[str, Any]) -> list[Message]:
    """Send wagers before, at and behind the closing, as fast as a hand; return all answers."""
    closes = datetime.fromisoformat(view["closes_at"])
    slugs = [wager["slug"] for wager in view["rules"]["wagers"]]
    cents = {wager["slug"]: wager["minimum_cents"] for wager in view["rules"]["wagers"]}
    async with login.socket() as socket:
        wait = (closes - datetime.now(UTC)).total_seconds() - BEFORE_SECONDS
        await asyncio.sleep(max(0.0, wait))
        for turn in range(WAGERS_EACH):
            slug = slugs[turn % len(slugs)]
            stake = {"type": "place_wager", "wager": slug, "cents": cents[slug]}
            await socket.order(uuid7(), TABLE, stake, round=view["round"])
            await asyncio.sleep(APART_SECONDS)
        return await socket.answers(WAGERS_EACH)


def test_no_wager_is_accepted_behind_the_closing_and_all_are_answered(floor: Served) -> None:
    async def run() -> None:
        names = [f"patron-{number:02}" for number in range(1, RACERS + 1)]
        async with signed_in(floor, *names) as people:
            for position, one in enumerate(people, 1):
                await one.sit(TABLE, position, CREDIT_CENTS)
            async with people[0].socket() as socket:
                view = await opened(socket)
            rounds = await asyncio.gather(*[race(one, view) for one in people])
            answers = [answer for each in rounds for answer in each]
            assert len(answers) == RACERS * WAGERS_EACH
            await check_closing(floor, view["round"], answers)
            late = await other_round(people[0], view["round"])
            assert late == {"other_round"}
            await asyncio.gather(*[one.leave(TABLE) for one in people])

    asyncio.run(run())


async def check_closing(floor: Served, number: int, answers: list[Message]) -> None:
    """Check that exactly the wagers before the record of the closing were accepted."""
    current = closing = None
    for one in await decisions(floor, f"table:{TABLE}"):
        for event in one.events:
            if isinstance(event, e.BetsOpened):
                current = event.round
            if isinstance(event, e.BetsClosed) and current == number:
                closing = one.sequence
    assert closing is not None
    accepted = [one["sequence"] for one in answers if one["accepted"]]
    behind = [one for one in answers if one["sequence"] is None or one["sequence"] > closing]
    assert accepted
    assert max(accepted) < closing
    assert behind, "nothing came late: this shows nothing"
    assert not any(one["accepted"] for one in behind)


async def other_round(login: Login, number: int) -> set[str]:
    """Send a wager for a round that is over; return the codes of the answers."""
    codes = set()
    async with login.socket() as socket:
        await opened(socket)
        for way in (number, number + 1000):
            stake = {"type": "place_wager", "wager": "player", "cents": 10_00}
            await socket.order(uuid7(), TABLE, stake, round=way)
            answer = await socket.until(lambda one: one["type"] == "answer")
            assert answer["sequence"] is None
            codes.add(answer["problem"]["code"])
    return codes


# What is cut off


async def lose(
    login: Login, proxy: Proxy, count: int, *, back: bool, cents: int
) -> tuple[str, bool]:
    """Lose the connection at a byte of a command or of its answer; ask again by its key.

    Returns the key, and whether the answer had come.
    """
    key, command = uuid7(), {"type": "take_credit", "cents": cents}
    came = False
    with contextlib.suppress(ConnectionClosed):
        async with login.socket(proxy.url) as socket:
            proxy.cut_after(count, back=back)
            await socket.order(key, TABLE, command)
            answer = await socket.until(lambda one: one["type"] == "answer")
            came = answer["accepted"]
    # Every other time over a new socket, else over HTTP.
    if count % 2:
        told = (await login.give(TABLE, command, key)).json()
    else:
        async with login.socket() as again:
            await again.order(key, TABLE, command)
            told = await again.until(lambda one: one["type"] == "answer")
    assert told["accepted"], told
    return key, came


def lose_everywhere(floor: Served, step: int) -> None:
    async def run() -> None:
        names = ("patron-11", "patron-12", "patron-13", "patron-14")
        async with signed_in(floor, *names) as people, Proxy(floor.port) as proxy:
            for position, one in enumerate(people, 11):
                await one.sit(TABLE, position, CREDIT_CENTS)
            key, whole = uuid7(), {"type": "take_credit", "cents": 100}
            sent = {"type": "command", "id": key, "table": TABLE, "command": whole}
            async with people[0].socket() as socket:
                await socket.say(sent)
                answer = len(await socket.connection.recv(decode=False))
            there = len(json.dumps(sent)) + 8  # the frame's head and its mask
            keys, came = [key], []
            turns = [(count, False) for count in range(1, there, step)]
            turns += [(count, True) for count in range(1, answer + 4, step)]
            for turn, (count, back) in enumerate(turns):
                login = people[turn % len(people)]
                lost, heard = await lose(login, proxy, count, back=back, cents=100)
                keys.append(lost)
                came.append(heard)
            assert proxy.cuts == len(turns)
            assert not any(came[: len(came) - 4])
            done = await decisions(floor, f"table:{TABLE}")
            counted = [one.command_id for one in done if one.command_id in keys]
            assert counted == keys
            for one in people:
                await one.leave(TABLE)

    asyncio.run(run())


def test_a_command_that_is_cut_off_anywhere_is_known_by_its_key_and_done_once(
    floor: Served,
) -> None:
    lose_everywhere(floor, step=11)


@pytest.mark.crash
def test_a_command_is_cut_off_at_every_byte(floor: Served) -> None:
    lose_everywhere(floor, step=1)


# Who does not read


def deaf(login: Login) -> sockets.socket:
    """Open a socket that asks for a lot and never reads it."""
    plain = sockets.socket()
    plain.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    plain.connect(("127.0.0.1", login.served.port))
    plain.sendall(
        f"GET /api/v1/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        f"Authorization: Bearer {login.token}\r\n\r\n".encode()
    )
    assert plain.recv(65536).startswith(b"HTTP/1.1 101")
    for _ in range(ASKED):  # each by itself: what is asked for together is answered once
        plain.sendall(masked({"type": "subscribe", "topic": f"table:{TABLE}"}))
        time.sleep(ASK_SECONDS)
    return plain


def masked(message: Message) -> bytes:
    """Return a message as a client's frame, with a mask of zeros."""
    text = json.dumps(message).encode()
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text


def closed(plain: sockets.socket) -> bytes:
    """Read what is left until the connection is closed; return it."""
    plain.settimeout(0.5)
    found = b""
    with plain, contextlib.suppress(ConnectionResetError):
        while data := plain.recv(65536):
            found += data
    return found


def test_who_does_not_read_is_closed_and_others_go_on(floor: Served) -> None:
    async def run() -> None:
        names = [f"patron-{number:02}" for number in range(1, 11)]
        async with signed_in(floor, *names) as people:
            silent = [await asyncio.to_thread(deaf, people[number]) for number in (3, 7)]
            started = asyncio.get_running_loop().time()
            listening = asyncio.create_task(listen(people[0], SLOW_SECONDS))
            others = [asyncio.create_task(listen(one, SLOW_SECONDS)) for one in people[1:3]]
            for _ in range(3):  # something happens all the while
                await people[8].sit(TABLE, 9, CREDIT_CENTS)
                await people[8].leave(TABLE)
            everybody = [await listening, *[await one for one in others]]
            assert asyncio.get_running_loop().time() - started >= SLOW_SECONDS
            for plain in silent:
                rest = await asyncio.to_thread(closed, plain)
                assert 0 < rest.count(b'"type":"snapshot"') < ASKED
            begun, ended = (max(one[0] for one in everybody), min(one[-1] for one in everybody))
            heard = [[at for at in one if begun <= at <= ended] for one in everybody]
            assert len(heard[0]) > 3
            assert heard[1:] == heard[:-1]

    asyncio.run(run())


async def listen(login: Login, seconds: float) -> list[int]:
    """Hear of a table for a while; return the sequences of its changes, which rise."""
    heard: list[int] = []
    async with login.socket() as socket:
        await socket.say({"type": "subscribe", "topic": f"table:{TABLE}"})
        assert (await socket.hear())["type"] == "snapshot"
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds + 1):
                while True:
                    message = await socket.hear()
                    assert message["type"] == "change"
                    heard.append(message["sequence"])
    assert heard == sorted(heard)
    return heard


def test_who_pauses_gets_what_was_missed(floor: Served) -> None:
    async def run() -> None:
        async with signed_in(floor, "patron-15") as (login,):
            plain = await asyncio.to_thread(deaf, login)
            await asyncio.sleep(2.0)
            plain.settimeout(5.0)
            data = b""
            with plain:
                plain.sendall(masked({"type": "ping", "n": ASKED}))
                while b'"type":"pong"' not in data:
                    data += await asyncio.to_thread(plain.recv, 65536)
            assert b'"type":"bye"' not in data
            whole = unframe(data)[:-1]  # the last may be cut
            heard = [json.loads(one) for one in whole if b'"view"' in one]
            # Some snapshots waited for room, and came as one: that of the newest state.
            assert 1 < sum(one["type"] == "snapshot" for one in heard) < ASKED
            sequences = [one["sequence"] for one in heard]
            assert sequences == sorted(sequences)

    asyncio.run(run())
