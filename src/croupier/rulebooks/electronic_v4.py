"""EB4: Electronic Baccarat, version 4: seven games at player terminals."""

from __future__ import annotations

from datetime import datetime

from croupier.rules.cards import STANDARD, Rank, Suit
from croupier.rules.coup import Coup, Hand, pair_code, pair_rank, points_of
from croupier.rules.game import Edition, Game
from croupier.rules.outcome import (
    Outcome,
    Side,
    banker_wins,
    banker_wins_on,
    banker_wins_on_six_with,
    double_pair,
    natural_tie,
    pair,
    pair_of,
    player_wins,
    player_wins_on,
    precious_pair,
    precious_pair_of_fours,
    single_pair,
    tie,
    tie_on,
    twin_pair,
    wins_by,
    wins_with_natural,
)
from croupier.rules.shoe import Composition
from croupier.rules.tableau import Line, Tableau
from croupier.rules.wagers import Result, Row, Wager
from croupier.table.procedure import Commission, CutCard, Procedure, Round, Terminals
from croupier.table.rulebook import SINGAPORE, Layout, Rulebook, Term, approval
from croupier.table.rulings import (
    Do,
    Ruling,
    Situation,
    Step,
    established,
    first_card_is_out,
    not_established,
    reconstructable,
    terminal_closed_and_established,
    terminal_not_closed_nor_accepted,
    terminal_took_part,
)

EDITION = Edition("EB4", "Electronic Baccarat", 4, datetime(2025, 3, 20, 9, tzinfo=SINGAPORE))

APPROVAL = approval("EB4 preamble#approval")

# 1. Definitions

GLOSSARY = (
    Term("All words", "They mean what this rulebook says, whatever others say.", "EB4 1.1"),
    Term(
        "Banker Dragon Bonus",
        "Wins when Banker wins by four points or more, or with a natural.",
        "EB4 1.1.1",
    ),
    Term("Banker Fabulous 4", "Wins when Banker wins with 4 points.", "EB4 1.1.2"),
    Term("Big Tiger", "Wins when Banker wins with 6 points in three cards.", "EB4 1.1.3"),
    Term("Commission", "What the house keeps of a winning Banker wager.", "EB4 1.1.4"),
    Term("Commission game", "Tiger Baccarat is the only one here.", "EB4 1.1.4.1"),
    Term("Fortune Six", "Wins when Banker wins with 6 points.", "EB4 1.1.5"),
    Term("Hand", "The cards given to Player or Banker in one round.", "EB4 1.1.6"),
    Term("Initial deal", "Two cards to each hand, and no third card yet.", "EB4 1.1.7"),
    Term("Natural", "8 or 9 points with the first two cards of a hand.", "EB4 1.1.8"),
    Term(
        "Natural Tie",
        "Both hands have the same natural 8 or 9; Dragon Bonus wagers push.",
        "EB4 1.1.9",
    ),
    Term(
        "Player Dragon Bonus",
        "Wins when Player wins by four points or more, or with a natural.",
        "EB4 1.1.10",
    ),
    Term("Player Fabulous 4", "Wins when Player wins with 4 points.", "EB4 1.1.11"),
    Term("Push", "The stake comes back: nothing won, nothing lost.", "EB4 1.1.12"),
    Term(
        "Pair",
        "The first two cards of a hand are of the same rank; two different picture cards,"
        " or a ten and a picture card, never pair (A1).",
        "EB4 1.1.13",
        also=("Player Pair", "Banker Pair"),
    ),
    Term(
        "Precious Pair",
        "The first two cards of the hand pair; paid by the best of four categories.",
        "EB4 1.1.14",
        also=("Player Precious Pair", "Banker Precious Pair"),
    ),
    Term("Pair of Diamond 4's", "Both cards are the four of diamonds.", "EB4 1.1.14.1"),
    Term("Other Pairs of 4's", "Two fours that are not both diamonds.", "EB4 1.1.14.2"),
    Term("Diamond Pairs", "Two diamonds of one rank other than four.", "EB4 1.1.14.3"),
    Term("Other Pairs", "Any pair that is none of the three before.", "EB4 1.1.14.4"),
    Term(
        "Player Terminal",
        "Where a patron buys credit, places wagers and cashes out.",
        "EB4 1.1.15",
    ),
    Term(
        "Round of play",
        "From the opening of bets until the result stands and all wagers are settled.",
        "EB4 1.1.16",
    ),
    Term("Small Tiger", "Wins when Banker wins with 6 points in two cards.", "EB4 1.1.17"),
    Term(
        "Super 6",
        "Wins when Banker wins with 6 points; needs no other wager (A12).",
        "EB4 1.1.18",
        also=("Super Six",),
    ),
    Term("Tie", "Both hands end the round with equal points.", "EB4 1.1.19"),
    Term("Tie wager", "Wins on a tie and loses on everything else.", "EB4 1.1.20"),
    Term("Tiger", "Wins when Banker wins with 6 points.", "EB4 1.1.21"),
    Term("Tiger Pair", "Wins when at least one hand starts with a pair.", "EB4 1.1.22"),
    Term("Single Tiger Pair", "Exactly one hand holds a pair.", "EB4 1.1.22.1"),
    Term("Double Tiger Pair", "Both hands pair, on different ranks (A11).", "EB4 1.1.22.2"),
    Term("Twin Tiger Pair", "Both hands pair on one and the same rank.", "EB4 1.1.22.3"),
    Term("Tiger Tie", "Wins when both hands end with 6 points.", "EB4 1.1.23"),
)

