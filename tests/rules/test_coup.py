"""Coups: draw order to hands, what comes next and why, and the cards that are refused."""

from __future__ import annotations

import copy
import pickle
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from croupier.rulebooks import BACCARAT, POWER_98, RULEBOOKS, find_rulebook
from croupier.rules.cards import FIVE_ELEMENTS, STANDARD
from croupier.rules.coup import Coup, Hand, Position, pair_code, points_of
from croupier.rules.errors import CoupError, NotationError
from croupier.rules.outcome import Side
from tests.deals import as_coup, biased_faces, elements, initial_deal, plain_faces
from tests.strategies import coups

if TYPE_CHECKING:
    from croupier.rules.cards import Deck
    from croupier.rules.game import Game
    from tests.deals import Face

CODES = ("BAC8", "FF3", "F6T2", "PB6", "EB4")
INITIAL_DEAL = {
    "BAC8": "BAC8 3.12",
    "FF3": "FF3 3.12",
    "F6T2": "F6T2 3.7",
    "PB6": "PB6 3.8",
    "EB4": "EB4 3.6",
}
TWO_HANDS = INITIAL_DEAL | {"F6T2": "F6T2 3.6", "PB6": "PB6 3.7"}
TIE = {
    "BAC8": "BAC8 1.1.10",
    "FF3": "FF3 1.1.12",
    "F6T2": "F6T2 1.1.8",
    "PB6": "PB6 1.1.10",
    "EB4": "EB4 1.1.19",
}
INITIAL_DEAL_COMPLETE = {
    "BAC8": "BAC8 1.1.4",
    "FF3": "FF3 1.1.5",
    "F6T2": "F6T2 1.1.3",
    "PB6": "PB6 1.1.4",
    "EB4": "EB4 1.1.7",
}
NATURAL = {
    "BAC8": "BAC8 1.1.5",
    "FF3": "FF3 1.1.6",
    "F6T2": "F6T2 1.1.4",
    "PB6": "PB6 1.1.5",
    "EB4": "EB4 1.1.8",
}
HIGHER_WINS = {
    "BAC8": "BAC8 3.15",
    "FF3": "FF3 3.15",
    "F6T2": "F6T2 3.10",
    "PB6": "PB6 3.12",
    "EB4": "EB4 3.9",
}
TABLE_OF_PLAY = {
    "BAC8": "BAC8 3.14",
    "FF3": "FF3 3.14",
    "F6T2": "F6T2 3.9",
    "PB6": "PB6 3.11",
    "EB4": "EB4 3.8",
}


def game_of(code: str) -> Game:
    return find_rulebook(code).games[0]


def coup_of(code: str, cards: str) -> Coup:
    """Return a coup of the rulebook from cards of the 52-card deck."""
    return game_of(code).coup(elements(cards) if code == "FF3" else cards)


def written(code: str, cards: str) -> list[str]:
    return (elements(cards) if code == "FF3" else cards).split()


def each_rulebook(*cites: dict[str, str]) -> pytest.MarkDecorator:
    """Run a test for each rulebook, marked with its clauses."""
    return pytest.mark.parametrize(
        "code",
        [
            pytest.param(code, marks=pytest.mark.clause(*(cite[code] for cite in cites)))
            for code in CODES
        ],
    )


def below(clauses: dict[str, str], *suffixes: str) -> tuple[dict[str, str], ...]:
    """Return the clauses one level deeper."""
    return tuple({code: cite + suffix for code, cite in clauses.items()} for suffix in suffixes)


def test_there_are_five_rulebooks() -> None:
    assert sorted(CODES) == sorted(rulebook.code for rulebook in RULEBOOKS)


# Draw order to hands


@each_rulebook(INITIAL_DEAL, *below(INITIAL_DEAL, ".1", ".2"))
def test_cards_go_to_player_banker_player_banker(code: str) -> None:
    coup = coup_of(code, "2S 3H 4D 5C")
    assert [card.text for card in coup.player.cards] == written(code, "2S 4D")
    assert [card.text for card in coup.banker.cards] == written(code, "3H 5C")
    assert [position.value for position in coup.positions] == ["P1", "B1", "P2", "B2"]


