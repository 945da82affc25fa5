"""The simulator deals as the live coup does, and its coups have the exact chances."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from croupier.odds import exact
from croupier.odds import simulate as simulation
from croupier.odds.kernel import STREAMS, show_shoes
from croupier.odds.simulate import (
    CHUNK,
    SHOES_STREAM,
    ShoeRules,
    burn_table,
    card_codes,
    coups_max,
    limits_of,
    plan_of,
    simulate,
    simulate_independent,
    stream,
)
from croupier.rulebooks import BACCARAT, FA_FA_FABULOUS_4, GAMES, find_game
from croupier.rules.errors import CompositionError, RulesError
from croupier.rules.outcome import INDEX_SIZE, PRECIOUS
from croupier.rules.shoe import Shoe
from croupier.rules.tableau import Line
from tests.rules.known import every_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from croupier.odds.simulate import Simulation
    from croupier.rules.cards import Card
    from croupier.rules.game import Game

FABULOUS_4S = find_game("fabulous-4s")
POWER_98 = find_game("power-98")


def counts(found: Simulation) -> list[dict[int, int]]:
    return [dict(part.counts) for part in found.tally.parts]


# Against the live coup


class Shown:
    """Shoes of the first chunk, written down by the kernel."""

    def __init__(self, game: Game, rules: ShoeRules, shoes: int, seed: int) -> None:
        plan = plan_of(game, rules)
        self.size = len(game.shoe(rules.decks))
        words = stream(seed, SHOES_STREAM, 0).generate_state(4 * STREAMS)
        self.cards = np.zeros((shoes, rules.reach(self.size)), np.uint8)
        self.outcomes = np.full((shoes, plan.coups_max), -1, np.int64)
        self.starts = np.full((shoes, plan.coups_max), -1, np.int64)
        self.coups = np.zeros(shoes, np.int64)
        state = words.astype(np.uint32).reshape(4, STREAMS)
        show_shoes(plan, state, self.cards, self.outcomes, self.starts, self.coups)

    def walked(self) -> Iterator[tuple[list[int], list[int], list[int]]]:
        """Yield, shoe by shoe, the cards, the outcomes and where the coups begin."""
        for n, coups in enumerate(self.coups):
            rows = (self.cards[n], self.outcomes[n, :coups], self.starts[n, :coups])
            yield (rows[0].tolist(), rows[1].tolist(), rows[2].tolist())


def face_of(game: Game) -> dict[int, Card]:
    """Return a card for every byte of the kernel."""
    return {
        card.number + PRECIOUS * (card.suit is game.precious): card for card in game.deck.cards
    }


def replay(game: Game, rules: ShoeRules, cards: list[Card], size: int) -> list[tuple[int, int]]:
    """Deal a shoe as the house does, through Shoe and Coup: where coups begin, outcomes."""
    shoe = Shoe(tuple(cards), cut=size - rules.behind_cut)
    if rules.burn:
        first, shoe = shoe.draw()
        for _ in range(min(first.number, 10)):
            _, shoe = shoe.draw()
    found = []
    after = rules.after_cut
    while not shoe.cut_card_is_out or after:
        after -= shoe.cut_card_is_out
        begins, coup = shoe.drawn, game.coup()
        while coup.next is not None:
            card, shoe = shoe.draw()
            coup = coup.draw(card)
        found.append((begins, coup.index(game.precious)))
    return found


REPLAYED = [
    (BACCARAT, ShoeRules(), 500),
    (BACCARAT, ShoeRules(4, behind_cut=60, after_cut=0, burn=False), 200),
    (FABULOUS_4S, ShoeRules(6, behind_cut=30, after_cut=3), 400),
    (FA_FA_FABULOUS_4, ShoeRules(10), 300),
    (FA_FA_FABULOUS_4, ShoeRules(4, behind_cut=260, after_cut=40, burn=False), 200),
    (POWER_98, ShoeRules(10, behind_cut=5, after_cut=0), 100),
]


@pytest.mark.parametrize(
    "times",
    [1, pytest.param(10, marks=pytest.mark.exhaustive)],
    ids=["hundred thousand", "million"],
)
def test_kernel_coups_are_those_of_the_live_coup(times: int) -> None:
    replayed = 0
    for game, rules, shoes in REPLAYED:
        shown = Shown(game, rules, shoes * times, seed=7)
        faces = face_of(game)
        for cards, outcomes, starts in shown.walked():
            live = replay(game, rules, [faces[card] for card in cards], shown.size)
            assert live == list(zip(starts, outcomes, strict=True))
            replayed += len(live)
    assert replayed >= 100_000 * times


@pytest.mark.parametrize("game", [BACCARAT, FABULOUS_4S, FA_FA_FABULOUS_4], ids=repr)
def test_a_shuffled_shoe_holds_every_card_once(game: Game) -> None:
    rules = ShoeRules(8, behind_cut=11)
    shown = Shown(game, rules, 200, seed=3)
    faces = face_of(game)
    full = Counter(
        card.number + PRECIOUS * (card.suit is game.precious) for card in game.shoe(8).cards()
    )
    for cards in shown.cards.tolist():
        assert not Counter(cards) - full
        assert set(cards) <= set(faces)
    assert len({tuple(cards) for cards in shown.cards.tolist()}) == 200


def test_every_card_comes_to_every_place_equally_often() -> None:
    shown = Shown(BACCARAT, ShoeRules(4, behind_cut=5, after_cut=0, burn=False), 4000, seed=11)
    for rank in range(1, 14):
        often = (shown.cards % PRECIOUS == rank).mean(0)
        z = (often - 1 / 13) / math.sqrt(1 / 13 * 12 / 13 / 4000)
        assert np.abs(z).max() < 5


def test_the_simulation_counts_what_the_kernel_shows() -> None:
    for game, rules, _ in REPLAYED:
        shown = Shown(game, rules, 300, seed=5)
        every = [index for _, outcomes, _ in shown.walked() for index in outcomes]
        whole = simulate(game, shoes=300, rules=rules, seed=5, threads=1)
        assert (whole.shoes, whole.coups) == (300, len(every))
        assert both_kinds(whole) == Counter(every)
        for coups in (1, 2, 79, 80, 81, 500, len(every) - 1, len(every)):
            part = simulate(game, coups=coups, rules=rules, seed=5, threads=2)
            assert part.coups == coups == part.tally.total
            assert both_kinds(part) == Counter(every[:coups])


def both_kinds(found: Simulation) -> Counter[int]:
    """Count outcomes, ordinary and Power hands together."""
    total: Counter[int] = Counter()
    for part in found.tally.parts:
        total.update(part.counts)
    return total


def test_the_kernel_refuses_a_table_of_play_that_is_no_limit() -> None:
    tableau = BACCARAT.tableau
    odd = tuple(
        Line((line.totals), (0, 5), line.clause) if 2 not in line.totals else line
        for line in tableau.banker
    )
    assert limits_of(replace(tableau, banker=odd)).against != limits_of(tableau).against
    with pytest.raises(AssertionError, match="gaps"):
        limits_of(replace(tableau, player_stood=Line((0, 2), (), "x")))


# The same seed, the same tally


@pytest.mark.parametrize("game", [BACCARAT, FA_FA_FABULOUS_4, POWER_98], ids=repr)
@pytest.mark.parametrize("amount", [{"coups": 2_000_000}, {"shoes": 3 * CHUNK + 5}], ids=str)
def test_the_number_of_threads_changes_nothing(game: Game, amount: dict[str, int]) -> None:
    one, two, three = (
        simulate(game, **amount, seed=98, threads=threads)  # type: ignore[arg-type]  # ints
        for threads in (1, 2, 3)
    )
    assert counts(one) == counts(two) == counts(three)
    assert one.coups == two.coups == three.coups == one.tally.total
    assert one.shoes == two.shoes == three.shoes
    assert [found.threads for found in (one, two, three)] == [1, 2, 3]


def test_shoes_of_a_request_are_the_first_of_a_larger_one() -> None:
    few = simulate(BACCARAT, shoes=CHUNK + 3, seed=4)
    more = simulate(BACCARAT, shoes=CHUNK + 4, seed=4)
    extra = both_kinds(more) - both_kinds(few)
    assert sum(extra.values()) == more.coups - few.coups
    assert 60 < more.coups - few.coups < 100
    assert not both_kinds(few) - both_kinds(more)


def test_another_seed_gives_another_tally() -> None:
    first = simulate(BACCARAT, shoes=50, seed=1)
    assert counts(first) == counts(simulate(BACCARAT, shoes=50, seed=1))
    assert counts(first) != counts(simulate(BACCARAT, shoes=50, seed=2))
    fresh = {simulate(BACCARAT, shoes=1).seed for _ in range(5)}
    assert len(fresh) == 5


def test_chunks_have_streams_of_their_own() -> None:
    words = {
        tuple(stream(1, kind, chunk).generate_state(4))
        for kind in range(3)
        for chunk in range(50)
    }
    assert len(words) == 150


# Against the exact chances


@every_game()
def test_every_wager_comes_near_its_exact_value(game: Game) -> None:
    decks = 4 + GAMES.index(game) % 7
    found = simulate(game, coups=10_000_000, decks=decks, seed=2026)
    assert found.coups == 10_000_000
    assert [result.wager for result in found.wagers] == list(game.wagers)
    for result in found.wagers:
        assert abs(result.z) < 4.5, result
        assert result.z == pytest.approx((result.mean - result.exact) / result.se)
    support = {index for part in found.tally.parts for index in part.counts}
    assert support <= set(game.outcomes)
    assert found["banker"] is found.wagers[[w.slug for w in game.wagers].index("banker")]


def worst(found: NDArray[np.int64], game: Game, decks: int) -> tuple[float, float]:
    """Return the largest |z| of frequent outcomes, and the chi-square as a z."""
    full = game.shoe(decks)
    width = len(game.deck.suits)
    precious = None if game.precious is None else [decks] * 13
    counted = exact.count_outcomes(game.tableau, [width * decks] * 13, precious)
    chances = counted / math.perm(len(full), 6)
    assert not found[chances == 0].any()
    often = found.sum() * chances > 1000
    expected = found.sum() * chances[often]
    z = (found[often] - expected) / np.sqrt(expected * (1 - chances[often]))
    assert len(z) > 300
    return float(np.abs(z).max()), float(((z**2).sum() - len(z)) / math.sqrt(2 * len(z)))


def dense(found: Simulation) -> NDArray[np.int64]:
    tally = np.zeros(INDEX_SIZE, np.int64)
    for index, count in both_kinds(found).items():
        tally[index] = count
    return tally


@pytest.mark.parametrize(
    ("game", "decks"),
    [(BACCARAT, 8), (FABULOUS_4S, 6), (FA_FA_FABULOUS_4, 4), (FA_FA_FABULOUS_4, 10)],
    ids=str,
)
def test_every_outcome_comes_as_often_as_it_should(game: Game, decks: int) -> None:
    cards = len(game.shoe(decks))
    # A fixed number of coups in each shoe: then each has exactly the chances of the first.
    rules = ShoeRules(decks, behind_cut=cards, after_cut=(cards - 11) // 6)
    found = simulate(game, shoes=200_000, rules=rules, seed=20)
    assert found.coups == 200_000 * rules.after_cut
    largest, chi_square = worst(dense(found), game, decks)
    assert largest < 5
    assert abs(chi_square) < 4.5


def test_power_hands_come_once_in_six() -> None:
    found = simulate(POWER_98, coups=3_000_000, seed=12)
    ordinary, power = found.tally.parts
    assert (ordinary.power, power.power) == (False, True)
    share = sum(power.counts.values()) / found.coups
    assert abs(share - 1 / 6) < 4.5 * math.sqrt(5 / 36 / found.coups)
    assert sum(ordinary.counts.values()) + sum(power.counts.values()) == found.coups


# Independent coups


@every_game()
def test_independent_coups_come_near_the_exact_values(game: Game) -> None:
    found = simulate_independent(game, 10**9, seed=6)
    assert (found.coups, found.tally.total, found.shoes) == (10**9, 10**9, None)
    assert max(abs(result.z) for result in found.wagers) < 4.5
    assert {index for part in found.tally.parts for index in part.counts} <= set(game.outcomes)
    assert counts(found) == counts(simulate_independent(game, 10**9, seed=6))
    assert counts(found) != counts(simulate_independent(game, 10**9, seed=7))


@pytest.mark.parametrize("coups", [1, 10, 10**6, 10**12, 10**15, 10**18])
def test_any_number_of_independent_coups_is_one_draw(coups: int) -> None:
    found = simulate_independent(FABULOUS_4S, coups, decks=4, seed=8)
    assert found.tally.total == coups
    assert max(abs(result.z) for result in found.wagers) < 6
    if coups > 10**11:
        largest, chi_square = worst(dense(found), FABULOUS_4S, 4)
        assert largest < 5.5
        assert abs(chi_square) < 4.5


# Interrupted, refused


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_returns_what_is_done(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulation, "TICK", 0.005)
    reports: list[tuple[int, int]] = []

    def progress(done: int, asked: int) -> None:
        reports.append((done, asked))
        if done > 0 and len(reports) < 1000:
            reports.extend([(0, 0)] * 1000)
            raise KeyboardInterrupt

    found = simulate(BACCARAT, coups=10**12, seed=1, threads=threads, progress=progress)
    assert not found.complete
    assert 0 < found.coups < 10**10
    assert found.tally.total == found.coups
    assert max(abs(result.z) for result in found.wagers) < 4.5


def test_progress_counts_up_to_what_was_asked_for() -> None:
    for amount in ({"coups": 1_500_000}, {"shoes": 20_000}):
        reports: list[tuple[int, int]] = []
        found = simulate(
            BACCARAT,
            coups=amount.get("coups"),
            shoes=amount.get("shoes"),
            seed=1,
            progress=lambda done, asked, reports=reports: reports.append((done, asked)),  # type: ignore[misc]  # the default binds the list
        )
        (asked,) = amount.values()
        assert found.complete
        assert reports == sorted(reports)
        assert reports[-1] == (asked, asked)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "either a number of coups or a number of shoes"),
        ({"coups": 5, "shoes": 5}, "either a number of coups or a number of shoes"),
        ({"coups": 0}, "0 coups cannot be dealt"),
        ({"shoes": -3}, "-3 shoes cannot be dealt"),
        ({"coups": 10**19}, "cannot be dealt"),
        ({"coups": 5, "threads": 0}, "0 threads were asked for"),
        ({"coups": 5, "decks": 3}, "3 decks were asked for"),
        ({"coups": 5, "seed": -1}, "A seed of -1 came"),
        ({"coups": 1.5}, "'1.5' came for the number of coups; it must be a whole number."),
        ({"coups": True}, "'True' came for the number of coups"),
        ({"shoes": 2.0}, "'2.0' came for the number of shoes"),
        ({"coups": "5"}, "'5' came for the number of coups"),
        ({"coups": 5, "seed": 1.0}, "'1.0' came for the seed"),
        ({"coups": 5, "seed": False}, "'False' came for the seed"),
        ({"coups": 5, "decks": 8.0}, "'8.0' came for the number of decks"),
        ({"coups": 5, "threads": 2.5}, "2.5 threads were asked for; it must be a whole"),
        ({"coups": 5, "threads": True}, "True threads were asked for"),
        ({"coups": 5, "threads": 257}, "257 threads were asked for"),
        ({"coups": 5, "threads": 10**6}, "a whole number from 1 to 256"),
        ({"coups": 5, "rules": ShoeRules(6), "decks": 4}, "4 decks were asked for together"),
    ],
)
def test_impossible_requests_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError) as refusal:
        simulate(BACCARAT, **options)
    assert words in str(refusal.value)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"decks": 11}, "11 decks were asked for"),
        ({"after_cut": -1}, "-1 coups after the cut card"),
        ({"behind_cut": 10}, "at least 11 are needed"),
        ({"behind_cut": 4, "after_cut": 0}, "at least 5 are needed"),
        ({"behind_cut": -14, "after_cut": 0}, "at least 5 are needed"),
        ({"behind_cut": 417}, "cannot have 417 cards behind it"),
        ({"behind_cut": 410, "after_cut": 0}, "no coup at all"),
        ({"behind_cut": 416, "after_cut": 68}, "The shoe may need 419 cards"),
        ({"burn": 2}, "2 came for burning; it must be True or False."),
    ],
)
def test_impossible_shoes_are_refused(options: dict[str, int], words: str) -> None:
    with pytest.raises(CompositionError) as refusal:
        plan_of(BACCARAT, ShoeRules(**options))  # type: ignore[arg-type]  # ints
    assert words in str(refusal.value)


@pytest.mark.parametrize("name", ["decks", "behind_cut", "after_cut"])
@pytest.mark.parametrize("value", [8.0, 14.5, True, None])
def test_shoes_take_whole_numbers_only(name: str, value: object) -> None:
    with pytest.raises(RulesError, match="it must be a whole number"):
        ShoeRules(**{name: value})  # type: ignore[arg-type]  # on purpose


def test_rules_and_the_same_decks_agree() -> None:
    rules = ShoeRules(6)
    both = simulate(BACCARAT, shoes=20, rules=rules, decks=6, seed=1)
    assert counts(both) == counts(simulate(BACCARAT, shoes=20, decks=6, seed=1))
    assert simulate(BACCARAT, shoes=20, seed=1).decks == 8


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    two = np.int64(2)
    found = simulate(BACCARAT, shoes=two, seed=two, threads=two)  # type: ignore[arg-type]
    assert counts(found) == counts(simulate(BACCARAT, shoes=2, seed=2))
    assert type(found.seed) is type(found.threads) is int


def test_no_more_tallies_than_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    crews: list[simulation.Threads] = []
    real = simulation.finish

    def watched(crew: simulation.Threads, *rest: Any) -> Simulation:  # noqa: ANN401
        crews.append(crew)
        return real(crew, *rest)

    monkeypatch.setattr(simulation, "finish", watched)
    found = simulate(BACCARAT, shoes=CHUNK + 1, seed=3, threads=exact.THREADS_MAX)
    assert found.threads == exact.THREADS_MAX
    assert len(crews[0]._tallies) == 2  # noqa: SLF001
    assert counts(found) == counts(simulate(BACCARAT, shoes=CHUNK + 1, seed=3, threads=1))


@pytest.mark.parametrize("game", [BACCARAT, FABULOUS_4S, FA_FA_FABULOUS_4], ids=repr)
def test_card_codes_are_the_cards_deck_by_deck(game: Game) -> None:
    deck = card_codes(game, 1)
    assert Counter(deck.tolist()) == Counter(
        card.number + PRECIOUS * (card.suit is game.precious) for card in game.deck.cards
    )
    assert deck.dtype == np.uint8
    assert card_codes(game, 6).tolist() == deck.tolist() * 6


def test_the_first_card_goes_with_those_it_burns() -> None:
    ordinary = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11, 11]
    table = burn_table(ShoeRules())
    assert table[1:14].tolist() == table[PRECIOUS + 1 : PRECIOUS + 14].tolist() == ordinary
    assert not burn_table(ShoeRules(burn=False)).any()


def test_no_shoe_has_more_coups_than_the_bound() -> None:
    rules = ShoeRules(4, behind_cut=60, after_cut=2, burn=False)
    shown = Shown(BACCARAT, rules, 500, seed=2)
    # 148 cards before the cut card, four to a coup, and the two coups that follow.
    assert 148 / 4 + 2 <= coups_max(rules, 208) <= 148 / 4 + 3
    assert shown.coups.max() <= coups_max(rules, 208)


def test_independent_coups_refuse_zero() -> None:
    with pytest.raises(RulesError, match="0 coups cannot be dealt"):
        simulate_independent(BACCARAT, 0)


@pytest.mark.parametrize(
    ("coups", "options", "words"),
    [
        (1.5, {}, "'1.5' came for the number of coups"),
        (True, {}, "'True' came for the number of coups"),
        (5, {"decks": 8.0}, "'8.0' came for the number of decks"),
        (5, {"seed": 1.5}, "'1.5' came for the seed"),
    ],
)
def test_independent_coups_take_whole_numbers_only(
    coups: Any,  # noqa: ANN401
    options: dict[str, Any],
    words: str,
) -> None:
    with pytest.raises(RulesError, match=words):
        simulate_independent(BACCARAT, coups, **options)


def test_a_simulation_is_a_frame() -> None:
    found = simulate(BACCARAT, shoes=20, seed=3, threads=1)
    frame = found.to_pandas()
    assert list(frame.columns) == [
        "game",
        "decks",
        "coups",
        "seed",
        "wager",
        "mean",
        "se",
        "exact",
        "z",
    ]
    assert list(frame["wager"]) == [wager.slug for wager in BACCARAT.wagers]
    assert frame["z"].tolist() == [result.z for result in found.wagers]
    assert "Baccarat, 8 decks" in found._repr_html_()  # what a notebook calls
