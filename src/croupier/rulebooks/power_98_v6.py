"""PB6: Power Baccarat 98, version 6. A die that shows 3 makes a Power hand."""

from __future__ import annotations

from datetime import datetime

from croupier.rules.cards import STANDARD, Rank
from croupier.rules.coup import Coup, Hand, pair_rank, points_of
from croupier.rules.game import Edition, Game, PowerDie, Precondition
from croupier.rules.outcome import (
    Condition,
    Outcome,
    Side,
    banker_wins,
    natural_tie,
    pair,
    pair_of,
    player_wins,
    power,
    tie,
    tie_on,
    wins_with_natural,
    wins_with_natural_of,
)
from croupier.rules.shoe import Composition
from croupier.rules.tableau import Line, Tableau
from croupier.rules.wagers import Row, Wager
from croupier.table.procedure import Commission, Procedure, Round, Shake
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

EDITION = Edition("PB6", "Power Baccarat 98", 6, datetime(2017, 2, 17, tzinfo=SINGAPORE))

# 1. Definitions

GLOSSARY = (
    Term("All words", "They mean what this rulebook says, whatever others say.", "PB6 1.1"),
    Term("Commission", "What the house keeps of a winning Banker wager.", "PB6 1.1.1"),
    Term("Dice shaker", "A shaker with one die; it decides on a Power hand.", "PB6 1.1.2"),
    Term("Hand", "The cards given to Player or Banker in one round.", "PB6 1.1.3"),
    Term("Initial deal", "Two cards to each hand, and no third card yet.", "PB6 1.1.4"),
    Term("Natural", "8 or 9 points with the first two cards of a hand.", "PB6 1.1.5"),
    Term(
        "Pair",
        "The first two cards of a hand are of the same rank (A1).",
        "PB6 1.1.6",
        also=("Player Pair", "Banker Pair"),
    ),
    Term("Point total", "The last digit of the sum of a hand's cards (A4).", "PB6 1.1.7"),
    Term(
        "Power hand",
        "A round whose die shows 3: everybody at the table has the improved odds.",
        "PB6 3.6.2",
    ),
    Term("Power hand marker", "Shows that this round is a Power hand.", "PB6 1.1.8"),
    Term(
        "Round of play",
        "From the call for bets until the result is announced and all wagers are settled.",
        "PB6 1.1.9",
    ),
    Term("Tie", "Both hands end the round with equal points.", "PB6 1.1.10"),
)

# 2. Mode of Play

DECK = STANDARD

AREAS = (
    Area(("banker",), "PB6 2.2.1"),
    Area(("player",), "PB6 2.2.2"),
    Area(("tie",), "PB6 2.2.3"),
    Area(("player-pair", "banker-pair"), "PB6 2.2.4"),
    Area(("banker-natural-8",), "PB6 2.2.5"),
    Area(("banker-natural-9",), "PB6 2.2.6"),
    Area(("player-natural-8",), "PB6 2.2.7"),
    Area(("player-natural-9",), "PB6 2.2.8"),
)

LAYOUTS = (
    Layout("A", "PB6 diagram-A"),
    Layout("B", "PB6 diagram-B"),
    Layout("C", "PB6 diagram-C"),
    Layout("D", "PB6 diagram-D"),
    Layout("E", "PB6 diagram-E"),
)

# 3. How to Play

PRECONDITIONS = (
    Precondition("player", ("player-natural-8", "player-natural-9"), "PB6 3.5.1"),
    Precondition("banker", ("banker-natural-8", "banker-natural-9"), "PB6 3.5.2"),
)

POWER_DIE = PowerDie(range(1, 7), power=3, clause="PB6 3.6.2")

TABLE_OF_PLAY = Tableau(
    clause="PB6 3.11",
    initial_deal="PB6 3.8",
    natural="PB6 3.11.1",
    player_draws=Line((0, 1, 2, 3, 4, 5), (), "PB6 3.11.2#0-5"),
    player_stands=Line((6, 7), (), "PB6 3.11.2#6-7"),
    player_stood=Line((0, 1, 2, 3, 4, 5), (), "PB6 3.11.3"),
    banker=(
        Line((0, 1, 2), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "PB6 3.11.4#0-2"),
        Line((3,), (0, 1, 2, 3, 4, 5, 6, 7, 9), "PB6 3.11.4#3"),
        Line((4,), (2, 3, 4, 5, 6, 7), "PB6 3.11.4#4"),
        Line((5,), (4, 5, 6, 7), "PB6 3.11.4#5"),
        Line((6,), (6, 7), "PB6 3.11.4#6"),
    ),
    otherwise="PB6 3.11.4#otherwise",
)