@each_rulebook(TWO_HANDS)
def test_there_are_two_hands_and_they_hold_every_card(code: str) -> None:
    for faces in plain_faces(seed=12, count=100):
        coup = game_of(code).coup(" ".join(as_coup(faces, game_of(code).slug)))
        assert (coup.player.side, coup.banker.side) == (Side.PLAYER, Side.BANKER)
        held = [*coup.player.cards, *coup.banker.cards]
        assert sorted(map(str, held)) == sorted(map(str, coup.cards))
        assert {len(coup.player.cards), len(coup.banker.cards)} <= {2, 3}
        assert coup.hand(Side.PLAYER) == coup.player
        assert coup.hand(Side.BANKER) == coup.banker


@pytest.mark.parametrize(
    ("cards", "player", "banker", "positions"),
    [
        ("", "", "", ""),
        ("2S", "2S", "", "P1"),
        ("2S 3H", "2S", "3H", "P1 B1"),
        ("2S 3H 3D", "2S 3D", "3H", "P1 B1 P2"),
        ("KS 9H 9D 8C", "KS 9D", "9H 8C", "P1 B1 P2 B2"),
        ("2S 3H 3D 3C 6S 7S", "2S 3D 6S", "3H 3C 7S", "P1 B1 P2 B2 P3 B3"),
        ("2S 3H 3D 3C 6S", "2S 3D 6S", "3H 3C", "P1 B1 P2 B2 P3"),
        ("2S 3H 3D 4C AS", "2S 3D AS", "3H 4C", "P1 B1 P2 B2 P3"),
        ("2S 3H 4D 2C AS", "2S 4D", "3H 2C AS", "P1 B1 P2 B2 B3"),
    ],
)
def test_where_each_card_lies(cards: str, player: str, banker: str, positions: str) -> None:
    coup = BACCARAT.coup(cards)
    assert " ".join(map(str, coup.player.cards)) == player
    assert " ".join(map(str, coup.banker.cards)) == banker
    assert [position.value for position in coup.positions] == positions.split()


def test_a_place_belongs_to_a_hand() -> None:
    assert {place.value: place.side for place in Position} == {
        "P1": Side.PLAYER,
        "B1": Side.BANKER,
        "P2": Side.PLAYER,
        "B2": Side.BANKER,
        "P3": Side.PLAYER,
        "B3": Side.BANKER,
    }
    assert Side.PLAYER.other is Side.BANKER
    assert Side.BANKER.other is Side.PLAYER
    assert (repr(Position.P3), repr(Side.BANKER)) == ("Position.P3", "Side.BANKER")


# Points of a hand


@pytest.mark.parametrize(
    ("code", "cards", "points"),
    [
        pytest.param(code, cards, points, marks=pytest.mark.clause(*cites))
        for code in CODES
        for cards, points, cites in (
            ("KS 7H QS KH TD", 0, [f"{code} 3.4"]),
            ("4S 7H 5S KH", 9, [f"{code} 3.4", f"{code} 3.4.1"]),
            ("KS 7H QS KH AD", 1, [f"{code} 3.4.1"]),
            ("2S 7H 3S KH 4D", 9, [f"{code} 3.4.1"]),
            ("9S 7H 9D KH", 8, [f"{code} 3.4.2"]),
            ("5S 7H 5D KH KS", 0, [f"{code} 3.4.2"]),
            ("9S 7H 2D KH 9H", 0, [f"{code} 3.4.2"]),
            ("8S 7H 7D KH 9H", 4, [f"{code} 3.4.2"]),
        )
    ],
)
def test_a_hand_counts_the_right_digit_of_its_sum(code: str, cards: str, points: int) -> None:
    coup = coup_of(code, cards)
    assert coup.complete
    assert coup.player.points == points
    assert coup.outcome().player.points == points
    assert (coup.banker.points, coup.outcome().banker.points) == (7, 7)


@pytest.mark.clause("F6T2 1.1.6", "PB6 1.1.7")
@pytest.mark.parametrize("code", ["F6T2", "PB6"])
def test_the_point_total_is_the_last_digit_also_where_the_text_says_total(code: str) -> None:
    coup = coup_of(code, "7S KH 8S 6H KD")
    assert sum(card.points for card in coup.player.cards) == 15
    assert coup.player.points == 5
    assert game_of(code).settle(coup).winner is Side.BANKER


