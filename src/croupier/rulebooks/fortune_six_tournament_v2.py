"""F6T2: Fortune Six Baccarat Tournament, version 2. Banker pays even money, also on 6."""

from __future__ import annotations

from datetime import datetime

from croupier.rules.cards import STANDARD, Rank
from croupier.rules.coup import Coup, Hand, pair_rank, points_of
from croupier.rules.game import Edition, Game
from croupier.rules.outcome import (
    Outcome,
    Side,
    banker_wins,
    banker_wins_on,
    banker_wins_on_six_with,
    pair,
    player_wins,
    tie,
)
from croupier.rules.shoe import Composition
from croupier.rules.tableau import Line, Tableau
from croupier.rules.wagers import Row, Wager
from croupier.table.procedure import Procedure, Round
from croupier.table.rulebook import SINGAPORE, Area, Layout, Rulebook, Term
from croupier.table.rulings import (
    Do,
    Ruling,
    Situation,
    Step,
    not_reconstructable,
    reconstructable,
    reconstructable_and_unpaid,
    unknown_in_initial_deal,
)
from croupier.table.suggestions import SILENT

EDITION = Edition(
    "F6T2", "Fortune Six Baccarat Tournament", 2, datetime(2017, 5, 5, tzinfo=SINGAPORE)
)

# 1. Definitions

GLOSSARY = (
    Term("All words", "They mean what this rulebook says, whatever others say.", "F6T2 1.1"),
    Term(
        "Fortune Six",
        "Wins when Banker wins with 6 points; needs no other wager (A12).",
        "F6T2 1.1.1",
    ),
    Term("Hand", "The cards given to Player or Banker in one round.", "F6T2 1.1.2"),
    Term("Initial deal", "Two cards to each hand, and no third card yet.", "F6T2 1.1.3"),
    Term("Natural", "8 or 9 points with the first two cards of a hand.", "F6T2 1.1.4"),
    Term(
        "Pair",
        "The first two cards of a hand are of the same rank (A1).",
        "F6T2 1.1.5",
        also=("Player Pair", "Banker Pair"),
    ),
    Term("Point total", "The last digit of the sum of a hand's cards (A4).", "F6T2 1.1.6"),
    Term(
        "Round of play",
        "From the call for bets until the result is announced and all wagers are settled.",
        "F6T2 1.1.7",
    ),
    Term("Tie", "Both hands end the round with equal points.", "F6T2 1.1.8"),
)

# 2. Mode of Play

DECK = STANDARD

AREAS = (
    Area(("banker",), "F6T2 2.2.1"),
    Area(("player",), "F6T2 2.2.2"),
    Area(("tie",), "F6T2 2.2.3"),
    Area(("player-pair", "banker-pair"), "F6T2 2.2.4"),
    Area(("fortune-six",), "F6T2 2.2.5"),
)

LAYOUTS = (
    Layout("A", "F6T2 diagram-A"),
    Layout("B", "F6T2 diagram-B"),
    Layout("C", "F6T2 diagram-C"),
    Layout("D", "F6T2 diagram-D"),
)

# 3. How to Play

TABLE_OF_PLAY = Tableau(
    clause="F6T2 3.9",
    initial_deal="F6T2 3.7",
    natural="F6T2 3.9.1",
    player_draws=Line((0, 1, 2, 3, 4, 5), (), "F6T2 3.9.2#0-5"),
    player_stands=Line((6, 7), (), "F6T2 3.9.2#6-7"),
    player_stood=Line((0, 1, 2, 3, 4, 5), (), "F6T2 3.9.3"),
    banker=(
        Line((0, 1, 2), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "F6T2 3.9.4#0-2"),
        Line((3,), (0, 1, 2, 3, 4, 5, 6, 7, 9), "F6T2 3.9.4#3"),
        Line((4,), (2, 3, 4, 5, 6, 7), "F6T2 3.9.4#4"),
        Line((5,), (4, 5, 6, 7), "F6T2 3.9.4#5"),
        Line((6,), (6, 7), "F6T2 3.9.4#6"),
    ),
    otherwise="F6T2 3.9.4#otherwise",
)

PROCEDURE = Procedure(
    version="F6T2 preamble#version",
    round=Round("F6T2 1.1.7", "F6T2 3.1", "F6T2 3.2", "F6T2 5.6", "F6T2 5.7", excepted=False),
    layouts="F6T2 2.2",
    voidable="F6T2 5.2",
    earlier="F6T2 5.1.2",
)

# 4. Settlement

