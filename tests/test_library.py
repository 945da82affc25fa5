"""The library as its users meet it: immutable, copied, pickled, refused with a sentence."""

from __future__ import annotations

import copy
import pickle
from datetime import datetime, timedelta

import pytest

import croupier
from croupier import (
    BACCARAT,
    FA_FA_FABULOUS_4,
    GAMES,
    POWER_98,
    POWER_98_NATURAL_TIES,
    TIGER,
    Card,
    CoupError,
    NotationError,
    Odds,
    Position,
    RulesError,
    Settlement,
    UnknownNameError,
    decide_wagers,
    find_game,
)


def test_every_public_name_exists() -> None:
    for name in croupier.__all__:
        assert getattr(croupier, name) is not None
    assert croupier.__version__ == "0.1.0"
    with pytest.raises(AttributeError, match="no attribute 'roulette'"):
        _ = croupier.roulette


@pytest.mark.parametrize("game", [*GAMES, POWER_98_NATURAL_TIES], ids=repr)
def test_a_game_is_one_value_through_copies_and_pickles(game: croupier.Game) -> None:
    assert pickle.loads(pickle.dumps(game)) is game  # noqa: S301  # our own pickle
    assert copy.copy(game) is game
    assert copy.deepcopy(game) is game


def test_settlements_coups_and_odds_can_be_pickled() -> None:
    settlement = POWER_98.settle("9S 2H KC 3D", die=3)
    again = pickle.loads(pickle.dumps(settlement))  # noqa: S301  # our own pickle
    assert isinstance(again, Settlement)
    assert again.coup == settlement.coup
    assert again.verdicts == settlement.verdicts
    assert again.power
    assert copy.deepcopy(settlement.coup) == settlement.coup
    assert pickle.loads(pickle.dumps(Odds("0.95 to 1"))) == Odds("0.95 to 1")  # noqa: S301


def test_a_settlement_holds_its_wagers() -> None:
    settlement = TIGER.settle("QC QS QS QD 3H 8S")
    assert "banker" in settlement
    assert "fortune-six" not in settlement
    assert len(settlement) == len(TIGER.wagers)
    with pytest.raises(UnknownNameError, match="'fortune-six' is not a wager of Tiger"):
        _ = settlement["fortune-six"]


def test_cards_may_be_given_as_objects_or_texts() -> None:
    texts = ["4D", "4H", "4S", "4C"]
    cards = [Card(text) for text in texts]
    assert BACCARAT.settle(texts).coup == BACCARAT.settle(cards).coup
    assert BACCARAT.settle("4D 4H 4S 4C").coup == BACCARAT.settle(texts).coup
    assert Card("4-Gold") in FA_FA_FABULOUS_4.deck


def test_a_coup_of_another_deck_is_refused() -> None:
    foreign = BACCARAT.coup("4D 4H 4S 4C")
    with pytest.raises(NotationError, match="4D is not a card of the 65-card deck"):
        FA_FA_FABULOUS_4.settle(foreign)
    with pytest.raises(NotationError, match="4-Gold is not a card of the 52-card deck"):
        BACCARAT.coup("4D 4H 4S").draw(Card("4-Gold"))
    assert TIGER.settle(foreign)["tiger-pair"].pays == "100 to 1"


def test_known_cards_of_another_deck_or_at_no_place_are_refused() -> None:
    with pytest.raises(NotationError, match="Lu-Gold"):
        decide_wagers(BACCARAT, {Position.P1: Card("Lu-Gold")})
    with pytest.raises(RulesError, match="'P1' is not a place"):
        decide_wagers(BACCARAT, {"P1": Card("4D")})  # type: ignore[dict-item]


def test_what_is_decided_does_not_change() -> None:
    decided = decide_wagers(BACCARAT, {Position.P1: Card("4D")})
    with pytest.raises(TypeError):
        decided.wagers["tie"] = decided.wagers["player"]  # type: ignore[index]
    with pytest.raises(TypeError):
        croupier.clauses()["BAC8 4.1"] = croupier.find_clause("BAC8 4.1")  # type: ignore[index]


def test_a_game_is_found_by_its_newest_version_in_force() -> None:
    first = BACCARAT.edition.effective
    assert find_game("baccarat", first) is BACCARAT
    with pytest.raises(UnknownNameError, match="No rulebook of baccarat is in force"):
        find_game("baccarat", first - timedelta(minutes=1))
    with pytest.raises(RulesError, match="no time zone"):
        BACCARAT.edition.in_force(datetime(2026, 1, 1))  # noqa: DTZ001  # that is the point


def test_only_plain_letters_are_read() -> None:
    for text in ("7\u017f", "\u0663S", "T\u216e", "4-\ufb01re"):
        with pytest.raises(NotationError):
            BACCARAT.deck.parse(text)
        with pytest.raises(NotationError):
            FA_FA_FABULOUS_4.deck.parse(text)


def test_a_long_text_is_not_repeated_at_length() -> None:
    with pytest.raises(NotationError) as refusal:
        BACCARAT.coup("9" * 10_000)
    assert len(str(refusal.value)) < 200


def test_a_coup_refuses_a_seventh_card() -> None:
    with pytest.raises(CoupError, match="seventh card 2C is not called for"):
        BACCARAT.coup("5S 6S 5D 4C QS 7H 2C")
