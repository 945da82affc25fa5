from __future__ import annotations

import itertools
import subprocess
import sys
from fractions import Fraction
from math import comb, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest

from croupier import GAMES, find_game
from croupier.odds import counting_kernel, exact_odds
from croupier.odds.counting import (
    CountingError,
    RemovalEffects,
    Tags,
    Trigger,
    effects_of_removal,
    faces_of,
    parse_tags,
    read_number,
)
from croupier.odds.dealing import Dealer
from croupier.odds.simulate import SHOES_STREAM, ShoeRules, card_codes
from croupier.odds.trigger import Counter, Watcher, study_trigger
from croupier.rules.cards import Card
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from croupier.rules.game import Game

BACCARAT = find_game("baccarat")
FABULOUS = find_game("fabulous-4s")
ELEMENTS = find_game("fa-fa-fabulous-4")
SE_MAX = 4.5


@pytest.fixture(scope="module")
def effects() -> RemovalEffects:
    return effects_of_removal(BACCARAT)


# --- effects of removal --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "labels"),
    [("baccarat", "A 4 K"), ("fabulous-4s", "4D K"), ("power-98", "8 T"), ("tiger", "6 2")],
)
def test_effects_are_differences_of_exact_odds(slug: str, labels: str) -> None:
    game = find_game(slug)
    found = effects_of_removal(game, decks=6)
    before = exact_odds(game, decks=6)
    for label in labels.split():
        number = next(
            i for i, face in enumerate(found.faces) if face.label in (label, f"{label} others")
        )
        suit = "" if len(label) > 1 else "S"
        after = exact_odds(game, game.shoe(6).without(game.deck.parse_cards(label + suit)))
        for wager in game.wagers:
            difference = after[wager.slug].ev - before[wager.slug].ev
            assert found.of(wager.slug)[number] == difference


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_effects_weighted_by_count_sum_to_zero(game: Game) -> None:
    found = effects_of_removal(game)
    for wager in game.wagers:
        assert found.weighted_sum(wager.slug) == 0
        assert found.ev(wager.slug) == exact_odds(game)[wager.slug].ev


def test_the_law_holds_for_any_composition() -> None:
    gone = FABULOUS.deck.parse_cards("4D 4D 4S KS KH 9D 2C 2C 2C AH")
    found = effects_of_removal(FABULOUS, FABULOUS.shoe(4).without(gone))
    assert found.decks is None
    for wager in FABULOUS.wagers:
        assert found.weighted_sum(wager.slug) == 0
        assert not found.blind(wager.slug)


def test_a_pair_is_blind_from_a_full_shoe_and_has_a_closed_form(
    effects: RemovalEffects,
) -> None:
    assert set(effects.of("player-pair")) == {Fraction(0)}
    assert effects.blind("player-pair")
    left = BACCARAT.shoe(8).without(BACCARAT.deck.parse_cards("AS AS AS 7D KH KH"))
    found = effects_of_removal(BACCARAT, left)

    def closed(counts: list[int]) -> Fraction:
        pairs = comb(sum(counts), 2)
        return Fraction(12 * sum(comb(n, 2) for n in counts) - pairs, pairs)

    counts = list(left.by_rank())
    for number, effect in enumerate(found.of("player-pair")):
        less = counts.copy()
        less[number] -= 1
        assert effect == closed(less) - closed(counts)


def test_cards_that_pay_alike_are_one_face_and_others_are_not() -> None:
    assert len(faces_of(BACCARAT, BACCARAT.shoe(8))) == 13
    faces = faces_of(ELEMENTS, ELEMENTS.shoe(8))
    assert len(faces) == 26
    assert sum(face.count for face in faces) == 8 * 65
    assert {face.count for face in faces} == {8, 32}
    found = effects_of_removal(FABULOUS)
    four, four_diamonds = found.of("player-precious-pair")[6:8]
    assert [face.label for face in found.faces[6:8]] == ["4 others", "4D"]
    assert four_diamonds < four < 0


def test_columns_are_tidy(effects: RemovalEffects) -> None:
    columns = effects.to_columns()
    assert {len(column) for column in columns.values()} == {13 * 5}
    line = list(columns["wager"]).index("tie")
    assert Fraction(str(columns["effect_exact"][line])) == effects.of("tie")[0]


