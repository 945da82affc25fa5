"""Topics of tables: whoever hears of one has its view, also who comes and goes, or is slow.

A game is played at one table while ears of every audience listen, leave, come back, and stop
reading at random. Each is a fold of what it heard, and must see what the table is.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections import deque
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from websockets.protocol import State

from croupier.accounts.commands import UserKind
from croupier.client.folding import fold
from croupier.floor import live, rings, topics
from croupier.floor.desk import Desk
from croupier.floor.framing import unframe
from croupier.floor.lobby import LobbyTopic
from croupier.floor.reception import Asker
from croupier.floor.rings import Walker
from croupier.floor.sources import DeviceSource
from croupier.floor.topics import TableTopic
from croupier.journal.memory import MemoryStore
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table.roles import HousePosition, HouseStaff, Patron, Staff, StaffPosition
from croupier.table.views.hearing import Audience
from croupier.table.views.projection import Projection
from tests.floor.rounds import SCRIPTS, Clock, People, looped

if TYPE_CHECKING:
    from croupier.journal.writer import Landed
    from croupier.table.roles import Actor

TICK_SECONDS = 0.005
NEVER_SECONDS = 3600.0
GAMES = ("tiger", "baccarat", "baccarat-A", "fa-fa-fabulous-4", "power-98")
OWN = {"own"}


def asker(name: str, kind: UserKind, actor: Actor, audience: Audience) -> Asker:
    return Asker(name, kind, actor, None, audience)


def staff(name: str, position: StaffPosition, audience: Audience) -> Asker:
    return asker(name, UserKind.STAFF, Staff(name, position), audience)


ANN = asker("ann", UserKind.PATRON, Patron("ann"), Audience.PATRON)
BOB = asker("bob", UserKind.PATRON, Patron("bob"), Audience.PATRON)
AUDITOR = asker(
    "Ada", UserKind.AUDITOR, HouseStaff("Ada", HousePosition.AUDITOR), Audience.AUDITOR
)
CASHIER = asker(
    "Cas", UserKind.STAFF, HouseStaff("Cas", HousePosition.CASHIER), Audience.PUBLIC
)
DEALER = staff("Dan", StaffPosition.DEALER, Audience.DEALER)
SUPERVISOR = staff("Sue", StaffPosition.PIT_SUPERVISOR, Audience.PIT)
MANAGER = staff("Max", StaffPosition.PIT_MANAGER, Audience.PIT)
EVERYBODY = (ANN, BOB, AUDITOR, CASHIER, DEALER, SUPERVISOR, MANAGER)


class Wire:
    """What a socket writes to."""

    def __init__(self) -> None:
        self.written: list[bytes] = []

    def writelines(self, parts: list[bytes]) -> None:
        self.written += parts

    def is_closing(self) -> bool:
        return False

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def abort(self) -> None:
        pass


class Ear(live.Client):
    """A socket without a network: it folds what it hears, and checks the order of it."""

    def __init__(self, room: Room, who: Asker) -> None:
        super().__init__(None, SimpleNamespace(connections=set()), None)
        self.room, self.asker, self.open = room, who, True
        self.floor = room  # type: ignore[assignment, misc]  # as much of one as it takes
        self.wire.state = State.OPEN
        self.transport = self.cable = Wire()
        self.view: dict[str, Any] | None = None
        self.sequence = 0
        self.snapshots = self.changes = 0
        self.messages: list[dict[str, Any]] = []

    @property
    def listens(self) -> bool:
        return bool(self.subscriptions)

    def come(self, after: int | None = None) -> None:
        self.cable.written.clear()
        self.messages.clear()
        topic = self.room.topic
        self.subscriptions[topic.name] = (topic, topic.subscribe(self, self.asker, after))

    def go(self) -> None:
        """Leave; what is on its way is lost."""
        for topic, one in self.subscriptions.values():
            topic.unsubscribe(one)
        self.subscriptions.clear()
        self._out.clear()
        self.cable.written.clear()
        self.full = False

    def hear(self) -> None:
        """Read everything that was written."""
        written, self.cable.written = self.cable.written, []
        for text in unframe(b"".join(written)):
            self._take(json.loads(text))

    def _take(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        sequence = message["sequence"]
        if message["type"] == "snapshot":
            assert sequence >= self.sequence
            self.snapshots += 1
            self.view = message["view"]
        else:
            assert message["type"] == "change"
            own = message["view"].keys() <= OWN and not message["events"]
            assert sequence >= self.sequence if own else sequence > self.sequence, message
            assert self.view is not None
            self.changes += 1
            self.view = fold(self.view, message["view"])
        self.sequence = sequence


class Room:
    """A table on a store in memory, with its topic; as much of a floor as ears need."""

    def __init__(self, name: str, tick_seconds: float, rounds: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.writer = Writer(MemoryStore(), clock=Clock(), subscribers=(self._committed,))
        self.desk = Desk(self.writer, "1", RULEBOOKS, DeviceSource())
        self.people = People(SCRIPTS[name]._replace(rounds=rounds))
        self.walker = Walker(self.loop)
        self.hub = SimpleNamespace(walker=self.walker, full={})
        self.topic: Any = None
        self._tick_seconds = tick_seconds

    def _committed(self, landed: Landed) -> None:
        if self.topic is not None:
            self.topic.happened(landed)

    async def start(self) -> None:
        await self.desk.start()
        self.topic = TableTopic(self.desk, self.walker, self._tick_seconds)

    async def step(self) -> bool:
        """Let people do what comes next, all at once; tell whether there was anything."""
        burst = self.people.next(self.desk.table)
        for one in burst:
            await self.people.ask(self.desk, one)
        return bool(burst)

    async def settle(self) -> None:
        """Let everything be announced, and every walk come to its end."""
        self.topic._seen()  # noqa: SLF001  # as whoever reads the table does
        walker: Any = self.walker
        # A tick that fell due takes turns of its own, so that they cannot be counted before.
        while walker._turns or walker._due or walker._scheduled:  # noqa: ASYNC110, SLF001
            await asyncio.sleep(0)

    def view(self, who: Asker) -> dict[str, Any]:
        """Return what somebody sees of the table, from scratch."""
        state = self.desk.seat.state
        position = who.position if isinstance(who.position, StaffPosition) else None
        shown = Projection(state.table, state.held_since, self.writer.clock())
        view = shown.view(who.audience, who.patron or "", position)
        found: dict[str, Any] = json.loads(msgspec.json.encode(view))
        return found


def check(room: Room, ear: Ear) -> None:
    """Check that somebody who heard everything sees what the table is."""
    ear.hear()
    assert ear.sequence <= room.desk.seat.sequence  # of some records nobody hears
    assert ear.view == room.view(ear.asker)


def shake(ear: Ear, chance: Random) -> None:
    """Let something happen to somebody's connection."""
    turn = chance.random()
    if not ear.listens:
        if turn < 0.5:
            ear.come(ear.sequence if ear.view is not None and turn < 0.45 else None)
    elif turn < 0.15:
        ear.hear()
        ear.go()
    elif turn < 0.2:
        ear.go()  # with what was written and not read
    elif turn < 0.3 and not ear.full:
        ear.pause_writing()
    elif turn < 0.6 and ear.full:
        ear.resume_writing()
    elif turn < 0.8:
        ear.hear()


