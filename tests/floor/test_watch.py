"""What the pit is told of tables: from decisions, from waiting, from the pace of rounds."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from croupier.cage.events import Counted, DifferenceFound
from croupier.floor.alarms import AlarmCode, Notice
from croupier.floor.configuration import AlarmLimits
from croupier.floor.watch import PACE_ROUNDS, Pace, differs, noticed, skewed, waits_long
from croupier.table import commands as c
from croupier.table.refusals import Code, Refusal
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import Device
from tests.floor.fed import fed, settings_of
from tests.floor.rounds import looped
from tests.table.floor import BANKER_WINS, DEALER, NOW, PLAYER_WINS, Floor, faces

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from croupier.table.draft import Events
    from croupier.table.roles import Actor

LIMITS = AlarmLimits(big_win_cents=1_000_00)
OFF = AlarmLimits(
    big_win_cents=0,
    waits_seconds=0,
    slow_rounds_an_hour=0,
    fast_rounds_an_hour=0,
    differential_percent=0,
    count_difference_cents=0,
    clock_seconds=0,
)


COUNTED = "The closer was counted as"


class Watched(Floor):
    """A table of which everything that is noticed is kept."""

    limits = LIMITS

    def ask(self, command: c.Command, actor: Actor = DEALER, **how: Any) -> Events | Refusal:  # noqa: ANN401
        before = self.table
        answer = super().ask(command, actor, **how)
        refused = answer.code.value if isinstance(answer, Refusal) else None
        events = () if isinstance(answer, Refusal) else answer
        self.told = [
            *getattr(self, "told", ()),
            *noticed(before, self.table, events, refused, self.limits),
        ]
        return answer


def codes(told: Iterable[Notice]) -> list[AlarmCode]:
    return [one.code for one in told]


def test_a_win_from_a_set_amount_on_is_told_once_for_each_wager() -> None:
    floor = Watched()
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "player", 1_000_00)
    floor.bet("Bea", "player", 999_00)
    floor.close_bets()
    floor.deal(faces("baccarat", PLAYER_WINS))
    floor.pay()
    (one,) = floor.told
    assert (one.code, one.patron, one.position) == (AlarmCode.BIG_WIN, "Ann", 1)
    assert (one.wager, one.cents, one.round) == ("player", 1_000_00, 1)
    assert one.sentence == "Seat 1 won 1,000.00 on player."


def test_a_loss_is_no_big_win() -> None:
    floor = Watched()
    floor.seat("Ann")
    floor.open_bets()
    floor.bet("Ann", "player", 5_000_00)
    floor.close_bets()
    floor.deal(faces("baccarat", BANKER_WINS))
    floor.pay()
    assert floor.told == []


def test_stakes_far_apart_are_told_when_they_come_near_and_not_again() -> None:
    floor = Watched(differential_cents=1_000_00)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "player", 799_00)
    assert floor.told == []
    floor.bet("Bea", "player", 1_00)
    floor.bet("Bea", "tie", 50_00)
    (one,) = floor.told
    assert (one.code, one.wager) == (AlarmCode.DIFFERENTIAL, "player")
    assert (one.cents, one.limit_cents) == (800_00, 1_000_00)
    assert one.sentence == "Player is ahead by 800.00 of 1,000.00."


def test_a_wager_that_the_differential_refuses_is_told() -> None:
    floor = Watched(differential_cents=1_000_00)
    floor.seat("Ann", "Bea")
    floor.open_bets()
    floor.bet("Ann", "player", 2_000_00)
    stake = floor.bet("Bea", "banker", 100_00)
    floor.close_bets()  # it is held until the stakes are closer
    floor.told.clear()
    refusal = floor.refused(c.RaiseWager("Bea", stake, 4_000_00), Patron("Bea"))
    assert refusal.code is Code.DIFFERENTIAL
    (one,) = floor.told
    assert (one.code, one.cents) == (AlarmCode.DIFFERENTIAL, 1_900_00)
    assert one.sentence.startswith("A wager was refused: ")


def test_a_stake_outside_the_limits_that_is_found_is_told() -> None:
    floor = Watched()
    floor.seat("Ann")
    floor.open_bets()
    floor.close_bets()
    floor.do(c.FindStake("Ann", "tie", 37), DEALER)
    assert codes(floor.told) == [AlarmCode.STAKE_FOUND]


def test_a_shoe_that_ends_is_told_where_people_bring_the_next_one() -> None:
    floor = Watched()
    floor.load_shoe(cut_behind=14)
    floor.seat("Ann")
    floor.bets(("Ann", "player", 100_00))
    floor.told.clear()
    floor.do(c.ShowCutCard(), DEALER)
    (one,) = floor.told
    assert (one.code, one.shoe) == (AlarmCode.SHOE_ENDS, floor.table.loaded)


def test_a_terminal_that_is_lost_is_told_with_whoever_sits_there() -> None:
    floor = Watched("tiger")
    floor.seat("Ann")
    floor.open_bets()
    floor.bet("Ann", "player", 100_00)
    floor.do(c.LoseTerminal(1), floor.caller)
    (one,) = floor.told
    assert (one.code, one.position, one.patron) == (AlarmCode.TERMINAL_LOST, 1, "Ann")
    floor.do(c.RestoreTerminal(1), floor.caller)
    assert len(floor.told) == 1


def test_a_card_too_many_and_a_void_round_are_told_without_the_face() -> None:
    floor = Watched(decks=4, device=Device(physical=True))
    floor.seat("Ann")
    for _ in range(4):
        floor.play(faces("baccarat", PLAYER_WINS), ("Ann", "player", 100_00))
    assert floor.told == []
    floor.bets(("Ann", "player", 100_00))
    floor.draw("4S")
    assert codes(floor.told) == [AlarmCode.EXTRA_CARD, AlarmCode.ROUND_VOID]
    assert all(one.round == 5 for one in floor.told)
    assert not any("4S" in one.sentence for one in floor.told)
    assert floor.told[1].sentence == "The round is void; 100.00 went back [BAC8 5.1.1]."


def test_what_is_set_to_nothing_is_never_told() -> None:
    floor = Watched(differential_cents=1_000_00)
    floor.limits = OFF
    floor.seat("Ann")
    floor.open_bets()
    floor.bet("Ann", "player", 1_000_00)
    floor.close_bets()
    floor.deal(faces("baccarat", PLAYER_WINS))
    assert waits_long(floor.table, NOW + timedelta(days=1), OFF) is None
    floor.pay()
    assert floor.told == []


# Waiting and pace


def test_a_round_that_waits_for_people_is_told_after_the_time_that_is_set() -> None:
    floor = Watched()
    floor.seat("Ann")
    assert waits_long(floor.table, floor.moment + timedelta(hours=1), LIMITS) is None
    floor.bets(("Ann", "player", 100_00))
    floor.report(Situation.OTHER, note="the shoe fell")
    since = floor.table.since
    assert since is not None
    most = timedelta(seconds=LIMITS.waits_seconds)
    assert waits_long(floor.table, since + most - timedelta(seconds=1), LIMITS) is None
    one = waits_long(floor.table, since + most, LIMITS)
    assert one is not None
    assert (one.code, one.rate, one.usual) == (AlarmCode.WAITS, 180, 180)


@pytest.mark.parametrize(
    ("minutes", "code"), [(2, None), (4, AlarmCode.SLOW), (0.5, AlarmCode.FAST)]
)
def test_a_table_that_is_too_slow_or_too_fast_is_told_after_ten_rounds(
    minutes: float, code: AlarmCode | None
) -> None:
    limits = AlarmLimits(slow_rounds_an_hour=20, fast_rounds_an_hour=100)
    pace = Pace()
    found = [
        pace.called(NOW + n * timedelta(minutes=minutes), limits)
        for n in range(PACE_ROUNDS + 1)
    ]
    assert found[:-1] == [None] * PACE_ROUNDS
    last = found[-1]
    assert (None if last is None else last.code) is code
    assert last is None or last.rate == 60 / minutes


def test_while_nobody_plays_a_table_is_not_slow() -> None:
    pace = Pace()
    for n in range(PACE_ROUNDS):
        pace.called(NOW + n * timedelta(minutes=4), LIMITS)
    pace.pause()
    assert pace.called(NOW + timedelta(hours=2), LIMITS) is None


@pytest.mark.parametrize(
    ("counted", "least", "told"),
    [
        (97_00, 1, f"{COUNTED} 97.00; the ledger has 100.00, so it is 3.00 short."),
        (105_00, 500, f"{COUNTED} 105.00; the ledger has 100.00, so it is 5.00 over."),
        (105_00, 501, None),
        (97_00, 0, None),
    ],
)
def test_a_count_that_differs_by_what_is_set_is_told(
    counted: int, least: int, told: str | None
) -> None:
    event = DifferenceFound("1", Counted.CLOSER, 100_00, counted)
    one = differs(event, AlarmLimits(count_difference_cents=least))
    assert (None if one is None else one.sentence) == told
    if one is not None:
        assert (one.code, one.counted) == (AlarmCode.COUNT_DIFFERS, Counted.CLOSER)
        assert (one.cents, one.limit_cents) == (counted, 100_00)


@pytest.mark.parametrize(
    ("seconds", "least", "rate"),
    [(5, 5, 5), (-61, 5, -61), (4.9, 5, None), (-4.9, 5, None), (1e6, 0, None)],
)
def test_a_clock_that_is_off_by_what_is_set_is_told(
    seconds: float, least: int, rate: int | None
) -> None:
    one = skewed(timedelta(seconds=seconds), AlarmLimits(clock_seconds=least))
    assert (None if one is None else one.rate) == rate
    if one is not None:
        where = "ahead of" if seconds > 0 else "behind"
        assert one.sentence == (
            f"The clock of the machine is {abs(seconds)} seconds {where} that of the house."
        )


# Over a real server


@looped
async def test_what_is_noticed_stands_until_somebody_acknowledges_it(tmp_path: Path) -> None:
    async with fed(tmp_path, settings_of("baccarat", differential_cents=1_000_00)) as table:
        await table.do("dan", c.TakeSeat("ann", 1))
        await table.do("dan", c.BringCredit("ann", 1_000_00))
        await table.open_bets()
        await table.do("dan", c.PlaceWager("ann", "player", 900_00))
        (one,) = await table.until_alarms(1)
        assert (one["code"], one["cents"]) == ("differential", 900_00)
        assert one["device"] is None
        await asyncio.sleep(0.1)
        headers = await table.headers("sue")
        path = f"/tables/paper/alarms/{one['number']}/acknowledged"
        assert (await table.http.post(path, headers=headers)).status_code == 204
        assert await table.until_alarms(0) == []
        over = (await table.http.get("/alarms/history", headers=headers)).json()
        assert [(a["code"], a["acknowledged_by"]) for a in over] == [("differential", "sue")]


@looped
async def test_a_table_that_waits_is_told_once_and_its_number_is_the_one_that_is_set(
    tmp_path: Path,
) -> None:
    text = "[server.table_numbers]\npaper = 31\n[alarms]\nwaits_seconds = 1\n"
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    async with fed(tmp_path, settings_of("baccarat")) as table:
        await table.open_bets()
        (one,) = await table.until_alarms(1)
        assert (one["code"], one["usual"], one["for_pit"]) == ("waits", 1, True)
        await asyncio.sleep(1.5)
        assert len(await table.alarms()) == 1
        assert (await table.http.get("/house")).json()["numbers"] == {"paper": 31}


@looped
async def test_a_clock_that_is_set_is_told_once_to_the_pit(tmp_path: Path) -> None:
    async with fed(tmp_path, settings_of("baccarat")) as table:

        async def alarms() -> list[dict[str, Any]]:
            answer = await table.http.get("/alarms", headers=await table.headers("sue"))
            return list(answer.json().get("house", []))

        async def until(count: int) -> list[dict[str, Any]]:
            async with asyncio.timeout(20):
                while len(found := await alarms()) != count:  # noqa: ASYNC110  # over HTTP
                    await asyncio.sleep(0.05)
            return found

        clock = table.floor.house.clock
        wall, off = clock._wall, timedelta()  # noqa: SLF001  # somebody sets the machine's clock
        clock._wall = lambda: wall() + off  # noqa: SLF001
        assert await alarms() == []
        off = timedelta(minutes=-2)
        (one,) = await until(1)
        assert (one["code"], one["table"], one["for_pit"]) == ("clock_skew", "house", True)
        assert one["rate"] == -120
        path = f"/tables/house/alarms/{one['number']}/acknowledged"
        dealer = await table.http.post(path, headers=await table.headers("dan"))
        assert dealer.status_code == 403
        pit = await table.http.post(path, headers=await table.headers("sue"))
        assert pit.status_code == 204
        await asyncio.sleep(2.2)
        assert await alarms() == [], "what was looked at is told again"
        off = timedelta()
        await asyncio.sleep(2.2)
        off = timedelta(minutes=3)
        (again,) = await until(1)
        assert again["rate"] == 180