def test_too_few_cards_are_refused() -> None:
    six = BACCARAT.shoe(8).without(BACCARAT.shoe(8).cards()[6:])
    with pytest.raises(CountingError, match="6 cards are left"):
        effects_of_removal(BACCARAT, six)


def test_importing_loads_no_numpy() -> None:
    code = "import sys, croupier.odds.counting; sys.exit('numpy' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], check=False)  # noqa: S603  # our own
    assert ended.returncode == 0


# --- tags ----------------------------------------------------------------------------------


def test_optimal_tags_correlate_fully(effects: RemovalEffects) -> None:
    for wager in ("banker", "player", "tie"):
        tags = effects.optimal_tags(wager)
        assert effects.correlation_squared(wager, tags) == 1
        assert tags.balanced
        wrong = Tags(tags.faces, tuple(-tag for tag in tags.values), tags.deck)
        assert effects.correlation(wager, wrong) == -1
        shifted = Tags(tags.faces, tuple(tag + 3 for tag in tags.values), tags.deck)
        assert effects.correlation(wager, shifted) == 1


def test_the_correlation_is_the_weighted_one(effects: RemovalEffects) -> None:
    tags = parse_tags(BACCARAT, "A=1 2=1 3=1 4=2 5=-1 6=-2 7=-1 9=1")
    ours = effects.correlation("banker", tags)
    theirs = np.corrcoef(
        np.repeat([float(effect) for effect in effects.of("banker")], 32),
        np.repeat([float(tag) for tag in tags.values], 32),
    )[0, 1]
    assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("wager", ["banker", "player", "tie"])
def test_no_tags_up_to_one_are_better_than_the_best(
    effects: RemovalEffects, wager: str
) -> None:
    found = effects.of(wager)
    groups = {effect: found.count(effect) * 32.0 for effect in found}
    values = np.array([float(effect) for effect in groups])
    cards = np.array(list(groups.values()))
    every = np.array(list(itertools.product((-1, 0, 1), repeat=len(groups))), float)
    both = every @ (cards * values)
    spread = (every**2) @ cards - (every @ cards) ** 2 / cards.sum()
    score = np.divide(both, np.sqrt(spread), out=np.zeros(len(every)), where=spread > 1e-9)
    best = score.max() / sqrt(cards @ values**2)
    ours = effects.correlation(wager, effects.best_tags(wager, 1))
    assert ours == pytest.approx(best, abs=1e-12)


def test_larger_tags_are_no_worse_and_stay_in_range(effects: RemovalEffects) -> None:
    for wager in ("banker", "player", "tie"):
        last = 0.0
        for size in (1, 2, 3, 4):
            tags = effects.best_tags(wager, size)
            assert max(abs(tag) for tag in tags.values) <= size
            assert all(tag.denominator == 1 for tag in tags.values)
            correlation = effects.correlation(wager, tags)
            assert last <= correlation < 1
            last = correlation
        assert last > 0.99


def test_no_tags_for_what_no_count_can_see(effects: RemovalEffects) -> None:
    with pytest.raises(CountingError, match="no linear count"):
        effects.best_tags("player-pair")
    with pytest.raises(CountingError, match="up to 10"):
        effects.best_tags("tie", 10)
    with pytest.raises(CountingError, match="another game"):
        effects.correlation("tie", parse_tags(BACCARAT, "A=1", decks=6))


def test_the_estimate_is_exact_for_one_card(effects: RemovalEffects) -> None:
    tags = effects.optimal_tags("player")
    slope = effects.slope("player", tags)
    for number, effect in enumerate(effects.of("player")):
        assert slope * tags.true_count(tags.values[number], 1) == effect
    even = effects.break_even("player", tags)
    assert even is not None
    assert effects.ev("player") + slope * even == 0
    turned = Tags(tags.faces, tuple(-tag for tag in tags.values), tags.deck)
    assert effects.break_even("player", turned) is None


def test_true_running_and_key_counts_of_an_unbalanced_count() -> None:
    tags = parse_tags(BACCARAT, "A=1 2=1 3=1")
    assert not tags.balanced
    assert tags.total == 96
    assert tags.pivot == 12
    for seen in (0, 52, 300):
        for true in (Fraction(-3), Fraction(0), Fraction(5, 2)):
            assert tags.true_count(tags.key_count(true, seen), seen) == true
        assert tags.key_count(tags.pivot, seen) == tags.total


