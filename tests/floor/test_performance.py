"""Win and hold beside the exact odds: the same by every path, and plausible in the long run."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from croupier.floor.performance import (
    ALARM,
    BY,
    RATED_BY,
    WARNING,
    Line,
    Standing,
    course,
    expected_cents,
    odds_of,
    ratings,
    variance_of,
    win,
)
from croupier.gaming_day import GamingDay, Shift
from croupier.journal.performance import Performance, Rules, Sums, rules_of
from croupier.odds import exact_odds
from croupier.rulebooks import GAMES, POWER_98, POWER_98_NATURAL_TIES, find_game
from croupier.table import events as e
from croupier.table.settings import Readings, Settings
from tests.floor.rounds import settings_for
from tests.journal.counting import Hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.rules.game import Game

START = datetime(2026, 3, 1, 20, tzinfo=UTC)
BY_MIA = e.By("Mia", None, START)
PATRONS = ("ann", "bea", "cid")
ROUNDS_OF_A_SHOE = 60


class Dealt:
    """A table of the house, whose rounds are dealt from real shoes and settled by the book.

    Only what counts is written down: calls, pay lists, and who comes and goes.
    """

    def __init__(self, settings: Settings, chance: Random, game: Game | None = None) -> None:
        self.game = find_game(settings.game) if game is None else game
        self.settings, self.chance = settings, chance
        self.hand = Hand(settings.game)
        self.moment = START
        self.rounds = 0
        self.shoe: list[object] = []
        seats = [e.SeatTaken(patron, n + 1) for n, patron in enumerate(PATRONS)]
        brought = [e.CreditBrought(patron, 10_000_00) for patron in PATRONS]
        opened = e.TableOpened(settings, 1, START, BY_MIA)
        self.hand.note(self.moment, opened, *seats, *brought)

    def cards(self) -> Sequence[str]:
        """Deal a coup."""
        if self.rounds % ROUNDS_OF_A_SHOE == 0:
            self.shoe = list(self.game.shoe(self.settings.decks).cards())
            self.chance.shuffle(self.shoe)
        coup = self.game.coup()
        while not coup.complete:
            coup = coup.draw(self.shoe.pop())  # type: ignore[arg-type]
        return [card.text for card in coup.cards]

    def play(self) -> None:
        """Play a round: everybody stakes on some wagers."""
        cards = self.cards()
        self.rounds += 1
        chance, game = self.chance, self.game
        die = chance.randint(1, 6) if game.die is not None else None
        settled = game.settle(cards, die=die)
        lines = []
        for number, patron in enumerate(PATRONS):
            for wager in chance.sample(game.wagers, min(3, len(game.wagers))):
                cents = 100_00 * chance.choice((1, 1, 2, 5))
                verdict = settled[wager.slug]
                won = cents * verdict.net
                assert won.denominator == 1
                lines.append(
                    e.PayLine(
                        number, patron, wager.slug, cents, cents, verdict.result.value, None,
                        None, None, int(won),
                    )
                )  # fmt: skip
        self.moment += timedelta(seconds=40)
        called = e.BetsOpened(
            self.rounds, self.settings.rulebook, 1, START, game.slug, None, self.moment, "Dan"
        )
        self.hand.note(self.moment, called)
        self.moment += timedelta(seconds=20)
        self.hand.note(self.moment, e.WagersSettled(tuple(lines)))


def house(rounds: int, seed: int, games: Sequence[str], **how: bool) -> Performance:
    """Play so many rounds at a table of each game."""
    book = Performance(GamingDay("UTC"), **how)
    for game in games:
        dealt = Dealt(settings_for(game), Random(f"{seed} {game}"))
        for _ in range(rounds):
            dealt.play()
        for one in dealt.hand.decisions:
            assert book.feed(one)
    return book


SLUGS = [game.slug for game in GAMES]


@pytest.fixture(scope="module")
def played() -> Performance:
    return house(300, 1, SLUGS, courses=True)


# Exactness


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_expectation_and_variance_are_those_of_the_joint_distribution(game: Game) -> None:
    rules = Rules(game.edition.code, game.slug, 6)
    chance = Random(game.slug)
    staked = {wager.slug: chance.randrange(1, 500) for wager in game.wagers}
    tally = exact_odds(game, decks=6).tally
    mean = square = Fraction(0)
    for rows, count in tally.joint.items():
        won = Fraction(0)
        for wager, number in zip(game.wagers, rows, strict=True):
            won -= staked[wager.slug] * wager.verdicts[number].net
        mean += won * count / tally.total
        square += won * won * count / tally.total
    assert expected_cents(rules, staked) == mean
    slugs = sorted(staked)
    products = {
        (one, other): staked[one] * staked[other]
        for place, one in enumerate(slugs)
        for other in slugs[place:]
    }
    assert variance_of(rules, products) == square - mean * mean


def test_a_game_is_judged_by_its_decks_and_its_readings() -> None:
    otherwise = Readings(power_ties_are_natural=True)
    power = Settings(rulebook="PB6", game="power-98", readings=otherwise, decks=6)
    odds = odds_of(rules_of(power))
    assert odds.game is POWER_98_NATURAL_TIES
    assert (odds.decks, odds.die) == (6, None)
    plain = odds_of(Rules("PB6", "power-98", 8))
    assert plain.game is POWER_98
    assert plain["tie"].ev != odds["tie"].ev


def test_figures_of_one_round_by_hand() -> None:
    hand = Hand()
    hand.note(START, e.TableOpened(settings_for("baccarat"), 8, START, BY_MIA))
    hand.note(START, e.BetsOpened(1, "BAC8", 8, START, "baccarat", "B", START, "Dan"))
    lines = (
        e.PayLine(1, "ann", "banker", 100_00, 100_00, "wins", None, None, None, 95_00, 5_00),
        e.PayLine(2, "ann", "tie", 20_00, 20_00, "loses", None, None, None, -20_00),
    )
    hand.note(START + timedelta(minutes=1), e.WagersSettled(lines))
    book = Performance(GamingDay("UTC"))
    for one in hand.decisions:
        book.feed(one)
    (line,) = win(book)
    odds = exact_odds(find_game("baccarat"))
    banker, tie = odds["banker"], odds["tie"]
    assert line.expected_cents == 100_00 * banker.edge + 20_00 * tie.edge
    slugs = [wager.slug for wager in odds.game.wagers]
    joint = odds.covariance[slugs.index("banker")][slugs.index("tie")]
    assert line.variance == (
        100_00**2 * banker.variance + 20_00**2 * tie.variance + 2 * 100_00 * 20_00 * joint
    )
    assert line.sums == Sums(1, 2, 120_00, 0, -75_00, 5_00)
    assert (line.hold_of, line.hold) == ("turnover", Fraction(-75, 120))
    assert line.z == float(-75_00 - line.expected_cents) / sqrt(line.variance)
    assert line.rounds_an_hour == 60
    low, high = line.band_cents
    assert low < line.expected_cents < high
    assert high - low == pytest.approx(2 * 1.959964 * sqrt(line.variance), abs=1)


# The same however it is told


RESPECTS: list[tuple[str, ...]] = [
    *((respect,) for respect in BY),
    ("table", "wager"),
    ("day", "shift"),
    ("shift", "game", "wager"),
    tuple(BY),
    (),
]


@pytest.mark.parametrize("by", RESPECTS, ids="-".join)
def test_lines_add_up_to_the_same_whole(played: Performance, by: tuple[str, ...]) -> None:
    (whole,) = win(played, ())
    lines = win(played, by)
    assert all(list(line.of) == [one for one in BY if one in by] for line in lines)
    assert len({tuple(line.of.values()) for line in lines}) == len(lines)
    total = Sums()
    for line in lines:
        total.add(line.sums)
    assert total.win_cents == whole.sums.win_cents
    assert (total.turnover_cents, total.stakes) == (
        whole.sums.turnover_cents,
        whole.sums.stakes,
    )
    assert sum(line.expected_cents for line in lines) == whole.expected_cents
    if "wager" in by:
        assert all(line.drop_cents is None for line in lines)
    else:
        assert total.rounds == whole.sums.rounds == 300 * len(SLUGS)
        assert sum(line.variance for line in lines) == whole.variance
        drops = [line.drop_cents for line in lines]
        assert None not in drops
        assert sum(drop or 0 for drop in drops) == whole.drop_cents == 30_000_00 * len(SLUGS)


def test_shifts_come_in_their_order_and_filters_hold() -> None:
    late_first = (Shift("late", "01:00"), Shift("early", "21:00"), Shift("dawn", "00:30"))
    book = Performance(GamingDay("UTC", late_first))
    dealt = Dealt(settings_for("tiger"), Random(1))
    for _ in range(400):
        dealt.play()
    for one in dealt.hand.decisions:
        book.feed(one)
    days = [line.of for line in win(book, ("day", "shift"))]
    assert days == [
        {"day": "2026-03-01", "shift": "late"},
        {"day": "2026-03-01", "shift": "early"},
        {"day": "2026-03-01", "shift": "dawn"},
        {"day": "2026-03-02", "shift": "late"},
    ]
    assert [line.of["shift"] for line in win(book, ("shift",))] == ["late", "early", "dawn"]
    (first,) = win(book, (), days=[date(2026, 3, 1)])
    (second,) = win(book, (), days=[date(2026, 3, 2)])
    assert first.sums.rounds + second.sums.rounds == 400
    assert first.sums.rounds == 299
    assert win(book, (), days=[date(2026, 3, 3)]) == win(book, (), tables=["no"]) == []


def test_the_course_of_a_day_ends_where_the_table_stands(played: Performance) -> None:
    for table in ("baccarat", "power-98"):
        points = course(played, table, date(2026, 3, 1))
        (line,) = win(played, ("table",), tables=[table])
        last = points[-1]
        assert (last.win_cents, last.expected_cents) == (
            line.sums.win_cents,
            line.expected_cents,
        )
        assert last.variance == line.variance
        assert [point.round for point in points] == list(range(1, 301))
        assert all(before.variance < after.variance for before, after in pairwise(points))


def test_ratings_add_up_to_what_the_tables_won(played: Performance) -> None:
    (whole,) = win(played, ())
    for by in (("patron",), ("day", "patron", "game"), ("table",), tuple(RATED_BY), ()):
        rated = ratings(played, by)
        assert sum(one.sums.win_cents for one in rated) == whole.sums.win_cents
        assert sum(one.sums.turnover_cents for one in rated) == whole.sums.turnover_cents
        assert sum(one.expected_cents for one in rated) == whole.expected_cents
        assert sum(one.bought_cents for one in rated) == whole.drop_cents
    (ann,) = ratings(played, ("patron",), patrons=["ann"])
    assert ann.of == {"patron": "ann"}
    assert ann.sums.rounds == 300 * len(SLUGS)
    assert ann.seated == timedelta(hours=5) * len(SLUGS)
    assert ann.average_cents == Fraction(ann.sums.turnover_cents, ann.sums.rounds)
    (tiger,) = ratings(played, ("game",), patrons=["ann"], tables=["tiger"])
    assert tiger.of == {"game": "tiger"}
    assert ratings(played, days=[date(2026, 3, 5)]) == []


# Words


@pytest.mark.parametrize(
    ("off", "standing"),
    [
        (0, Standing.WITHIN),
        (19_599, Standing.WITHIN),
        (-19_599, Standing.WITHIN),
        (19_600, Standing.OUTSIDE_95),
        (-29_677, Standing.OUTSIDE_95),
        (29_678, Standing.OUTSIDE_997),
        (-90_000, Standing.OUTSIDE_997),
    ],
)
def test_a_plain_word_says_where_the_win_lies(off: int, standing: Standing) -> None:
    expected = Fraction(1, 3)
    line = Line({}, Sums(win_cents=off), expected_cents=expected, variance=Fraction(10**8))
    assert line.standing is standing


def test_nothing_at_stake_has_no_distance() -> None:
    line = Line({}, drop_cents=5)
    assert (line.z, line.standing, line.band_cents) == (None, Standing.NOTHING, (0, 0))
    assert line.edge is line.rounds_an_hour is None
    assert line.hold == 0
    assert Line({}).hold is None


# In the long run


def test_simulated_houses_win_what_the_odds_expect() -> None:
    squares: list[float] = []
    standings: Counter[Standing] = Counter()
    for seed in range(6):
        book = house(250, seed, SLUGS)
        for line in win(book, ("table",)):
            assert line.z is not None
            assert abs(line.z) < 4.5
            squares.append(line.z**2)
            standings[line.standing] += 1
        (whole,) = win(book, ())
        assert whole.z is not None
        assert abs(whole.z) < 4
    # The mean of 66 squared deviations is 1, give or take 0.17.
    assert 0.4 < sum(squares) / len(squares) < 1.7
    assert standings[Standing.WITHIN] > 55
    assert WARNING < ALARM


def overpaid(event: object) -> object:
    """Double what a pay list has for winners on Player."""
    if not isinstance(event, e.WagersSettled):
        return event
    return e.WagersSettled(
        tuple(
            replace(line, won_cents=2 * line.won_cents)
            if line.wager == "player" and line.won_cents > 0
            else line
            for line in event.lines
        )
    )


def test_a_table_that_pays_too_much_is_found() -> None:
    """A dealer who pays each Player winner double is outside the band within a shift."""
    dealt = Dealt(settings_for("baccarat"), Random(3))
    for _ in range(400):
        dealt.play()
    book = Performance(GamingDay("UTC"))
    for one in dealt.hand.decisions:
        book.feed(replace(one, events=tuple(map(overpaid, one.events))))
    by_wager = {line.of["wager"]: line for line in win(book, ("wager",))}
    assert by_wager["player"].standing is Standing.OUTSIDE_997
    assert by_wager["banker"].standing is Standing.WITHIN
