"""Credit sent over the API: 200 means that it is at the seat, whatever the table does."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from croupier.accounts.commands import UserKind
from croupier.cage import commands as cage
from croupier.floor import reception as receiving
from croupier.floor.configuration import Configuration
from croupier.floor.floor import Floor
from croupier.floor.house import ALL, House, Own
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.reception import Asker, Reception
from croupier.journal.errors import JournalError
from croupier.journal.memory import MemoryStore
from croupier.journal.writer import Request
from croupier.table import commands as c
from croupier.table.roles import Patron
from tests.floor.casino import CARA
from tests.floor.guarding import code_of, command, house
from tests.floor.rounds import looped
from tests.table.floor import MANAGER, SYSTEM
from tests.table.next_house import settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.journal.gathering import Landed

ANN = Asker("ann", UserKind.PATRON, Patron("ann"))


def test_nothing_is_sent_to_a_table_that_there_is_not() -> None:
    send = {"type": "send_to_table", "table": "nowhere", "cents": 1_00}
    with house() as door:
        heads = door.heads()
        answer = door.order("patron-01", "cage", send)
        assert (answer.status_code, code_of(answer)) == (404, "unknown_table")
        with door.live("patron-01") as live:
            same = command(live, "cage", send)
        assert same["problem"]["code"] == "unknown_table"
        assert door.heads() == heads, "nothing is recorded"


async def opened(folder: Path, own: Own = ALL) -> House:
    """Open a house in which ann has a wallet."""
    one = House(folder, MemoryStore(), Configuration(), own=own)
    await one.keeper.start()
    await one.start(drive=False)
    assert (await one.cage.submit(Request("buy", CARA, cage.BuyIn("ann", 100_00)))).accepted
    return one


@looped
async def test_what_a_table_fails_at_is_told_as_not_taken(tmp_path: Path) -> None:
    one = await opened(tmp_path)
    desk = await one.table("1")
    await desk.submit(Request("open", MANAGER, c.OpenTable(settings_of("tiger", None))))
    await desk.submit(Request("sit", SYSTEM, c.TakeSeat("ann", 1)))
    one.writer._fail(desk.seat, JournalError("It failed."))  # noqa: SLF001
    send = Request("send", Patron("ann"), cage.SendToTable("ann", "1", 10_00))
    people: Any = SimpleNamespace(sessions=SimpleNamespace(on_ended=[]))
    reception = Reception(one, people)
    for _ in range(2):  # whoever asks again hears the same
        reply = await one.cage.submit(send)
        with pytest.raises(ProblemError, match="back in the wallet") as told:
            await reception.answer(ANN, "cage", reply)
        assert told.value.code is ServerCode.NOT_TAKEN
    assert one.cage.cage.held("ann") == 100_00
    await one.close()


@looped
async def test_what_another_house_has_not_taken_yet_is_not_told_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "ELSEWHERE_SECONDS", 0.05)
    one = await opened(tmp_path, Own(frozenset("a")))
    desk = one._desk("b")  # noqa: SLF001  # of another house, which does not serve it now
    await desk.start()
    await desk.close()
    people: Any = SimpleNamespace(sessions=SimpleNamespace(on_ended=[]))
    reception = Reception(one, people)
    send = Request("send", Patron("ann"), cage.SendToTable("ann", "b", 10_00))
    reply = await one.cage.submit(send)
    async with asyncio.timeout(5):
        with pytest.raises(ProblemError, match="not answered yet") as told:
            await reception.answer(ANN, "cage", reply)
    assert told.value.code is ServerCode.BEHIND
    assert reply.sequence in one.cage.cage.sent
    await one.close()


@looped
async def test_what_a_start_brings_to_the_wallet_is_not_on_its_way_any_more(
    tmp_path: Path,
) -> None:
    before = await House.open(tmp_path)
    await before.start(drive=False)
    desk = await before.table("1")
    await desk.submit(Request("open", MANAGER, c.OpenTable(settings_of("tiger", None))))
    await desk.submit(Request("sit", SYSTEM, c.TakeSeat("ann", 1)))
    await desk.submit(Request("credit", SYSTEM, c.BringCredit("ann", 100_00)))
    before.writer._subscribers = ()  # noqa: SLF001  # it stops before anybody hears of it
    await desk.submit(Request("take", Patron("ann"), c.TakeCredit("ann", 30_00)))
    await before.close()
    floor = await Floor.open(tmp_path)
    floor.start()
    wallet = floor.hub.me.wallet("ann")
    assert (wallet.cents, wallet.in_transit_cents) == (30_00, 0)
    desk = floor.house.tables["1"]
    # What leaves from now on is on its way until it came.
    await desk.submit(Request("take again", Patron("ann"), c.TakeCredit("ann", 20_00)))
    wallet = floor.hub.me.wallet("ann")
    assert wallet.cents + wallet.in_transit_cents == 50_00
    await floor.house.transfers.quiet()
    wallet = floor.hub.me.wallet("ann")
    assert (wallet.cents, wallet.in_transit_cents) == (50_00, 0)
    await floor.close()


@looped
async def test_what_is_sent_is_counted_once_after_every_record(tmp_path: Path) -> None:
    floor = await Floor.open(tmp_path)
    floor.start()
    house, ann = floor.house, Patron("ann")
    seen: list[tuple[int, int, int]] = []
    desk = await house.table("1")
    await desk.submit(Request("open", MANAGER, c.OpenTable(settings_of("tiger", None))))
    await desk.submit(Request("sit", SYSTEM, c.TakeSeat("ann", 1)))
    await house.cage.submit(Request("buy", CARA, cage.BuyIn("ann", 100_00)))

    def look(_: Landed) -> None:
        wallet = floor.hub.me.wallet("ann")
        seats = sum(one.credit_cents for one in wallet.seats)
        seen.append((wallet.cents, wallet.in_transit_cents, seats))

    house.writer._subscribers = (*house.writer._subscribers, look)  # noqa: SLF001
    await house.cage.submit(Request("send", ann, cage.SendToTable("ann", "1", 30_00)))
    await house.transfers.quiet()
    await desk.submit(Request("take", ann, c.TakeCredit("ann", 10_00)))
    await house.transfers.quiet()
    # What the table refuses comes back, and counts as nothing more.
    await house.cage.submit(Request("nowhere", ann, cage.SendToTable("ann", "2", 5_00)))
    await house.transfers.quiet()
    assert list(dict.fromkeys(seen)) == [
        (70_00, 30_00, 0),
        (70_00, 0, 30_00),
        (70_00, 10_00, 20_00),
        (80_00, 0, 20_00),
        (75_00, 5_00, 20_00),
    ]
    assert seen[-1] == (80_00, 0, 20_00)
    assert not floor.hub.me._sent  # noqa: SLF001
    assert not floor.hub.me._come  # noqa: SLF001
    await floor.close()