# 2. Mode of Play

DECK = STANDARD

# 3. How to Play

TABLE_OF_PLAY = Tableau(
    clause="EB4 3.8",
    initial_deal="EB4 3.6",
    natural="EB4 3.8#natural",
    player_draws=Line((0, 1, 2, 3, 4, 5), (), "EB4 3.8#player-0-5"),
    player_stands=Line((6, 7), (), "EB4 3.8#player-6-7"),
    banker=(
        Line((0, 1, 2), (0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "EB4 3.8#banker-0-2"),
        Line((3,), (0, 1, 2, 3, 4, 5, 6, 7, 9), "EB4 3.8#banker-3"),
        Line((4,), (2, 3, 4, 5, 6, 7), "EB4 3.8#banker-4"),
        Line((5,), (4, 5, 6, 7), "EB4 3.8#banker-5"),
        Line((6,), (6, 7), "EB4 3.8#banker-6"),
        Line((7,), (), "EB4 3.8#banker-7"),
    ),
    player_stood=Line((0, 1, 2, 3, 4, 5), (), "EB4 3.8#player-stands"),
)

PROCEDURE = Procedure(
    version="EB4 preamble#version",
    round=Round("EB4 1.1.16", "EB4 3.1", "EB4 3.2", "EB4 5.5", "EB4 5.4"),
    layouts="EB4 2.2",
    limits="EB4 2.2",
    cut_card=CutCard("EB4 3.10"),
    commission=Commission("EB4 1.1.4", ("tiger",)),
    terminals=Terminals("EB4 1.1.15"),
    referral="EB4 6.1",
    higher_may_act="EB4 6.2",
    display="EB4 6.3",
    earlier="EB4 5.1.2",
    dealer_confirms=False,
)

# 4. Settlement. Lines that several tables print alike are built by one function each.


def player(clause: str) -> Wager:
    """Build the Player wager of a table: even money."""
    return Wager(
        "player",
        "Player",
        Row("Player wins", "1 to 1", player_wins, f"{clause}#player"),
        Row("Tie", "Push", tie, "EB4 3.9.1"),
        clause=clause,
    )


def banker_without_commission(clause: str) -> Wager:
    """Build the Banker wager of a No Commission table: half pay on 6."""
    return Wager(
        "banker",
        "Banker",
        Row("Banker wins on 6", "1 to 2", banker_wins_on(6), f"{clause}#banker-6"),
        Row("Banker wins on any other total", "1 to 1", banker_wins, f"{clause}#banker-other"),
        Row("Tie", "Push", tie, "EB4 3.9.1"),
        clause=clause,
    )


def tie_wager(clause: str) -> Wager:
    """Build the Tie wager of a table."""
    return Wager("tie", "Tie", Row("Tie", "8 to 1", tie, f"{clause}#tie"), clause="EB4 1.1.20")


def pairs(clause: str) -> tuple[Wager, Wager]:
    """Build the Player Pair and Banker Pair wagers of a table."""
    return (
        Wager(
            "player-pair",
            "Player Pair",
            Row("Player Pair", "11 to 1", pair(Side.PLAYER), f"{clause}#player-pair"),
            clause="EB4 3.7.1",
        ),
        Wager(
            "banker-pair",
            "Banker Pair",
            Row("Banker Pair", "11 to 1", pair(Side.BANKER), f"{clause}#banker-pair"),
            clause="EB4 3.7.2",
        ),
    )


# 4.1

SUPER_SIX_WAGERS = (
    player("EB4 4.1"),
    banker_without_commission("EB4 4.1"),
    tie_wager("EB4 4.1"),
    *pairs("EB4 4.1"),
    Wager(
        "super-six",
        "Super Six",
        Row("Banker wins on 6", "15 to 1", banker_wins_on(6), "EB4 4.1#super-six"),
        clause="EB4 1.1.18",
    ),
)

# 4.2

FORTUNE_SIX_WAGERS = (
    player("EB4 4.2"),
    banker_without_commission("EB4 4.2"),
    tie_wager("EB4 4.2"),
    *pairs("EB4 4.2"),
    Wager(
        "fortune-six",
        "Fortune Six",
        Row(
            "Banker wins on 6 with two cards",
            "12 to 1",
            banker_wins_on_six_with(2),
            "EB4 4.2#fortune-six-two-cards",
        ),
        Row(
            "Banker wins on 6 with three cards",
            "20 to 1",
            banker_wins_on_six_with(3),
            "EB4 4.2#fortune-six-three-cards",
        ),
        clause="EB4 1.1.5",
    ),
)

# 4.3

SUPER_6_WAGERS = (
    player("EB4 4.3"),
    banker_without_commission("EB4 4.3"),
    tie_wager("EB4 4.3"),
    *pairs("EB4 4.3"),
    Wager(
        "super-6",
        "Super 6",
        Row("Banker wins on 6", "15 to 1", banker_wins_on(6), "EB4 4.3#super-6"),
        clause="EB4 1.1.18",
    ),
)

# 4.4

NO_COMMISSION_WAGERS = (
    player("EB4 4.4"),
    banker_without_commission("EB4 4.4"),
    tie_wager("EB4 4.4"),
    *pairs("EB4 4.4"),
)

# 4.5 and 4.6


def dragon_bonus(side: Side, clause: str, defined: str) -> Wager:
    """Build the Dragon Bonus wager of one hand; other ties and small margins lose (A8)."""
    name = side.value.title()

    def by(margin: int, pays: str) -> Row:
        label = f"{name} wins by {margin}, no natural"
        return Row(label, pays, wins_by(side, margin), f"{clause}#by-{margin}")

    return Wager(
        f"{side.value}-dragon-bonus",
        f"{name} Dragon Bonus",
        by(9, "30 to 1"),
        by(8, "10 to 1"),
        by(7, "6 to 1"),
        by(6, "4 to 1"),
        by(5, "2 to 1"),
        by(4, "1 to 1"),
        Row(
            f"{name} wins with a natural",
            "1 to 1",
            wins_with_natural(side),
            f"{clause}#natural",
        ),
        Row("Natural tie", "Push", natural_tie, f"{clause}#natural-tie"),
        clause=defined,
        optional=True,
    )


BANKER_DRAGON_BONUS = dragon_bonus(Side.BANKER, "EB4 4.5", "EB4 1.1.1")
PLAYER_DRAGON_BONUS = dragon_bonus(Side.PLAYER, "EB4 4.6", "EB4 1.1.10")

# 4.7

TIGER_WAGERS = (
    player("EB4 4.7"),
    Wager(
        "banker",
        "Banker",
        Row("Banker wins", "0.95 to 1", banker_wins, "EB4 4.7#banker"),
        Row("Tie", "Push", tie, "EB4 3.9.1"),
        clause="EB4 4.7",
    ),
    tie_wager("EB4 4.7"),
)

# 4.8

TIGER_NO_COMMISSION_WAGERS = (
    player("EB4 4.8"),
    banker_without_commission("EB4 4.8"),
    tie_wager("EB4 4.8"),
)

# 4.9

TIGER_PAIR = Wager(
    "tiger-pair",
    "Tiger Pair",
    Row("Single: one hand pairs", "4 to 1", single_pair, "EB4 4.9#single"),
    Row(
        "Double: both hands pair, on different ranks", "20 to 1", double_pair, "EB4 4.9#double"
    ),
    Row("Twin: both hands pair on one rank", "100 to 1", twin_pair, "EB4 4.9#twin"),
    clause="EB4 1.1.22",
    optional=True,
)

# 4.10

TIGER_WAGER = Wager(
    "tiger",
    "Tiger",
    Row(
        "Banker wins on 6 with two cards",
        "12 to 1",
        banker_wins_on_six_with(2),
        "EB4 4.10#tiger-two-cards",
    ),
    Row(
        "Banker wins on 6 with three cards",
        "20 to 1",
        banker_wins_on_six_with(3),
        "EB4 4.10#tiger-three-cards",
    ),
    clause="EB4 1.1.21",
    optional=True,
)
SMALL_TIGER = Wager(
    "small-tiger",
    "Small Tiger",
    Row(
        "Banker wins on 6 with two cards",
        "22 to 1",
        banker_wins_on_six_with(2),
        "EB4 4.10#small-tiger",
    ),
    clause="EB4 1.1.17",
    optional=True,
)
BIG_TIGER = Wager(
    "big-tiger",
    "Big Tiger",
    Row(
        "Banker wins on 6 with three cards",
        "50 to 1",
        banker_wins_on_six_with(3),
        "EB4 4.10#big-tiger",
    ),
    clause="EB4 1.1.3",
    optional=True,
)
TIGER_TIE = Wager(
    "tiger-tie",
    "Tiger Tie",
    Row("Tie on 6", "35 to 1", tie_on(6), "EB4 4.10#tiger-tie"),
    clause="EB4 1.1.23",
    optional=True,
)

# 4.11

FABULOUS_4S_WAGERS = (
    Wager(
        "player",
        "Player",
        Row("Player wins on 4", "1 to 2", player_wins_on(4), "EB4 4.11#player-4"),
        Row("Player wins on 1", "2 to 1", player_wins_on(1), "EB4 4.11#player-1"),
        Row("Player wins on any other total", "1 to 1", player_wins, "EB4 4.11#player-other"),
        Row("Tie", "Push", tie, "EB4 3.9.1"),
        clause="EB4 4.11",
    ),
    Wager(
        "banker",
        "Banker",
        Row("Banker wins on 4", "Push", banker_wins_on(4), "EB4 4.11#banker-4"),
        Row("Banker wins on 1", "2 to 1", banker_wins_on(1), "EB4 4.11#banker-1"),
        Row("Banker wins on any other total", "1 to 1", banker_wins, "EB4 4.11#banker-other"),
        Row("Tie", "Push", tie, "EB4 3.9.1"),
        clause="EB4 4.11",
    ),
    tie_wager("EB4 4.11"),
    Wager(
        "player-fabulous-4",
        "Player Fabulous 4",
        Row("Player wins on 4", "50 to 1", player_wins_on(4), "EB4 4.11#player-fabulous-4"),
        clause="EB4 1.1.11",
    ),
    Wager(
        "banker-fabulous-4",
        "Banker Fabulous 4",
        Row("Banker wins on 4", "25 to 1", banker_wins_on(4), "EB4 4.11#banker-fabulous-4"),
        clause="EB4 1.1.2",
    ),
)

# 4.12


def precious_pair_wager(side: Side) -> Wager:
    """Build the Precious Pair wager of one hand: the best of its four categories pays."""
    return Wager(
        f"{side.value}-precious-pair",
        f"{side.value.title()} Precious Pair",
        Row(
            "Pair of Diamond 4's",
            "30 to 1",
            precious_pair_of_fours(side),
            "EB4 4.12#diamond-4s",
        ),
        Row("Other pair of 4's", "15 to 1", pair_of(side, 4), "EB4 4.12#other-4s"),
        Row("Diamond pair", "12 to 1", precious_pair(side), "EB4 4.12#diamond-pair"),
        Row("Other pair", "9 to 1", pair(side), "EB4 4.12#other-pair"),
        clause="EB4 1.1.14",
    )


PRECIOUS_PAIRS = precious_pair_wager(Side.PLAYER), precious_pair_wager(Side.BANKER)

# The seven games: a table, and the optional wagers that it may carry.

DRAGON_BONUSES = BANKER_DRAGON_BONUS, PLAYER_DRAGON_BONUS
TIGER_FAMILY = TIGER_PAIR, TIGER_WAGER, SMALL_TIGER, BIG_TIGER, TIGER_TIE


def electronic(
    slug: str, name: str, clause: str, *wagers: Wager, precious: Suit | None = None
) -> Game:
    """Build one of the seven games."""
    return Game(
        slug=slug,
        name=name,
        edition=EDITION,
        clause=clause,
        deck=DECK,
        deck_clause="EB4 2.1",
        tableau=TABLE_OF_PLAY,
        wagers=wagers,
        precious=precious,
    )


SUPER_SIX = electronic(
    "super-six",
    "Super Six No Commission Baccarat",
    "EB4 4.1",
    *SUPER_SIX_WAGERS,
)
FORTUNE_SIX = electronic(
    "fortune-six",
    "Fortune Six No Commission Baccarat",
    "EB4 4.2",
    *FORTUNE_SIX_WAGERS,
    *DRAGON_BONUSES,
)
SUPER_6 = electronic(
    "super-6",
    "Super 6 No Commission Baccarat",
    "EB4 4.3",
    *SUPER_6_WAGERS,
    *DRAGON_BONUSES,
)
NO_COMMISSION = electronic(
    "no-commission",
    "No Commission Baccarat",
    "EB4 4.4",
    *NO_COMMISSION_WAGERS,
)
TIGER = electronic(
    "tiger",
    "Tiger Baccarat",
    "EB4 4.7",
    *TIGER_WAGERS,
    *TIGER_FAMILY,
)
TIGER_NO_COMMISSION = electronic(
    "tiger-no-commission",
    "Tiger No Commission Baccarat",
    "EB4 4.8",
    *TIGER_NO_COMMISSION_WAGERS,
    *TIGER_FAMILY,
)
FABULOUS_4S = electronic(
    "fabulous-4s",
    "Fabulous 4's Baccarat",
    "EB4 4.11",
    *FABULOUS_4S_WAGERS,
    *PRECIOUS_PAIRS,
    precious=Suit.DIAMONDS,
)

GAMES = (
    SUPER_SIX,
    FORTUNE_SIX,
    SUPER_6,
    NO_COMMISSION,
    TIGER,
    TIGER_NO_COMMISSION,
    FABULOUS_4S,
)

# 5. Irregularities

IRREGULARITIES = (
    Ruling(
        "EB4 5.1",
        (
            Situation.EXTRA_CARD,
            Situation.MISSING_CARD,
            Situation.FOREIGN_CARD,
            Situation.UNSHUFFLED_CARDS,
        ),
        (Do(Step.VOID, "EB4 5.1.1"), Do(Step.EARLIER_STAND, "EB4 5.1.2")),
    ),
    Ruling(
        "EB4 5.2",
        (Situation.ORDER_ALTERED,),
        (Do(Step.RECONSTRUCT, "EB4 5.2"),),
        reconstructable,
    ),
    Ruling("EB4 5.2", (Situation.ORDER_ALTERED,), (Do(Step.VOID, "EB4 5.2"),)),
    Ruling("EB4 5.3", (Situation.INSUFFICIENT_CARDS,), (Do(Step.VOID, "EB4 5.3"),)),
    Ruling(
        "EB4 5.6",
        (Situation.FACE_UP_CARD,),
        (Do(Step.STAND, "EB4 5.6"),),
        first_card_is_out,
    ),
    Ruling("EB4 5.7", (Situation.WRONG_ORDER,), (Do(Step.RECONSTRUCT, "EB4 5.7"),)),
    Ruling(
        # A surplus card that no hand needs is set aside (A34).
        "EB4 5.7",
        (Situation.WRONG_NUMBER,),
        (Do(Step.RECONSTRUCT, "EB4 5.7"),),
        reconstructable,
    ),
    Ruling(
        "EB4 5.8",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "EB4 5.8"), Do(Step.RECONSTRUCT, "EB4 5.8")),
        reconstructable,
    ),
    Ruling(
        "EB4 5.8.1",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "EB4 5.8.1"), Do(Step.VOID, "EB4 5.8.1")),
    ),
    Ruling(
        "EB4 5.9.1",
        (Situation.POWER_FAILURE,),
        (Do(Step.VOID, "EB4 5.9.1"),),
        not_established,
    ),
    Ruling(
        "EB4 5.9.2",
        (Situation.POWER_FAILURE,),
        (Do(Step.CONCLUDE, "EB4 5.9.2"),),
        established,
    ),
    Ruling(
        "EB4 5.10.1",
        (Situation.TERMINAL_FAILURE,),
        (Do(Step.TAKES_PART, "EB4 5.10.1"),),
        terminal_closed_and_established,
    ),
    Ruling(
        "EB4 5.10.2",
        (Situation.TERMINAL_FAILURE,),
        (Do(Step.NO_PART, "EB4 5.10.2"),),
        terminal_not_closed_nor_accepted,
    ),
    Ruling(
        # What the server accepted stands, what it did not accept never was (A30).
        "EB4 5.10",
        (Situation.TERMINAL_FAILURE,),
        (Do(Step.TAKES_PART, "EB4 5.10"),),
        terminal_took_part,
    ),
    Ruling("EB4 5.10", (Situation.TERMINAL_FAILURE,), (Do(Step.NO_PART, "EB4 5.10"),)),
    Ruling("EB4 6.3", (Situation.DISPLAY_WRONG,), (Do(Step.STAND, "EB4 6.3"),)),
)