def back(ear: Ear) -> None:
    """Let somebody listen again, from where they were."""
    if ear.full:
        ear.resume_writing()
    if not ear.listens:
        ear.come(ear.sequence if ear.view is not None else None)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", GAMES)
@looped
async def test_whoever_comes_and_goes_sees_what_the_table_is(name: str, seed: int) -> None:
    chance = Random(f"{name} {seed}")
    room = Room(name, TICK_SECONDS, rounds=3)
    await room.start()
    ears = [Ear(room, who) for who in EVERYBODY for _ in range(2)]
    while await room.step():
        for ear in ears:
            shake(ear, chance)
        if chance.random() < 0.5:
            await asyncio.sleep(chance.choice((0, 0, TICK_SECONDS, 2 * TICK_SECONDS)))
        if chance.random() < 0.2:
            await room.settle()
            for ear in ears:
                if ear.listens and not ear.full:
                    check(room, ear)
    for ear in ears:
        back(ear)
    await room.settle()
    for ear in ears:
        check(room, ear)
    # Most came back to what they missed, and some to a snapshot.
    assert sum(ear.changes for ear in ears) > 5 * sum(ear.snapshots for ear in ears) > 0
    await room.desk.close()


@pytest.mark.parametrize(
    "who", [CASHIER, DEALER, SUPERVISOR, AUDITOR], ids=lambda one: one.name
)
@looped
async def test_whoever_comes_back_gets_exactly_what_was_missed(
    who: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From every record on: the same messages as somebody who never left."""
    monkeypatch.setattr(rings, "KEPT_BYTES", 1 << 20)
    room = Room("baccarat", NEVER_SECONDS, rounds=1)
    await room.start()
    twin = Ear(room, who)
    twin.come()
    while await room.step():
        await room.settle()
    twin.hear()
    assert twin.snapshots == 1
    changes = twin.messages[1:]
    first = twin.messages[0]["sequence"]
    for after in range(room.desk.seat.sequence + 1):
        ear = Ear(room, who)
        ear.come(after)
        await asyncio.sleep(0)
        ear.view = {}
        ear.hear()
        if after < first:
            assert [one["type"] for one in ear.messages] == ["snapshot"]
        else:
            assert ear.messages == [one for one in changes if one["sequence"] > after]
        ear.go()
    await room.desk.close()


@pytest.mark.parametrize(
    ("who", "kept_seconds", "kind"),
    [
        (CASHIER, 30.0, "change"),
        (ANN, 30.0, "change"),
        (CASHIER, 0.0, "snapshot"),
        (DEALER, 30.0, "snapshot"),
    ],
    ids=["public", "patron", "too late", "staff"],
)
@looped
async def test_the_last_who_left_goes_on_from_there_for_a_while(
    who: Asker, kept_seconds: float, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is loaded anew, or all sockets broke: of what is public nothing is missed."""
    monkeypatch.setattr(topics, "LEFT_SECONDS", kept_seconds)
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    ear = Ear(room, who)
    ear.come()
    for _ in range(4):
        assert await room.step()
        await room.settle()
    ear.hear()
    ear.go()
    left = ear.sequence
    for _ in range(4):
        assert await room.step()
        await asyncio.sleep(0.01)  # nobody reads it, so nothing but the topic itself follows
    ear.come(left)
    await room.settle()
    ear.hear()
    assert [one["type"] for one in ear.messages[:1]] == [kind]
    assert all(one["sequence"] >= left for one in ear.messages)
    check(room, ear)
    await room.desk.close()


@looped
async def test_what_left_the_ring_and_what_nobody_wrote_yet_is_a_snapshot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rings, "KEPT", 4)
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    twin, slow = Ear(room, CASHIER), Ear(room, ANN)
    twin.come()
    slow.come()
    await asyncio.sleep(0)
    slow.hear()
    slow.pause_writing()
    while await room.step():
        await room.settle()
    twin.hear()
    kept = [one["sequence"] for one in twin.messages[-4:]]
    ring = next(iter(room.topic._rings.values()))  # noqa: SLF001  # what is kept is bounded
    assert len(ring._entries) == 4  # noqa: SLF001
    for after, kind in (
        (kept[0] - 1, "change"),
        (twin.messages[-6]["sequence"], "snapshot"),
        (room.desk.seat.sequence + 1, "snapshot"),
    ):
        ear = Ear(room, CASHIER)
        ear.come(after)
        ear.view = {}
        await asyncio.sleep(0)
        ear.hear()
        assert ear.messages[0]["type"] == kind
    # Who stopped reading gets a snapshot in place of what left the ring, and nothing twice.
    slow.messages.clear()
    slow.resume_writing()
    slow.hear()
    assert [one["type"] for one in slow.messages] == ["snapshot"]
    check(room, slow)
    await room.desk.close()