@pytest.mark.parametrize("deck", [STANDARD, FIVE_ELEMENTS], ids=["52", "65"])
def test_sums_of_up_to_three_cards(deck: Deck) -> None:
    cards = {card.points: card for card in deck}
    for values in (*product(range(10), repeat=2), *product(range(10), repeat=3)):
        assert points_of(cards[value] for value in values) == int(str(sum(values))[-1])
    assert points_of([]) == 0


# Initial deal, naturals, ties, winners


@each_rulebook(INITIAL_DEAL_COMPLETE)
def test_the_initial_deal_is_complete_with_exactly_two_cards_each(code: str) -> None:
    coup = coup_of(code, "")
    seen = []
    for card in coup_of(code, "2S 3H 3D 3C 6S 7S").cards:
        seen.append(coup.initial_deal_complete)
        coup = coup.draw(card)
    assert [*seen, coup.initial_deal_complete] == [False] * 4 + [True] + [False] * 2


@each_rulebook(NATURAL)
def test_a_natural_is_8_or_9_in_two_cards_and_never_in_three(code: str) -> None:
    for player, banker in product(range(10), repeat=2):
        coup = coup_of(code, initial_deal(player, banker))
        assert coup.player.natural is (player in {8, 9})
        assert coup.banker.natural is (banker in {8, 9})
    assert coup_of(code, "5S KH 3S KD").player.natural
    three = coup_of(code, "2S 7H 3S KH 4D")
    assert (three.player.points, three.player.natural) == (9, False)
    assert three.outcome().player.natural is False
    three = coup_of(code, "6S 2H KS 3H 3D")
    assert (three.banker.points, three.banker.natural) == (8, False)
    assert three.outcome().banker.natural is False
    assert not coup_of(code, "8S").player.natural


@each_rulebook(TIE)
def test_a_tie_is_declared_after_all_draws_and_not_before(code: str) -> None:
    game = game_of(code)
    assert game.settle(coup_of(code, "KS KH 6S 6H")).winner is None
    fives = coup_of(code, "KS KH 5S 5H")
    with pytest.raises(
        CoupError, match=r"^4 cards came and the coup is not over; next is P3: "
    ):
        game.settle(fives)
    one_more = fives.draw(game.deck.cards[0])
    assert one_more.complete
    assert game.settle(one_more).winner is Side.PLAYER


@each_rulebook(HIGHER_WINS)
def test_the_higher_final_total_wins(code: str) -> None:
    game = game_of(code)
    assert game.settle(coup_of(code, "KS KH 5S 4H KD")).winner is Side.PLAYER
    assert game.settle(coup_of(code, "KS KH QS AH KD JD")).winner is Side.BANKER
    assert game.settle(coup_of(code, "KS KH 8S 9H")).winner is Side.BANKER
    assert game.settle(coup_of(code, "KS KH 9S 8H")).winner is Side.PLAYER


# What comes next


@each_rulebook(INITIAL_DEAL)
def test_the_initial_deal_asks_for_four_cards_in_order(code: str) -> None:
    coup, asked = coup_of(code, ""), []
    for card in coup_of(code, "2S 3H 3D 3C").cards:
        assert not coup.complete
        asked.append(str(coup.next))
        coup = coup.draw(card)
    assert asked == [
        f"P1: the first card of the initial deal [{INITIAL_DEAL[code]}]",
        f"B1: the second card of the initial deal [{INITIAL_DEAL[code]}]",
        f"P2: the third card of the initial deal [{INITIAL_DEAL[code]}]",
        f"B2: the fourth card of the initial deal [{INITIAL_DEAL[code]}]",
    ]


@each_rulebook(TABLE_OF_PLAY)
def test_player_is_asked_first_and_banker_when_the_third_card_is_known(code: str) -> None:
    coup = coup_of(code, "KS KH 5S 4H")
    assert coup.next is not None
    assert coup.next.position is Position.P3
    ace, two = coup_of(code, "AS 2S").cards
    assert coup.draw(ace).next is None
    assert coup.draw(ace).complete
    after_two = coup.draw(two).next
    assert after_two is not None
    assert after_two.position is Position.B3
    assert after_two.why == "Banker has 4 and draws"


