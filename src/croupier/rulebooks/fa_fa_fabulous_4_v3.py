"""FF3: Fa Fa Fabulous 4 Baccarat, version 3, with a deck of 65 cards in five elements."""

from __future__ import annotations

from datetime import datetime

from croupier.rules.cards import FIVE_ELEMENTS, Element, Rank
from croupier.rules.coup import Coup, Hand, pair_code, pair_rank, points_of
from croupier.rules.game import Edition, Game
from croupier.rules.outcome import (
    Outcome,
    Side,
    banker_wins,
    banker_wins_on,
    pair,
    pair_of,
    player_wins,
    player_wins_on,
    precious_pair,
    precious_pair_of_fours,
    tie,
    tie_on_element_eights,
)
from croupier.rules.shoe import Composition
from croupier.rules.tableau import Line, Tableau
from croupier.rules.wagers import Row, Wager
from croupier.table.rulebook import SINGAPORE, Area, Layout, Rulebook, Term, approval

EDITION = Edition(
    "FF3", "Fa Fa Fabulous 4 Baccarat", 3, datetime(2020, 1, 23, tzinfo=SINGAPORE)
)

APPROVAL = approval("FF3 preamble#approval")

# 1. Definitions

GLOSSARY = (
    Term("All words", "They mean what this rulebook says, whatever others say.", "FF3 1.1"),
    Term("Banker Fabulous 4", "Wins when Banker wins with 4 points.", "FF3 1.1.1"),
    Term("Element", "A card's suit: Fire, Gold, Earth, Wood or Water.", "FF3 1.1.2"),
    Term("Hand", "The cards given to Player or Banker in one round.", "FF3 1.1.3"),
    Term("HLGA", "The high-limit rooms: Paiza Club and Ruby Room.", "FF3 1.1.4"),
    Term("Initial deal", "Two cards to each hand, and no third card yet.", "FF3 1.1.5"),
    Term("Natural", "8 or 9 points with the first two cards of a hand.", "FF3 1.1.6"),
    Term("Player Fabulous 4", "Wins when Player wins with 4 points.", "FF3 1.1.7"),
    Term(
        "Pair",
        "Two cards of the same rank; two different picture cards, or a ten and a picture"
        " card, never pair (A1).",
        "FF3 1.1.8",
    ),
    Term(
        "Precious Pair",
        "The first two cards of the hand pair; paid by the best of four categories.",
        "FF3 1.1.8.1",
        also=("Player Precious Pair", "Banker Precious Pair"),
    ),
    Term("Pair of Gold 4's", "Both cards are the four of Gold.", "FF3 1.1.8.1.1"),
    Term("Other Pairs of 4's", "Two fours that are not both Gold.", "FF3 1.1.8.1.2"),
    Term("Gold Pairs", "Two Gold cards of one rank other than four.", "FF3 1.1.8.1.3"),
    Term("Other Pairs", "Any pair that is none of the three before.", "FF3 1.1.8.1.4"),
    Term(
        "Round of play",
        "From the call for bets until the outcome is announced and all wagers are settled.",
        "FF3 1.1.9",
    ),
    Term("Squeezing", "Turning up face-down cards slowly, by bending them.", "FF3 1.1.10"),
    Term(
        "Table Differential",
        "How far all stakes on Player and all stakes on Banker are apart.",
        "FF3 1.1.11",
    ),
    Term("Tie", "Both hands end the round with equal points.", "FF3 1.1.12"),
    Term(
        "Tie on Element Eights",
        "A tie on natural 8 made of four fours; it raises what a Tie wager is paid.",
        "FF3 1.1.13",
    ),
    Term("Tie wager", "Wins on a tie and loses on everything else.", "FF3 1.1.14"),
)

# 2. Mode of Play

DECK = FIVE_ELEMENTS

AREAS = (
    Area(("player",), "FF3 2.2.1"),
    Area(("banker",), "FF3 2.2.2"),
    Area(("tie",), "FF3 2.2.3"),
    Area(("player-precious-pair", "banker-precious-pair"), "FF3 2.2.4"),
    Area(("player-fabulous-4", "banker-fabulous-4"), "FF3 2.2.5"),
)

LAYOUTS = (
    Layout("A", "FF3 appendix-A", range(1, 6)),
    Layout("B", "FF3 appendix-B", range(1, 8)),
    Layout("C", "FF3 appendix-C", range(1, 10)),
    Layout("D", "FF3 appendix-D", range(1, 2)),
    Layout("E", "FF3 appendix-E", range(8, 17)),
)

# 3. How to Play

TABLE_OF_PLAY = Tableau(
    clause="FF3 3.14",
    initial_deal="FF3 3.12",
    natural="FF3 3.14#natural",
    player_draws=Line((0, 1, 2, 3, 4, 5), (), "FF3 3.14#player-0-5"),
    player_stands=Line((6, 7), (), "FF3 3.14#player-6-7"),
    banker=(
        Line((0, 1, 2), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "FF3 3.14#banker-0-2"),
        Line((3,), (0, 1, 2, 3, 4, 5, 6, 7, 9), "FF3 3.14#banker-3"),
        Line((4,), (2, 3, 4, 5, 6, 7), "FF3 3.14#banker-4"),
        Line((5,), (4, 5, 6, 7), "FF3 3.14#banker-5"),
        Line((6,), (6, 7), "FF3 3.14#banker-6"),
        Line((7,), (), "FF3 3.14#banker-7"),
    ),
    player_stood=Line((0, 1, 2, 3, 4, 5), (), "FF3 3.14#player-stands"),
)