def test_counts_of_many_shoes_are_those_of_the_tags() -> None:
    tags = parse_tags(FABULOUS, "A=1 4=-1 4D=5/2 K=1/3")
    dealt = Dealer(FABULOUS, ShoeRules(), 5).shoes(0, 3)
    counter = Counter(tags)
    codes = {face.code: tag for face, tag in zip(tags.faces, tags.values, strict=True)}
    for seen in dealt.seen[2, :70:7]:
        running = sum(
            (codes.get(code, Fraction(0)) * int(n) for code, n in enumerate(seen)), Fraction(0)
        )
        true = tags.true_count(running, int(seen.sum()))
        assert counter.running(seen[None])[0] == pytest.approx(float(running), abs=1e-12)
        assert counter.true(seen[None])[0] == float(true)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "No tags"),
        ("A", "'A' is not a tag"),
        ("A=", "'' is not a number for the tag of A"),
        ("A=1/0", "'1/0' is not a number"),
        ("A=1e9", "'1e9' is not a number"),
        ("A=100.1", "from -100 to 100"),
        ("A=-101", "from -100 to 100"),
        ("B=1", "'B' is not a rank"),
        ("4D=1", "'4D' is not a rank"),
        ("A=1 a=2", "twice"),
        ("10=1 T=1", "twice"),
        ("A=0", "All tags are the same"),
    ],
)
def test_bad_tags_are_refused(text: str, words: str) -> None:
    with pytest.raises(CountingError, match=words):
        parse_tags(BACCARAT, text)


def test_tags_are_written_as_they_are_read() -> None:
    for game, text in ((BACCARAT, "A=1 T=-1/2"), (ELEMENTS, "4=1 4-Gold=3 S=2 Fu=-1")):
        tags = parse_tags(game, text)
        assert parse_tags(game, str(tags)) == tags


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", Fraction(7)),
        ("+0.125", Fraction(1, 8)),
        ("-.5", Fraction(-1, 2)),
        ("1/3", Fraction(1, 3)),
        ("999999999999.999999", Fraction(10**18 - 1, 10**6)),
    ],
)
def test_numbers_are_read_exactly(text: str, number: Fraction) -> None:
    assert read_number(text, "a trigger") == number


@pytest.mark.parametrize(
    "text",
    ["", ".", "1.", "1e5", "inf", "1" * 13, "1.0000001", "1/1234567", " 1", "1\n", "1/0"],
)
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(CountingError, match="not a number for a trigger"):
        read_number(text, "a trigger")


# --- dealing -------------------------------------------------------------------------------