def test_banker_alone_draws_when_the_player_stands() -> None:
    coup = BACCARAT.coup("KS KH 6S 5H")
    assert str(coup.next) == "B3: Banker has 5 and draws [BAC8 3.14]"
    assert coup.next is not None
    assert coup.next.clause == "BAC8 3.14#player-stands"


@pytest.mark.parametrize(
    "drawn", [plain_faces(6, 300), biased_faces(6, 300)], ids=["plain", "biased"]
)
def test_a_coup_ends_with_its_fourth_fifth_or_sixth_card(
    drawn: list[tuple[Face, ...]],
) -> None:
    lengths = set()
    for faces in drawn:
        coup = BACCARAT.coup()
        for text in as_coup(faces, "baccarat"):
            assert not coup.complete
            assert coup.next is not None
            place = coup.next.position
            coup = coup.draw(STANDARD.parse(text))
            assert coup.positions[-1] is place
        assert coup.complete
        assert coup.next is None
        lengths.add(len(coup.cards))
        with pytest.raises(CoupError, match="is not called for: "):
            coup.draw(STANDARD.parse("AS"))
    assert lengths == {4, 5, 6}


# Refusals


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        (
            "",
            "0 cards came and the coup is not over; next is P1: the first card of the initial",
        ),
        ("5S", "1 card came and the coup is not over; next is B1: the second card of the"),
        ("5S 6S 5D", "3 cards came and the coup is not over; next is B2: the fourth card of"),
        ("5S 6S 5D 4C", "4 cards came and the coup is not over; next is P3: Player has 0 and"),
        ("5S 6S 5D 4C QS", "5 cards came and the coup is not over; next is B3: Banker has 0"),
        ("KS KH 6S 5H", "4 cards came and the coup is not over; next is B3: Banker has 5 and"),
    ],
)
def test_too_few_cards_are_refused_with_what_comes_next(cards: str, message: str) -> None:
    coup = BACCARAT.coup(cards)
    for refused in (coup.require_complete, coup.index, coup.outcome):
        with pytest.raises(CoupError) as refusal:
            refused()
        assert str(refusal.value).startswith(message)
    with pytest.raises(CoupError):
        BACCARAT.settle(cards)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        pytest.param(
            "KS KH 9S 4H 2D",
            "The fifth card 2D is not called for: Player has a natural 9 and no more cards are"
            " dealt [BAC8 3.14].",
            id="Player natural",
        ),
        pytest.param(
            "KS KH 2S 8H 2D",
            "The fifth card 2D is not called for: Banker has a natural 8 and no more cards are"
            " dealt [BAC8 3.14].",
            id="Banker natural",
        ),
        pytest.param(
            "KS KH 7S 6H 2D",
            "The fifth card 2D is not called for: Player stands on 7 and Banker stands on 6"
            " [BAC8 3.14].",
            id="both stand",
        ),
        pytest.param(
            "KS KH 5S 3H 8D 2D",
            "The sixth card 2D is not called for: Banker stands on 3 against a third card of 8"
            " [BAC8 3.14].",
            id="Banker stands against the third card",
        ),
        pytest.param(
            "KS KH 6S 5H 8D 2D",
            "The sixth card 2D is not called for: Player stands on 6 and each hand has all the"
            " cards it may have [BAC8 3.14].",
            id="Banker alone drew",
        ),
        pytest.param(
            "KS KH QS JH 8D 2D 3C",
            "The seventh card 3C is not called for: each hand has all the cards it may have"
            " [BAC8 3.14].",
            id="six cards",
        ),
        pytest.param(
            "KS KH 9S 4H 2D 3D 4D 5D",
            "The fifth card 2D is not called for: Player has a natural 9 and no more cards are"
            " dealt [BAC8 3.14].",
            id="many too many",
        ),
    ],
)
def test_a_card_too_many_is_refused_with_what_ended_the_coup(cards: str, message: str) -> None:
    with pytest.raises(CoupError) as refusal:
        BACCARAT.coup(cards)
    assert str(refusal.value) == message


def test_a_refused_card_cites_the_clauses_of_its_own_rulebook() -> None:
    with pytest.raises(CoupError, match=r"\[PB6 3\.11\.2, PB6 3\.11\.3\]\.$"):
        POWER_98.coup("KS KH 7S 6H 2D")
    with pytest.raises(CoupError, match=r"\[PB6 3\.11\.2, PB6 3\.11\.4\]\.$"):
        POWER_98.coup("KS KH 5S 3H 8D 2D")
    with pytest.raises(CoupError, match=r"\[PB6 3\.11\.1\]\.$"):
        POWER_98.coup("KS KH 9S 4H 2D")


