"""Performance: whatever happens at tables, what is counted is what the pay lists say."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from croupier.floor.desk import Desk, Request
from croupier.floor.sources import DeviceSource
from croupier.gaming_day import GamingDay
from croupier.journal.errors import JournalError
from croupier.journal.loading import decisions_of
from croupier.journal.memory import MemoryStore
from croupier.journal.performance import Performance, read_tables, rules_of
from croupier.journal.reader import StoreReader
from croupier.journal.writer import Writer
from croupier.playthrough import read_lines
from croupier.playthrough.session import Session
from croupier.rulebooks import GAMES, RULEBOOKS, find_game, find_rulebook
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.settings import Readings, Settings
from tests.journal.book import Book
from tests.journal.counting import Hand, counted_again, counts_of, facts_of, won_by
from tests.journal.test_forged_walks import Stopped, walked

if TYPE_CHECKING:
    from croupier.journal.decision import Decision
    from croupier.journal.performance import Playing, Rating
    from croupier.table import commands as c

PARIS = GamingDay("Europe/Paris")
SCRIPTS = sorted((Path(__file__).parent.parent / "playthroughs").rglob("*.txt"))
SLUGS = [game.slug for game in GAMES]
ROUNDS_MIN, WALKS_MAX = 10, 20
"""Walks go on until enough rounds were settled; how many that takes is chance."""


def fed(decisions: list[Decision], day: GamingDay = PARIS) -> Performance:
    book = Performance(day, courses=True)
    for one in decisions:
        assert book.feed(one)
    return book


def spread(script: list[c.Envelope], chance: Random) -> list[c.Envelope]:
    """Let a walk take days, over a night in which clocks change."""
    moment = datetime(2026, 3, 27, 20, tzinfo=UTC)
    spread = []
    for one in script:
        moment += timedelta(seconds=chance.randrange(1_500))
        spread.append(replace(one, moment=moment))
    return spread


# Walks: the same as counted again from the lists that stand, and as the ledger has it


@pytest.mark.parametrize("game", SLUGS)
def test_what_is_counted_is_what_the_ledger_moved(game: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(WALKS_MAX):
        if seed > 2 and seen["rounds"] > ROUNDS_MIN and seen["voids"]:
            break
        chance = Random(seed)
        walk = Book()
        walk.follow(spread(walked(game, seed, 250), chance))
        book = fed([decision for decision, _, _ in walk.written])
        facts = facts_of(decision for decision, _, _ in walk.written)
        assert counts_of(book) == counted_again(facts, PARIS)
        house = ("bank:1", "commission:1")
        moved = 0
        for _, _, postings in walk.written:
            for one in postings:
                moved += one.cents * ((one.target in house) - (one.source in house))
        cash = sum(sums.cash_cents for sums in book.places.values())
        assert won_by(book) == moved + cash
        table = walk.state.table
        assert won_by(book) == table.bank + table.commission
        seen.update(
            rounds=len(facts.paid), voids=len(facts.voids), corrections=len(facts.corrections),
            shifts=len({(place.day, place.shift) for place in book.places}),
            commission=table.commission,
        )  # fmt: skip
        check_courses(book)
    assert seen["rounds"] > ROUNDS_MIN
    assert seen["voids"] > 0
    assert seen["shifts"] > 10
    rulebook = find_rulebook(find_game(game).edition.code)
    kept = rulebook.procedure.commission
    assert seen["commission"] == 0 or (kept is not None and game in kept.games)
    assert seen["corrections"] == 0 or rulebook.code != "EB4"


def check_courses(book: Performance) -> None:
    """Test that the rounds kept for a picture are those that count."""
    for table in book.tables:
        for day in {place.day for place in book.places}:
            rounds = book.course(table, day)
            assert [one.moment for one in rounds] == sorted(one.moment for one in rounds)
            here = [
                sums
                for place, sums in book.places.items()
                if (place.table, place.day) == (table, day)
            ]
            assert len(rounds) == sum(sums.rounds for sums in here)
            won = sum(one.win_cents for sums in here for one in sums.wagers.values())
            assert won == sum(one.win_cents for one in rounds)


# Golden scripts


def script_decisions(path: Path, table: str) -> list[Decision]:
    """Return what a script leads to, as decisions of a table."""
    session, hand = Session(), Hand(table)
    for line in read_lines(path.read_text(encoding="utf-8")):
        if line.asks:
            answer = session.play(line.text)
            hand.note(session.moment, *answer.events)
    return hand.decisions


def test_all_golden_scripts_count_as_counted_again() -> None:
    day = GamingDay()
    book = Performance(day)
    every = []
    games: set[str] = set()
    for number, path in enumerate(SCRIPTS):
        decisions = script_decisions(path, f"{number}")
        for one in decisions:
            assert book.feed(one)
        every += decisions
    facts = facts_of(every)
    assert counts_of(book) == counted_again(facts, day)
    games = {paid.settings.game for paid in facts.paid}
    assert games == set(SLUGS)
    shared = Counter((paid.table, paid.round, line.stake) for paid in facts.paid
                     for line in paid.lines)  # fmt: skip
    assert max(shared.values()) > 1, "no stake is shared"
    assert any(line.breach for paid in facts.paid for line in paid.lines)
    assert any(line.corrected for paid in facts.paid for line in paid.lines)
    assert any(line.commission_cents for paid in facts.paid for line in paid.lines)
    assert facts.voids
    assert facts.corrections


# Several tables at once: as they happen, and read from the journal


async def busy_house(live: Performance, early: Performance) -> MemoryStore:
    """Let tables of all games play at once, over a night in which clocks change.

    One book hears of every decision, the other reads on now and then.
    """
    store, clock = MemoryStore(), Stopped(datetime(2026, 10, 24, 8, tzinfo=UTC))
    writer = Writer(store, clock=clock, subscribers=(live.committed,))
    chance = Random(12)
    walks = {game: iter(walked(game, 7, 300)) for game in SLUGS}
    desks = {game: Desk(writer, game, RULEBOOKS, DeviceSource()) for game in SLUGS}
    for desk in desks.values():
        await desk.start()
    number = 0
    while walks:
        game = chance.choice(list(walks))
        one = next(walks[game], None)
        if one is None:
            del walks[game]
            continue
        number += 1
        clock.moment += timedelta(seconds=chance.randrange(90))
        request = Request(
            f"w{number}", one.actor, one.command, one.approver, one.cards, one.die
        )
        with suppress(JournalError):  # names that cannot be written stay at the door
            await desks[game].submit(request)
        if number % 500 == 0:
            await read_tables(early, StoreReader(store))
    await writer.close()
    return store


async def test_what_is_fed_and_what_is_read_is_the_same() -> None:
    live, early, late, read = (Performance(PARIS, courses=True) for _ in range(4))
    store = await busy_house(live, early)
    done: list[int] = []
    await read_tables(read, StoreReader(store), progress=done.append)
    await read_tables(early, StoreReader(store))
    decisions = [
        decision
        for head in await store.heads()
        async for decision in decisions_of(store, head.stream)
    ]
    assert [late.feed(one) for one in decisions[-3:]] == [False] * 3
    assert late.behind == [decisions[-1].stream.removeprefix("table:")]
    await read_tables(late, StoreReader(store))
    assert done[-1] == len(decisions)
    facts = facts_of(decisions)
    assert len(facts.paid) > len(SLUGS)
    assert facts.voids
    for book in (live, early, late, read):
        assert counts_of(book) == counted_again(facts, PARIS)
        assert book.places == read.places
        assert book.ratings() == read.ratings()
        assert book.tables == sorted(SLUGS)
        assert book.behind == []
        check_courses(book)
    assert len({(place.day, place.shift) for place in read.places}) > 3
    balances = await store.balances()
    house = sum(
        cents for name, cents in balances.items() if name.startswith(("bank:", "commission:"))
    )
    assert won_by(read) == house + sum(sums.cash_cents for sums in read.places.values())
    only = Performance(PARIS)
    await read_tables(only, StoreReader(store), ["tiger"])
    assert only.tables == ["tiger"]
    assert only.places == {at: one for at, one in read.places.items() if at.table == "tiger"}


# One by one


SETTINGS = Settings(rulebook="EB4", game="tiger")
NOON = datetime(2026, 3, 1, 12, tzinfo=ZoneInfo("Asia/Singapore"))
BY = e.By("Mia", None, NOON)
HOUR = timedelta(hours=1)


def line(patron: str, wager: str, cents: int, won: int, **others: object) -> e.PayLine:
    result = "wins" if won > 0 else "loses" if won else "pushes"
    facts: dict[str, object] = {"settled_cents": cents} | others
    settled = facts.pop("settled_cents")
    return e.PayLine(
        1, patron, wager, cents, settled, result, None, None, None, won, **facts  # type: ignore[arg-type]
    )  # fmt: skip


def opened(hand: Hand, settings: Settings = SETTINGS) -> None:
    hand.note(NOON, e.TableOpened(settings, 4, NOON, BY))


def called(number: int) -> e.BetsOpened:
    return e.BetsOpened(number, "EB4", 4, NOON, "tiger", None, NOON, "system")


def test_a_corrected_list_counts_once_and_where_it_was_made_at_last() -> None:
    hand = Hand()
    opened(hand)
    hand.note(NOON + HOUR, called(1))
    first = (line("ann", "player", 100, -100),)
    before = NOON + 2 * HOUR - timedelta(microseconds=1)  # 14:00 begins the swing shift
    hand.note(before, e.WagersSettled(first))
    book = fed(hand.decisions, GamingDay())
    (place,) = [at for at, sums in book.places.items() if sums.rounds]
    assert place.shift == "day"
    second = e.WagersSettled((line("ann", "player", 100, 100),))
    hand.note(NOON + 2 * HOUR, i.SettlementReversed(first, None, "a card"), second)
    assert book.feed(hand.decisions[-1])
    day, swing = (book.places[at] for at in sorted(book.places, key=lambda at: at.shift))
    assert (day.rounds, day.corrections, day.wagers, day.products) == (0, 0, {}, {})
    assert (swing.rounds, swing.corrections) == (1, 1)
    assert swing.wagers["player"].win_cents == -100
    assert swing.products == {("player", "player"): 100 * 100}
    hand.note(NOON + 3 * HOUR, i.RoundVoided(None, "SETTLED", (), second.lines))
    assert book.feed(hand.decisions[-1])
    assert (swing.rounds, swing.voids, swing.corrections, swing.wagers) == (0, 1, 1, {})
    assert all(one.total.turnover_cents == one.rounds == 0 for one in book.ratings().values())


def test_what_counts_of_a_pay_list() -> None:
    hand = Hand()
    opened(hand)
    hand.note(NOON, called(1))
    lines = (
        line("ann", "banker", 100_00, 95_00, commission_cents=5_00),
        line("bea", "banker", 60_00, 57_00, commission_cents=3_00),
        line("bea", "tie", 20_00, -20_00),
        line("cid", "player", 50_00, 0),
        line("cid", "banker", 900_00, 475_00, settled_cents=500_00, commission_cents=25_00),
        line("dee", "tie", 5_00, 0, settled_cents=0),
    )
    hand.note(NOON, e.WagersSettled(lines))
    book = fed(hand.decisions, GamingDay())
    (sums,) = book.places.values()
    banker, player, tie = (sums.wagers[slug] for slug in ("banker", "player", "tie"))
    assert (banker.rounds, banker.stakes) == (1, 3)
    assert (banker.turnover_cents, banker.resolved_cents) == (660_00, 660_00)
    assert (banker.win_cents, banker.commission_cents) == (-627_00, 33_00)
    assert (player.turnover_cents, player.pushed_cents, player.resolved_cents) == (
        50_00,
        50_00,
        0,
    )
    assert (tie.stakes, tie.turnover_cents, tie.win_cents) == (1, 20_00, 20_00)
    assert sums.products["banker", "tie"] == 660_00 * 20_00
    assert set(sums.products) == {
        ("banker", "banker"), ("banker", "player"), ("banker", "tie"),
        ("player", "player"), ("player", "tie"), ("tie", "tie"),
    }  # fmt: skip
    assert {playing.patron for playing in book.ratings()} == {"ann", "bea", "cid"}


def test_a_seat_counts_on_every_gaming_day_that_it_was_taken() -> None:
    hand = Hand()
    opened(hand)
    hand.note(NOON, e.SeatTaken("ann", 1), e.SeatTaken("bea", 2))
    hand.note(NOON + 40 * HOUR, e.SeatLeft("ann"))
    hand.note(NOON + 41 * HOUR)
    book = fed(hand.decisions, GamingDay())

    def seated(rated: dict[Playing, Rating], patron: str) -> dict[str, timedelta]:
        return {str(p.day): r.seated for p, r in rated.items() if p.patron == patron}

    days = {"2026-03-01": 18 * HOUR, "2026-03-02": 22 * HOUR}
    assert seated(book.ratings(), "ann") == days
    assert seated(book.ratings(), "bea") == days | {"2026-03-02": 23 * HOUR}
    later = seated(book.ratings(NOON + 42 * HOUR), "bea")
    assert later == days | {"2026-03-02": 24 * HOUR}
    assert seated(book.ratings(), "bea") == days | {"2026-03-02": 23 * HOUR}


def test_winnings_that_round_to_nothing_are_no_push() -> None:
    hand = Hand()
    opened(hand)
    nothing = replace(line("ann", "banker", 1, 0), result="wins")
    hand.note(NOON, called(1), e.WagersSettled((nothing,)))
    (sums,) = fed(hand.decisions, GamingDay()).places.values()
    assert (sums.wagers["banker"].turnover_cents, sums.wagers["banker"].pushed_cents) == (1, 0)


def test_time_before_other_rules_counts_under_the_rules_before() -> None:
    hand = Hand()
    opened(hand)
    hand.note(NOON, e.SeatTaken("ann", 1))
    other = replace(SETTINGS, decks=6)
    hand.note(NOON + HOUR, e.SettingsChanged(other, BY))
    hand.note(NOON + 3 * HOUR, e.SeatLeft("ann"))
    book = fed(hand.decisions, GamingDay())
    times = {playing.rules.decks: one.seated for playing, one in book.ratings().items()}
    assert times == {8: HOUR, 6: 2 * HOUR}


def test_rules_are_what_the_odds_depend_on() -> None:
    otherwise = Readings(power_ties_are_natural=True)
    power = Settings(rulebook="PB6", game="power-98", readings=otherwise)
    assert rules_of(power).reading == "A6"
    assert rules_of(replace(power, readings=Readings())).reading is None
    assert rules_of(replace(SETTINGS, readings=otherwise)) == rules_of(SETTINGS)
    assert rules_of(replace(SETTINGS, differential_cents=100)) == rules_of(SETTINGS)


def test_decisions_count_once_and_none_is_left_out() -> None:
    hand = Hand()
    opened(hand)
    hand.note(NOON, called(1))
    hand.note(NOON, e.WagersSettled((line("ann", "tie", 100, -100),)))
    hand.note(NOON, called(2))
    book = fed(hand.decisions[:2], GamingDay())
    assert not book.feed(hand.decisions[3])
    assert (book.behind, book.sequence("1")) == (["1"], 2)
    assert won_by(book) == 0
    for one in hand.decisions:
        assert book.feed(one)
    assert (book.behind, book.sequence("1"), won_by(book)) == ([], 4, 100)
    cage = replace(hand.decisions[0], stream="cage", sequence=9)
    assert book.feed(cage)
    assert book.tables == ["1"]
    assert book.sequence("2") == 0


def test_what_cannot_have_happened_is_refused() -> None:
    for event in (
        e.WagersSettled(()),
        e.SeatLeft("ann"),
        i.SettlementReversed((), None, ""),
    ):
        hand = Hand()
        hand.note(NOON, event)
        with pytest.raises(JournalError, match="Decision 1 of table:1 cannot have happened"):
            fed(hand.decisions)


def test_a_book_forgets_days_and_not_what_may_still_be_taken_out() -> None:
    hand = Hand()
    opened(hand)
    lines = (line("ann", "tie", 100, -100),)
    for number in range(3):
        hand.note(NOON + 24 * number * HOUR, called(number), e.WagersSettled(lines))
    book = fed(hand.decisions, GamingDay())
    days = [date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 3)]
    book.forget(days[1])
    assert [place.day for place in book.places] == days[1:]
    assert [len(book.course("1", day)) for day in days] == [0, 1, 1]
    assert {playing.day for playing in book.ratings()} == set(days[1:])
    book.forget(date(2027, 1, 1))
    assert [place.day for place in book.places] == days[2:]
    hand.note(NOON + 100 * HOUR, i.RoundVoided(None, "SETTLED", (), lines))
    assert book.feed(hand.decisions[-1])
    book.forget(date(2027, 1, 1))
    assert (book.places, book.ratings(), book.course("1", days[2])) == ({}, {}, [])


def test_a_round_without_stakes_is_a_round() -> None:
    hand = Hand()
    opened(hand)
    hand.note(NOON, called(1))
    hand.note(NOON + HOUR / 2, e.WagersSettled(()))
    book = fed(hand.decisions, GamingDay())
    (sums,) = book.places.values()
    assert (sums.rounds, sums.played, sums.wagers) == (1, HOUR / 2, {})
    assert [one.number for one in book.course("1", date(2026, 3, 1))] == [1]


def test_a_round_across_a_change_of_shift_is_played_where_it_counts() -> None:
    six = datetime(2026, 3, 1, 14, tzinfo=ZoneInfo("Asia/Singapore"))  # day ends, swing begins
    hand = Hand()
    opened(hand)
    for number, (called_at, over_at) in enumerate(((-50, -40), (-10, 20), (30, 50)), 1):
        hand.note(six + timedelta(minutes=called_at), called(number))
        hand.note(six + timedelta(minutes=over_at), e.WagersSettled(()))
    hand.note(six + timedelta(hours=9), i.RoundVoided(None, "SETTLED", (), ()))
    # The house is closed for a night with a round in progress.
    hand.note(six + timedelta(hours=10), called(4))
    hand.note(six + timedelta(hours=19), i.RoundVoided(None, "DEALING", (), ()))
    hand.note(six + timedelta(hours=19, minutes=10), called(5))
    hand.note(six + timedelta(hours=19, minutes=20), e.WagersSettled(()))
    book = fed(hand.decisions, GamingDay())
    found = {
        (place.day.day, place.shift): (sums.rounds, sums.played // timedelta(minutes=1))
        for place, sums in book.places.items()
    }
    assert found == {(1, "day"): (1, 10), (1, "swing"): (1, 50), (1, "night"): (0, 0),
                     (2, "day"): (1, 10)}  # fmt: skip
