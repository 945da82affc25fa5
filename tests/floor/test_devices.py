"""Dealing devices, dice and alarms over a real server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from croupier.journal.loading import decisions_of
from croupier.journal.verify import verify
from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table.course import due
from croupier.table.events import CardDrawn, CardsRemoved
from croupier.table.rulings import Situation
from tests.floor.fed import BURNT, DIE, SHOE, TABLE, fed, settings_of
from tests.floor.rounds import looped

if TYPE_CHECKING:
    from pathlib import Path

BACCARAT, POWER = settings_of("baccarat"), settings_of("power-98")


@looped
async def test_what_the_device_reads_is_the_draw(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        assert not (await table.status())["due"]
        await table.open_bets()
        await table.close_bets()
        assert (await table.status())["due"]
        for number, face in enumerate(("4S", "2S", "5H", "3D")):
            answer = await table.read(number, face)
            assert answer.status_code == 200, answer.text
            assert answer.json()["came"] == "drawn"
            again = await table.read(number, face)
            assert (again.status_code, again.json()) == (200, answer.json())
        play = table.table.round
        assert play is not None
        assert [dealt.card.text for dealt in play.cards if dealt.card] == [
            "4S",
            "2S",
            "5H",
            "3D",
        ]
        assert await table.alarms() == []


@looped
async def test_a_reading_that_comes_several_times_at_once_is_drawn_once(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        await table.open_bets()
        await table.close_bets()
        before = table.desk.seat.sequence
        answers = await asyncio.gather(*(table.read(0, "4S") for _ in range(5)))
        assert {one.text for one in answers} == {answers[0].text}
        assert answers[0].json() == {"number": 0, "came": "drawn", "sequence": before + 1}
        assert table.desk.seat.sequence == before + 1


@looped
async def test_a_card_out_of_order_and_another_face_are_refused_and_shown(
    tmp_path: Path,
) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        await table.open_bets()
        await table.close_bets()
        late = await table.read(1, "4S")
        assert (late.status_code, late.json()["code"]) == (409, "out_of_order")
        assert (await table.read(0, "4S")).status_code == 200
        other = await table.read(0, "5S")
        assert (other.status_code, other.json()["code"]) == (409, "scan_mismatch")
        no_card = await table.read(1, "4-Gold")
        assert (no_card.status_code, no_card.json()["code"]) == (422, "not_readable")
        alarms = await table.alarms()
        codes = [one["code"] for one in alarms]
        assert codes == ["out_of_order", "scan_mismatch", "misread"]
        assert all(
            "4S" not in one["sentence"] and "5S" not in one["sentence"] for one in alarms
        )
        number = alarms[0]["number"]
        path = f"/tables/{TABLE}/alarms/{number}/acknowledged"
        technician = await table.http.post(path, headers=await table.headers("tec"))
        assert technician.status_code == 403
        assert (
            await table.http.post(path, headers=await table.headers("dan"))
        ).status_code == 204
        gone = await table.http.post(path, headers=await table.headers("dan"))
        assert (gone.status_code, gone.json()["code"]) == (404, "unknown_alarm")
        assert [one["code"] for one in await table.alarms()] == codes[1:]
        assert (await table.read(1, "2S")).json()["came"] == "drawn"


@looped
async def test_a_card_that_leaves_too_early_is_kept_and_never_used(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        await table.open_bets()
        kept = await table.read(0, "9S")
        assert (kept.status_code, kept.json()["came"]) == (200, "kept")
        assert (await table.read(0, "9S")).json() == kept.json()
        (alarm,) = await table.alarms()
        assert (alarm["code"], alarm["card"], alarm["fits"][0]) == (
            "left_shoe",
            0,
            "remove_cards",
        )
        await table.close_bets()
        assert not (await table.status())["due"]  # the card must be reported first
        blocked = await table.read(1, "4S")
        assert blocked.json()["came"] == "kept"
        assert len(await table.alarms()) == 2
        path = f"/tables/{TABLE}/alarms/{alarm['number']}/acknowledged"
        stands = await table.http.post(path, headers=await table.headers("dan"))
        assert (stands.status_code, stands.json()["code"]) == (409, "alarm_stands")
        await table.do("dan", c.RemoveCards(2))
        assert await table.until_alarms(0) == []
        assert (await table.read(2, "4S")).json()["came"] == "drawn"
        play = table.table.round
        assert play is not None
        assert [dealt.number for dealt in play.cards] == [2]


@looped
async def test_a_card_too_many_is_reported_and_ruled_on(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        await table.open_bets()
        await table.close_bets()
        for number, face in enumerate(("4S", "2S", "5H", "6D")):  # two naturals
            assert (await table.read(number, face)).json()["came"] == "drawn"
        assert (await table.read(4, "KS")).json()["came"] == "kept"
        (alarm,) = await table.alarms()
        assert "report wrong_number" in alarm["fits"]
        report = c.report(Situation.WRONG_NUMBER, order_known=True, count=1)
        await table.do("dan", report)
        answer = await table.order("sue", c.ConfirmReport())
        assert answer.status_code == 200, answer.text
        assert await table.until_alarms(0) == []
        shoe = table.table.shoe
        assert shoe is not None
        assert shoe.out == 5


@looped
async def test_cards_that_the_table_counts_already_are_compared(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        await table.do("dan", c.RemoveCards(2))  # burnt, and read when they come out
        assert (await table.read(0, "AS")).json()["came"] == "counted"
        await table.open_bets()
        await table.close_bets()
        await table.do("dan", c.DrawCard(), cards=["4S"])  # keyed in: the device was away
        assert (await table.read(2, "4S")).json()["came"] == "counted"
        await table.do("dan", c.DrawCard(), cards=["5S"])
        assert (await table.read(3, "6S")).json()["code"] == "scan_mismatch"
        assert (await table.status())["number"] == 4
        assert (await table.read(4, "7S")).json()["came"] == "drawn"


@looped
async def test_readings_and_alarms_outlive_a_restart(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        await table.open_bets()
        kept = await table.read(0, "9S")
        assert (await table.read(7, "9S")).status_code == 409
        first, second = await table.alarms()
        path = f"/tables/{TABLE}/alarms/{second['number']}/acknowledged"
        assert (await table.http.post(path, headers=await table.headers("sue"))).is_success
        tokens = table.tokens
    async with fed(tmp_path) as table:
        table.tokens = tokens
        (still,) = await table.alarms()
        assert (still["number"], still["card"]) == (first["number"], 0)
        assert (await table.read(8, "9S")).status_code == 409
        assert (await table.alarms())[1]["number"] > second["number"]
        assert (await table.read(0, "9S")).json() == kept.json()
        assert (await table.read(0, "8S")).json()["code"] == "scan_mismatch"


@looped
async def test_only_the_device_itself_reads(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        old = table.tokens[SHOE]
        await table.token(SHOE)
        new, table.tokens[SHOE] = table.tokens[SHOE], old
        assert (await table.read(0, "9S")).status_code == 401
        table.tokens[SHOE] = table.tokens[DIE]
        assert (await table.read(0, "9S")).status_code == 403
        table.tokens[SHOE] = (await table.headers("dan"))["Authorization"].split()[1]
        assert (await table.read(0, "9S")).status_code == 401
        table.tokens[SHOE] = new
        assert (await table.throw(1, 3, DIE)).json()["code"] == "not_fed"  # no die in Baccarat
        dealer = await table.http.post(
            f"/devices/{SHOE}/token", headers=await table.headers("dan")
        )
        assert dealer.status_code == 403
        nobody = await table.http.get("/alarms")
        assert nobody.status_code == 401
        path, headers = f"/devices/{SHOE}/token", await table.headers("tec")
        assert (await table.http.delete(path, headers=headers)).status_code == 204
        assert (await table.read(0, "9S")).status_code == 401


@looped
async def test_a_die_is_announced_when_it_is_due_and_not_before(tmp_path: Path) -> None:
    async with fed(tmp_path, POWER) as table:
        await table.open_bets()
        await table.close_bets()
        early = await table.throw(1, 3)
        assert (early.status_code, early.json()["code"]) == (409, "out_of_order")
        assert [one["code"] for one in await table.alarms()] == ["die_not_due"]
        assert (await table.throw(2, 3)).json()["code"] == "other_round"
        while not (await table.status(DIE))["due"]:
            command = due(table.table).command
            assert command is not None
            await table.do("dan", command)
        answer = await table.throw(1, 3)
        assert (answer.status_code, answer.json()["came"]) == (200, "announced")
        assert (await table.throw(1, 3)).status_code == 200
        assert (await table.throw(1, 4)).json()["code"] == "scan_mismatch"
        alarms = await table.until_alarms(1)
        assert alarms[0]["code"] == "die_mismatch"
        play = table.table.round
        assert play is not None
        assert play.die == 3


@looped
async def test_baccarat_of_paper_is_dealt_to_the_end_of_a_shoe(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        shoe = table.simulator(SHOE, seed=7)
        running = asyncio.create_task(asyncio.to_thread(shoe.run))
        rounds = await table.deal_to_the_end()
        shoe.stopping = True
        await running
        left = table.table.shoe
        assert left is not None
        assert left.out == shoe.read
        assert left.cards - left.out < 6
        assert rounds > 25
        assert await table.alarms() == []
        assert (await verify(table.floor.house.store, RULEBOOKS)).findings == []


@looped
async def test_power_98_of_paper_and_plastic_is_dealt_to_the_end(tmp_path: Path) -> None:
    async with fed(tmp_path, POWER) as table:
        await table.do("dan", c.RemoveCards(BURNT))
        devices = [table.simulator(SHOE, seed=8), table.simulator(DIE, seed=9)]
        running = [asyncio.create_task(asyncio.to_thread(one.run)) for one in devices]
        rounds = await table.deal_to_the_end()
        for one in devices:
            one.stopping = True
        await asyncio.gather(*running)
        assert devices[1].read == rounds
        left = table.table.shoe
        assert left is not None
        assert left.out == BURNT + devices[0].read
        assert await table.alarms() == []


@looped
async def test_a_device_that_errs_does_not_change_what_is_dealt(tmp_path: Path) -> None:
    """Cards come twice, out of order, as another face, too early; the Dealer reports these."""
    async with fed(tmp_path, BACCARAT) as table:
        await table.do("dan", c.RemoveCards(BURNT))
        shoe = table.simulator(SHOE, seed=11, mistakes=0.3, offline=0.1)
        running = asyncio.create_task(asyncio.to_thread(shoe.run))
        await table.deal_to_the_end()
        shoe.stopping = True
        await running
        codes = {one["code"] for one in await table.alarms()}
        assert {"out_of_order", "scan_mismatch"} <= codes
        events = [
            event
            async for one in decisions_of(table.floor.house.store, f"table:{TABLE}")
            for event in one.events
        ]
        drawn = {one.number: one.card for one in events if isinstance(one, CardDrawn)}
        removed = sum(one.count for one in events if isinstance(one, CardsRemoved))
        left = table.table.shoe
        assert left is not None
        assert removed > BURNT  # some came too early
        assert left.out == removed + len(drawn)
        assert drawn == {number: shoe.cards[number] for number in drawn}
        assert (await verify(table.floor.house.store, RULEBOOKS)).findings == []
