"""Figures of full and partial shoes, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import comb, isclose, prod, sqrt

import pytest

from croupier import BACCARAT, GAMES, POWER_98, TIGER, CompositionError, Game, find_game
from croupier.odds import exact_odds, exact_tally
from croupier.rules.shoe import Composition


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_counts_sum_to_the_number_of_deals(game: Game) -> None:
    for decks in (4, 10):
        odds = exact_odds(game, decks=decks)
        cards = len(game.deck) * decks
        deals = prod(range(cards - 5, cards + 1))
        assert odds.total == deals * (6 if game.die else 1)
        for wager in odds.wagers:
            assert sum(wager.counts) == odds.total
            assert sum(row.probability for row in wager.rows) == 1
            assert sum(row.contribution for row in wager.rows) == wager.ev
            assert wager.rows[-1].label == "loses"
            assert wager.rows[-1].pays is None


# Edges in percent, as published (8 decks of 52 cards).
PUBLISHED = [
    ("baccarat", "banker", "1.0579"),
    ("baccarat", "player", "1.2351"),
    ("baccarat", "tie", "14.3596"),
    ("baccarat", "player-pair", "10.3614"),
    ("super-six", "banker", "1.4581"),
    ("super-6", "super-6", "13.8181"),
    ("fortune-six", "fortune-six", "16.6836"),
    ("fortune-six", "player-dragon-bonus", "2.6517"),
    ("fortune-six", "banker-dragon-bonus", "9.3731"),
    ("tiger", "tiger", "16.6836"),
    ("tiger", "big-tiger", "15.2533"),
    ("fabulous-4s", "player", "1.6041"),
    ("fortune-six-tournament", "banker", "-1.2351"),
]


@pytest.mark.parametrize(("slug", "wager", "edge"), PUBLISHED)
def test_published_edges(slug: str, wager: str, edge: str) -> None:
    found = exact_odds(find_game(slug))[wager]
    assert f"{float(found.edge) * 100:.4f}" == edge


def test_edges_per_unit_resolved() -> None:
    odds = exact_odds(BACCARAT)
    assert f"{float(odds['banker'].edge_resolved):.4%}" == "1.1692%"
    assert f"{float(odds['player'].edge_resolved):.4%}" == "1.3650%"
    assert odds["tie"].edge_resolved == odds["tie"].edge


def test_deviation_and_volatility() -> None:
    big_tiger = exact_odds(TIGER)["big-tiger"]
    assert f"{big_tiger.sd:.3f}" == "6.519"
    assert f"{float(big_tiger.hit_rate):.3%}" == "1.662%"
    assert isclose(big_tiger.volatility_index / big_tiger.sd, 1.6448536269514722)
    pair = exact_odds(BACCARAT)["player-pair"]
    hits = Fraction(31, 415)
    assert pair.hit_rate == hits
    assert pair.variance == hits * 121 + (1 - hits) - pair.ev**2


def test_covariance_of_wagers_that_are_known_to_each_other() -> None:
    odds = exact_odds(TIGER)
    places = {wager.wager.slug: number for number, wager in enumerate(odds.wagers)}
    matrix = odds.covariance
    for slug, place in places.items():
        assert matrix[place][place] == odds[slug].variance
        for other in places.values():
            assert matrix[place][other] == matrix[other][place]
            bound = odds.wagers[place].sd * odds.wagers[other].sd
            assert abs(float(matrix[place][other])) <= bound * (1 + 1e-12)
    # Small and Big Tiger never win together: E[XY] = 1 - 23 p - 51 q, by hand.
    small, big = odds["small-tiger"], odds["big-tiger"]
    expected = (1 - 23 * small.hit_rate - 51 * big.hit_rate) - small.ev * big.ev
    assert matrix[places["small-tiger"]][places["big-tiger"]] == expected


def test_player_and_banker_are_nearly_opposite() -> None:
    odds = exact_odds(BACCARAT)
    covariance = odds.covariance[0][1]
    banker, player = odds["banker"], odds["player"]
    product = -Fraction(banker.counts[0], odds.total) * Fraction(19, 20)
    product -= Fraction(player.counts[0], odds.total)
    assert covariance == product - banker.ev * player.ev
    assert float(covariance) / (banker.sd * player.sd) < -0.99


def test_power_98_is_averaged_over_the_die_and_conditional_on_it() -> None:
    average, power, plain = (exact_odds(POWER_98, die=die) for die in (None, 3, 1))
    assert average.total == 6 * power.total == 6 * plain.total
    for slug in ("banker", "player", "tie", "player-pair", "player-natural-9"):
        expected = (power[slug].ev + 5 * plain[slug].ev) / 6
        assert average[slug].ev == expected
        assert power[slug].ev > plain[slug].ev
    baccarat = exact_odds(BACCARAT)
    assert plain["banker"].ev == baccarat["banker"].ev
    assert exact_odds(POWER_98, die=6)["tie"].ev == plain["tie"].ev
    second = average.covariance[0][0]
    assert second == average["banker"].variance
    assert isclose(average["banker"].sd, sqrt(second))


def test_the_pair_wager_has_a_closed_form_for_any_composition() -> None:
    left = BACCARAT.shoe(8).without(BACCARAT.deck.parse_cards("4D 4D KS KS KS 9H AC"))
    size = len(left)
    pairs = sum(comb(count, 2) for count in left.by_rank())
    assert exact_odds(BACCARAT, left)["player-pair"].ev == Fraction(
        12 * pairs - comb(size, 2), comb(size, 2)
    )


def test_too_few_cards_and_the_wrong_deck_are_refused() -> None:
    five = Composition.of(BACCARAT.deck, BACCARAT.deck.parse_cards("AS 2S 3S 4S 5S"))
    with pytest.raises(CompositionError, match="5 cards are left; a coup may need 6"):
        exact_tally(BACCARAT, five)
    with pytest.raises(CompositionError, match="52-card deck"):
        exact_tally(BACCARAT, find_game("fa-fa-fabulous-4").shoe(8))


def test_six_cards_are_one_coup_in_many_orders() -> None:
    six = Composition.of(BACCARAT.deck, BACCARAT.deck.parse_cards("4S 4H 4D 4C 4S 4H"))
    odds = exact_odds(BACCARAT, six)
    assert odds.total == 720
    assert odds["tie"].ev == 8
    assert odds["player-pair"].ev == 11
    assert odds["player"].push_rate == 1
    assert odds["player"].edge_resolved == 0


def test_reprs_are_useful() -> None:
    odds = exact_odds(BACCARAT)
    assert repr(odds) == "GameOdds(baccarat, 416 cards)"
    assert repr(odds["tie"]) == "WagerOdds(tie, ev -0.143596, sd 2.6409)"
    assert repr(odds.tally) == "Tally(baccarat, 4998398275503360 coups)"
