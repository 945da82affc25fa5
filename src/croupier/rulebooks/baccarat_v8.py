"""BAC8: Baccarat, version 8. Read it beside the rulebook: same chapters, same order."""

from __future__ import annotations

from datetime import datetime

from croupier.rules.cards import STANDARD, Rank
from croupier.rules.coup import Coup, Hand, pair_rank, points_of
from croupier.rules.game import Edition, Game
from croupier.rules.outcome import (
    Outcome,
    Side,
    banker_wins,
    pair,
    player_wins,
    tie,
)
from croupier.rules.shoe import Composition
from croupier.rules.tableau import Line, Tableau
from croupier.rules.wagers import Row, Wager
from croupier.table.rulebook import SINGAPORE, Area, Layout, Rulebook, Term, approval

EDITION = Edition("BAC8", "Baccarat", 8, datetime(2020, 1, 23, tzinfo=SINGAPORE))

APPROVAL = approval("BAC8 preamble#approval")

# 1. Definitions

GLOSSARY = (
    Term("All words", "They mean what this rulebook says, whatever others say.", "BAC8 1.1"),
    Term("Commission", "What the house keeps of a winning Banker wager.", "BAC8 1.1.1"),
    Term("Hand", "The cards given to Player or Banker in one round.", "BAC8 1.1.2"),
    Term("HLGA", "The high-limit rooms: Paiza Club and Ruby Room.", "BAC8 1.1.3"),
    Term("Initial deal", "Two cards to each hand, and no third card yet.", "BAC8 1.1.4"),
    Term("Natural", "8 or 9 points with the first two cards of a hand.", "BAC8 1.1.5"),
    Term(
        "Pair",
        "The first two cards of a hand are of the same rank; two different picture cards,"
        " or a ten and a picture card, never pair (A1).",
        "BAC8 1.1.6",
        also=("Player Pair", "Banker Pair"),
    ),
    Term(
        "Round of play",
        "From the call for bets until the outcome is announced and all wagers are settled.",
        "BAC8 1.1.7",
    ),
    Term("Squeezing", "Turning up face-down cards slowly, by bending them.", "BAC8 1.1.8"),
    Term(
        "Table Differential",
        "How far all stakes on Player and all stakes on Banker are apart.",
        "BAC8 1.1.9",
    ),
    Term("Tie", "Both hands end the round with equal points.", "BAC8 1.1.10"),
    Term("Tie wager", "Wins on a tie and loses on everything else.", "BAC8 1.1.11"),
)

# 2. Mode of Play

DECK = STANDARD

AREAS = (
    Area(("player",), "BAC8 2.2.1"),
    Area(("banker",), "BAC8 2.2.2"),
    Area(("tie",), "BAC8 2.2.3"),
    Area(("player-pair", "banker-pair"), "BAC8 2.2.4"),
)

LAYOUTS = (
    Layout("A", "BAC8 appendix-A", range(1, 8)),
    Layout("B", "BAC8 appendix-B", range(1, 10)),
    Layout("C", "BAC8 appendix-C", range(7, 15)),
    Layout("D", "BAC8 appendix-D", range(1, 2)),
    Layout("E", "BAC8 appendix-E", range(1, 2)),
)

# 3. How to Play

TABLE_OF_PLAY = Tableau(
    clause="BAC8 3.14",
    initial_deal="BAC8 3.12",
    natural="BAC8 3.14#natural",
    player_draws=Line((0, 1, 2, 3, 4, 5), (), "BAC8 3.14#player-0-5"),
    player_stands=Line((6, 7), (), "BAC8 3.14#player-6-7"),
    banker=(
        Line((0, 1, 2), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "BAC8 3.14#banker-0-2"),
        Line((3,), (0, 1, 2, 3, 4, 5, 6, 7, 9), "BAC8 3.14#banker-3"),
        Line((4,), (2, 3, 4, 5, 6, 7), "BAC8 3.14#banker-4"),
        Line((5,), (4, 5, 6, 7), "BAC8 3.14#banker-5"),
        Line((6,), (6, 7), "BAC8 3.14#banker-6"),
        Line((7,), (), "BAC8 3.14#banker-7"),
    ),
    player_stood=Line((0, 1, 2, 3, 4, 5), (), "BAC8 3.14#player-stands"),
)

# 4. Settlement

BANKER = Wager(
    "banker",
    "Banker",
    Row("Banker wins", "0.95 to 1", banker_wins, "BAC8 4.1#banker"),
    Row("Tie", "Push", tie, "BAC8 3.15.1"),
    clause="BAC8 3.5",
)
PLAYER = Wager(
    "player",
    "Player",
    Row("Player wins", "1 to 1", player_wins, "BAC8 4.1#player"),
    Row("Tie", "Push", tie, "BAC8 3.15.1"),
    clause="BAC8 3.5",
)
TIE = Wager(
    "tie",
    "Tie",
    Row("Tie", "8 to 1", tie, "BAC8 4.1#tie"),
    clause="BAC8 1.1.11",
)
PLAYER_PAIR = Wager(
    "player-pair",
    "Player Pair",
    Row("Player Pair", "11 to 1", pair(Side.PLAYER), "BAC8 4.1#player-pair"),
    clause="BAC8 1.1.6",
)
BANKER_PAIR = Wager(
    "banker-pair",
    "Banker Pair",
    Row("Banker Pair", "11 to 1", pair(Side.BANKER), "BAC8 4.1#banker-pair"),
    clause="BAC8 1.1.6",
)

BACCARAT = Game(
    slug="baccarat",
    name="Baccarat",
    edition=EDITION,
    clause="BAC8 4.1",
    deck=DECK,
    deck_clause="BAC8 2.1",
    tableau=TABLE_OF_PLAY,
    wagers=(BANKER, PLAYER, TIE, PLAYER_PAIR, BANKER_PAIR),
)

# 5. Irregularities and 6. General Provisions follow with the table.

BAC8 = Rulebook(
    edition=EDITION,
    approval=APPROVAL,
    glossary=GLOSSARY,
    areas=AREAS,
    layouts=LAYOUTS,
    tableau=TABLE_OF_PLAY,
    games=(BACCARAT,),
    provisions={
        "BAC8 1.1.4": Coup.initial_deal_complete,
        "BAC8 1.1.5": Hand.natural,
        "BAC8 1.1.6": pair_rank,
        "BAC8 1.1.10": tie,
        "BAC8 2.1": Composition.full,
        "BAC8 3.3": Rank,
        "BAC8 3.3.1": Rank,
        "BAC8 3.3.2": Rank,
        "BAC8 3.4": points_of,
        "BAC8 3.4.1": points_of,
        "BAC8 3.4.2": points_of,
        "BAC8 3.5": Game.wager,
        "BAC8 3.12": Coup,
        "BAC8 3.12.1": Coup.positions,
        "BAC8 3.12.2": Coup.positions,
        "BAC8 3.13": pair_rank,
        "BAC8 3.14": Coup.next,
        "BAC8 3.15": Outcome.winner,
        "BAC8 3.15.1": tie,
        "BAC8 4.1": Game.settle,
    },
)
