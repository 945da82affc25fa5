"""A house in a folder: journal, keys and checkpoints belong together."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from croupier.cage import commands as cage
from croupier.floor.configuration import CONFIGURATION, Configuration
from croupier.floor.desk import Desk, Request
from croupier.floor.house import (
    CHECKPOINTS,
    JOURNAL,
    SHOE_KEYS,
    SIGNING_KEY,
    SNAPSHOT_KEY,
    House,
)
from croupier.floor.sources import DeviceSource
from croupier.journal.checkpoints import CheckpointError, Checkpoints
from croupier.journal.errors import JournalError
from croupier.journal.memory import MemoryStore
from croupier.journal.sqlite import SqliteStore
from croupier.journal.tables import TableStream
from croupier.journal.verify import Verified, verify
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.roles import Patron
from croupier.table.settings import Clocks, DealtBy, Method, Settings
from croupier.table.state import Phase
from tests.floor.casino import CARA
from tests.floor.rounds import SCRIPTS, People, check_all, looped
from tests.journal.casino import bypassed
from tests.journal.conftest import postgres_dsn, postgres_server
from tests.table.floor import DEALER, MANAGER, SYSTEM

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["postgres_dsn", "postgres_server"]


async def verified_at(folder: Path) -> Verified:
    store = await SqliteStore.open(folder / JOURNAL)
    try:
        return await verify(store, RULEBOOKS)
    finally:
        await store.close()


TIGER = SCRIPTS["tiger"]._replace(cards=(), rounds=2)


@looped
async def test_a_house_keeps_everything_in_its_folder(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "house")
    await house.start(drive=False)
    people = People(TIGER)
    desk = await house.table("1")
    await people.play(desk, Phase.CLOSED)
    await house.close()
    again = await House.open(tmp_path / "house")
    await again.start(drive=False)
    assert again.signer.public == house.signer.public
    await people.play(await again.table("1"))
    await check_all(again.store, people)
    heads = await again.store.heads()
    assert again.new_name() == "2"
    await again.close()
    newest = Checkpoints(tmp_path / "house" / CHECKPOINTS).newest(house.signer.public)
    assert newest is not None
    assert newest.heads == {one.stream: (one.sequence, one.hash.hex()) for one in heads}
    modes = {
        name: (tmp_path / "house" / name).stat().st_mode & 0o777
        for name in (SHOE_KEYS, SIGNING_KEY)
    }
    assert modes == {SHOE_KEYS: 0o700, SIGNING_KEY: 0o600}


@looped
async def test_a_journal_that_was_put_back_opens_no_house(tmp_path: Path) -> None:
    people = People(TIGER)
    house = await House.open(tmp_path / "house")
    await house.start(drive=False)
    await people.play(await house.table("1"), Phase.OPEN)
    await house.close()
    shutil.copy(tmp_path / "house" / JOURNAL, tmp_path / "old")
    house = await House.open(tmp_path / "house")
    await house.start(drive=False)
    await people.play(await house.table("1"), Phase.CLOSED)
    await house.close()
    shutil.copy(tmp_path / "old", tmp_path / "house" / JOURNAL)
    with pytest.raises(CheckpointError, match="nothing starts"):
        await House.open(tmp_path / "house")


CLOCKS = Clocks(betting_ms=30_000, pause_ms=30_000, pace_ms=30_000)


async def seated(house: House, name: str, settings: Settings) -> Desk:
    """Open a table, and seat somebody with credit."""
    desk = await house.table(name)
    for number, (actor, command) in enumerate(
        (
            (MANAGER, c.OpenTable(settings)),
            (SYSTEM if settings.rulebook == "EB4" else DEALER, c.TakeSeat("ann", 1)),
            (DEALER, c.BringCredit("ann", 1_000_00)),
        )
    ):
        reply = await desk.submit(Request(f"{name}-{number}", actor, command))
        assert reply.accepted, reply.refusal
    return desk


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110  # the driver works meanwhile
            await asyncio.sleep(0.005)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(rulebook="EB4", game="tiger", clocks=CLOCKS),
        Settings(
            rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14,
            clocks=CLOCKS, dealt_by=DealtBy.HOUSE,
        ),
    ],
    ids=["electronic", "dealt by the house"],
)  # fmt: skip
@looped
async def test_a_house_that_closes_brings_its_rounds_to_their_end(
    tmp_path: Path, settings: Settings
) -> None:
    """Betting has half a minute; nobody waits for it, and nothing is interrupted."""
    house = await House.open(tmp_path / "house")
    await house.start()
    desk = await seated(house, "1", settings)
    await desk.submit(Request("call", SYSTEM, c.LoadShoe("1")))
    await desk.submit(Request("bets", SYSTEM, c.CallBets()))
    await until(lambda: desk.table.phase is Phase.OPEN)
    bet = await desk.submit(
        Request("bet", Patron("ann"), c.PlaceWager("ann", "player", 100_00))
    )
    assert bet.accepted, bet.refusal
    await house.close()
    again = await House.open(tmp_path / "house")
    await again.start()
    table = again.tables["1"].table
    assert again.interrupted == []
    assert (table.rounds, table.between_rounds, table.in_play) == (1, True, 0)
    assert len(table.results) == 1
    await again.close()
    assert (await verified_at(tmp_path / "house")).findings == []


@looped
async def test_what_waits_for_people_is_ruled_by_the_next_start(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "house")
    await house.start()
    settings = Settings(
        rulebook="BAC8", game="baccarat", method=Method.B, layout="C", positions=14
    )
    desk = await seated(house, "1", settings)
    for command in (c.LoadShoe("1"), c.CallBets()):
        assert (await desk.submit(Request(str(command), DEALER, command))).accepted
    await house.close()
    again = await House.open(tmp_path / "house")
    await again.start()
    assert again.interrupted == ["1"]
    await again.close()


@looped
async def test_one_table_that_cannot_be_started_stops_no_other(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "house")
    await house.start()
    settings = Settings(rulebook="EB4", game="tiger", clocks=CLOCKS)
    await seated(house, "1", settings)
    await seated(house, "2", settings)
    await house.close()
    with bypassed(tmp_path / "house" / JOURNAL) as connection:
        connection.execute("UPDATE decision SET body = 'x' WHERE stream = 'table:1'")
    for name in (SNAPSHOT_KEY, CHECKPOINTS):
        path = tmp_path / "house" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    house = await House.open(tmp_path / "house")
    await house.start()
    assert list(house.tables) == ["2"]
    assert list(house.failures) == ["1"]
    with pytest.raises(JournalError, match="table:1 was changed"):
        await house.table("1")
    assert house.new_name() == "3"
    # What is sent there comes back.
    await house.cage.submit(Request("buy", CARA, cage.BuyIn("ann", 10_00)))
    send = Request("send", Patron("ann"), cage.SendToTable("ann", "1", 10_00))
    sent = await house.cage.submit(send)
    assert await house.transfers.arrival(sent.sequence) is None
    assert (house.cage.cage.sent, house.cage.cage.held("ann")) == ({}, 10_00)
    await house.close()


@looped
async def test_credit_that_leaves_a_seat_is_in_the_wallet_also_after_a_restart(
    tmp_path: Path,
) -> None:
    house = await House.open(tmp_path / "house")
    await house.start()
    desk = await seated(house, "1", Settings(rulebook="EB4", game="tiger", clocks=CLOCKS))
    await desk.submit(Request("leave", Patron("ann"), c.LeaveSeat("ann")))
    await house.close()
    again = await House.open(tmp_path / "house")
    await again.start()
    assert again.cage.cage.held("ann") == 1_000_00
    assert again.tables["1"].table.seats == {}
    await again.close()


@looped
async def test_a_house_lies_in_a_database_too(tmp_path: Path, postgres_dsn: str) -> None:
    for session in range(2):
        house = await House.open(tmp_path / "house", postgres_dsn)
        await house.start()
        if session == 0:
            await seated(house, "1", Settings(rulebook="EB4", game="tiger", clocks=CLOCKS))
        assert house.tables["1"].table.credits["ann"] == 1_000_00
        await house.close()
    assert not (tmp_path / "house" / JOURNAL).exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[gaming_day]\nzone = 'Mars/Olympus'\n", "The time zone 'Mars/Olympus' is not known"),
        ("[tables]\n", "there is no 'tables'; the sections are server, demo"),
        ("[terminals]\nlost = -1\n", "-1 seconds came for lost; a terminal counts as lost"),
        ("[terminals]\nlast = 1\n", "terminals has no 'last'"),
        ("[clocks]\nbetting = -1\n", "-1 seconds came for betting; a clock runs for 0"),
        ("[clocks.tables.tiger]\npace = 3601\n", "3601 seconds came for pace"),
        ("[clocks]\nbeting = 1\n", "line 2 of house.toml: clocks has no 'beting'"),
        ("[clocks]\nbetting = 'long'\n", "clocks.betting is 'long': Expected `float"),
        ("clocks = 3\n", "clocks is a section"),
        ("gaming_day = 3\n", "gaming_day is a section"),
        ("[", "house.toml: it is no TOML"),
    ],
)
@looped
async def test_a_configuration_that_cannot_be_used_opens_no_house(
    tmp_path: Path, text: str, sentence: str
) -> None:
    (tmp_path / CONFIGURATION).write_text(text, encoding="utf-8")
    with pytest.raises(JournalError, match=sentence) as error:
        await House.open(tmp_path)
    assert str(error.value).endswith(".")
    assert not (tmp_path / JOURNAL).exists()


@looped
async def test_a_house_has_its_gaming_day(tmp_path: Path) -> None:
    day = "[gaming_day]\nzone = 'Europe/Paris'\n"
    (tmp_path / CONFIGURATION).write_text(day, encoding="utf-8")
    house = await House.open(tmp_path)
    assert house.configuration.gaming_day.zone == "Europe/Paris"
    await house.close()


@looped
async def test_a_house_is_open_once(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "house")
    with pytest.raises(JournalError, match="being written by another process"):
        await House.open(tmp_path / "house")
    await house.close()
    await (await House.open(tmp_path / "house")).close()


def test_a_process_that_serves_desks_returns_what_its_main_does() -> None:
    """In a process of its own, because it is set up for ever."""
    code = (
        "import asyncio, gc, sys\n"
        "from croupier.floor.running import TURN_SECONDS, run\n"
        "async def main():\n"
        "    await asyncio.sleep(0)\n"
        "    return type(asyncio.get_running_loop()).__module__\n"
        "assert run(main()).startswith('uvloop')\n"
        "assert sys.getswitchinterval() == TURN_SECONDS\n"
        "assert gc.get_freeze_count() > 0\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  # our own code


@looped
async def test_a_transfer_that_came_back_is_never_brought_again(tmp_path: Path) -> None:
    """It was sent to a table that did not exist; its sender asks again when there is one."""
    house = await House.open(tmp_path / "house")
    await house.start()
    await house.cage.submit(Request("buy", CARA, cage.BuyIn("ann", 1_000_00)))
    send = Request("send", Patron("ann"), cage.SendToTable("ann", "1", 300_00))
    sent = await house.cage.submit(send)
    assert sent.accepted
    assert await house.transfers.arrival(sent.sequence) is None
    assert house.cage.cage.held("ann") == 1_000_00
    desk = await seated(house, "1", Settings(rulebook="EB4", game="tiger", clocks=CLOCKS))
    take = Request("take", Patron("ann"), c.TakeCredit("ann", 300_00))
    again, taken = await asyncio.gather(house.cage.submit(send), desk.submit(take))
    assert again == sent
    assert taken.accepted
    assert await house.transfers.arrival(again.sequence) is None
    await house.transfers.quiet()
    assert house.cage.cage.held("ann") == 1_300_00
    assert desk.table.credits["ann"] == 700_00
    await house.close()
    assert (await verified_at(tmp_path / "house")).findings == []


@looped
async def test_a_table_that_another_process_took_over_is_left_to_it(tmp_path: Path) -> None:
    store = MemoryStore()
    house = House(tmp_path / "house", store, Configuration())
    await house.keeper.start()
    await house.start(drive=False)
    desk = await seated(house, "1", Settings(rulebook="EB4", game="tiger", clocks=CLOCKS))
    assert house.owns("1")
    await house.cage.submit(Request("buy", CARA, cage.BuyIn("ann", 10_00)))
    other = Writer(store)
    await other.open(TableStream("1", RULEBOOKS, DeviceSource()))
    send = Request("send", Patron("ann"), cage.SendToTable("ann", "1", 10_00))
    sent = await house.cage.submit(send)
    assert await house.transfers.arrival(sent.sequence) is None
    assert not desk.serves
    assert not house.owns("1")
    assert sent.sequence in house.cage.cage.sent, "the other one takes it over"
    await house.close()


@looped
async def test_a_table_is_founded_once_and_has_a_name(tmp_path: Path) -> None:
    house = await House.open(tmp_path / "house")
    await house.start()
    one, other = await asyncio.gather(house.table("1"), house.table("1"))
    assert one is other
    assert one.serves
    for name in ("", "a\nb", "x" * 300):
        with pytest.raises(JournalError):
            await house.table(name)
    assert list(house.tables) == ["1"]
    await house.close()