@looped
async def test_whoever_is_far_behind_gets_a_snapshot_that_is_shorter_than_all_the_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rings, "KEPT_BYTES", 8_000)
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    near, far = Ear(room, ANN), Ear(room, CASHIER)
    for ear in (near, far):
        ear.come()
        await room.settle()
        ear.hear()
        ear.pause_writing()
    steps = 0
    while await room.step():
        await room.settle()
        steps += 1
        if steps % 2 == 0:
            near.resume_writing()
            near.hear()
            near.pause_writing()
    assert near.snapshots == 1
    far.resume_writing()
    far.hear()
    assert (far.snapshots, far.changes) == (2, 0)
    check(room, far)
    await room.desk.close()


@looped
async def test_subscribing_again_and_again_is_one_snapshot_and_none_without_room() -> None:
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    ear = Ear(room, ANN)

    def subscribe_often() -> None:
        for _ in range(50):
            for topic, one in ear.subscriptions.values():
                topic.unsubscribe(one)
            ear.come()

    subscribe_often()
    await asyncio.sleep(0)
    assert len(ear.cable.written) == 1
    ear.hear()
    ear.pause_writing()
    subscribe_often()
    await asyncio.sleep(0)
    assert not ear.cable.written
    ear.resume_writing()
    ear.hear()
    assert ear.snapshots == 2
    check(room, ear)
    await room.desk.close()


@looped
async def test_the_own_part_comes_at_once_and_others_hear_of_wagers_by_the_tick() -> None:
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    while not room.desk.table.stakes:
        await room.step()
        if room.topic._projection is None:  # noqa: SLF001  # the first step of all
            ann, other = Ear(room, ANN), Ear(room, CASHIER)
            ann.come()
            other.come()
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    ann.hear()
    other.hear()
    assert ann.view is not None
    own = [stake.number for stake in room.desk.table.stakes if stake.share("ann")]
    assert [one["number"] for one in ann.view["own"]["stakes"]] == own
    # The call went to everybody at once; wagers wait together for the tick behind it.
    assert other.view is not None
    assert other.view["phase"] == "OPEN"
    assert other.view["areas"] == {}
    assert ann.sequence < room.desk.seat.sequence
    # Who leaves now has not heard of what waits, and gets it with the next word.
    ann.go()
    ann.come(ann.sequence)
    await room.settle()
    check(room, ann)
    check(room, other)
    assert ann.snapshots == 1
    await room.desk.close()