# 7. Appendix

LAYOUTS = (
    Layout("A", "EB4 appendix-A", game="super-six"),
    Layout("B", "EB4 appendix-B", game="fortune-six"),
    Layout("C", "EB4 appendix-C", game="super-6"),
    Layout("D", "EB4 appendix-D", game="no-commission"),
    Layout("E", "EB4 appendix-E", game="tiger"),
    Layout("F", "EB4 appendix-F", game="tiger-no-commission"),
    Layout("G", "EB4 appendix-G", game="fabulous-4s"),
    Layout("H", "EB4 appendix-H", game="tiger-no-commission", terminal="Quartz Terminal"),
    Layout("I", "EB4 appendix-I", game="tiger", terminal="Quartz Terminal"),
    Layout("J", "EB4 appendix-J", game="fortune-six", terminal="Quartz Terminal"),
    Layout("K", "EB4 appendix-K", game="super-6", terminal="Quartz Terminal"),
)

EB4 = Rulebook(
    edition=EDITION,
    approval=APPROVAL,
    glossary=GLOSSARY,
    areas=(),
    layouts=LAYOUTS,
    tableau=TABLE_OF_PLAY,
    games=GAMES,
    procedure=PROCEDURE,
    rulings=IRREGULARITIES,
    provisions={
        "EB4 preamble#game-1": SUPER_SIX,
        "EB4 preamble#game-2": FORTUNE_SIX,
        "EB4 preamble#game-3": SUPER_6,
        "EB4 preamble#game-4": NO_COMMISSION,
        "EB4 preamble#game-5": TIGER,
        "EB4 preamble#game-6": TIGER_NO_COMMISSION,
        "EB4 preamble#game-7": FABULOUS_4S,
        "EB4 5.9": established,
        "EB4 1.1.1.1": wins_by,
        "EB4 1.1.1.2": wins_with_natural,
        "EB4 1.1.4.1": TIGER,
        "EB4 1.1.7": Coup.initial_deal_complete,
        "EB4 1.1.8": Hand.natural,
        "EB4 1.1.9": natural_tie,
        "EB4 1.1.10.1": wins_by,
        "EB4 1.1.10.2": wins_with_natural,
        "EB4 1.1.12": Result,
        "EB4 1.1.13": pair_rank,
        "EB4 1.1.14.1": precious_pair_of_fours,
        "EB4 1.1.14.2": pair_of,
        "EB4 1.1.14.3": precious_pair,
        "EB4 1.1.14.4": pair,
        "EB4 1.1.19": tie,
        "EB4 1.1.22.1": single_pair,
        "EB4 1.1.22.2": double_pair,
        "EB4 1.1.22.3": twin_pair,
        "EB4 2.1": Composition.full,
        "EB4 3.3": Rank,
        "EB4 3.3.1": Rank,
        "EB4 3.3.2": Rank,
        "EB4 3.4": points_of,
        "EB4 3.4.1": points_of,
        "EB4 3.4.2": points_of,
        "EB4 3.6": Coup,
        "EB4 3.6.1": Coup.positions,
        "EB4 3.6.2": Coup.positions,
        "EB4 3.7": pair_rank,
        "EB4 3.7.3": pair_code,
        "EB4 3.8": Coup.next,
        "EB4 3.9": Outcome.winner,
        "EB4 3.9.1": tie,
        "EB4 4.1": Game.settle,
        "EB4 4.2": Game.settle,
        "EB4 4.3": Game.settle,
        "EB4 4.4": Game.settle,
        "EB4 4.5": dragon_bonus,
        "EB4 4.6": dragon_bonus,
        "EB4 4.7": Game.settle,
        "EB4 4.8": Game.settle,
        "EB4 4.9": TIGER_PAIR,
        "EB4 4.10": TIGER_WAGER,
        "EB4 4.11": Game.settle,
        "EB4 4.11#note-push": Wager.resolve,
        "EB4 4.12": precious_pair_wager,
        "EB4 4.12#note-highest-only": Wager.resolve,
    },
)