PROCEDURE = Procedure(
    version="PB6 preamble#version",
    round=Round("PB6 1.1.9", "PB6 3.1", "PB6 3.2", "PB6 5.6", "PB6 5.7", excepted=False),
    layouts="PB6 2.2",
    shake=Shake("PB6 3.6", patron="PB6 3.6.1", marker="PB6 1.1.8"),
    commission=Commission("PB6 1.1.1", ("power-98",)),
    voidable="PB6 5.2",
    earlier="PB6 5.1.2",
)

# 4. Settlement. A Power row stands above its ordinary one; no Power row, then 4.1 (4.2.1).

BANKER = Wager(
    "banker",
    "Banker",
    Row(
        "Power hand: Banker wins with a natural",
        "1 to 1",
        power(wins_with_natural(Side.BANKER)),
        "PB6 4.2#banker-main-natural",
    ),
    Row("Banker wins", "0.95 to 1", banker_wins, "PB6 4.1#banker"),
    Row("Tie", "Push", tie, "PB6 3.12.1"),
    clause="PB6 3.5",
)
PLAYER = Wager(
    "player",
    "Player",
    Row(
        "Power hand: Player wins with a natural",
        "21 to 20",
        power(wins_with_natural(Side.PLAYER)),
        "PB6 4.2#player-main-natural",
    ),
    Row("Player wins", "1 to 1", player_wins, "PB6 4.1#player"),
    Row("Tie", "Push", tie, "PB6 3.12.1"),
    clause="PB6 3.5",
)


def tie_wager(improved: Condition) -> Wager:
    """Build the Tie wager; which ties a Power hand pays more for is reading A6."""
    return Wager(
        "tie",
        "Tie",
        Row("Power hand: tie on 8 or 9", "10 to 1", power(improved), "PB6 4.2#tie-8-9"),
        Row("Tie", "8 to 1", tie, "PB6 4.1#tie"),
        clause="PB6 3.5",
    )


PLAYER_PAIR = Wager(
    "player-pair",
    "Player Pair",
    Row(
        "Power hand: Player pair of 8's or 9's",
        "15 to 1",
        power(pair_of(Side.PLAYER, 8, 9)),
        "PB6 4.2#player-pair-8-9",
    ),
    Row("Player Pair", "11 to 1", pair(Side.PLAYER), "PB6 4.1#player-pair"),
    clause="PB6 3.9.1",
)
BANKER_PAIR = Wager(
    "banker-pair",
    "Banker Pair",
    Row(
        "Power hand: Banker pair of 8's or 9's",
        "15 to 1",
        power(pair_of(Side.BANKER, 8, 9)),
        "PB6 4.2#banker-pair-8-9",
    ),
    Row("Banker Pair", "11 to 1", pair(Side.BANKER), "PB6 4.1#banker-pair"),
    clause="PB6 3.9.2",
)


def natural_wager(side: Side, points: int, clause: str) -> Wager:
    """Build a Natural 8 or Natural 9 wager: that natural must win, so a tie loses (A7)."""
    slug = f"{side.value}-natural-{points}"
    name = f"{side.value.title()} Natural {points}"
    wins = f"{side.value.title()} wins with a natural {points}"
    natural = wins_with_natural_of(side, points)
    return Wager(
        slug,
        name,
        Row(f"Power hand: {wins}", "9 to 1", power(natural), f"PB6 4.2#{slug}"),
        Row(wins, "8 to 1", natural, f"PB6 4.1#{slug}"),
        clause=clause,
    )


def power_98(tie_on_8_or_9: Condition, reading: str | None = None) -> Game:
    """Build the game with one reading of "Tie on 8 or 9" (A6)."""
    return Game(
        slug="power-98",
        name="Power Baccarat 98",
        edition=EDITION,
        clause="PB6 4.1",
        deck=DECK,
        deck_clause="PB6 2.1",
        tableau=TABLE_OF_PLAY,
        wagers=(
            BANKER,
            PLAYER,
            tie_wager(tie_on_8_or_9),
            PLAYER_PAIR,
            BANKER_PAIR,
            natural_wager(Side.PLAYER, 8, "PB6 3.10.4"),
            natural_wager(Side.PLAYER, 9, "PB6 3.10.3"),
            natural_wager(Side.BANKER, 8, "PB6 3.10.2"),
            natural_wager(Side.BANKER, 9, "PB6 3.10.1"),
        ),
        preconditions=PRECONDITIONS,
        die=POWER_DIE,
        reading=reading,
    )


