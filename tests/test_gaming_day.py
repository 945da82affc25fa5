"""The gaming day: which day and which shift every moment belongs to, wherever clocks change."""

from __future__ import annotations

import tomllib
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.gaming_day import (
    Currency,
    GamingDay,
    Shift,
    read_day,
    read_gaming_day,
)
from croupier.rules.errors import RulesError

ZONES = (
    "Asia/Singapore",
    "Europe/Paris",
    "America/New_York",
    "Australia/Lord_Howe",  # clocks change by half an hour
    "America/Havana",  # and at midnight
    "Pacific/Apia",  # a whole date was left out in 2011
    "Asia/Kathmandu",
)
HOUR = timedelta(hours=1)


def in_paris(*shifts: tuple[str, str]) -> GamingDay:
    return GamingDay("Europe/Paris", tuple(Shift(*shift) for shift in shifts))


def at(zone: str, text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)


@pytest.mark.parametrize(
    ("wall", "day", "shift"),
    [
        ("2026-03-01 06:00", "2026-03-01", "day"),
        ("2026-03-01 13:59:59.999999", "2026-03-01", "day"),
        ("2026-03-01 14:00", "2026-03-01", "swing"),
        ("2026-03-01 22:00", "2026-03-01", "night"),
        ("2026-03-02 00:00", "2026-03-01", "night"),
        ("2026-03-02 05:59:59.999999", "2026-03-01", "night"),
        ("2026-03-02 06:00", "2026-03-02", "day"),
    ],
)
def test_a_moment_belongs_to_the_day_that_has_begun(wall: str, day: str, shift: str) -> None:
    period = GamingDay().period(at("Asia/Singapore", wall))
    assert (period.day.isoformat(), period.shift) == (day, shift)


@pytest.mark.parametrize(
    ("day", "hours", "night"),
    [("2026-03-28", 23, 7), ("2026-10-24", 25, 9), ("2026-06-01", 24, 8)],
)
def test_a_day_in_which_clocks_change_has_an_hour_less_or_more(
    day: str, hours: int, night: int
) -> None:
    periods = GamingDay("Europe/Paris").periods(date.fromisoformat(day))
    assert periods[-1].ends - periods[0].begins == hours * HOUR
    assert [one.ends - one.begins for one in periods] == [8 * HOUR, 8 * HOUR, night * HOUR]


def test_a_time_that_the_clock_shows_twice_begins_a_shift_when_it_is_shown_first() -> None:
    house = in_paris(("late", "02:30"), ("early", "14:00"))
    zone = "Europe/Paris"
    first = house.period(at(zone, "2026-10-25 02:30"))
    assert (first.day, first.shift) == (date(2026, 10, 25), "late")
    again = house.period(at(zone, "2026-10-25 02:29", fold=1))
    assert again == first
    assert first.begins == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_a_time_that_the_clock_skips_begins_a_shift_when_the_clock_has_passed_it() -> None:
    house = in_paris(("night", "02:15"), ("small hours", "02:45"), ("morning", "03:30"))
    night, small, morning = house.periods(date(2026, 3, 29))
    changed = datetime(2026, 3, 29, 1, tzinfo=UTC)  # 03:00 by the wall
    assert night.begins == night.ends == small.begins == changed
    assert morning.begins == changed + HOUR // 2
    assert house.period(changed) == small
    assert house.period(changed - timedelta(microseconds=1)).shift == "morning"


@given(
    zone=st.sampled_from(ZONES),
    moment=st.datetimes(datetime(2005, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001
    minutes=st.lists(st.integers(0, 1439), min_size=1, max_size=5, unique=True),
    turn=st.integers(0, 4),
)
def test_every_moment_is_in_one_shift_and_shifts_follow_without_a_gap(
    zone: str, moment: datetime, minutes: list[int], turn: int
) -> None:
    ordered = sorted(minutes)
    ordered = ordered[turn % len(ordered) :] + ordered[: turn % len(ordered)]
    shifts = tuple(Shift(f"{m}", f"{m // 60:02}:{m % 60:02}") for m in ordered)
    house = GamingDay(zone, shifts)
    moment = moment.replace(tzinfo=UTC)
    period = house.period(moment)
    assert period.begins <= moment < period.ends
    days = [period.day + timedelta(days=n) for n in range(-2, 3)]
    periods = [one for day in days for one in house.periods(day)]
    assert all(one.ends == after.begins for one, after in pairwise(periods))
    assert all(one.begins <= one.ends for one in periods)
    holding = [one for one in periods if one.begins <= moment < one.ends]
    assert holding == [period]
    # The date is that of the wall clock when the day began, unless that date was left out.
    wall = house.periods(period.day)[0].begins.astimezone(ZoneInfo(zone))
    assert wall.date() >= period.day


SETTINGS = """
zone = "America/New_York"
currency = {code = "USD", symbol = "$"}
shifts = [{name = "all day", begins = "12:00"}]
"""


def test_it_is_read_from_a_table_of_a_configuration() -> None:
    house = read_gaming_day(tomllib.loads(SETTINGS))
    assert house == GamingDay(
        "America/New_York", (Shift("all day", "12:00"),), Currency("USD", "$")
    )
    assert house.begins == "12:00"
    assert house.currency.amount(-1_234_56) == "-$1,234.56"
    assert read_gaming_day({}) == GamingDay()


UNORDERED = """shifts = [
    {name = "a", begins = "06:00"},
    {name = "b", begins = "05:00"},
    {name = "c", begins = "22:00"},
]"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('zone = "Asia/Atlantis"', "'Asia/Atlantis' is not known here"),
        ('zone = ""', "'' is not known here"),
        ('zone = "../../etc/passwd"', "is not known here"),
        ("zone = 8", "Expected `str`, got `int` - at `$.zone`."),
        ('begins = "06:00"', "unknown field `begins`"),
        ("shifts = []", "it has at least one"),
        ('shifts = [{name = "day", begins = "6:00"}]', "from 00:00 to 23:59"),
        ('shifts = [{name = "day", begins = "24:00"}]', "from 00:00 to 23:59"),
        ('shifts = [{name = "", begins = "06:00"}]', "1 to 40 characters"),
        (
            'shifts = [{name = "a", begins = "06:00"}, {name = "a", begins = "07:00"}]',
            "Two shifts are named 'a'",
        ),
        (
            'shifts = [{name = "a", begins = "06:00"}, {name = "b", begins = "06:00"}]',
            "a at 06:00 and b at 06:00",
        ),
        (
            UNORDERED,
            "in the order of the gaming day",
        ),
        ('currency = {code = "dollar"}', "three capital letters"),
        ('currency = {symbol = ""}', "1 to 5 characters"),
        ("currency = {decimals = 0}", "only 2 are allowed"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        read_gaming_day(tomllib.loads(text))
    sentence = str(caught.value)
    assert words in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(RulesError, match="has no time zone"):
        GamingDay().period(datetime(2026, 1, 1))  # noqa: DTZ001


@pytest.mark.parametrize("text", ["", "2026-3-1", "2026-02-30", "20260301", "today"])
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match="is not a day; write it as in 2026-03-01"):
        read_day(text)