def replay(game: Game, codes: list[int], rules: ShoeRules) -> tuple[list[int], list[list[int]]]:
    """Play a shoe with live coups; return the outcomes and the cards seen before each."""
    plain = next(suit for suit in game.deck.suits if suit is not game.precious)
    suits = {0: plain, 1: game.precious}
    cards = [Card(game.deck.ranks[code % 16 - 1], suits[code // 16] or plain) for code in codes]
    seen = [0] * 32
    at = 0
    if rules.burn:
        seen[codes[0]] += 1
        at = 1 + (cards[0].points or 10)
    outcomes, before, after = [], [], rules.after_cut
    while at < len(cards) - rules.behind_cut or after:
        after -= at >= len(cards) - rules.behind_cut
        coup = game.coup()
        before.append(seen.copy())
        while not coup.complete:
            seen[codes[at]] += 1
            coup = coup.draw(cards[at])
            at += 1
        outcomes.append(coup.index(game.precious))
    return outcomes, before


@pytest.mark.parametrize(
    ("game", "rules", "shoes"),
    [
        (BACCARAT, ShoeRules(), 220),
        (FABULOUS, ShoeRules(decks=6, behind_cut=60, after_cut=0, burn=False), 340),
        (ELEMENTS, ShoeRules(decks=10, behind_cut=30, after_cut=3), 140),
    ],
    ids=lambda value: getattr(value, "slug", ""),
)
def test_dealt_coups_are_live_coups(game: Game, rules: ShoeRules, shoes: int) -> None:
    dealer = Dealer(game, rules, 11)
    dealt = dealer.shoes(2, shoes)
    state = dealer.stream(2, SHOES_STREAM).generate_state(4, np.uint64)
    played = 0
    for shoe in range(shoes):
        cards = dealer.fresh.copy()
        counting_kernel.shuffle(state, cards)
        outcomes, seen = replay(game, cards.tolist(), rules)
        coups = int(dealt.coups[shoe])
        assert dealt.outcomes[shoe, :coups].tolist() == outcomes
        assert dealt.seen[shoe, :coups].tolist() == seen
        assert set(dealt.outcomes[shoe, coups:].tolist()) <= {-1}
        played += coups
    assert played > 16_500


def test_the_shoe_is_that_of_the_simulator() -> None:
    dealer = Dealer(ELEMENTS, ShoeRules(decks=6), 0)
    assert dealer.fresh.tolist() == card_codes(ELEMENTS, 6).tolist()
    for face in faces_of(ELEMENTS, ELEMENTS.shoe(6)):
        assert dealer.full[face.code] == face.count


def test_a_shuffle_moves_every_card_everywhere() -> None:
    state = np.random.SeedSequence(1).generate_state(4, np.uint64)
    size, shuffles = 13, 20_000
    found = np.zeros((size, size))
    for _ in range(shuffles):
        cards = np.arange(size, dtype=np.uint8)
        counting_kernel.shuffle(state, cards)
        assert sorted(cards.tolist()) == list(range(size))
        found[np.arange(size), cards] += 1
    chance = 1 / size
    z = (found - shuffles * chance) / sqrt(shuffles * chance * (1 - chance))
    assert np.abs(z).max() < SE_MAX
    assert 100 < (z**2).sum() < 200  # 144 degrees of freedom


def test_the_unseen_keep_the_burned_cards() -> None:
    dealer = Dealer(FABULOUS, ShoeRules(), 3)
    seen = dealer.shoes(0, 5).seen[:, 0]
    assert seen.sum(1).tolist() == [1] * 5
    ranks, precious = dealer.unseen(seen)
    assert precious is not None
    assert ranks.sum(1).tolist() == [415] * 5
    assert (precious <= ranks).all()


# --- triggers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "wager"),
    [(BACCARAT, "player"), (BACCARAT, "tie"), (FABULOUS, "banker-precious-pair")],
    ids=lambda value: getattr(value, "slug", value),
)
def test_a_trigger_below_all_counts_bets_every_round(game: Game, wager: str) -> None:
    tags = parse_tags(game, "A=1 5=-1")
    study = study_trigger(game, wager, Trigger(-1e9, tags), shoes=150, seed=2)
    assert study.bets == study.rounds
    assert study.edge == study.every_round
    assert study.edge is not None
    exact = float(exact_odds(game)[wager].ev)
    assert abs(study.edge.mean - exact) < SE_MAX * study.edge.se
    assert study.gain.mean == pytest.approx(study.edge.mean * study.bets.mean)
    assert study.rounds.mean == pytest.approx(81, abs=3)


@pytest.mark.parametrize("wager", ["player", "tie", "banker-pair"])
def test_a_fixed_number_of_rounds_has_the_expectation_of_the_full_shoe(wager: str) -> None:
    # With a cut card the number of rounds depends on the cards; here it does not, so the
    # expectation before the sixtieth coup is on average exactly that before the first.
    rules = ShoeRules(behind_cut=416, after_cut=60)
    study = study_trigger(BACCARAT, wager, Trigger(-1.0), rules=rules, shoes=300, seed=1)
    assert study.rounds == (60, 0)
    assert study.edge is not None
    exact = float(exact_odds(BACCARAT)[wager].ev)
    assert abs(study.edge.mean - exact) < SE_MAX * study.edge.se
    assert study.edge.se < abs(exact) / 50


def test_expectations_at_each_step_are_exact_odds() -> None:
    dealer = Dealer(FABULOUS, ShoeRules(decks=4), 8)
    seen = dealer.shoes(0, 1).seen[0, 20:24]
    watcher = Watcher(dealer, "player-fabulous-4", Trigger(0.0))
    for line, ev in zip(seen, watcher.expectations(seen), strict=True):
        gone = []
        for code in np.flatnonzero(line).tolist():
            rank = FABULOUS.deck.ranks[code % 16 - 1]
            gold = code > 16
            suits = [s for s in FABULOUS.deck.suits if (s is FABULOUS.precious) is gold]
            gone += [Card(rank, suits[i % len(suits)]) for i in range(line[code])]
        left = FABULOUS.shoe(4).without(gone)
        assert ev == pytest.approx(
            float(exact_odds(FABULOUS, left)["player-fabulous-4"].ev), abs=1e-12
        )


def test_no_trigger_gains_more_than_perfect_play(effects: RemovalEffects) -> None:
    tags = effects.best_tags("tie", 2)
    even = effects.break_even("tie", tags)
    assert even is not None
    rules = ShoeRules(behind_cut=14)
    for trigger in (Trigger(float(even), tags), Trigger(0.0), Trigger(0.05), Trigger(20, tags)):
        study = study_trigger(BACCARAT, "tie", trigger, rules=rules, shoes=60, seed=4)
        assert study.gain.mean <= study.perfect_gain.mean + 1e-12
        assert study.perfect_gain.mean > 0
        if trigger == Trigger(0.0):
            assert study.gain == study.perfect_gain
            assert study.edge == study.perfect_edge
    never = study_trigger(BACCARAT, "tie", Trigger(1e9, tags), shoes=3)
    assert (never.bets.mean, never.gain.mean, never.edge) == (0, 0, None)


def test_the_expectation_rises_with_the_count(effects: RemovalEffects) -> None:
    tags = effects.best_tags("player", 4)
    study = study_trigger(BACCARAT, "player", Trigger(0, tags), shoes=100, seed=9)
    columns = study.count_columns()
    assert sum(int(n or 0) for n in columns["rounds"]) == study.sums[0]
    common = {count: ev for count, (n, ev) in study.by_count.items() if n > 100}
    low, high = min(common), max(common)
    slope = float(effects.slope("player", tags))
    assert common[high] - common[low] == pytest.approx(slope * (high - low), rel=0.2)
    assert study.columns() == study.to_columns()


def test_the_same_seed_gives_the_same_study() -> None:
    trigger = Trigger(0.0)
    first = study_trigger(BACCARAT, "tie", trigger, shoes=40, seed=6, threads=1)
    for threads in (2, 3):
        again = study_trigger(BACCARAT, "tie", trigger, shoes=40, seed=6, threads=threads)
        assert again.to_columns() == first.to_columns()
    other = study_trigger(BACCARAT, "tie", trigger, shoes=40, seed=7)
    assert other.to_columns() != first.to_columns()


def test_progress_is_told_and_an_interruption_keeps_what_is_done() -> None:
    told = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        if done >= 64:
            raise KeyboardInterrupt

    study = study_trigger(BACCARAT, "tie", Trigger(0.0), shoes=200, seed=6, progress=progress)
    assert told == [(32, 200), (64, 200)]
    assert (study.shoes, study.complete) == (64, False)
    whole = study_trigger(BACCARAT, "tie", Trigger(0.0), shoes=64, seed=6)
    assert whole.to_columns() == study.to_columns()
    assert whole.complete


def test_a_running_count_decides_where_it_is_asked_to() -> None:
    tags = parse_tags(BACCARAT, "A=1 2=1 3=1")
    trigger = Trigger(90, tags, running=True)
    study = study_trigger(BACCARAT, "player", trigger, shoes=20, seed=1)
    late = sum(n for count, (n, _) in study.by_count.items() if count >= 90)
    assert study.sums[1] == late > 0
    assert max(study.by_count) <= 96
    assert min(study.by_count) == 0


def test_bad_studies_are_refused() -> None:
    with pytest.raises(CountingError, match="0 shoes"):
        study_trigger(BACCARAT, "tie", Trigger(0.0), shoes=0)
    with pytest.raises(RulesError, match="not a wager"):
        study_trigger(BACCARAT, "dragon", Trigger(0.0))
    with pytest.raises(CountingError, match="nan"):
        Trigger(float("nan"))
    with pytest.raises(CountingError, match="needs tags"):
        Trigger(1.0, running=True)
    with pytest.raises(CountingError, match="312 cards"):
        study_trigger(BACCARAT, "tie", Trigger(0, parse_tags(BACCARAT, "A=1", decks=6)))
    with pytest.raises(RulesError, match="seed of -1"):
        study_trigger(BACCARAT, "tie", Trigger(0.0), seed=-1)
