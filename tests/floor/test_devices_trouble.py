"""Devices when something goes wrong: answers that are lost, cards beside the shoe, too many."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING, Any

from websockets.asyncio.client import connect

from croupier.floor.people_file import PEOPLE
from croupier.floor.rates import Rates
from croupier.floor.sessions import Settings as PeopleSettings
from croupier.table import commands as c
from croupier.table.rulings import Situation
from croupier.table.settings import Clocks
from tests.floor.fed import BURNT, DIE, SHOE, TABLE, WAIT_SECONDS, fed, settings_of
from tests.floor.rounds import looped
from tests.floor.serving import croupier, environment

if TYPE_CHECKING:
    from pathlib import Path

    from tests.floor.fed import Fed

BACCARAT = settings_of("baccarat")


@looped
async def test_a_draw_whose_answer_was_lost_with_the_file_is_found_in_the_journal(
    tmp_path: Path,
) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        await table.open_bets()
        await table.close_bets()
        answer = await table.read(0, "4S")
        assert (await table.read(1, "2S")).json()["came"] == "drawn"
        tokens, before = table.tokens, table.desk.seat.sequence
    with closing(sqlite3.connect(tmp_path / PEOPLE)) as file, file:
        assert file.execute("DELETE FROM reading").rowcount == 2
    async with fed(tmp_path) as table:
        table.tokens = tokens
        again = await table.read(0, "4S")
        assert (again.status_code, again.json()) == (200, answer.json())
        other = await table.read(1, "3S")
        assert (other.status_code, other.json()["code"]) == (409, "scan_mismatch")
        records = await table.floor.house.store.read(f"table:{TABLE}", before, 100)
        assert len(records) == 1  # the start alone: nothing was drawn again


@looped
async def test_cards_that_are_reported_are_drawn_by_what_was_read(tmp_path: Path) -> None:
    """Two cards leave while the round waits; reported, they are the first of the deal."""
    async with fed(tmp_path, BACCARAT) as table:
        await table.open_bets()
        await table.close_bets()
        await table.do("dan", c.report(Situation.OTHER, note="a glass fell"))
        await _settled(table)
        for number, face in enumerate(("4S", "2S")):
            assert (await table.read(number, face)).json()["came"] == "kept"
        await table.do("gil", c.DecideReferral(c.Decision.CONTINUE, "nothing was touched"))
        await table.do("dan", c.report(Situation.DRAWN_TOGETHER, count=2, order_known=True))
        await _settled(table)
        assert await table.until_alarms(0) == []
        async with asyncio.timeout(WAIT_SECONDS):
            while len(cards := table.table.round.cards) < 2:  # type: ignore[union-attr]  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert [(one.number, str(one.card)) for one in cards] == [(0, "4S"), (1, "2S")]
        assert (await table.read(2, "5H")).json()["came"] == "drawn"


async def _settled(table: Fed) -> None:
    """Let a supervisor confirm what was reported, where somebody must."""
    hold = table.table.hold
    if hold is not None and hold.kind.value == "report":
        await table.do("sue", c.ConfirmReport())


@looped
async def test_alarms_go_to_the_sockets_of_staff_and_to_nobody_else(tmp_path: Path) -> None:
    async with fed(tmp_path, BACCARAT) as table:
        url = table.running.url.replace("http", "ws") + "/api/v1/live"
        async with connect(url, additional_headers=await table.headers("dan")) as socket:
            await socket.send('{"type": "subscribe", "topic": "alarms"}')
            snapshot = json.loads(await socket.recv())
            assert (snapshot["type"], snapshot["view"]) == ("snapshot", {})
            await table.open_bets()
            await table.read(0, "9S")
            change = json.loads(await socket.recv())
            assert [one["code"] for one in change["view"][TABLE]] == ["left_shoe"]
            assert "9S" not in json.dumps(change)
            tec = await table.http.get("/alarms", headers=await table.headers("tec"))
            assert tec.json() == change["view"]
            await table.do("dan", c.RemoveCards(1))
            change = json.loads(await socket.recv())
            assert change["view"][TABLE] == []
        ann = await table.headers("ann")
        assert (await table.http.get("/alarms", headers=ann)).status_code == 403
        async with connect(url, additional_headers=ann) as socket:
            await socket.send('{"type": "subscribe", "topic": "alarms"}')
            answer = json.loads(await socket.recv())
            assert answer["problem"]["code"] == "forbidden"


@looped
async def test_a_device_that_sends_too_much_is_told_so(tmp_path: Path) -> None:
    slow = PeopleSettings(rates=Rates(messages_per_second=1, messages_burst=5))
    async with fed(tmp_path, BACCARAT, people=slow) as table:
        answers = [await table.read(7, "4S") for _ in range(8)]
        codes = [one.json()["code"] for one in answers]
        assert codes[:5] == ["out_of_order"] * 5
        assert codes[-1] == "too_many"
        assert int(answers[-1].headers["retry-after"]) >= 1


@looped
async def test_an_electronic_table_waits_for_its_shoe_of_paper(tmp_path: Path) -> None:
    clocks = Clocks(betting_ms=0, pause_ms=0, pace_ms=0, waits_for_patrons=False)
    async with fed(tmp_path, settings_of("tiger", clocks=clocks)) as table:
        async with asyncio.timeout(WAIT_SECONDS):
            while not (await table.status())["due"]:  # noqa: ASYNC110  # over HTTP
                await asyncio.sleep(0.01)
        await table.do("dan", c.RemoveCards(BURNT + 52))
        shoe = table.simulator(SHOE, seed=3)
        running = asyncio.create_task(asyncio.to_thread(shoe.run))
        async with asyncio.timeout(WAIT_SECONDS):
            while table.table.loaded < 2:  # noqa: ASYNC110  # the next shoe
                await asyncio.sleep(0.01)
        shoe.stopping = True
        await running
        assert table.table.rounds > 5
        assert await table.alarms() == []


@looped
async def test_the_command_runs_until_ctrl_c(tmp_path: Path) -> None:
    async with fed(tmp_path / "house", BACCARAT) as table:
        secret = tmp_path / "token"
        secret.write_text(table.tokens[SHOE], encoding="utf-8")
        await table.open_bets()
        await table.close_bets()
        token = ("--token-file", str(secret), "--pace", "0")
        arguments = croupier("device", table.running.url, "--device", SHOE, *token)
        running = await asyncio.create_subprocess_exec(
            *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        async with asyncio.timeout(WAIT_SECONDS):
            while table.table.shoe.out < 4:  # type: ignore[union-attr]  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, err = await running.communicate()
        assert (running.returncode, err) == (0, b"")
        assert b"Card 0: drawn." in out
        assert b"The device stops" in out
        assert table.tokens[SHOE].encode() not in out
        wrong = [
            ((SHOE, "--table", "another"), b"The device stands at table paper; 'another'"),
            ((SHOE, "--mistakes", "2"), b"--mistakes 2 came; 0 to 1"),
            ((DIE, "--table", TABLE), b"this token is another one's"),
        ]
        for more, sentence in wrong:
            url = table.running.url
            said = await _refused(croupier("device", url, *token, "--device", *more))
            assert sentence in said, said


async def _refused(arguments: list[str]) -> bytes:
    ended: Any = await asyncio.create_subprocess_exec(
        *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    _, err = await asyncio.wait_for(ended.communicate(), WAIT_SECONDS)
    assert ended.returncode == 2
    assert err.count(b"\n") == 1
    return bytes(err)