POWER_98 = power_98(tie_on(8, 9))
POWER_98_NATURAL_TIES = power_98(natural_tie, reading="A6")

# 5. Irregularities

IRREGULARITIES = (
    Ruling(
        "PB6 5.1",
        (Situation.FOREIGN_CARD,),
        (Do(Step.VOID, "PB6 5.1.1"), Do(Step.EARLIER_STAND, "PB6 5.1.2")),
    ),
    Ruling(
        "PB6 5.2",
        (Situation.WRONG_NUMBER,),
        (Do(Step.RECONSTRUCT, "PB6 5.2"),),
        reconstructable_and_unpaid,
    ),
    Ruling(
        # A paid round whose cards could be put right is referred: it is not paid anew.
        "PB6 5.2",
        (Situation.WRONG_NUMBER,),
        (Do(Step.VOID, "PB6 5.2"),),
        not_reconstructable,
    ),
    Ruling(
        "PB6 5.3",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "PB6 5.3"), Do(Step.RECONSTRUCT, "PB6 5.3")),
        reconstructable,
    ),
    Ruling(
        "PB6 5.3",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "PB6 5.3"), Do(Step.VOID, "PB6 5.3")),
        unknown_in_initial_deal,
    ),
    Ruling(
        "PB6 5.4",
        (Situation.ORDER_ALTERED,),
        (Do(Step.RECONSTRUCT, "PB6 5.4"),),
        reconstructable,
    ),
    Ruling("PB6 5.4", (Situation.ORDER_ALTERED,), (Do(Step.VOID, "PB6 5.4"),)),
    Ruling("PB6 5.5", (Situation.INSUFFICIENT_CARDS,), (Do(Step.VOID, "PB6 5.5"),)),
    Ruling("PB6 5.6", (Situation.LATE_INCREASE,), (Do(Step.NOT_HONOURED, "PB6 5.6"),)),
    Ruling("PB6 5.7", (Situation.LATE_REMOVAL,), (Do(Step.REMAINS, "PB6 5.7"),)),
)

# 6. There are no general provisions: what is not above is not in the rules (A24).

PB6 = Rulebook(
    edition=EDITION,
    approval=None,
    glossary=GLOSSARY,
    areas=AREAS,
    layouts=LAYOUTS,
    tableau=TABLE_OF_PLAY,
    games=(POWER_98,),
    otherwise_read={"A6": POWER_98_NATURAL_TIES},
    procedure=PROCEDURE,
    rulings=IRREGULARITIES,
    suggestions=SILENT,
    provisions={
        "PB6 1.1.2": Game.is_power,
        "PB6 1.1.4": Coup.initial_deal_complete,
        "PB6 1.1.5": Hand.natural,
        "PB6 1.1.6": pair_rank,
        "PB6 1.1.7": points_of,
        "PB6 1.1.10": tie,
        "PB6 2.1": Composition.full,
        "PB6 3.3": Rank,
        "PB6 3.3.1": Rank,
        "PB6 3.3.2": Rank,
        "PB6 3.4": points_of,
        "PB6 3.4.1": points_of,
        "PB6 3.4.2": points_of,
        "PB6 3.5": Game.wager,
        "PB6 3.6.2": Game.is_power,
        "PB6 3.7": Coup,
        "PB6 3.8": Coup.next,
        "PB6 3.8.1": Coup.positions,
        "PB6 3.8.2": Coup.positions,
        "PB6 3.9": pair_rank,
        "PB6 3.10": wins_with_natural_of,
        "PB6 3.10.5": wins_with_natural_of,
        "PB6 3.11": Coup.next,
        "PB6 3.11.2": Tableau.player,
        "PB6 3.11.2#8-9": Tableau.player,
        "PB6 3.11.4": Tableau.banker_call,
        "PB6 3.12": Outcome.winner,
        "PB6 3.12.1": tie,
        "PB6 4.1": Game.settle,
        "PB6 4.2": Game.settle,
        "PB6 4.2.1": Wager.resolve,
    },
)