def test_a_refused_draw_leaves_the_coup_as_it_was() -> None:
    coup = BACCARAT.coup("KS KH 9S 4H")
    with pytest.raises(CoupError):
        coup.draw(STANDARD.parse("2D"))
    assert [card.text for card in coup.cards] == ["KS", "KH", "9S", "4H"]


def test_cards_of_another_deck_are_refused() -> None:
    with pytest.raises(NotationError, match=r"^'4-Gold' is not a card of the 52-card deck"):
        BACCARAT.coup("4-Gold 4-Gold")
    with pytest.raises(NotationError, match=r"^4-Gold is not a card of the 52-card deck"):
        BACCARAT.coup([FIVE_ELEMENTS.parse("4-Gold")])


# Values


def test_coups_are_equal_by_cards_and_table_of_play() -> None:
    coup = BACCARAT.coup("5S 6S 5D 4C")
    same = BACCARAT.coup(STANDARD.parse_cards("5S 6S 5D 4C"))
    assert coup == same
    assert hash(coup) == hash(same)
    assert coup != BACCARAT.coup("6S 5S 5D 4C")
    assert coup != POWER_98.coup("5S 6S 5D 4C")
    assert coup != "5S 6S 5D 4C"
    assert repr(coup) == "Coup('5S 6S 5D 4C')"


@pytest.mark.parametrize("name", ["cards", "tableau", "_due", "_drawn", "power"])
def test_a_coup_does_not_change(name: str) -> None:
    coup = BACCARAT.coup("5S 6S 5D 4C")
    with pytest.raises(AttributeError, match=f"does not change: cannot set {name}"):
        setattr(coup, name, ())
    with pytest.raises(AttributeError, match=f"does not change: cannot delete {name}"):
        delattr(coup, name)
    assert coup == BACCARAT.coup("5S 6S 5D 4C")


def test_drawing_makes_a_new_coup() -> None:
    coup = BACCARAT.coup("5S 6S 5D 4C")
    longer = coup.draw(STANDARD.parse("QS"))
    assert (len(coup.cards), len(longer.cards)) == (4, 5)
    assert longer == BACCARAT.coup("5S 6S 5D 4C QS")


def test_a_coup_survives_a_copy() -> None:
    coup = BACCARAT.coup("5S 6S 5D 4C QS 7H")
    assert copy.copy(coup) == coup
    assert copy.deepcopy(coup).outcome() == coup.outcome()


def test_a_coup_survives_pickling() -> None:
    coup = BACCARAT.coup("5S 6S 5D 4C QS 7H")
    twin = pickle.loads(pickle.dumps(coup))  # noqa: S301  # our own bytes
    assert twin == coup
    assert twin.outcome() == coup.outcome()


def test_a_hand_knows_its_pair_by_its_first_two_cards() -> None:
    for cards, pair in (("9S 9H", 9), ("9S 8H 9D", 0), ("QS QS KD", 12), ("9S", 0), ("", 0)):
        assert Hand(Side.PLAYER, STANDARD.parse_cards(cards)).pair == pair
    assert repr(BACCARAT.coup("5S 6S 5D").player) == "Hand(player: 5S 5D)"


def test_a_precious_pair_needs_both_cards_of_the_suit() -> None:
    gold, four, lu = FIVE_ELEMENTS.parse_cards("4-Gold 4-Fire Lu-Gold")
    precious = gold.suit
    assert pair_code(gold, gold, precious) == 4 + 16
    assert pair_code(gold, four, precious) == pair_code(four, gold, precious) == 4
    assert pair_code(four, four, precious) == 4
    assert pair_code(gold, gold, None) == 4
    assert pair_code(gold, lu, precious) == 0


@given(coup=coups(BACCARAT))
def test_the_place_due_is_that_of_the_next_draw(coup: Coup) -> None:
    for known in range(len(coup.cards) + 1):
        part = Coup(coup.tableau, coup.deck, coup.cards[:known])
        assert part.due is (part.next.position if part.next else None)
