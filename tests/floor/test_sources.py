"""Where the cards come from: a sealed shoe, a scanner, a keyboard.

Of a sealed shoe nobody can read, or say, a card before it is dealt.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sqlite3
import time
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from croupier.floor.desk import Reply, Request
from croupier.floor.sources import DeviceSource, SealedSource
from croupier.journal.errors import JournalError
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.seal import KeyBox
from croupier.journal.shoes import CardOpened, ShoeOpened, ShoeSealed
from croupier.journal.sqlite import SqliteStore
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS, find_game
from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.rules.shoe import Composition, Shoe
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.refusals import Code
from croupier.table.roles import Patron, Staff
from croupier.table.rulings import Situation
from croupier.table.settings import Device
from croupier.table.state import Phase
from tests.floor.rounds import (
    SCRIPTS,
    Life,
    People,
    Script,
    check_all,
    events_of,
    looped,
    script,
    settings_for,
)
from tests.table.floor import DEALER, MANAGER, SECOND

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.floor.desk import Desk
    from croupier.journal.store import Store

STREAM = "table:1"
PATRON = Patron("ann")
SEALED = {
    name: one._replace(cards=(), rounds=3)
    for name, one in SCRIPTS.items()
    if name in ("baccarat", "baccarat-A", "fa-fa-fabulous-4", "power-98", "tiger")
}
"""Games of every rulebook with dealing, whose cards come from a sealed shoe."""


SEED = 20
"""Every source of these tests shuffles its first shoe into the same order."""


def planted_order(game: str) -> list[str]:
    full = Shoe.of(Composition.full(find_game(game).deck, 8))
    return [card.text for card in full.shuffled(Random(SEED).randrange)]


def sealed(store: Store, folder: Path) -> SealedSource:
    return SealedSource(store, KeyBox(folder / "keys"), Random(SEED).randrange)


# A sealed shoe


@pytest.mark.parametrize("name", SEALED)
@looped
async def test_the_cards_of_a_sealed_shoe_come_in_its_order(tmp_path: Path, name: str) -> None:
    store = MemoryStore()
    people = People(SEALED[name])
    desk = await Life(store, sealed(store, tmp_path)).start()
    await people.play(desk)
    played = await check_all(store, people)
    dealt = [card for one in played for card in one.cards]
    order = planted_order(SEALED[name].game)
    assert dealt == order[: len(dealt)]
    events = await events_of(store, STREAM)
    assert sum(isinstance(event, e.CardExposed) for event in events) == len(dealt) > 11
    await desk.close()


@pytest.mark.parametrize("where", ["before", "after"])
@looped
async def test_after_a_restart_the_same_card_comes_again_and_no_other(
    tmp_path: Path, where: str
) -> None:
    """A failure around a draw is no way to get another card, or to skip one."""
    path = tmp_path / "journal.sqlite"
    order = planted_order("baccarat")
    people = People(SEALED["baccarat"]._replace(withdraws=()))
    for number in range(1, 5):
        store = await SqliteStore.open(path)
        life = Life(store, sealed(store, tmp_path))
        desk = await life.start()
        await people.play(desk, number - 1 if number > 1 else Phase.CLOSED)
        if where == "after":
            draw = people.next(desk.table)[0]
            assert isinstance(draw.command, c.DrawCard)
            await desk.submit(draw)
            people.open[draw.command_id] = draw
        await life.drop()
        await store.close()
    store = await SqliteStore.open(path)
    desk = await Life(store, sealed(store, tmp_path)).start()
    await people.play(desk)
    played = await check_all(store, people)
    assert [card for one in played for card in one.cards] == order[
        : sum(len(one.cards) for one in played)
    ]
    await desk.close()
    await store.close()


@looped
async def test_every_exposed_card_is_opened_and_the_rest_at_the_end_of_the_shoe(
    tmp_path: Path,
) -> None:
    store = MemoryStore()
    people = People(SEALED["fa-fa-fabulous-4"])
    desk = await Life(store, sealed(store, tmp_path)).start()
    await people.play(desk)
    events = await events_of(store, STREAM)
    order = planted_order("fa-fa-fabulous-4")
    number = 0
    for event, following in pairwise(events):
        if isinstance(event, e.CardExposed):
            assert isinstance(following, CardOpened)
            assert (following.number, following.card) == (number, event.card)
            number += 1
    opened = events[-1]
    assert isinstance(opened, ShoeOpened)
    rest = {int(at): card for at, (card, _) in opened.cards.items()}
    assert sorted(rest) == list(range(number, len(order)))
    assert [rest[n] for n in sorted(rest)] == order[number:]
    await desk.close()


@looped
async def test_the_root_is_journalled_before_bets_open(tmp_path: Path) -> None:
    store = MemoryStore()
    people = People(SEALED["tiger"])
    desk = await Life(store, sealed(store, tmp_path)).start()
    await people.play(desk, Phase.OPEN)
    kinds = [type(event) for event in await events_of(store, STREAM)]
    assert kinds.index(ShoeSealed) < kinds.index(e.BetsOpened)
    assert kinds.index(ShoeSealed) == kinds.index(e.ShoeLoaded) + 1
    await desk.close()


@looped
async def test_without_its_key_a_shoe_gives_no_card_and_the_desk_says_so(
    tmp_path: Path,
) -> None:
    store = MemoryStore()
    people = People(SEALED["baccarat"])
    life = Life(store, sealed(store, tmp_path))
    await people.play(await life.start(), Phase.CLOSED)
    await life.drop()
    for key in (tmp_path / "keys").iterdir():
        key.unlink()
    desk = await Life(store, sealed(store, tmp_path)).start()
    await people.play(desk, Phase.CLOSED)
    with pytest.raises(JournalError, match="There is no key for shoe first/"):
        await people.play(desk)
    # Who drew is told, and nobody else is stopped.
    draw = Request("draw", DEALER, c.DrawCard())
    late = Request("late", PATRON, c.PlaceWager("ann", "tie", 10_00))
    failed, reply = await asyncio.gather(
        desk.submit(draw), desk.submit(late), return_exceptions=True
    )
    assert isinstance(failed, JournalError)
    assert isinstance(reply, Reply)
    assert reply.refusal is not None
    assert reply.refusal.code is Code.BETS_CLOSED
    events = await events_of(store, STREAM)
    assert not any(isinstance(event, e.CardDrawn) for event in events)
    await desk.close()


@looped
async def test_a_key_folder_that_is_away_for_a_moment_stops_nobody(tmp_path: Path) -> None:
    store = MemoryStore()
    desk = await dealt(store, tmp_path, Phase.CLOSED)
    (tmp_path / "keys").rename(tmp_path / "away")
    (tmp_path / "keys").write_text("no folder", encoding="utf-8")
    with pytest.raises(JournalError, match="cannot be read: Not a directory"):
        await desk.submit(Request("draw", DEALER, c.DrawCard()))
    (tmp_path / "keys").unlink()
    (tmp_path / "away").rename(tmp_path / "keys")
    assert (await desk.submit(Request("draw", DEALER, c.DrawCard()))).accepted
    await desk.close()


@looped
async def test_a_sealed_shoe_is_not_served_by_a_scanner(tmp_path: Path) -> None:
    store = MemoryStore()
    await (await dealt(store, tmp_path, Phase.OPEN)).close()
    with pytest.raises(JournalError, match="The sealed shoe first is in play at table 1;"):
        await Life(store, DeviceSource()).start()


@looped
async def test_a_shoe_of_paper_is_ended_wherever_the_next_ones_come_from(
    tmp_path: Path,
) -> None:
    store = MemoryStore()
    people = People(SCRIPTS["baccarat"])
    desk = await Life(store, DeviceSource()).start()
    await people.play(desk, Phase.OPEN)
    await desk.close()
    desk = await Life(store, sealed(store, tmp_path)).start()
    await people.play(desk)
    events = await events_of(store, STREAM)
    assert not any(isinstance(event, ShoeOpened) for event in events)
    assert (await verify(store, RULEBOOKS)).findings == []
    await desk.close()


# Nobody puts a face on a sealed card


async def dealt(store: Store, folder: Path, until: Phase | int, name: str = "baccarat") -> Desk:
    desk = await Life(store, sealed(store, folder)).start()
    await People(SEALED[name]).play(desk, until)
    return desk


@looped
async def test_a_face_that_comes_with_a_draw_is_not_the_face_of_the_card(
    tmp_path: Path,
) -> None:
    store = MemoryStore()
    desk = await dealt(store, tmp_path, Phase.CLOSED)
    order = planted_order("baccarat")
    for number in range(4):
        wrong = "AS" if order[number] != "AS" else "2S"
        asked = Request(f"draw-{number}", DEALER, c.DrawCard(), cards=(wrong,))
        assert (await desk.submit(asked)).accepted
    assert desk.table.round is not None
    assert [str(card.card) for card in desk.table.round.cards] == order[:4]
    assert (await verify(store, RULEBOOKS)).findings == []
    await desk.close()


class Watched(SealedSource):
    """A sealed source that notes which cards are looked at."""

    def __init__(self, store: Store, folder: Path) -> None:
        super().__init__(store, KeyBox(folder / "keys"), Random(SEED).randrange)
        self.looked: list[int] = []

    async def card(self, seal: ShoeSealed, number: int) -> str | None:
        self.looked.append(number)
        return await super().card(seal, number)


TOGETHER = c.report(Situation.DRAWN_TOGETHER, count=6, order_known=True)
UNDUE: dict[str, tuple[Phase | int, Patron | Staff, c.Command]] = {
    "patron draws": (Phase.OPEN, PATRON, c.DrawCard()),
    "patron draws in time": (Phase.CLOSED, PATRON, c.DrawCard()),
    "dealer draws early": (Phase.OPEN, DEALER, c.DrawCard()),
    "dealer draws a seventh": (Phase.RESULT, DEALER, c.DrawCard()),
    "patron reports": (Phase.OPEN, PATRON, c.report(Situation.DRAWN_TOGETHER, count=10**9)),
    "dealer reports early": (Phase.OPEN, DEALER, TOGETHER),
    "dealer reports in time": (Phase.CLOSED, DEALER, TOGETHER),
    "dealer reports in a round": (3, DEALER, TOGETHER),
    "dealer reserves": (3, DEALER, c.ReserveCards()),
}


@pytest.mark.parametrize("what", UNDUE)
@looped
async def test_what_is_refused_makes_nobody_look_into_the_shoe(
    tmp_path: Path, what: str
) -> None:
    until, actor, command = UNDUE[what]
    store = MemoryStore()
    source = Watched(store, tmp_path)
    desk = await Life(store, source).start()
    await People(SEALED["baccarat"]).play(desk, until)
    source.looked.clear()
    reply = await desk.submit(Request("undue", actor, command))
    assert reply.refusal is not None
    assert source.looked == []
    if command is TOGETHER and until is not Phase.OPEN:
        assert reply.refusal.code is Code.DEVICE_CANNOT
        assert "one by one" in reply.refusal.sentence
    bodies = [record.body for record in await store.read(STREAM)]
    out = desk.table.shoe.out if desk.table.shoe else 0
    assert faces_told(bodies, planted_order("baccarat")) == set(planted_order("baccarat")[:out])
    await desk.close()


@looped
async def test_a_shoe_is_not_sealed_again_for_a_command_answered_long_ago(
    tmp_path: Path,
) -> None:
    store = MemoryStore()
    life = Life(store, sealed(store, tmp_path))
    desk = await life.start()
    await People(SEALED["baccarat"]).play(desk, Phase.OPEN)
    decisions = [one async for one in decisions_of(store, STREAM)]
    load = next(one for one in decisions if isinstance(one.command, c.LoadShoe))
    await life.drop()
    keys = len(list((tmp_path / "keys").iterdir()))
    desk = await Life(store, sealed(store, tmp_path)).start()
    again = Request(load.command_id, DEALER, c.LoadShoe("first"))
    assert await desk.submit(again) == Reply(load.sequence)
    assert len(list((tmp_path / "keys").iterdir())) == keys
    await desk.close()


@looped
async def test_a_card_of_a_sealed_shoe_is_corrected_to_no_other_face(tmp_path: Path) -> None:
    store = MemoryStore()
    desk = await dealt(store, tmp_path, 1)
    order = planted_order("baccarat")
    correct = c.CorrectCard(Position.P1, "misread")
    asked = Request("x", MANAGER, correct, approver=SECOND, cards=("AS",))
    reply = await desk.submit(asked)
    assert reply.refusal is not None
    assert desk.table.round is not None
    assert str(desk.table.round.cards[0].card) == order[0]
    await desk.close()


# Nobody reads a sealed card


def traces(order: list[str], text: bytes) -> set[tuple[str, ...]]:
    """Return runs of three cards of an order, or of its reverse, that lie in the open."""
    runs = set(zip(order, order[1:], order[2:], strict=False))
    face = "(" + "|".join(sorted({re.escape(one) for one in order})) + ")"
    near = r"[^0-9A-Za-z]{0,4}"
    pattern = re.compile(f"(?={face}{near}{face}{near}{face})".encode())
    found = {tuple(one.decode() for one in run) for run in pattern.findall(text)}
    return {run for run in found if run in runs or run[::-1] in runs}


def files(folder: Path) -> list[bytes]:
    """Return what is in every file of a folder."""
    return [file.read_bytes() for file in folder.iterdir() if file.is_file()]


def rows(path: Path) -> bytes:
    """Return every value of every table, as it is."""
    connection = sqlite3.connect(path)
    try:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        tables = [connection.execute(f"SELECT * FROM {name}") for (name,) in names.fetchall()]  # noqa: S608
        values = [value for table in tables for row in table for value in row]
    finally:
        connection.close()
    assert len(tables) >= 6
    return b"\n".join(one if isinstance(one, bytes) else str(one).encode() for one in values)


def faces_told(texts: list[bytes], order: list[str]) -> set[str]:
    """Return all faces that bodies and results have as values."""
    faces = "|".join(re.escape(json.dumps(face)) for face in set(order))
    found = re.compile(f"[:,[]({faces})[],}}]".encode()).findall(b"\n".join(texts))
    return {json.loads(one) for one in found}


@pytest.mark.parametrize("name", SEALED)
@looped
async def test_no_order_of_an_undealt_shoe_is_anywhere_before_it_is_dealt(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    name: str,
) -> None:
    """A canary: a known shoe is planted, and looked for in everything that is kept or told."""
    caplog.set_level(logging.DEBUG)
    path = tmp_path / "journal.sqlite"
    order = planted_order(SEALED[name].game)
    store = await SqliteStore.open(path)
    people = People(SEALED[name])
    life = Life(store, sealed(store, tmp_path))
    desk = await life.start()
    for until in (Phase.OPEN, Phase.CLOSED, 1, 3, 4, Phase.RESULT):
        await people.play(desk, until)
        assert desk.table.shoe is not None
        dealt, hidden = order[: desk.table.shoe.out], order[desk.table.shoe.out :]
        told = [caplog.text, repr(people.replies), repr(desk.table), *capfd.readouterr()]
        for text in (*files(tmp_path), rows(path), *(one.encode() for one in told)):
            assert traces(hidden, text) == set()
        bodies = [record.body for record in await store.read(STREAM)]
        assert faces_told(bodies, order) == set(dealt)
    # It would have been found: at the end of the shoe the rest is opened, in its order.
    await people.play(desk)
    last = (await store.read(STREAM))[-1]
    assert faces_told([last.body], order) == set(order)
    opened = msgspec.json.decode(last.body)["house"]["ended"]["cards"]
    rest = " ".join(opened[str(number)][0] for number in sorted(map(int, opened)))
    assert len(traces(order, rest.encode())) > 300
    await desk.close()
    await store.close()


@pytest.mark.parametrize("game", ["baccarat", "fa-fa-fabulous-4"])
@looped
async def test_sealed_cards_of_the_same_face_look_like_any_others(
    tmp_path: Path, game: str
) -> None:
    """Neither their lengths nor their bytes tell which cards are alike."""
    store = MemoryStore()
    source = sealed(store, tmp_path)
    made = await source.load("first", find_game(game).deck, 8)
    kept = [await store.sealed(made.seal, number) for number in range(made.cards)]
    assert len({len(card) for card in kept}) == 1
    assert len(set(kept)) == made.cards
    # A second shoe of the same order has nothing in common with the first.
    other = await sealed(store, tmp_path).load("first", find_game(game).deck, 8)
    assert other.root != made.root
    again = [await store.sealed(other.seal, number) for number in range(other.cards)]
    assert not set(kept) & set(again)


@looped
async def test_a_shoe_that_was_made_ready_twice_is_sealed_twice(tmp_path: Path) -> None:
    """A failure while a shoe is loaded leaves one that nobody uses, and another comes."""
    store = MemoryStore()
    people = People(SEALED["baccarat"])
    life = Life(store, sealed(store, tmp_path))
    desk = await life.start()
    await desk.submit(people.next(desk.table)[0])
    await desk.source.load("first", find_game("baccarat").deck, 8, physical=False)
    await life.drop()
    desk = await Life(store, sealed(store, tmp_path)).start()
    await people.play(desk)
    await check_all(store, people)
    events = await events_of(store, STREAM)
    assert sum(isinstance(event, ShoeSealed) for event in events) == 1
    assert len(list((tmp_path / "keys").glob("*.key"))) == 2
    await desk.close()


# Cards of paper


@looped
async def test_a_scanner_s_faces_come_with_the_commands_and_nothing_is_sealed() -> None:
    store = MemoryStore()
    people = People(SCRIPTS["baccarat"])
    desk = await Life(store, DeviceSource()).start()
    await people.play(desk)
    played = await check_all(store, people)
    assert played[0].cards == SCRIPTS["baccarat"].cards
    events = await events_of(store, STREAM)
    shoe = next(event for event in events if isinstance(event, ShoeSealed))
    assert (shoe.source, shoe.root, shoe.cards) == ("device", None, 416)
    assert not any(isinstance(event, CardOpened | ShoeOpened) for event in events)
    await desk.close()


class KeyedIn(People):
    """A table whose device reads nothing: each face is keyed in when its card is exposed."""

    def __init__(self, script: Script) -> None:
        super().__init__(script)
        self._faces_left: dict[Position, str] = {}

    def _faces(self, table: Any, command: c.Command) -> tuple[str, ...]:  # noqa: ANN401
        if not isinstance(command, c.ExposeCard):
            return ()
        places = [card.position for card in table.round.cards]
        return (self.script.cards[places.index(command.position)],)


@looped
async def test_faces_are_keyed_in_when_the_device_reads_nothing(tmp_path: Path) -> None:
    device = Device(reads_cards=False, physical=True)
    one = script("baccarat", "A")
    people = KeyedIn(one._replace(settings=settings_for("baccarat", "A", device=device)))
    path = tmp_path / "journal.sqlite"
    store = await SqliteStore.open(path)
    desk = await Life(store, DeviceSource()).start()
    await people.play(desk, 4)
    drawn = [one for one in await events_of(store, STREAM) if isinstance(one, e.CardDrawn)]
    assert [card.card for card in drawn] == [None] * 4
    first = Request("first", DEALER, c.ChooseFirstHand(Side.PLAYER))
    assert (await desk.submit(first)).accepted
    missing = await desk.submit(Request("x", DEALER, c.ExposeCard(Position.P1)))
    assert missing.refusal is not None
    await people.play(desk)
    played = await check_all_but(store, people, ("first", "x"))
    assert played == one.cards
    await desk.close()
    await store.close()


async def check_all_but(
    store: Store, people: People, others: tuple[str, ...]
) -> tuple[str, ...]:
    """Check everything where the test itself asked for something too."""
    for name in others:
        assert await store.find([(STREAM, "staff:Dan", name)])
    played = await check_all(store, people, others)
    return played[0].cards


@looped
async def test_a_source_that_fails_lets_nobody_wait_and_stops_nobody_else() -> None:
    """A scanner that breaks is no reason to let anybody wait for ever, or to close a table."""

    class Broken(DeviceSource):
        async def load(self, *_: object, **__: object) -> Any:  # noqa: ANN401
            message = "the scanner does not answer"
            raise OSError(message)

    store = MemoryStore()
    people = People(SCRIPTS["baccarat"])
    desk = await Life(store, Broken()).start()
    opening = people.next(desk.table)[0]
    loading = Request("load", DEALER, c.LoadShoe("first"))
    seat = Request("seat", DEALER, c.TakeSeat("ann", 1))
    told = await asyncio.gather(
        *[desk.submit(one) for one in (opening, loading, seat)], return_exceptions=True
    )
    # Behind the start: opened, and seated; nothing is written of what the scanner was to do.
    assert (told[0], told[2]) == (Reply(2), Reply(3))
    assert isinstance(told[1], JournalError)
    assert "the scanner does not answer" in str(told[1])
    with pytest.raises(JournalError, match="the scanner does not answer"):
        await desk.submit(loading)
    assert await desk.submit(seat) == Reply(3)
    assert (await store.head(STREAM)).sequence == 3
    people.open[opening.command_id] = opening
    await desk.close()
    again = await Life(store).start()
    await people.play(again)
    await check_all(store, people, ("seat",))
    await again.close()


class SlowKeys(KeyBox):
    """Keys on a disk that takes its time."""

    def make(self, shoe: str) -> bytes:
        time.sleep(0.3)
        return super().make(shoe)


@looped
async def test_a_new_shoe_of_one_table_stalls_no_other(tmp_path: Path) -> None:
    """Neither its key, which waits for the disk, nor its cards, which are encrypted."""
    source = SealedSource(MemoryStore(), SlowKeys(tmp_path / "keys"))
    loading = asyncio.create_task(source.load("1", find_game("tiger").deck, 8))
    longest, before = 0.0, time.monotonic()
    while not loading.done():
        await asyncio.sleep(0.001)
        now = time.monotonic()
        longest, before = max(longest, now - before), now
    assert (await loading).cards == 416
    assert longest < 0.2