BANKER = Wager(
    "banker",
    "Banker",
    Row("Banker wins", "1 to 1", banker_wins, "F6T2 4.1#banker"),
    Row("Tie", "Push", tie, "F6T2 3.10.1"),
    clause="F6T2 3.5",
)
PLAYER = Wager(
    "player",
    "Player",
    Row("Player wins", "1 to 1", player_wins, "F6T2 4.1#player"),
    Row("Tie", "Push", tie, "F6T2 3.10.1"),
    clause="F6T2 3.5",
)
TIE = Wager(
    "tie",
    "Tie",
    Row("Tie", "8 to 1", tie, "F6T2 4.1#tie"),
    clause="F6T2 3.5",
)
PLAYER_PAIR = Wager(
    "player-pair",
    "Player Pair",
    Row("Player Pair", "11 to 1", pair(Side.PLAYER), "F6T2 4.1#player-pair"),
    clause="F6T2 3.8.1",
)
BANKER_PAIR = Wager(
    "banker-pair",
    "Banker Pair",
    Row("Banker Pair", "11 to 1", pair(Side.BANKER), "F6T2 4.1#banker-pair"),
    clause="F6T2 3.8.2",
)
FORTUNE_SIX = Wager(
    "fortune-six",
    "Fortune Six",
    Row(
        "Banker wins on 6 with two cards",
        "12 to 1",
        banker_wins_on_six_with(2),
        "F6T2 4.1#fortune-six-two-cards",
    ),
    Row(
        "Banker wins on 6 with three cards",
        "20 to 1",
        banker_wins_on_six_with(3),
        "F6T2 4.1#fortune-six-three-cards",
    ),
    clause="F6T2 1.1.1",
)

FORTUNE_SIX_TOURNAMENT = Game(
    slug="fortune-six-tournament",
    name="Fortune Six Baccarat Tournament",
    edition=EDITION,
    clause="F6T2 4.1",
    deck=DECK,
    deck_clause="F6T2 2.1",
    tableau=TABLE_OF_PLAY,
    wagers=(BANKER, PLAYER, TIE, PLAYER_PAIR, BANKER_PAIR, FORTUNE_SIX),
)

# 5. Irregularities

IRREGULARITIES = (
    Ruling(
        "F6T2 5.1",
        (Situation.FOREIGN_CARD,),
        (Do(Step.VOID, "F6T2 5.1.1"), Do(Step.EARLIER_STAND, "F6T2 5.1.2")),
    ),
    Ruling(
        "F6T2 5.2",
        (Situation.WRONG_NUMBER,),
        (Do(Step.RECONSTRUCT, "F6T2 5.2"),),
        reconstructable_and_unpaid,
    ),
    Ruling(
        # A paid round whose cards could be put right is referred: it is not paid anew.
        "F6T2 5.2",
        (Situation.WRONG_NUMBER,),
        (Do(Step.VOID, "F6T2 5.2"),),
        not_reconstructable,
    ),
    Ruling(
        "F6T2 5.3",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "F6T2 5.3"), Do(Step.RECONSTRUCT, "F6T2 5.3")),
        reconstructable,
    ),
    Ruling(
        "F6T2 5.3",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "F6T2 5.3"), Do(Step.VOID, "F6T2 5.3")),
        unknown_in_initial_deal,
    ),
    Ruling(
        "F6T2 5.4",
        (Situation.ORDER_ALTERED,),
        (Do(Step.RECONSTRUCT, "F6T2 5.4"),),
        reconstructable,
    ),
    Ruling("F6T2 5.4", (Situation.ORDER_ALTERED,), (Do(Step.VOID, "F6T2 5.4"),)),
    Ruling("F6T2 5.5", (Situation.INSUFFICIENT_CARDS,), (Do(Step.VOID, "F6T2 5.5"),)),
    Ruling("F6T2 5.6", (Situation.LATE_INCREASE,), (Do(Step.NOT_HONOURED, "F6T2 5.6"),)),
    Ruling("F6T2 5.7", (Situation.LATE_REMOVAL,), (Do(Step.REMAINS, "F6T2 5.7"),)),
)

# 6. There are no general provisions: what is not above is not in the rules (A24).

F6T2 = Rulebook(
    edition=EDITION,
    approval=None,
    glossary=GLOSSARY,
    areas=AREAS,
    layouts=LAYOUTS,
    tableau=TABLE_OF_PLAY,
    games=(FORTUNE_SIX_TOURNAMENT,),
    procedure=PROCEDURE,
    rulings=IRREGULARITIES,
    suggestions=SILENT,
    provisions={
        "F6T2 1.1.3": Coup.initial_deal_complete,
        "F6T2 1.1.4": Hand.natural,
        "F6T2 1.1.5": pair_rank,
        "F6T2 1.1.6": points_of,
        "F6T2 1.1.8": tie,
        "F6T2 2.1": Composition.full,
        "F6T2 3.3": Rank,
        "F6T2 3.3.1": Rank,
        "F6T2 3.3.2": Rank,
        "F6T2 3.4": points_of,
        "F6T2 3.4.1": points_of,
        "F6T2 3.4.2": points_of,
        "F6T2 3.5": Game.wager,
        "F6T2 3.6": Coup,
        "F6T2 3.7": Coup.next,
        "F6T2 3.7.1": Coup.positions,
        "F6T2 3.7.2": Coup.positions,
        "F6T2 3.8": pair_rank,
        "F6T2 3.9": Coup.next,
        "F6T2 3.9.2": Tableau.player,
        "F6T2 3.9.2#8-9": Tableau.player,
        "F6T2 3.9.4": Tableau.banker_call,
        "F6T2 3.10": Outcome.winner,
        "F6T2 3.10.1": tie,
        "F6T2 3.11": banker_wins_on,
        "F6T2 4.1": Game.settle,
    },
)
