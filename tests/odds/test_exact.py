"""Exact counting: two paths, one answer, and the answer of dealing every coup there is."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb, perm
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.odds import exact, exact_odds, plain
from croupier.odds.tally import exact_tally as plain_tally
from croupier.odds.tally import rank_counts
from croupier.rulebooks import BACCARAT, FA_FA_FABULOUS_4, GAMES, find_game
from croupier.rules.errors import CompositionError
from croupier.rules.outcome import INDEX_SIZE, Outcome, Side
from croupier.rules.paysheet import CELLS
from croupier.rules.shoe import Composition
from tests.rules.known import every_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from croupier.rules.game import Game

FABULOUS_4S = find_game("fabulous-4s")
POWER_98 = find_game("power-98")
SHARED = exact.Work()
"""One work space for all tests: what one leaves behind must not disturb the next."""


def compiled(
    ranks: list[int], precious: list[int] | None = None, game: Game = BACCARAT
) -> dict[int, int]:
    counted = exact.count_outcomes(game.tableau, ranks, precious, SHARED)
    assert counted.shape == (INDEX_SIZE,)
    assert counted.min() >= 0
    places = np.flatnonzero(counted)
    return dict(zip(places.tolist(), counted[places].tolist(), strict=True))


def random_ranks(chance: random.Random, most: int) -> tuple[list[int], list[int]]:
    """Draw counts by rank, many of them zero, and how many are of the precious suit."""
    while True:
        ranks = [chance.randint(0, most) * chance.choice((0, 1, 1)) for _ in range(13)]
        if sum(ranks) >= 6:
            return ranks, [chance.randint(0, count) for count in ranks]


# Compiled and plain


@pytest.mark.parametrize("most", [1, 2, 3, 4, 6, 9, 14, 33, 50])
def test_the_two_paths_agree_on_random_compositions(most: int) -> None:
    chance = random.Random(most)
    for number in range(30):
        ranks, precious = random_ranks(chance, most)
        total = perm(sum(ranks), 6)
        for golden in (None, precious) if number % 2 else (precious, None):
            counted = compiled(ranks, golden)
            assert counted == plain.count_outcomes(BACCARAT.tableau, ranks, golden)
            assert sum(counted.values()) == total
        by_points: Counter[int] = Counter()
        for index, count in counted.items():
            by_points[index % CELLS] += count
        points = exact.count_points(BACCARAT.tableau, ranks, SHARED)
        assert Counter(dict(enumerate(points.tolist()))) == by_points


@every_game()
@pytest.mark.parametrize("decks", [4, 8, 10])
def test_the_two_tallies_of_a_full_shoe_are_the_same(game: Game, decks: int) -> None:
    fast, slow = (path(game, game.shoe(decks)) for path in (exact.exact_tally, plain_tally))
    assert fast.parts == slow.parts
    assert fast.total == perm(len(game.shoe(decks)), 6) * (6 if game.die else 1)
    assert fast.row_counts == slow.row_counts


@pytest.mark.parametrize("die", [None, 1, 3])
def test_the_compiled_tally_takes_the_die(die: int | None) -> None:
    shoe = POWER_98.shoe(8)
    fast = exact.exact_tally(POWER_98, shoe, die=die)
    assert fast.parts == plain_tally(POWER_98, shoe, die=die).parts


def test_a_work_space_forgets_the_precious_suit_of_the_count_before() -> None:
    work = exact.Work()
    exact.count_outcomes(BACCARAT.tableau, [32] * 13, [8] * 13, work)
    again = exact.count_outcomes(BACCARAT.tableau, [32] * 13, None, work).copy()
    fresh = exact.count_outcomes(BACCARAT.tableau, [32] * 13)
    assert (again == fresh).all()


def test_a_work_space_changes_its_tableau() -> None:
    work = exact.Work()
    for game in (BACCARAT, FABULOUS_4S, FA_FA_FABULOUS_4, BACCARAT):
        again = exact.count_outcomes(game.tableau, [5] * 13, None, work)
        assert (again == exact.count_outcomes(game.tableau, [5] * 13)).all()


@every_game()
def test_every_outcome_of_a_full_shoe_is_reachable_and_the_other_way_round(game: Game) -> None:
    counted = exact.exact_tally(game, game.shoe(8)).parts[0].counts
    assert sorted(counted) == list(game.outcomes)


# Every ordered deal of a tiny shoe, through the live coup

TINY = [
    (BACCARAT, "AS AH AD 4S 4H 9S KS"),
    (BACCARAT, "TS JS QS KS KH 5D 6D 6S"),
    (BACCARAT, "3S 3H 8S 8H 2C 7D 7S 6H TH"),
    (FABULOUS_4S, "4D 4D 4D 4S KD KD 9D"),
    (FABULOUS_4S, "2D 2D 2S 3D 3D 3H 6D 6C"),
    (FABULOUS_4S, "4D 4D 4S 4S AD AD AH 5C TD"),
    (FA_FA_FABULOUS_4, "4-Gold 4-Gold 4-Fire 4-Wood Lu-Gold Lu-Gold 9-Earth"),
    (FA_FA_FABULOUS_4, "Fu-Gold Fu-Gold Fu-Gold Fu-Gold 3-Gold 3-Gold 3-Water 6-Wood"),
]


def dealt(game: Game, cards: str) -> Counter[int]:
    """Deal every ordered six cards of a shoe through the live coup."""
    found: Counter[int] = Counter()
    for deal in permutations(game.deck.parse_cards(cards), 6):
        coup = game.coup(deal[:4])
        while not coup.complete:
            coup = coup.draw(deal[len(coup.cards)])
        found[coup.index(game.precious)] += 1
    return found


@pytest.mark.parametrize(("game", "cards"), TINY, ids=lambda value: str(value)[:12])
def test_counts_are_those_of_dealing_every_coup(game: Game, cards: str) -> None:
    shoe = Composition.of(game.deck, game.deck.parse_cards(cards))
    brute = dealt(game, cards)
    assert sum(brute.values()) == perm(len(shoe), 6)
    for path in (exact.exact_tally, plain_tally):
        (part,) = path(game, shoe).parts
        assert part.counts == brute


# Published figures


@cache
def hands(decks: int) -> list[tuple[Outcome, int]]:
    counted = exact.exact_tally(BACCARAT, BACCARAT.shoe(decks)).parts[0].counts
    return [(Outcome.from_index(index), count) for index, count in counted.items()]


def sum_where(holds: Callable[[Outcome], bool], decks: int = 8) -> int:
    return sum(count for outcome, count in hands(decks) if holds(outcome))


@pytest.mark.parametrize(
    ("decks", "banker", "player", "tie"),
    [
        (8, 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216),
        (6, 403_095_751_234_560, 392_220_492_728_832, 83_552_962_932_288),
    ],
)
def test_published_counts_of_banker_player_and_tie(
    decks: int, banker: int, player: int, tie: int
) -> None:
    assert sum_where(lambda outcome: outcome.winner is Side.BANKER, decks) == banker
    assert sum_where(lambda outcome: outcome.winner is Side.PLAYER, decks) == player
    assert sum_where(lambda outcome: outcome.winner is None, decks) == tie
    assert banker + player + tie == perm(52 * decks, 6)


def test_published_number_of_deals() -> None:
    assert sum_where(lambda _: True) == 4_998_398_275_503_360


BANKER_WINS = [
    24_291_119_898_624,
    44_681_581_871_104,
    72_927_778_568_192,
    163_359_790_133_248,
    216_715_928_915_968,
    269_232_304_455_680,
    384_279_324_919_808,
    529_914_458_673_152,
    586_850_279_002_112,
]
TIES = [
    28_979_901_420_544,
    20_499_217_668_352,
    20_006_606_104_576,
    22_250_510_129_408,
    36_294_133_463_040,
    39_684_046_743_808,
    96_170_001_308_416,
    101_717_538_899_968,
    54_879_416_675_072,
    55_146_054_060_032,
]


@pytest.mark.parametrize(("points", "count"), list(enumerate(BANKER_WINS, start=1)))
def test_published_banker_wins_by_total(points: int, count: int) -> None:
    assert sum_where(lambda o: o.winner is Side.BANKER and o.banker.points == points) == count


@pytest.mark.parametrize(("points", "count"), list(enumerate(TIES)))
def test_published_ties_by_total(points: int, count: int) -> None:
    assert sum_where(lambda o: o.winner is None and o.banker.points == points) == count


@pytest.mark.parametrize(
    ("cards", "count"), [(2, 186_173_936_904_192), (3, 83_058_367_551_488)]
)
def test_published_banker_sixes_by_cards(cards: int, count: int) -> None:
    assert (
        sum_where(
            lambda o: (
                o.winner is Side.BANKER and o.banker.points == 6 and o.banker.cards == cards
            )
        )
        == count
    )


@pytest.mark.parametrize(("cards", "share"), [(4, ".378868"), (5, ".303444"), (6, ".317687")])
def test_published_cards_of_a_round(cards: int, share: str) -> None:
    count = sum_where(lambda o: o.player.cards + o.banker.cards == cards)
    assert f"{count / perm(416, 6):.6f}" == f"0{share}"


EDGES = [
    ("baccarat", "banker", 8, "1.0579"),
    ("baccarat", "player", 8, "1.2351"),
    ("baccarat", "tie", 8, "14.3596"),
    ("no-commission", "banker", 8, "1.4581"),
    ("baccarat", "player-pair", 8, "10.361"),
    ("baccarat", "banker-pair", 6, "11.25"),
    ("super-6", "super-6", 8, "13.82"),
    ("fortune-six", "fortune-six", 8, "16.6836"),
    ("tiger", "tiger", 8, "16.6836"),
    ("tiger", "big-tiger", 8, "15.2533"),
    ("fabulous-4s", "player", 8, "1.6041"),
    ("fabulous-4s", "banker", 8, "1.55"),
]


@pytest.mark.parametrize(("slug", "wager", "decks", "percent"), EDGES)
def test_published_edges_to_the_last_digit(
    slug: str, wager: str, decks: int, percent: str
) -> None:
    edge = 100 * float(exact_odds(find_game(slug), decks=decks)[wager].edge)
    assert f"{edge:.{len(percent.partition('.')[2])}f}" == percent


@pytest.mark.parametrize(
    ("wager", "percent"),
    [("player-dragon-bonus", "2.6517"), ("banker-dragon-bonus", "9.3731")],
)
def test_published_edges_of_the_dragon_bonus(wager: str, percent: str) -> None:
    offered = [game for game in GAMES if wager in {own.slug for own in game.wagers}]
    assert offered
    for game in offered:
        if len(game.deck) == 52:
            assert f"{100 * float(exact_odds(game)[wager].edge):.4f}" == percent


def test_published_deviation_and_hit_rates() -> None:
    big = exact_odds(find_game("tiger"))["big-tiger"]
    assert (f"{big.sd:.3f}", f"{float(big.hit_rate):.5f}") == ("6.519", "0.01662")
    pair = exact_odds(BACCARAT)["player-pair"]
    assert f"{100 * float(pair.hit_rate):.3f}" == "7.470"


# Laws


def test_eight_decks_of_65_are_ten_decks_of_52_at_rank_level() -> None:
    large, small = FA_FA_FABULOUS_4.shoe(8), BACCARAT.shoe(10)
    assert large.by_rank() == small.by_rank()
    folded: Counter[int] = Counter()
    for index, count in exact.exact_tally(FA_FA_FABULOUS_4, large).parts[0].counts.items():
        cells, points = divmod(index, CELLS)
        banker, player = divmod(cells, 32)
        folded[(banker % 16 * 32 + player % 16) * CELLS + points] += count
    assert folded == exact.exact_tally(BACCARAT, small).parts[0].counts


counts_by_rank = st.lists(st.integers(0, 40), min_size=13, max_size=13).filter(
    lambda ranks: sum(ranks) >= 6
)


@given(counts_by_rank)
def test_the_pair_wager_has_its_closed_form(ranks: list[int]) -> None:
    cards = sum(ranks)
    pairs = sum(comb(count, 2) for count in ranks)
    closed = Fraction(12 * pairs - comb(cards, 2), comb(cards, 2))
    for side in ("player", "banker"):
        place = [wager.slug for wager in BACCARAT.wagers].index(f"{side}-pair")
        counts = np.array([ranks])
        assert exact.expectations(BACCARAT, counts)[0, place] == pytest.approx(
            float(closed), abs=1e-13
        )
    tally = plain_count(ranks)
    assert Fraction(tally, perm(cards, 6)) * 12 - 1 == closed


def plain_count(ranks: list[int]) -> int:
    counted = plain.count_outcomes(BACCARAT.tableau, ranks)
    return sum(count for index, count in counted.items() if index // CELLS % 32)


# Many compositions at once


def compositions(game: Game, number: int, seed: int = 5) -> list[Composition]:
    chance = random.Random(seed)
    faces = len(game.deck)
    found = [game.shoe(8)]
    while len(found) < number:
        most = chance.choice((1, 2, 8))
        counts = tuple(chance.randint(0, most) * chance.choice((0, 1)) for _ in range(faces))
        if sum(counts) >= 6:
            found.append(Composition(game.deck, counts))
    return found


def arrays(
    game: Game, shoes: list[Composition]
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    both = [rank_counts(game, shoe) for shoe in shoes]
    precious = None if game.precious is None else np.array([golden for _, golden in both])
    return np.array([ranks for ranks, _ in both]), precious


@every_game()
def test_a_batch_gives_what_single_counts_give(game: Game) -> None:
    shoes = compositions(game, 20)
    ranks, precious = arrays(game, shoes)
    found = {
        die: exact.expectations(game, ranks, precious, die=die)
        for die in ((None, 1, 3) if game.die else (None,))
    }
    rows = {
        power: exact.row_counts(game, ranks, precious, power=power)
        for power in ((False, True) if game.die else (False,))
    }
    for place, shoe in enumerate(shoes):
        for die, means in found.items():
            odds = exact_odds(game, shoe, die=die)
            expected = [float(wager.ev) for wager in odds.wagers]
            assert means[place] == pytest.approx(expected, abs=1e-12)
        for power, counts in rows.items():
            die = (3 if power else 1) if game.die else None
            each = plain_tally(game, shoe, die=die).row_counts
            assert counts[place].tolist() == [count for own in each for count in own]


def test_the_number_of_threads_and_blocks_makes_no_difference() -> None:
    ranks, precious = arrays(FABULOUS_4S, compositions(FABULOUS_4S, 700))
    one = exact.row_counts(FABULOUS_4S, ranks, precious, threads=1)
    means = exact.expectations(FABULOUS_4S, ranks, precious, threads=1)
    for threads in (2, 3, 7, None):
        again = exact.row_counts(FABULOUS_4S, ranks, precious, threads=threads)
        assert (one == again).all()
        other = exact.expectations(FABULOUS_4S, ranks, precious, threads=threads)
        assert (means == other).all()


def test_no_compositions_give_no_rows() -> None:
    assert exact.expectations(BACCARAT, np.zeros((0, 13), int)).shape == (0, 5)


def test_some_wagers_alone_are_counted_in_no_more_detail_than_they_need() -> None:
    ranks, precious = arrays(FABULOUS_4S, compositions(FABULOUS_4S, 20))
    every = exact.expectations(FABULOUS_4S, ranks, precious)
    details = set()
    for place, wager in enumerate(FABULOUS_4S.wagers):
        alone = exact.expectations(FABULOUS_4S, ranks, precious, wagers=[wager.slug])
        assert alone[:, 0] == pytest.approx(every[:, place], abs=1e-13)
        details.add(exact.classes_of(FABULOUS_4S, (False,), (wager.slug,)).detail)
    assert details == {exact.POINTS_ONLY, exact.PRECIOUS_PAIRS}
    pairs = exact.classes_of(BACCARAT, (False,), ("tie", "player-pair"))
    assert pairs.detail == exact.PAIRS


# Refusals


@pytest.mark.parametrize(
    ("ranks", "precious", "words"),
    [
        ([1, 1, 1, 1, 1] + [0] * 8, None, "5 cards are left; a coup may need 6"),
        ([0] * 13, None, "0 cards are left"),
        ([8] * 12 + [-1], None, "There cannot be -1 cards of a rank"),
        ([8] * 13, [-2] + [0] * 12, "There cannot be -2 cards"),
        ([8] * 13, [0, 9] + [0] * 11, "9 cards of rank 2 are said"),
        ([50] * 12 + [51], None, "651 cards are too many"),
        ([2**62] * 13, None, "too many"),
        ([8] * 12, None, "shape (12,)"),
        ([[8] * 13], None, "shape (1, 13)"),
        ([8.0] * 13, None, "whole numbers"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    ranks: list[int], precious: list[int] | None, words: str
) -> None:
    with pytest.raises(CompositionError) as refusal:
        exact.count_outcomes(BACCARAT.tableau, ranks, precious)
    assert words in str(refusal.value)
    assert str(refusal.value).endswith(".")


def test_the_largest_shoe_is_counted() -> None:
    counted = exact.count_outcomes(FA_FA_FABULOUS_4.tableau, [50] * 13, [10] * 13)
    assert sum(counted.tolist()) == perm(650, 6)


@pytest.mark.parametrize("threads", [1, 2])
def test_one_bad_composition_of_a_batch_is_refused(threads: int) -> None:
    ranks = np.full((1000, 13), 8)
    ranks[777] = 0
    with pytest.raises(CompositionError, match="0 cards are left"):
        exact.row_counts(BACCARAT, ranks, threads=threads)


def test_a_batch_of_a_wrong_shape_is_refused() -> None:
    with pytest.raises(CompositionError, match="rows of 13 counts"):
        exact.expectations(BACCARAT, [8] * 13)
    with pytest.raises(CompositionError, match="give the counts of that suit"):
        exact.expectations(FABULOUS_4S, np.full((2, 13), 8))
    with pytest.raises(CompositionError, match="must be the same"):
        exact.expectations(FABULOUS_4S, np.full((2, 13), 8), np.full((3, 13), 2))
    with pytest.raises(CompositionError, match="0 threads"):
        exact.expectations(BACCARAT, np.full((2, 13), 8), threads=0)


@pytest.mark.parametrize("cards", ["", "AS", "AS AS AS AS AS"])
def test_a_composition_too_small_for_a_coup_is_refused(cards: str) -> None:
    shoe = Composition.of(BACCARAT.deck, BACCARAT.deck.parse_cards(cards) if cards else ())
    with pytest.raises(CompositionError, match="a coup may need 6"):
        exact.exact_tally(BACCARAT, shoe)