@looped
async def test_staff_who_come_while_wagers_wait_disturb_nobody() -> None:
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    first = Ear(room, ANN)
    first.come()
    while not room.desk.table.stakes:
        await room.step()
    assert room.topic._held  # noqa: SLF001  # or this shows nothing
    late = [Ear(room, who) for who in (MANAGER, SUPERVISOR, DEALER, AUDITOR)]
    for ear in late:
        ear.come()
    while await room.step():
        await room.settle()
    for ear in (first, *late):
        check(room, ear)
    await room.desk.close()


def fails() -> None:
    message = "as of a topic with a fault"
    raise RuntimeError(message)


@looped
async def test_what_fails_for_one_client_or_one_topic_stops_no_other() -> None:
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    failed: list[str] = []
    room.loop.set_exception_handler(lambda _, context: failed.append(context["message"]))
    await room.start()
    ears = [Ear(room, CASHIER) for _ in range(3)]
    for ear in ears:
        ear.come()
    await asyncio.sleep(0)
    ears[1].transport = None  # whatever is written to it fails
    while await room.step():
        room.walker.at_end(fails)
        await room.settle()
    for ear in (ears[0], ears[2]):
        check(room, ear)
    assert set(failed) == {"Somebody could not be told"}
    await room.desk.close()


@looped
async def test_little_waits_in_the_process_for_a_client_that_does_not_read() -> None:
    """Whoever has not read 8 KiB beyond what the kernel keeps is written to no more."""
    room, change = Room("tiger", NEVER_SECONDS, rounds=1), bytes(1_000)
    ear = Ear(room, ANN)
    ours, theirs = socket.socketpair()
    with theirs:
        transport, _ = await room.loop.connect_accepted_socket(lambda: ear, ours)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, live.KERNEL_BYTES)
        for _ in range(1_000):
            ear.send(change)
            await asyncio.sleep(0)
        assert ear.full
        held = transport.get_write_buffer_size()
        assert 8 << 10 < held <= (8 << 10) + len(change)
        transport.abort()
        await asyncio.sleep(0)


@looped
async def test_a_client_that_does_not_read_is_told_behind_what_it_did_not_read() -> None:
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    ear = Ear(room, ANN)
    ear.come()
    await asyncio.sleep(0)
    ear.pause_writing()
    assert room.hub.full.keys() == {ear}
    ear.leave("slow", "The client did not read what was sent to it.")
    parts = deque(ear.cable.written)
    snapshot, bye = (json.loads(unframe(parts.popleft())[0]) for _ in range(2))
    assert (snapshot["type"], bye["type"], bye["code"]) == ("snapshot", "bye", "slow")
    assert parts.popleft()[0] & 0x0F == 8  # and the frame that closes
    ear.resume_writing()
    await room.step()
    await room.settle()
    assert not parts
    await room.desk.close()


@looped
async def test_of_who_asks_once_nothing_is_kept() -> None:
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    ear = Ear(room, ANN)
    ear.come()
    await room.settle()
    once = [msgspec.structs.replace(ANN, name=f"passer-{n}", actor=None) for n in range(50)]
    views = [json.loads(room.topic.view(one)) for one in (*once, ANN)]
    assert all("own" in one for one in views)
    kept = room.topic._projection._own  # noqa: SLF001  # what is followed for good
    assert list(kept) == [ANN.patron]


@looped
async def test_who_enters_the_lobby_takes_no_news_from_others() -> None:
    room = Room("tiger", NEVER_SECONDS, rounds=1)
    await room.start()
    lobby = LobbyTopic(room.walker, NEVER_SECONDS)
    numbers = SimpleNamespace(of=lambda _: 1)
    house = SimpleNamespace(tables={"1": room.desk}, clock=room.writer.clock, numbers=numbers)
    lobby.attach(house)  # type: ignore[arg-type]
    first, second = Ear(room, ANN), Ear(room, BOB)
    for ear in (first, second):
        if ear is second:
            while not room.desk.table.stakes:
                await room.step()
                lobby.happened("1", SimpleNamespace(changed=True))  # type: ignore[arg-type]
        ear.subscriptions[lobby.name] = (lobby, lobby.subscribe(ear, ear.asker, None))
    for _ in range(4):
        await asyncio.sleep(0)
    first.hear()
    second.hear()
    assert first.view == second.view
    assert first.view is not None
    assert first.view["1"]["phase"] == "OPEN"
    assert (first.snapshots, first.changes) == (1, 1)
    await room.desk.close()
