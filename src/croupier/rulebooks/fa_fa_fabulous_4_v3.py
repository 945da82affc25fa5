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
from croupier.table.procedure import (
    AreaCap,
    Breaches,
    CutCard,
    DealerMethods,
    Differential,
    Methods,
    PatronMethod,
    Procedure,
    Proxy,
    Round,
)
from croupier.table.rulebook import SINGAPORE, Area, Layout, Rulebook, Term, approval
from croupier.table.rulings import (
    Do,
    Ruling,
    Situation,
    Step,
    altered_and_moved,
    established,
    first_card_is_out,
    moved_by_patrons,
    not_established,
    not_reconstructable,
    reconstructable,
    resettable,
    still_face_down,
    unknown_after_initial_deal,
    unknown_in_initial_deal,
    value_known,
    value_unknown,
)

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

PROCEDURE = Procedure(
    version="FF3 preamble#version",
    round=Round("FF3 1.1.9", "FF3 3.1", "FF3 3.2", "FF3 5.4", "FF3 5.5"),
    layouts="FF3 2.2",
    limits="FF3 3.5.1",
    joint="FF3 3.5.1",
    area_cap=AreaCap("FF3 3.6", lowered="FF3 3.6.1"),
    proxy=Proxy("FF3 3.7"),
    methods=Methods(
        "FF3 3.8",
        DealerMethods(
            chosen="FF3 3.8.2",
            control="FF3 3.8.1",
            handler="FF3 3.9.2",
            refused="FF3 3.9.3",
            equal="FF3 3.9.4",
            discretion="FF3 3.9.4.1",
            equal_refused="FF3 3.9.5",
            first_hand="FF3 3.9.6",
            further="FF3 3.9.7",
            no_handling="FF3 3.10.2",
        ),
        PatronMethod(
            allowed="FF3 3.8.2#method-c",
            draws="FF3 3.11.1",
            without_wager="FF3 3.11.2",
            passed="FF3 3.11.3",
            in_view="FF3 3.11.4",
            further="FF3 3.11.6",
            keeps="FF3 3.11.8",
            relinquishes="FF3 3.11.8.1",
            loses="FF3 3.11.8.2",
        ),
        squeeze="FF3 3.16",
    ),
    hlga="FF3 1.1.4",
    hlga_rooms=("Paiza Club", "Ruby Room"),
    cut_card=CutCard("FF3 3.17", first="FF3 3.17.1"),
    differential=Differential(
        "FF3 1.1.11", "FF3 5.18", lower="FF3 5.18.1", higher="FF3 5.18.2", removed="FF3 5.18.3"
    ),
    breaches=Breaches(under_minimum="FF3 5.14", over_maximum="FF3 5.15", earlier="FF3 5.16"),
    replacement="FF3 5.13",
    referral="FF3 6.1",
    higher_may_act="FF3 6.2",
    display="FF3 6.3",
    earlier="FF3 5.1.2",
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

# 5. Irregularities

IRREGULARITIES = (
    Ruling(
        "FF3 5.1",
        (
            Situation.EXTRA_CARD,
            Situation.MISSING_CARD,
            Situation.FOREIGN_CARD,
            Situation.UNSHUFFLED_CARDS,
        ),
        (Do(Step.VOID, "FF3 5.1.1"), Do(Step.EARLIER_STAND, "FF3 5.1.2")),
    ),
    Ruling(
        "FF3 5.12.2",
        (Situation.ORDER_ALTERED, Situation.ALTERED_IN_MOVEMENT),
        (Do(Step.VOID, "FF3 5.12.2"), Do(Step.REPLACE_CARDS, "FF3 5.12.2")),
        altered_and_moved,
    ),
    Ruling(
        "FF3 5.2",
        (Situation.ORDER_ALTERED, Situation.ALTERED_IN_MOVEMENT),
        (Do(Step.VOID, "FF3 5.2"),),
        not_reconstructable,
    ),
    Ruling(
        "FF3 5.2",
        (Situation.ORDER_ALTERED, Situation.ALTERED_IN_MOVEMENT),
        (Do(Step.RECONSTRUCT, "FF3 5.2"),),
        reconstructable,
    ),
    Ruling("FF3 5.3", (Situation.INSUFFICIENT_CARDS,), (Do(Step.VOID, "FF3 5.3"),)),
    Ruling("FF3 5.4", (Situation.LATE_INCREASE,), (Do(Step.NOT_HONOURED, "FF3 5.4"),)),
    Ruling("FF3 5.5", (Situation.LATE_REMOVAL,), (Do(Step.REMAINS, "FF3 5.5"),)),
    Ruling(
        "FF3 5.6",
        (Situation.FACE_UP_CARD,),
        (Do(Step.STAND, "FF3 5.6"),),
        first_card_is_out,
    ),
    Ruling("FF3 5.7", (Situation.WRONG_ORDER,), (Do(Step.RECONSTRUCT, "FF3 5.7"),)),
    Ruling(
        "FF3 5.7#wrong-player",
        (Situation.WRONG_PATRON,),
        (Do(Step.RETRIEVE, "FF3 5.7#wrong-player"),),
        still_face_down,
    ),
    Ruling("FF3 5.7.1", (Situation.WRONG_PATRON,), (Do(Step.STAND, "FF3 5.7.1"),)),
    Ruling("FF3 5.7.1", (Situation.NOT_PASSED,), (Do(Step.STAND, "FF3 5.7.1"),)),
    Ruling("FF3 5.7.1", (Situation.EXPOSED_IN_ERROR,), (Do(Step.EXPOSE, "FF3 5.7.1"),)),
    Ruling(
        # A surplus card that no hand needs is set aside (A34).
        "FF3 5.7",
        (Situation.WRONG_NUMBER,),
        (Do(Step.RECONSTRUCT, "FF3 5.7"),),
        reconstructable,
    ),
    Ruling(
        "FF3 5.8",
        (Situation.DRAWN_TOGETHER,),
        (
            Do(Step.TAKE_UP, "FF3 5.8"),
            Do(Step.OFFER_UNDECIDED, "FF3 5.8.1"),
            Do(Step.RECONSTRUCT, "FF3 5.8"),
        ),
        reconstructable,
    ),
    Ruling(
        "FF3 5.8.2.1",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "FF3 5.8.2"), Do(Step.VOID, "FF3 5.8.2.1")),
        unknown_in_initial_deal,
    ),
    Ruling(
        "FF3 5.8.2.2",
        (Situation.DRAWN_TOGETHER,),
        (
            Do(Step.TAKE_UP, "FF3 5.8.2"),
            Do(Step.SET_ORDER, "FF3 5.8.2.2"),
            Do(Step.OFFER_REMAINING, "FF3 5.8.2.2"),
            Do(Step.CONCLUDE, "FF3 5.8.2.2"),
        ),
        unknown_after_initial_deal,
    ),
    Ruling(
        "FF3 5.9",
        (Situation.DEVICE_RESET,),
        (
            Do(Step.OFFER_ANY, "FF3 5.9"),
            Do(Step.RESET_DEVICE, "FF3 5.9"),
            Do(Step.REOPEN, "FF3 5.9"),
        ),
        resettable,
    ),
    Ruling("FF3 5.10", (Situation.HANDLER_ABSENT,), (Do(Step.DEALER_EXPOSES, "FF3 5.10"),)),
    Ruling(
        "FF3 5.11",
        (Situation.LEFT_WITH_CARDS,),
        (Do(Step.EXPOSE, "FF3 5.11"),),
        value_known,
    ),
    Ruling(
        "FF3 5.11",
        (Situation.LEFT_WITH_CARDS,),
        (
            Do(Step.RESERVE_CARDS, "FF3 5.11.1"),
            Do(Step.SORT_CARDS, "FF3 5.11.2"),
            Do(Step.DEDUCE_MISSING, "FF3 5.11.2.1"),
            Do(Step.SUBSTITUTE, "FF3 5.11.3"),
            Do(Step.CONCLUDE, "FF3 5.11.4"),
            Do(Step.REPLACE_CARDS, "FF3 5.11.5"),
        ),
        value_unknown,
    ),
    Ruling(
        "FF3 5.12",
        (Situation.EXPOSED_IN_MOVEMENT,),
        (Do(Step.STAND, "FF3 5.12.1"),),
        moved_by_patrons,
    ),
    Ruling(
        "FF3 5.17.1",
        (Situation.POWER_FAILURE,),
        (Do(Step.OFFER_ALL, "FF3 5.17.1"), Do(Step.CONCLUDE, "FF3 5.17")),
        not_established,
    ),
    Ruling(
        "FF3 5.17.2",
        (Situation.POWER_FAILURE,),
        (Do(Step.CONCLUDE, "FF3 5.17.2"),),
        established,
    ),
    Ruling("FF3 6.3", (Situation.DISPLAY_WRONG,), (Do(Step.STAND, "FF3 6.3"),)),
)

FF3 = Rulebook(
    edition=EDITION,
    approval=APPROVAL,
    glossary=GLOSSARY,
    areas=AREAS,
    layouts=LAYOUTS,
    tableau=TABLE_OF_PLAY,
    games=(FA_FA_FABULOUS_4,),
    procedure=PROCEDURE,
    rulings=IRREGULARITIES,
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