# 4. Settlement

PLAYER = Wager(
    "player",
    "Player",
    Row("Player wins on 4", "1 to 2", player_wins_on(4), "FF3 4.1#player-4"),
    Row("Player wins on 1", "2 to 1", player_wins_on(1), "FF3 4.1#player-1"),
    Row("Player wins on any other total", "1 to 1", player_wins, "FF3 4.1#player-other"),
    Row("Tie", "Push", tie, "FF3 3.15.1"),
    clause="FF3 3.5",
)
BANKER = Wager(
    "banker",
    "Banker",
    Row("Banker wins on 4", "Push", banker_wins_on(4), "FF3 4.1#banker-4"),
    Row("Banker wins on 1", "2 to 1", banker_wins_on(1), "FF3 4.1#banker-1"),
    Row("Banker wins on any other total", "1 to 1", banker_wins, "FF3 4.1#banker-other"),
    Row("Tie", "Push", tie, "FF3 3.15.1"),
    clause="FF3 3.5",
)
TIE = Wager(
    "tie",
    "Tie",
    # 800 to 1 stands above 8 to 1 and replaces it: a Tie wager is paid one line only.
    Row(
        "Tie on Element Eights",
        "800 to 1",
        tie_on_element_eights,
        "FF3 4.1#tie-on-element-eights",
    ),
    Row("Tie", "8 to 1", tie, "FF3 4.1#tie"),
    clause="FF3 1.1.14",
)
PLAYER_FABULOUS_4 = Wager(
    "player-fabulous-4",
    "Player Fabulous 4",
    Row("Player wins on 4", "50 to 1", player_wins_on(4), "FF3 4.1#player-fabulous-4"),
    clause="FF3 1.1.7",
)
BANKER_FABULOUS_4 = Wager(
    "banker-fabulous-4",
    "Banker Fabulous 4",
    Row("Banker wins on 4", "25 to 1", banker_wins_on(4), "FF3 4.1#banker-fabulous-4"),
    clause="FF3 1.1.1",
)


def precious_pair_wager(side: Side) -> Wager:
    """Build the Precious Pair wager of one hand: the best of its four categories pays."""
    return Wager(
        f"{side.value}-precious-pair",
        f"{side.value.title()} Precious Pair",
        Row("Pair of Gold 4's", "30 to 1", precious_pair_of_fours(side), "FF3 4.2#gold-4s"),
        Row("Other pair of 4's", "15 to 1", pair_of(side, 4), "FF3 4.2#other-4s"),
        Row("Gold pair", "12 to 1", precious_pair(side), "FF3 4.2#gold-pair"),
        Row("Other pair", "9 to 1", pair(side), "FF3 4.2#other-pair"),
        clause="FF3 1.1.8.1",
    )


FA_FA_FABULOUS_4 = Game(
    slug="fa-fa-fabulous-4",
    name="Fa Fa Fabulous 4 Baccarat",
    edition=EDITION,
    clause="FF3 4.1",
    deck=DECK,
    deck_clause="FF3 2.1",
    tableau=TABLE_OF_PLAY,
    wagers=(
        PLAYER,
        BANKER,
        TIE,
        PLAYER_FABULOUS_4,
        BANKER_FABULOUS_4,
        precious_pair_wager(Side.PLAYER),
        precious_pair_wager(Side.BANKER),
    ),
    precious=Element.GOLD,
)

# 5. Irregularities and 6. General Provisions follow with the table.

FF3 = Rulebook(
    edition=EDITION,
    approval=APPROVAL,
    glossary=GLOSSARY,
    areas=AREAS,
    layouts=LAYOUTS,
    tableau=TABLE_OF_PLAY,
    games=(FA_FA_FABULOUS_4,),
    provisions={
        "FF3 1.1.2": Element,
        "FF3 1.1.5": Coup.initial_deal_complete,
        "FF3 1.1.6": Hand.natural,
        "FF3 1.1.8": pair_rank,
        "FF3 1.1.8.1.1": precious_pair_of_fours,
        "FF3 1.1.8.1.2": pair_of,
        "FF3 1.1.8.1.3": precious_pair,
        "FF3 1.1.8.1.4": pair,
        "FF3 1.1.12": tie,
        "FF3 1.1.13": tie_on_element_eights,
        "FF3 2.1": Composition.full,
        "FF3 3.3": Rank,
        "FF3 3.3.1": Rank,
        "FF3 3.3.2": Rank,
        "FF3 3.4": points_of,
        "FF3 3.4.1": points_of,
        "FF3 3.4.2": points_of,
        "FF3 3.5": Game.wager,
        "FF3 3.12": Coup,
        "FF3 3.12.1": Coup.positions,
        "FF3 3.12.2": Coup.positions,
        "FF3 3.13": pair_code,
        "FF3 3.14": Coup.next,
        "FF3 3.15": Outcome.winner,
        "FF3 3.15.1": tie,
        "FF3 4.1": Game.settle,
        "FF3 4.1#note-push": Wager.resolve,
        "FF3 4.1#note-element-eights-only": Wager.resolve,
        "FF3 4.2": precious_pair_wager,
        "FF3 4.2#note-highest-only": Wager.resolve,
    },
)
