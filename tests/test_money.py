"""Odds as written, payments in whole cents, and rounding that is named."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest

from croupier.money import Cents, Odds, Rounding, dollars, pay
from croupier.rulebooks import GAMES


@pytest.mark.parametrize(
    ("text", "net"),
    [
        ("1 to 1", Fraction(1)),
        ("8 to 1", Fraction(8)),
        ("0.95 to 1", Fraction(19, 20)),
        ("1 to 2", Fraction(1, 2)),
        ("21 to 20", Fraction(21, 20)),
        ("800 to 1", Fraction(800)),
        ("Push", Fraction(0)),
    ],
)
def test_odds_are_net_winnings_exactly(text: str, net: Fraction) -> None:
    odds = Odds(text)
    assert odds.net == net
    assert isinstance(odds.net, Fraction)
    assert (odds.text, str(odds), repr(odds)) == (text, text, f"Odds({text!r})")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "8",
        "8:1",
        "8 for 1",
        "to 1",
        "8 to",
        "-1 to 1",
        "1 to -1",
        "push",
        "8 to 1 ",
        " Push",
    ],
)
def test_what_are_no_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"are not odds; write them as '8 to 1'") as refusal:
        Odds(text)
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize("text", ["1 to 0", "1 to 00", "\N{ARABIC-INDIC DIGIT EIGHT} to 1"])
def test_odds_to_nothing_and_in_other_digits_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^'{text}' are not odds"):
        Odds(text)


def test_odds_are_equal_when_they_are_written_alike() -> None:
    assert Odds("1 to 1") == Odds("1 to 1")
    assert hash(Odds("1 to 1")) == hash(Odds("1 to 1"))
    assert Odds("1 to 2") != Odds("0.5 to 1")
    assert Odds("1 to 1") != "1 to 1"


@pytest.mark.parametrize("name", ["net", "text", "extra"])
def test_odds_do_not_change(name: str) -> None:
    odds = Odds("1 to 2")
    with pytest.raises(AttributeError, match=f"does not change: cannot set {name}"):
        setattr(odds, name, 5)
    with pytest.raises(AttributeError, match=f"does not change: cannot delete {name}"):
        delattr(odds, name)
    assert (odds.net, odds.text) == (Fraction(1, 2), "1 to 2")


def test_odds_survive_a_copy() -> None:
    odds = Odds("21 to 20")
    assert copy.copy(odds) == odds
    assert copy.deepcopy(odds).net == Fraction(21, 20)


def test_odds_survive_pickling() -> None:
    odds = pickle.loads(pickle.dumps(Odds("21 to 20")))  # noqa: S301  # our own bytes
    assert (odds.text, odds.net) == ("21 to 20", Fraction(21, 20))


@pytest.mark.parametrize(
    ("cents", "odds", "profit"),
    [
        (10000, "0.95 to 1", 9500),
        (500, "0.95 to 1", 475),
        (100, "0.95 to 1", 95),
        (20, "0.95 to 1", 19),
        (500, "21 to 20", 525),
        (100, "21 to 20", 105),
        (100, "1 to 2", 50),
        (1, "800 to 1", 800),
        (123, "Push", 0),
        (0, "8 to 1", 0),
    ],
)
def test_a_stake_is_paid_to_the_cent(cents: int, odds: str, profit: int) -> None:
    for rounding in Rounding:
        paid = pay(Cents(cents), Odds(odds), rounding)
        assert paid == profit
        assert type(paid) is int
    assert pay(Cents(cents), Odds(odds)) == profit


@pytest.mark.parametrize(
    ("cents", "odds", "down", "nearest", "up"),
    [
        (1, "1 to 2", 0, 1, 1),
        (3, "1 to 2", 1, 2, 2),
        (1, "0.95 to 1", 0, 1, 1),
        (10, "0.95 to 1", 9, 10, 10),
        (9, "0.95 to 1", 8, 9, 9),
        (11, "0.95 to 1", 10, 10, 11),
        (1, "21 to 20", 1, 1, 2),
        (9, "21 to 20", 9, 9, 10),
        (10, "21 to 20", 10, 11, 11),
    ],
)
def test_a_part_of_a_cent_goes_where_the_table_says(
    cents: int, odds: str, down: int, nearest: int, up: int
) -> None:
    assert pay(Cents(cents), Odds(odds), Rounding.DOWN) == down
    assert pay(Cents(cents), Odds(odds), Rounding.NEAREST) == nearest
    assert pay(Cents(cents), Odds(odds), Rounding.UP) == up
    exact = Fraction(cents) * Odds(odds).net
    for rounding in (None, Rounding.REFUSE):
        with pytest.raises(ValueError, match="this table does not round") as refusal:
            pay(Cents(cents), Odds(odds), *([rounding] if rounding else []))
        assert str(exact) in str(refusal.value)


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "0.00"),
        (5, "0.05"),
        (50, "0.50"),
        (6050, "60.50"),
        (-5, "-0.05"),
        (-12345, "-123.45"),
    ],
)
def test_an_amount_is_written_in_dollars_and_cents(cents: int, text: str) -> None:
    assert dollars(cents) == text


def test_no_pay_line_of_any_game_rounds_a_whole_dollar_stake() -> None:
    lines = {row.pays for game in GAMES for wager in game.wagers for row in wager.rows}
    written = {line.text for line in lines}
    whole = (1, 2, 4, 6, 8, 9, 10, 11, 12, 15, 20, 22, 25, 30, 35, 50, 100, 800)
    assert written == {f"{net} to 1" for net in whole} | {
        "0.95 to 1",
        "21 to 20",
        "1 to 2",
        "Push",
    }
    for odds in lines:
        for stake in (*range(1, 201), 333, 4999, 100_001):
            profit = pay(Cents(stake * 100), odds, Rounding.REFUSE)
            assert Fraction(profit, 100) == stake * odds.net
