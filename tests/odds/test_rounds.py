"""What n rounds bring, against sequences one by one and against the figures of a round."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import prod
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.money import Cents, Rounding
from croupier.odds import GameOdds, exact_odds
from croupier.odds.fourier import fourier_curve
from croupier.odds.rounds import (
    CONFIDENCES,
    ROUNDS_MAX,
    Method,
    RoundDistribution,
    RoundsResult,
    StakesError,
    hold_bands,
    round_distribution,
    ways_of_power,
)
from croupier.rulebooks import find_game
from croupier.rules.errors import UnknownNameError
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STAKES: list[tuple[str, dict[str, int]]] = [
    ("baccarat", {"banker": 100_00}),
    ("baccarat", {"banker": 100_00, "tie": 10_00}),
    ("baccarat", {"player": 50_00, "banker": 100_00, "player-pair": 5_00}),
    ("tiger", {"banker": 20_00, "tiger": 5_00, "tiger-pair": 5_00, "tiger-tie": 5_00}),
    ("fortune-six-tournament", {"banker": 100_00}),
    ("power-98", {"player": 100_00, "player-natural-8": 40_00, "player-natural-9": 60_00}),
]
"""Games and stakes in cents: one wager, wagers that exclude each other, and many at once."""


@cache
def odds(game: str, die: int | None = None) -> GameOdds:
    return exact_odds(find_game(game), die=die)


def one_round(
    game: str, stakes: Mapping[str, int], die: int | None = None
) -> RoundDistribution:
    return round_distribution(odds(game, die).tally, stakes)


BANKER = one_round("baccarat", {"banker": 100_00})


def chances_of(result: RoundsResult) -> dict[int, Fraction]:
    assert result.method is Method.EXACT
    assert result.chances is not None
    return result.chances


def small(counts: dict[int, int]) -> RoundDistribution:
    return RoundDistribution(counts, Cents(100), Cents(100))


def by_sequences(one: RoundDistribution, rounds: int) -> dict[int, Fraction]:
    """Take every sequence of results, one by one."""
    found: dict[int, Fraction] = {}
    for sequence in product(one.chances.items(), repeat=rounds):
        net = sum(result for result, _ in sequence)
        chance = prod((each for _, each in sequence), start=Fraction(1))
        found[net] = found.get(net, Fraction(0)) + chance
    return found


def convolved(mine: Sequence[int], other: Sequence[int]) -> list[int]:
    found = [0] * (len(mine) + len(other) - 1)
    for i, first in enumerate(mine):
        for j, second in enumerate(other):
            found[i + j] += first * second
    return found


pmfs = st.dictionaries(st.integers(-30, 60), st.integers(1, 10**6), min_size=1, max_size=6).map(
    small
)


@pytest.mark.parametrize(("game", "stakes"), STAKES)
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_a_few_rounds_are_what_all_their_sequences_are(
    game: str, stakes: dict[str, int], rounds: int
) -> None:
    one = one_round(game, stakes)
    assert chances_of(one.after(rounds)) == by_sequences(one, rounds)


@given(pmfs, st.integers(1, 4))
def test_any_results_are_what_all_their_sequences_are(
    one: RoundDistribution, rounds: int
) -> None:
    assert chances_of(one.after(rounds)) == by_sequences(one, rounds)


@given(st.lists(st.integers(0, 50), max_size=6), st.integers(1, 50), st.integers(1, 9))
def test_a_power_is_repeated_convolution(rest: list[int], first: int, power: int) -> None:
    dense = [first, *rest]
    while len(dense) > 1 and not dense[-1]:
        dense.pop()
    places = [(place, ways) for place, ways in enumerate(dense) if ways]
    expected = [1]
    for _ in range(power):
        expected = convolved(expected, dense)
    assert ways_of_power(places, power) == expected


@pytest.mark.parametrize(("game", "stakes"), STAKES)
def test_mean_and_variance_are_those_of_the_wagers_with_their_covariances(
    game: str, stakes: dict[str, int]
) -> None:
    found, one = odds(game), one_round(game, stakes)
    vector = [stakes.get(wager.slug, 0) for wager in found.game.wagers]
    mean = sum((found[slug].ev * stake for slug, stake in stakes.items()), Fraction(0))
    variance = sum(
        (
            mine * theirs * covariance
            for mine, row in zip(vector, found.covariance, strict=True)
            for theirs, covariance in zip(vector, row, strict=True)
        ),
        Fraction(0),
    )
    assert (one.mean, one.variance) == (mean, variance)
    assert one.staked == one.needed == sum(stakes.values())
    rounds = 12
    result = one.after(rounds)
    chances = chances_of(result)
    assert sum(chances.values()) == 1
    expected = sum((net * chance for net, chance in chances.items()), Fraction(0))
    square = sum((net**2 * chance for net, chance in chances.items()), Fraction(0))
    assert expected == rounds * mean == result.mean
    assert square - expected**2 == rounds * variance == result.variance
    assert result.sd == pytest.approx(float(rounds * variance) ** 0.5)


def test_two_wagers_that_exclude_each_other_are_not_taken_as_independent() -> None:
    one = one_round("baccarat", {"banker": 100_00, "tie": 10_00})
    assert sorted(one.counts) == [-110_00, 80_00, 85_00]


def test_power_98_is_averaged_over_the_die() -> None:
    stakes = {"player": 100_00, "player-natural-9": 60_00}
    ordinary, power = (one_round("power-98", stakes, die).chances for die in (1, 3))
    averaged = one_round("power-98", stakes).chances
    assert ordinary != power
    assert averaged == {
        net: (5 * ordinary.get(net, Fraction(0)) + power.get(net, Fraction(0))) / 6
        for net in averaged
    }
    assert one_round("power-98", stakes, 6).chances == ordinary


@pytest.mark.parametrize(("game", "stakes"), STAKES)
@pytest.mark.parametrize("rounds", [1, 7, 20])
def test_fourier_is_within_its_error(game: str, stakes: dict[str, int], rounds: int) -> None:
    one = one_round(game, stakes)
    exact, near = one.after(rounds, Method.EXACT), one.after(rounds, Method.FOURIER)
    assert near.method is Method.FOURIER
    assert 0 < near.error < 1e-9
    assert near.chances is None
    nets = list(chances_of(exact))
    for net in [*nets, nets[0] - 1, nets[-1] + 1, 0, -1]:
        assert abs(near.at_most(net) - exact.at_most(net)) <= near.error


def test_fourier_keeps_a_window_only_and_is_still_within_its_error() -> None:
    one = small({-1: 50, 0: 10, 1: 48})
    curve = fourier_curve(one.places, 1500)
    assert curve is not None
    assert len(curve.cumulative) < 2 * 1500
    assert curve.first > 0
    exact = one.after(1500, Method.EXACT)
    off = max(abs(curve.at_most(k) - exact.curve.at_most(k)) for k in range(3001))
    assert off <= curve.error < 1e-10


@pytest.mark.parametrize(("game", "stakes"), STAKES)
@pytest.mark.parametrize("rounds", [5, 20])
def test_the_normal_is_within_berry_and_esseen(
    game: str, stakes: dict[str, int], rounds: int
) -> None:
    one = one_round(game, stakes)
    exact, normal = one.after(rounds, Method.EXACT), one.after(rounds, Method.NORMAL)
    third = sum((abs(net - one.mean) ** 3 * p for net, p in one.chances.items()), Fraction(0))
    bound = 0.4748 * float(third) / one.sd**3 / rounds**0.5
    assert normal.error == pytest.approx(min(1, bound))
    off = max(abs(normal.at_most(net) - exact.at_most(net)) for net in chances_of(exact))
    # It is an approximation: if it were exact, the test would not compare two methods.
    assert 1e-5 < off <= normal.error


def test_the_normal_and_fourier_agree_for_many_rounds() -> None:
    near, normal = BANKER.after(100_000), BANKER.after(100_000, Method.NORMAL)
    assert near.method is Method.FOURIER
    for chance in (0.001, 0.05, 0.5, 0.95, 0.999):
        net = near.quantile(chance)
        assert abs(near.at_most(net) - normal.at_most(net)) <= normal.error + near.error
        assert abs(normal.quantile(chance) - net) < 0.002 * near.sd


def test_the_method_follows_the_rounds() -> None:
    assert BANKER.exact_rounds_max == 377
    assert BANKER.after(20).method is Method.EXACT
    assert BANKER.after(378).method is Method.FOURIER
    beyond = BANKER.after(10**10)
    assert beyond.method is Method.NORMAL
    assert beyond.error < 1e-5
    assert fourier_curve(BANKER.places, 10**10) is None
    with pytest.raises(StakesError, match="too many results for Fourier"):
        BANKER.after(10**10, Method.FOURIER)
    player = one_round("baccarat", {"player": 100_00})
    near, normal = (player.after(10**10, each) for each in (Method.FOURIER, Method.NORMAL))
    assert normal.error < near.error
    assert player.after(10**10).method is Method.NORMAL


@given(pmfs, st.integers(1, 6), st.floats(0.001, 0.999), st.sampled_from(Method))
def test_a_quantile_is_the_lowest_result_that_reaches_its_chance(
    one: RoundDistribution, rounds: int, chance: float, method: Method
) -> None:
    if method is Method.NORMAL and not one.variance:
        with pytest.raises(StakesError, match="ends alike"):
            one.after(rounds, method)
        return
    result = one.after(rounds, method)
    slack = 1e-9 if method is not Method.EXACT else 1e-15
    found = result.quantile(chance)
    assert (found - result.low) % one.step == 0
    assert result.at_most(found) >= chance - slack
    if found > result.low:
        assert result.at_most(found - 1) < chance + slack


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("rounds", [1, 15])
def test_chances_of_being_ahead_and_the_table_sum_to_one(method: Method, rounds: int) -> None:
    for game, stakes in STAKES:
        result = one_round(game, stakes).after(rounds, method)
        assert result.ahead + result.level + result.behind == pytest.approx(1)
        table = result.table()
        assert sum(bar.chance for bar in table) == pytest.approx(1)
        assert (table[0].low, table[-1].high) == (result.low, result.high)
        assert all(
            before.high + result.one.step == after.low for before, after in pairwise(table)
        )
        assert len(table) <= 10
        if method is Method.EXACT:
            chances = chances_of(result)
            assert result.ahead == pytest.approx(
                float(sum(chance for net, chance in chances.items() if net > 0))
            )
            assert result.level == pytest.approx(float(chances.get(0, 0)))
            for low, high, chance in table:
                inside = sum(p for net, p in chances.items() if low <= net <= high)
                assert chance == pytest.approx(float(inside), abs=1e-12)


def test_a_round_that_always_ends_alike() -> None:
    one = small({-100: 7})
    result = one.after(5)
    assert chances_of(result) == {-500: 1}
    assert (result.quantile(0.5), result.ahead, result.behind, result.sd) == (-500, 0, 1, 0)
    assert [(bar.low, bar.high, bar.chance) for bar in result.table()] == [(-500, -500, 1)]
    later = one.after(one.exact_rounds_max + 1)
    assert later.method is Method.FOURIER
    assert later.quantile(0.5) == later.low == later.mean


@pytest.mark.parametrize(("game", "stakes"), STAKES)
def test_bands_of_hold_cover_what_they_say(game: str, stakes: dict[str, int]) -> None:
    rounds = 20
    one = one_round(game, stakes)
    result = one.after(rounds, Method.EXACT)
    slack = 2 * one.after(rounds, Method.NORMAL).error
    held = {
        -net / (rounds * sum(stakes.values())): chance
        for net, chance in chances_of(result).items()
    }
    bands = hold_bands(result)
    assert [band.confidence for band in bands] == list(CONFIDENCES)
    for band in bands:
        outside = Fraction(str(1 - band.confidence)).limit_denominator(1000) / 2
        below = sum(chance for hold, chance in held.items() if hold < band.low)
        above = sum(chance for hold, chance in held.items() if hold > band.high)
        assert below <= outside
        assert above <= outside
        # One result further in would be too narrow.
        assert sum(chance for hold, chance in held.items() if hold <= band.low) >= outside
        assert sum(chance for hold, chance in held.items() if hold >= band.high) > outside
        inside = sum(p for x, p in held.items() if band.normal_low <= x <= band.normal_high)
        assert abs(float(inside) - band.confidence) <= slack
        middle = (band.normal_low + band.normal_high) / 2
        assert middle == pytest.approx(-float(one.mean) / one.staked)


@pytest.mark.parametrize(("game", "stakes"), STAKES)
def test_the_normal_band_excludes_zero_from_the_stated_round_on(
    game: str, stakes: dict[str, int]
) -> None:
    one = one_round(game, stakes)
    for number, band in enumerate(hold_bands(one.after(10))):
        rounds = band.rounds_to_exclude_zero
        assert rounds is not None
        last, first = (
            hold_bands(one.after(each, Method.NORMAL))[number] for each in (rounds - 1, rounds)
        )
        assert last.normal_low <= 1e-12
        assert last.normal_high >= -1e-12
        assert first.normal_low > 0 or first.normal_high < 0


def test_a_fair_game_never_excludes_zero() -> None:
    (band,) = hold_bands(small({-100: 1, 100: 1}).after(9), [0.95])
    assert band.rounds_to_exclude_zero is None
    assert band.low == -band.high


def test_the_house_sees_the_other_side_and_must_cover_the_largest_payment() -> None:
    one = one_round("baccarat", {"banker": 100_00, "tie": 10_00})
    assert one.house.mean == -one.mean
    assert one.house.variance == one.variance
    assert (one.house.staked, one.house.needed) == (110_00, 85_00)
    assert one.house.after(9).ahead == pytest.approx(one.after(9).behind)


def test_parts_of_a_cent_are_refused_or_rounded_by_name() -> None:
    tally, stakes = odds("baccarat").tally, {"banker": 100_50}
    with pytest.raises(StakesError, match=r"100\.50 on banker .* 0\.95 to 1"):
        round_distribution(tally, stakes)
    won = [
        max(round_distribution(tally, stakes, rounding).counts)
        for rounding in (Rounding.DOWN, Rounding.NEAREST, Rounding.UP)
    ]
    assert won == [95_47, 95_48, 95_48]


@pytest.mark.parametrize(
    ("game", "stakes", "words"),
    [
        ("baccarat", {}, "No stake came"),
        ("baccarat", {"banker": 0}, r"0\.00; a stake is more than zero"),
        ("baccarat", {"banker": -5_00}, r"-5\.00; a stake"),
        ("power-98", {"player-natural-8": 5_00}, "needs a stake on player"),
        ("power-98", {"player": 5_00, "player-natural-8": 6_00}, "may not exceed the 5.00"),
    ],
)
def test_stakes_that_cannot_be_are_refused(
    game: str, stakes: dict[str, int], words: str
) -> None:
    with pytest.raises(StakesError, match=words) as refusal:
        round_distribution(odds(game).tally, stakes)
    assert is_one_sentence(str(refusal.value))


def test_wagers_of_other_games_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="'tiger' is not a wager of Baccarat"):
        round_distribution(odds("baccarat").tally, {"tiger": 100})


@pytest.mark.parametrize("rounds", [0, -1, ROUNDS_MAX + 1])
def test_rounds_that_cannot_be_are_refused(rounds: int) -> None:
    with pytest.raises(StakesError, match=f"^{rounds} rounds came; .* 1 to 1,000,000,000,000"):
        BANKER.after(rounds)


@pytest.mark.parametrize("chance", [0, 1, -0.5, float("nan")])
def test_quantiles_that_cannot_be_are_refused(chance: float) -> None:
    with pytest.raises(StakesError, match="lies between 0 and 1"):
        BANKER.after(1).quantile(chance)


def test_importing_it_imports_no_numpy() -> None:
    code = "import croupier.odds.rounds, croupier.odds.ruin, sys; print('numpy' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)  # noqa: S603  # our own code
    assert ended.stdout.strip() == b"False"
