"""Risk of ruin, against sequences one by one, exact fractions and the classic formulas."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.money import Cents
from croupier.odds import exact_tally, ruin
from croupier.odds.rounds import RoundDistribution, StakesError, round_distribution
from croupier.odds.ruin import NEGLIGIBLE, RuinEver, RuinMethod, RuinWithin, Walk, diffusion
from croupier.rulebooks import find_game


def small(counts: dict[int, int]) -> RoundDistribution:
    """Return a round with these results, which needs what it can lose."""
    return RoundDistribution(counts, Cents(1), Cents(max(0, -min(counts))))


EVEN = small({-1: 1, 1: 1})
GOOD = small({-1: 2, 1: 3})
BAD = small({-1: 3, 1: 2})


@cache
def one_round(game: str, wager: str) -> RoundDistribution:
    chosen = find_game(game)
    return round_distribution(exact_tally(chosen, chosen.shoe(8)), {wager: 100_00})


def by_sequences(one: RoundDistribution, rounds: int, bankroll: int) -> Fraction:
    """Take every sequence of results, one by one, and ask whether it ruins."""
    found = Fraction(0)
    for sequence in product(one.chances.items(), repeat=rounds):
        left = bankroll
        for net, _ in sequence:
            if left < one.needed:
                break
            left += net
        if left < one.needed:
            found += prod((chance for _, chance in sequence), start=Fraction(1))
    return found


def by_fractions(one: RoundDistribution, rounds: int, bankroll: int) -> Fraction:
    """Follow the bankroll forwards in exact fractions."""
    alive, ruined = {bankroll: Fraction(1)}, Fraction(0)
    for _ in range(rounds):
        after: dict[int, Fraction] = {}
        for held, chance in alive.items():
            for net, each in one.chances.items():
                left = held + net
                if left < one.needed:
                    ruined += chance * each
                else:
                    after[left] = after.get(left, Fraction(0)) + chance * each
        alive = after
    return ruined


losing = st.dictionaries(st.integers(-6, 12), st.integers(1, 9), min_size=1, max_size=4).filter(
    lambda counts: min(counts) < 0
)


@given(losing, st.integers(1, 5), st.integers(0, 15))
def test_ruin_is_what_all_sequences_say(
    counts: dict[int, int], rounds: int, above: int
) -> None:
    one = small(counts)
    bankroll = one.needed + above
    found, expected = (
        RuinWithin(one, rounds).chance(bankroll),
        by_sequences(one, rounds, bankroll),
    )
    assert found.method is RuinMethod.RECURSION
    assert found.chance == pytest.approx(float(expected), abs=1e-12)
    assert found.lower <= expected <= found.upper
    assert expected == by_fractions(one, rounds, bankroll)


@pytest.mark.parametrize("wager", ["banker", "player", "tie", "player-pair"])
@pytest.mark.parametrize("bankroll", [100_00, 199_99, 200_00, 555_00])
def test_ruin_at_real_wagers_is_that_of_exact_fractions(wager: str, bankroll: int) -> None:
    one = one_round("baccarat", wager)
    found, expected = RuinWithin(one, 12).chance(bankroll), by_fractions(one, 12, bankroll)
    assert found.lower <= expected <= found.upper
    assert found.chance == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("rounds", [1, 10, 101, 400])
@pytest.mark.parametrize("bankroll", [1, 2, 7, 20])
def test_an_even_game_is_as_the_reflection_principle_says(rounds: int, bankroll: int) -> None:
    wins = range(rounds + 1)
    at_most = sum(comb(rounds, k) for k in wins if 2 * k - rounds <= -bankroll)
    below = sum(comb(rounds, k) for k in wins if 2 * k - rounds < -bankroll)
    expected = Fraction(at_most + below, 2**rounds)
    assert RuinWithin(EVEN, rounds).chance(bankroll).chance == pytest.approx(float(expected))


@pytest.mark.parametrize("bankroll", [1, 2, 5, 30])
def test_gamblers_ruin_for_ever(bankroll: int) -> None:
    found = RuinEver(GOOD).chance(bankroll)
    assert found.method is RuinMethod.LUNDBERG
    assert found.lower == found.chance == found.upper
    assert found.chance == pytest.approx((2 / 3) ** bankroll, rel=1e-12)
    later = RuinWithin(GOOD, 3000).chance(bankroll)
    assert later.chance == pytest.approx(found.chance, rel=1e-9, abs=1e-12)
    for one in (EVEN, BAD):
        assert RuinEver(one).chance(bankroll) == ruin.certain(ruined=True)
        assert RuinEver(one).bankroll(0.5).cents is None


@pytest.mark.parametrize(
    "counts",
    [{-3: 2, 1: 5, 2: 3}, {-1: 1, -4: 1, 3: 5}, {-19: 46, 0: 10, 20: 45}, {-50: 1, 1: 60}],
)
@pytest.mark.parametrize("above", [0, 3, 25])
def test_ruin_for_ever_lies_between_its_bounds(counts: dict[int, int], above: int) -> None:
    one = small(counts)
    found = RuinEver(one).chance(one.needed + above)
    later = RuinWithin(one, 20_000).chance(one.needed + above)
    assert later.method is RuinMethod.RECURSION
    # What lies behind twenty thousand rounds is next to nothing in these games.
    assert found.lower - 1e-6 <= later.chance <= found.upper
    assert found.lower < found.upper == found.chance


def test_the_exponent_is_the_root() -> None:
    for one in (GOOD, small({-3: 2, 1: 5, 2: 3}), one_round("baccarat", "player").house):
        found = RuinEver(one)
        assert found.exponent > 0
        assert found.walk.growth(found.exponent) == pytest.approx(0, abs=1e-14)
    assert RuinEver(GOOD).exponent == pytest.approx(0.4054651081081644)


def test_a_patron_with_the_edge_may_last_for_ever() -> None:
    banker = one_round("fortune-six-tournament", "banker")
    assert banker.mean > 0
    found = RuinEver(banker).chance(10_000_00)
    assert found.method is RuinMethod.LUNDBERG
    assert found.lower == found.upper
    wins, losses = (banker.counts[net] for net in (100_00, -100_00))
    assert found.chance == pytest.approx((losses / wins) ** 100, rel=1e-9)
    assert RuinEver(banker.house).chance(10_000_00).chance == 1


@pytest.mark.parametrize("risk", [0.5, 0.05, 1e-6])
@pytest.mark.parametrize("wager", ["banker", "tie"])
def test_the_required_bankroll_is_the_smallest(risk: float, wager: str) -> None:
    one = one_round("baccarat", wager)
    for found in (RuinWithin(one, 300), RuinWithin(one.house, 300), RuinEver(one.house)):
        needed = found.bankroll(risk)
        assert needed.cents is not None
        assert needed.risk == risk
        assert found.chance(needed.cents).chance <= risk * (1 + 1e-12)
        assert found.chance(needed.cents - 1).chance > risk
        assert needed.cents >= found.walk.one.needed


def test_a_bankroll_that_does_not_hold_one_round_is_ruined_already() -> None:
    one = one_round("baccarat", "tie")
    assert RuinWithin(one, 5).chance(99_99).chance == 1
    assert RuinWithin(one.house, 5).chance(799_99).chance == 1
    assert RuinEver(one.house).chance(799_99).chance == 1
    assert RuinWithin(one.house, 5).chance(800_00).chance < 1


def test_who_cannot_lose_is_safe() -> None:
    one = small({0: 1, 5: 1})
    assert RuinWithin(one, 5).chance(0) == ruin.certain(ruined=False)
    assert RuinEver(one).chance(0) == ruin.certain(ruined=False)
    assert (RuinWithin(one, 5).bankroll(0.1).cents, RuinEver(one).bankroll(0.1).cents) == (0, 0)


def test_who_always_loses_lasts_as_long_as_the_bankroll() -> None:
    one = small({-5: 3})
    assert [RuinWithin(one, 4).chance(cents).chance for cents in (20, 24, 25)] == [1, 1, 0]
    assert RuinWithin(one, 4).bankroll(0.1).cents == 25
    assert RuinWithin(one, 10**9).chance(20).chance == 1
    assert RuinEver(one).chance(10**6).chance == 1


def test_beyond_the_safe_height_ruin_is_negligible() -> None:
    walk = Walk(EVEN)
    safe = walk.safe_height(1000)
    assert safe < 1000
    found = RuinWithin(EVEN, 1000)
    assert len(found.table) == safe + 1
    assert found.table[safe] < NEGLIGIBLE
    above = found.chance(walk.bankroll(safe + 1))
    assert (above.chance, above.lower, above.upper) == (0, 0, NEGLIGIBLE)


@pytest.mark.parametrize("rounds", [200, 2000])
@pytest.mark.parametrize(("wager", "bankroll"), [("banker", 3_000_00), ("tie", 9_000_00)])
def test_the_continuous_walk_is_near_and_its_bounds_hold(
    rounds: int, wager: str, bankroll: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in (one_round("baccarat", wager), one_round("baccarat", wager).house):
        true = RuinWithin(one, rounds).chance(bankroll)
        enough = RuinWithin(one, rounds).bankroll(0.05).cents
        assert true.method is RuinMethod.RECURSION
        with monkeypatch.context() as patch:
            patch.setattr(ruin, "RECURSION_WORK_MAX", 0)
            near = RuinWithin(one, rounds).chance(bankroll)
            about = RuinWithin(one, rounds).bankroll(0.05).cents
        assert near.method is RuinMethod.DIFFUSION
        assert near.lower <= true.chance <= near.upper
        assert near.lower <= near.chance <= near.upper
        assert near.chance == pytest.approx(true.chance, abs=0.03)
        assert enough is not None
        assert about == pytest.approx(enough, rel=0.08)


def test_the_bound_of_losing_so_much_holds() -> None:
    for one in (EVEN, GOOD, BAD, small({-3: 2, 1: 5, 2: 3})):
        table = RuinWithin(one, 50).table
        walk = Walk(one)
        for height, chance in enumerate(table):
            assert chance <= walk.reach_bound(50, height + 1) + 1e-12


def test_the_continuous_walk_far_out() -> None:
    walk = Walk(one_round("baccarat", "banker"))
    assert diffusion(walk, 10**9, 10**3) == 1
    assert diffusion(walk, 100, 10**6) == 0


def test_many_rounds_are_taken_as_continuous() -> None:
    found = RuinWithin(one_round("baccarat", "banker"), 10**6)
    assert found.method is RuinMethod.DIFFUSION
    answer = found.chance(2_000_000_00)
    assert 0 <= answer.lower <= answer.chance <= answer.upper < 1e-6


def test_bounds_of_many_rounds_come_from_fewer_and_from_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = one_round("baccarat", "tie").house
    true, ever = RuinWithin(one, 4000).chance(3_000_00), RuinEver(one).chance(3_000_00)
    sooner = RuinWithin(one, 500).chance(3_000_00)
    monkeypatch.setattr(ruin, "RECURSION_WORK_MAX", 4 * ruin.recursion_work(Walk(one), 500))
    near = RuinWithin(one, 4000).chance(3_000_00)
    assert near.method is RuinMethod.DIFFUSION
    assert near.lower == sooner.lower > 0.3 * true.chance
    assert true.chance <= near.upper <= ever.upper


@pytest.mark.parametrize("risk", [0, 1, -0.1, 1.5, 1e-12, float("nan"), float("inf")])
def test_a_risk_that_cannot_be_is_refused(risk: float) -> None:
    for found in (RuinWithin(EVEN, 3), RuinEver(GOOD)):
        with pytest.raises(StakesError, match="a risk is 1e-09 or more and less than 1"):
            found.bankroll(risk)


@pytest.mark.parametrize("rounds", [0, -3])
def test_rounds_that_cannot_be_are_refused(rounds: int) -> None:
    with pytest.raises(StakesError, match="rounds came"):
        RuinWithin(EVEN, rounds)
