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
from croupier.table.procedure import (
    AreaCap,
    Breaches,
    Commission,
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

PROCEDURE = Procedure(
    version="BAC8 preamble#version",
    round=Round("BAC8 1.1.7", "BAC8 3.1", "BAC8 3.2", "BAC8 5.4", "BAC8 5.5"),
    layouts="BAC8 2.2",
    limits="BAC8 3.5.1",
    joint="BAC8 3.5.1",
    area_cap=AreaCap("BAC8 3.6", lowered="BAC8 3.6.1"),
    proxy=Proxy("BAC8 3.7"),
    methods=Methods(
        "BAC8 3.8",
        DealerMethods(
            chosen="BAC8 3.8.2",
            control="BAC8 3.8.1",
            handler="BAC8 3.9.2",
            refused="BAC8 3.9.3",
            equal="BAC8 3.9.4",
            discretion="BAC8 3.9.4.1",
            equal_refused="BAC8 3.9.5",
            first_hand="BAC8 3.9.6",
            further="BAC8 3.9.7",
            no_handling="BAC8 3.10.2",
        ),
        PatronMethod(
            allowed="BAC8 3.8.2#method-c",
            draws="BAC8 3.11.1",
            without_wager="BAC8 3.11.2",
            passed="BAC8 3.11.3",
            in_view="BAC8 3.11.4",
            further="BAC8 3.11.6",
            keeps="BAC8 3.11.8",
            relinquishes="BAC8 3.11.8.1",
            loses="BAC8 3.11.8.2",
        ),
        squeeze="BAC8 3.16",
    ),
    hlga="BAC8 1.1.3",
    hlga_rooms=("Paiza Club", "Ruby Room"),
    cut_card=CutCard("BAC8 3.17", first="BAC8 3.17.1"),
    differential=Differential(
        "BAC8 1.1.9",
        "BAC8 5.18",
        lower="BAC8 5.18.1",
        higher="BAC8 5.18.2",
        removed="BAC8 5.18.3",
    ),
    breaches=Breaches(under_minimum="BAC8 5.14", over_maximum="BAC8 5.15", earlier="BAC8 5.16"),
    commission=Commission("BAC8 1.1.1", ("baccarat",)),
    replacement="BAC8 5.13",
    referral="BAC8 6.1",
    higher_may_act="BAC8 6.2",
    display="BAC8 6.3",
    earlier="BAC8 5.1.2",
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

# 5. Irregularities

IRREGULARITIES = (
    Ruling(
        "BAC8 5.1",
        (
            Situation.EXTRA_CARD,
            Situation.MISSING_CARD,
            Situation.FOREIGN_CARD,
            Situation.UNSHUFFLED_CARDS,
        ),
        (Do(Step.VOID, "BAC8 5.1.1"), Do(Step.EARLIER_STAND, "BAC8 5.1.2")),
    ),
    Ruling(
        "BAC8 5.12.2",
        (Situation.ORDER_ALTERED, Situation.ALTERED_IN_MOVEMENT),
        (Do(Step.VOID, "BAC8 5.12.2"), Do(Step.REPLACE_CARDS, "BAC8 5.12.2")),
        altered_and_moved,
    ),
    Ruling(
        "BAC8 5.2",
        (Situation.ORDER_ALTERED, Situation.ALTERED_IN_MOVEMENT),
        (Do(Step.VOID, "BAC8 5.2"),),
        not_reconstructable,
    ),
    Ruling(
        "BAC8 5.2",
        (Situation.ORDER_ALTERED, Situation.ALTERED_IN_MOVEMENT),
        (Do(Step.RECONSTRUCT, "BAC8 5.2"),),
        reconstructable,
    ),
    Ruling("BAC8 5.3", (Situation.INSUFFICIENT_CARDS,), (Do(Step.VOID, "BAC8 5.3"),)),
    Ruling("BAC8 5.4", (Situation.LATE_INCREASE,), (Do(Step.NOT_HONOURED, "BAC8 5.4"),)),
    Ruling("BAC8 5.5", (Situation.LATE_REMOVAL,), (Do(Step.REMAINS, "BAC8 5.5"),)),
    Ruling(
        "BAC8 5.6",
        (Situation.FACE_UP_CARD,),
        (Do(Step.STAND, "BAC8 5.6"),),
        first_card_is_out,
    ),
    Ruling("BAC8 5.7", (Situation.WRONG_ORDER,), (Do(Step.RECONSTRUCT, "BAC8 5.7"),)),
    Ruling(
        "BAC8 5.7#wrong-player",
        (Situation.WRONG_PATRON,),
        (Do(Step.RETRIEVE, "BAC8 5.7#wrong-player"),),
        still_face_down,
    ),
    Ruling("BAC8 5.7.1", (Situation.WRONG_PATRON,), (Do(Step.STAND, "BAC8 5.7.1"),)),
    Ruling("BAC8 5.7.1", (Situation.NOT_PASSED,), (Do(Step.STAND, "BAC8 5.7.1"),)),
    Ruling("BAC8 5.7.1", (Situation.EXPOSED_IN_ERROR,), (Do(Step.EXPOSE, "BAC8 5.7.1"),)),
    Ruling(
        # A surplus card that no hand needs is set aside (A34).
        "BAC8 5.7",
        (Situation.WRONG_NUMBER,),
        (Do(Step.RECONSTRUCT, "BAC8 5.7"),),
        reconstructable,
    ),
    Ruling(
        "BAC8 5.8",
        (Situation.DRAWN_TOGETHER,),
        (
            Do(Step.TAKE_UP, "BAC8 5.8"),
            Do(Step.OFFER_UNDECIDED, "BAC8 5.8.1"),
            Do(Step.RECONSTRUCT, "BAC8 5.8"),
        ),
        reconstructable,
    ),
    Ruling(
        "BAC8 5.8.2.1",
        (Situation.DRAWN_TOGETHER,),
        (Do(Step.TAKE_UP, "BAC8 5.8.2"), Do(Step.VOID, "BAC8 5.8.2.1")),
        unknown_in_initial_deal,
    ),
    Ruling(
        "BAC8 5.8.2.2",
        (Situation.DRAWN_TOGETHER,),
        (
            Do(Step.TAKE_UP, "BAC8 5.8.2"),
            Do(Step.SET_ORDER, "BAC8 5.8.2.2"),
            Do(Step.OFFER_REMAINING, "BAC8 5.8.2.2"),
            Do(Step.CONCLUDE, "BAC8 5.8.2.2"),
        ),
        unknown_after_initial_deal,
    ),
    Ruling(
        "BAC8 5.9",
        (Situation.DEVICE_RESET,),
        (
            Do(Step.OFFER_ANY, "BAC8 5.9"),
            Do(Step.RESET_DEVICE, "BAC8 5.9"),
            Do(Step.REOPEN, "BAC8 5.9"),
        ),
        resettable,
    ),
    Ruling("BAC8 5.10", (Situation.HANDLER_ABSENT,), (Do(Step.DEALER_EXPOSES, "BAC8 5.10"),)),
    Ruling(
        "BAC8 5.11",
        (Situation.LEFT_WITH_CARDS,),
        (Do(Step.EXPOSE, "BAC8 5.11"),),
        value_known,
    ),
    Ruling(
        "BAC8 5.11",
        (Situation.LEFT_WITH_CARDS,),
        (
            Do(Step.RESERVE_CARDS, "BAC8 5.11.1"),
            Do(Step.SORT_CARDS, "BAC8 5.11.2"),
            Do(Step.DEDUCE_MISSING, "BAC8 5.11.2.1"),
            Do(Step.SUBSTITUTE, "BAC8 5.11.3"),
            Do(Step.CONCLUDE, "BAC8 5.11.4"),
            Do(Step.REPLACE_CARDS, "BAC8 5.11.5"),
        ),
        value_unknown,
    ),
    Ruling(
        "BAC8 5.12",
        (Situation.EXPOSED_IN_MOVEMENT,),
        (Do(Step.STAND, "BAC8 5.12.1"),),
        moved_by_patrons,
    ),
    Ruling(
        "BAC8 5.17.1",
        (Situation.POWER_FAILURE,),
        (Do(Step.OFFER_ALL, "BAC8 5.17.1"), Do(Step.CONCLUDE, "BAC8 5.17")),
        not_established,
    ),
    Ruling(
        "BAC8 5.17.2",
        (Situation.POWER_FAILURE,),
        (Do(Step.CONCLUDE, "BAC8 5.17.2"),),
        established,
    ),
    Ruling("BAC8 6.3", (Situation.DISPLAY_WRONG,), (Do(Step.STAND, "BAC8 6.3"),)),
)

BAC8 = Rulebook(
    edition=EDITION,
    approval=APPROVAL,
    glossary=GLOSSARY,
    areas=AREAS,
    layouts=LAYOUTS,
    tableau=TABLE_OF_PLAY,
    games=(BACCARAT,),
    procedure=PROCEDURE,
    rulings=IRREGULARITIES,
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
