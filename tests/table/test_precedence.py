"""Two reasons at once: of all that hold, the earliest in the order of precedence is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from croupier.rules.coup import Position
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.refusals import ORDER, Code
from croupier.table.roles import Patron, Staff
from croupier.table.rulings import Situation
from croupier.table.settings import Limits, Method, Settings
from tests.table.helpers import (
    ADA,
    CREDIT,
    DAN,
    DEALER,
    GUS,
    LIMITS,
    MIA,
    PLAYER_WINS,
    SAM,
    SUE,
    SYSTEM,
    UNREAD,
    Pit,
    pit,
)
from tests.table.scenes import (
    closed,
    dealing,
    dealt,
    empty,
    faceless,
    foreign,
    four_cards,
    lost,
    offered,
    shaken,
    shaker_open,
    shaker_passed,
    shaking,
    staked,
    unbalanced,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table.roles import Actor

ANN, BOB, DEE = (Patron(name) for name in ("ann", "bob", "dee"))
PLAYER, BANKER = Side.PLAYER, Side.BANKER


def why(p: Pit, command: c.Command, actor: Actor = DAN, **how: Any) -> Code:  # noqa: ANN401
    return p.refused(command, actor, **how).code


def shut() -> Pit:
    """Return a table that is closed, to be opened again."""
    p = empty("BAC8")
    p.do(c.CloseTable(), MIA)
    return p


def opening(p: Pit, actor: Actor = MIA, **what: Any) -> Code:  # noqa: ANN401
    """Open a table of Baccarat with other settings than its own."""
    given = {"rulebook": "BAC8", "game": "baccarat", "method": Method.B, **what}
    return why(p, c.OpenTable(Settings(**given)), actor)


def before() -> Pit:
    """Return a closed table a year before Baccarat's rulebook."""
    p = shut()
    p.moment = p.moment.replace(year=2019)
    return p


def taken_shoe() -> Pit:
    p = dealing("BAC8", "C")
    assert p.table.shoe_holder == "ann"
    return p


def full_area() -> Pit:
    p = pit("BAC8", limits=LIMITS)
    p.call()
    for patron in ("ann", "bob", "cyd"):
        p.bet(patron, "player", 50_00, position=1)
    return p


def poor(code: str, **others: Any) -> Pit:  # noqa: ANN401
    """Leave 40.00 at the seat of dee; bets are open."""
    p = pit(code, **others)
    p.do(c.TakeCredit("dee", CREDIT - 40_00))
    p.call()
    return p


def handed() -> Pit:
    p = four_cards("BAC8", "A")
    p.do(c.PassHand(PLAYER, "ann"))
    return p


def unread(first: Side) -> Pit:
    p = dealing("BAC8", "A", device=UNREAD)
    for _ in range(4):
        p.draw()
    p.do(c.ChooseFirstHand(first))
    return p


def announced_die() -> Pit:
    p = closed("PB6")
    p.shake(1)
    return p


def paid() -> Pit:
    p = pit("PB6")
    p.round(PLAYER_WINS, ("ann", "player", 100_00))
    return p


def place(p: Pit, patron: str, wager: str, cents: int, **how: Any) -> Code:  # noqa: ANN401
    return why(p, c.PlaceWager(patron, wager, cents, **how), Patron(patron))


class Pair(NamedTuple):
    """Two reasons: what is said when both hold, and when only the later does."""

    earlier: Code
    later: Code
    both: Callable[[], Code]
    alone: Callable[[], Code]


BAD = c.SetLimits({"*": Limits(2_00, 1_00)})
LATE = c.report(Situation.DRAWN_TOGETHER)
X = Code

PAIRS = [
    # Who asks
    Pair(
        X.TABLE_NOT_OPEN,
        X.NEEDS_DEALER,
        lambda: why(shut(), c.CallBets(), ANN),
        lambda: why(pit("BAC8"), c.CallBets(), ANN),
    ),
    Pair(
        X.TABLE_ALREADY_OPEN,
        X.UNKNOWN_RULEBOOK,
        lambda: opening(pit("BAC8"), rulebook="BAC9"),
        lambda: opening(shut(), rulebook="BAC9"),
    ),
    Pair(
        X.UNKNOWN_RULEBOOK,
        X.GAME_NOT_IN_RULEBOOK,
        lambda: opening(shut(), rulebook="BAC9", game="poker"),
        lambda: opening(shut(), game="poker"),
    ),
    Pair(
        X.NOT_IN_FORCE,
        X.NEEDS_PIT_MANAGER,
        lambda: opening(before(), DAN),
        lambda: opening(shut(), DAN),
    ),
    Pair(
        X.NOT_YOURS,
        X.BAD_DECKS,
        lambda: opening(shut(), ANN, decks=3),
        lambda: opening(shut(), decks=3),
    ),
    Pair(
        X.NEEDS_SYSTEM,
        X.ROUND_IN_PROGRESS,
        lambda: why(staked("EB4"), c.CallBets(), DAN),
        lambda: why(staked("EB4"), c.CallBets(), SYSTEM),
    ),
    Pair(
        X.NOT_YOURS,
        X.BETS_NOT_OPEN,
        lambda: why(pit("BAC8"), c.PlaceWager("ann", "tie", 1_00), BOB),
        lambda: why(pit("BAC8"), c.PlaceWager("ann", "tie", 1_00), ANN),
    ),
    Pair(
        X.NO_PROXY,
        X.BETS_CLOSED,
        lambda: why(closed("PB6"), c.PlaceWager("ann", "tie", 1_00), DAN),
        lambda: why(closed("PB6"), c.PlaceWager("ann", "tie", 1_00), ANN),
    ),
    Pair(
        X.NEEDS_PIT_MANAGER,
        X.NOT_IN_RULEBOOK,
        lambda: why(pit("PB6"), c.SetMethod(Method.A), DAN),
        lambda: why(pit("PB6"), c.SetMethod(Method.A), MIA),
    ),
    Pair(
        X.NEEDS_PIT_MANAGER,
        X.NEEDS_APPROVAL,
        lambda: why(pit("BAC8"), BAD, DAN),
        lambda: why(pit("BAC8"), BAD, MIA),
    ),
    Pair(
        X.NEEDS_APPROVAL,
        X.BAD_LIMITS,
        lambda: why(pit("BAC8"), BAD, MIA),
        lambda: why(pit("BAC8"), BAD, MIA, approver=SAM),
    ),
    Pair(
        X.SELF_APPROVAL,
        X.APPROVER_TOO_LOW,
        lambda: why(pit("BAC8"), BAD, MIA, approver=Staff("Mia", DEALER)),
        lambda: why(pit("BAC8"), BAD, MIA, approver=DAN),
    ),
    Pair(
        X.APPROVER_TOO_LOW,
        X.BAD_LIMITS,
        lambda: why(pit("BAC8"), BAD, MIA, approver=DAN),
        lambda: why(pit("BAC8"), BAD, MIA, approver=SAM),
    ),
    # When
    Pair(
        X.BETS_NOT_OPEN,
        X.NOT_AT_TABLE,
        lambda: place(pit("BAC8"), "zed", "tie", 1_00),
        lambda: place(staked("BAC8"), "zed", "tie", 1_00),
    ),
    Pair(
        X.BETS_CLOSED,
        X.WAGER_NOT_OFFERED,
        lambda: place(closed("BAC8"), "ann", "tiger", 1_00),
        lambda: place(staked("BAC8"), "ann", "tiger", 1_00),
    ),
    Pair(
        X.ROUND_IN_PROGRESS,
        X.SHOE_IN_USE,
        lambda: why(staked("BAC8"), c.LoadShoe("second")),
        lambda: why(pit("BAC8"), c.LoadShoe("second")),
    ),
    Pair(
        X.NOT_ON_HOLD,
        X.REASON_NEEDED,
        lambda: why(closed("BAC8"), c.DismissReport(""), SUE),
        lambda: why(foreign("BAC8"), c.DismissReport(""), SUE),
    ),
    Pair(
        X.ON_HOLD,
        X.NOT_A_CARD,
        lambda: why(foreign("BAC8"), c.DrawCard(), cards=("2-Gold",)),
        lambda: why(closed("BAC8"), c.DrawCard(), cards=("2-Gold",)),
    ),
    Pair(
        X.WRONG_PHASE,
        X.NO_HANDLING,
        lambda: why(closed("BAC8"), c.PassHand(PLAYER, "ann")),
        lambda: why(dealt("BAC8"), c.PassHand(PLAYER, "ann")),
    ),
    # What the rulebook or the table has
    Pair(
        X.GAME_NOT_IN_RULEBOOK,
        X.NOT_IN_RULEBOOK,
        lambda: opening(shut(), rulebook="PB6", game="poker"),
        lambda: opening(shut(), rulebook="PB6", game="power-98"),
    ),
    Pair(
        X.NOT_IN_RULEBOOK,
        X.BAD_DECKS,
        lambda: opening(shut(), rulebook="PB6", game="power-98", decks=3),
        lambda: opening(shut(), decks=3),
    ),
    Pair(
        X.BAD_DECKS,
        X.BAD_LAYOUT,
        lambda: opening(shut(), decks=3, layout="F"),
        lambda: opening(shut(), layout="F"),
    ),
    Pair(
        X.BAD_LAYOUT,
        X.BAD_POSITIONS,
        lambda: opening(shut(), layout="F", positions=99),
        lambda: opening(shut(), positions=99),
    ),
    Pair(
        X.BAD_POSITIONS,
        X.BAD_OFFER,
        lambda: opening(shut(), positions=99, optional=("tie",)),
        lambda: opening(shut(), optional=("tie",)),
    ),
    Pair(
        X.BAD_OFFER,
        X.BAD_LIMITS,
        lambda: opening(shut(), optional=("tie",), limits=BAD.limits),
        lambda: opening(shut(), limits=BAD.limits),
    ),
    Pair(
        X.ROUNDING_NEEDED,
        X.METHOD_NEEDED,
        lambda: opening(shut(), limits={"*": Limits(1, 9, 1)}, method=None),
        lambda: opening(shut(), method=None),
    ),
    Pair(
        X.HLGA_ONLY,
        X.DEVICE_CANNOT,
        lambda: opening(shut(), ADA, method=Method.C, device=UNREAD),
        lambda: opening(shut(), ADA, method=Method.C, device=UNREAD, room="Ruby Room"),
    ),
    Pair(
        X.METHOD_NEEDED,
        X.BAD_CAP,
        lambda: opening(shut(), method=None, wagers_per_area=4),
        lambda: opening(shut(), wagers_per_area=4),
    ),
    Pair(
        X.NO_HANDLING,
        X.NOT_AT_TABLE,
        lambda: why(closed("BAC8", "B"), c.PermitSqueeze(PLAYER, "zed"), MIA),
        lambda: why(closed("BAC8", "A"), c.PermitSqueeze(PLAYER, "zed"), MIA),
    ),
    Pair(
        X.HLGA_ONLY,
        X.CUT_CARD_NOT_FIRST,
        lambda: why(closed("BAC8"), c.OfferWithdrawal()),
        lambda: why(closed("BAC8", room="Paiza Club"), c.OfferWithdrawal()),
    ),
    # Who is there
    Pair(
        X.NOT_AT_TABLE,
        X.UNKNOWN_POSITION,
        lambda: place(staked("BAC8"), "zed", "tie", 1_00, position=99),
        lambda: place(staked("BAC8"), "ann", "tie", 1_00, position=99),
    ),
    Pair(
        X.UNKNOWN_POSITION,
        X.WAGER_NOT_OFFERED,
        lambda: place(staked("BAC8"), "ann", "tiger", 1_00, position=99),
        lambda: place(staked("BAC8"), "ann", "tiger", 1_00),
    ),
    Pair(
        X.POSITION_TAKEN,
        X.ALREADY_SEATED,
        lambda: why(pit("EB4"), c.TakeSeat("ann", 2)),
        lambda: why(pit("EB4"), c.TakeSeat("ann", 7)),
    ),
    Pair(
        X.TERMINAL_DOWN,
        X.WAGER_NOT_OFFERED,
        lambda: place(on_lost_terminal(), "bob", "super-6", 1_00),
        lambda: place(on_lost_terminal(), "ann", "super-6", 1_00),
    ),
    Pair(
        X.NOT_AT_TABLE,
        X.BAD_AMOUNT,
        lambda: why(pit("BAC8"), c.BringCredit("zed", 0)),
        lambda: why(pit("BAC8"), c.BringCredit("ann", 0)),
    ),
    # Wagers
    Pair(
        X.WAGER_NOT_OFFERED,
        X.BAD_AMOUNT,
        lambda: place(staked("BAC8"), "ann", "tiger", 0),
        lambda: place(staked("BAC8"), "ann", "tie", 0),
    ),
    Pair(
        X.NOT_SHARED,
        X.BAD_AMOUNT,
        lambda: place(staked("BAC8"), "bob", "player", 0, position=1, join=1),
        lambda: place(staked("BAC8"), "bob", "player", 0),
    ),
    Pair(
        X.NO_JOINT_WAGERS,
        X.BAD_AMOUNT,
        lambda: place(staked("PB6"), "ann", "tie", 0, shared=True),
        lambda: place(staked("PB6"), "ann", "tie", 0),
    ),
    Pair(
        X.OFF_STEP,
        X.BELOW_MINIMUM,
        lambda: place(full_area(), "dee", "tie", 49_50),
        lambda: place(full_area(), "dee", "tie", 49_00),
    ),
    Pair(
        X.BELOW_MINIMUM,
        X.AREA_FULL,
        lambda: place(full_area(), "dee", "player", 49_00, position=1),
        lambda: place(full_area(), "dee", "player", 50_00, position=1),
    ),
    Pair(
        X.ABOVE_MAXIMUM,
        X.NOT_ENOUGH_CREDIT,
        lambda: place(poor("BAC8", limits=LIMITS), "dee", "tie", 1001_00),
        lambda: place(poor("BAC8", limits=LIMITS), "dee", "tie", 1000_00),
    ),
    Pair(
        X.PRECONDITION,
        X.NOT_ENOUGH_CREDIT,
        lambda: place(poor("PB6"), "dee", "player-natural-8", 41_00),
        lambda: place(poor("PB6"), "dee", "player", 41_00),
    ),
    Pair(
        X.HEAVIER_HAND,
        X.NOT_ENOUGH_CREDIT,
        lambda: why(spent(), c.RaiseWager("ann", 1, 50_00), ANN),
        lambda: why(spent(), c.RaiseWager("bob", 2, 50_00), BOB),
    ),
    Pair(
        X.LIGHTER_HAND,
        X.ASK_FIRST,
        lambda: why(unbalanced("BAC8"), c.TakeOffWager(2), MIA),
        lambda: why(unbalanced("BAC8"), c.TakeOffWager(1), MIA),
    ),
    Pair(
        X.WITHIN_LIMITS,
        X.NOT_ENOUGH_CREDIT,
        lambda: why(poor_and_closed(), c.FindStake("dee", "tie", 60_00)),
        lambda: why(poor_and_closed(), c.FindStake("dee", "tie", 1001_00)),
    ),
    Pair(
        X.NOT_ENOUGH_CREDIT,
        X.RESERVED,
        lambda: why(paid(), c.TakeCredit("ann", CREDIT + 101_00), ANN),
        lambda: why(paid(), c.TakeCredit("ann", CREDIT + 100_00), ANN),
    ),
    # The die
    Pair(
        X.REASON_NEEDED,
        X.NOT_AT_TABLE,
        lambda: why(shaking("PB6"), c.PassShaker("zed")),
        lambda: why(shaking("PB6"), c.PassShaker("zed", "why not")),
    ),
    Pair(
        X.NOT_AT_TABLE,
        X.SHAKES_MISSING,
        lambda: why(shaking("PB6", 2), c.PassShaker("zed", "why not")),
        lambda: why(shaking("PB6", 2), c.PassShaker("bob", "why not")),
    ),
    Pair(
        X.SHAKE_MISSING,
        X.SHAKER_CLOSED,
        lambda: why(shaker_passed("PB6"), c.AnnounceDie(), die=9),
        lambda: why(shaken("PB6"), c.AnnounceDie(), die=9),
    ),
    Pair(
        X.SHAKER_CLOSED,
        X.BAD_DIE,
        lambda: why(shaken("PB6"), c.AnnounceDie(), die=9),
        lambda: why(shaker_open("PB6"), c.AnnounceDie(), die=9),
    ),
    Pair(
        X.BAD_DIE,
        X.DIE_ANNOUNCED,
        lambda: why(announced_die(), c.AnnounceDie(), die=9),
        lambda: why(announced_die(), c.AnnounceDie(), die=3),
    ),
    Pair(
        X.DIE_NOT_ANNOUNCED,
        X.NOT_A_CARD,
        lambda: why(closed("PB6"), c.DrawCard(), cards=("1C",)),
        lambda: why(announced_die(), c.DrawCard(), cards=("1C",)),
    ),
    # Dealing
    Pair(
        X.NO_SHOE_HOLDER,
        X.NOT_A_CARD,
        lambda: why(closed("BAC8", "C"), c.DrawCard(), ANN, cards=("1C",)),
        lambda: why(taken_shoe(), c.DrawCard(), ANN, cards=("1C",)),
    ),
    Pair(
        X.SHOE_DUE_TO_ANOTHER,
        X.NO_VALID_WAGER,
        lambda: why(taken_shoe(), c.TakeShoe("dee"), DEE),
        lambda: why(closed("BAC8", "C"), c.TakeShoe("dee"), DEE),
    ),
    Pair(
        X.NOT_AT_TABLE,
        X.NOT_THE_HANDLER,
        lambda: why(closed("BAC8", "A"), c.NameHandler(PLAYER, "zed"), SUE),
        lambda: why(closed("BAC8", "A"), c.NameHandler(PLAYER, "dee"), SUE),
    ),
    Pair(
        X.HAND_HELD,
        X.NOT_THE_HANDLER,
        lambda: why(handed(), c.PassHand(PLAYER, "dee")),
        lambda: why(handed(), c.PassHand(BANKER, "dee")),
    ),
    Pair(
        X.NOT_THE_HANDLER,
        X.HAND_NOT_DRAWN,
        lambda: why(dealt("BAC8", method="A"), c.PassHand(PLAYER, "dee")),
        lambda: why(dealt("BAC8", method="A"), c.PassHand(PLAYER, "ann")),
    ),
    Pair(
        X.OTHER_HAND_FIRST,
        X.CARD_MISSING,
        lambda: why(unread(BANKER), c.ExposeCard(Position.P1)),
        lambda: why(unread(PLAYER), c.ExposeCard(Position.P1)),
    ),
    Pair(
        X.REASON_NEEDED,
        X.NOT_DRAWN,
        lambda: why(dealt("BAC8"), c.CorrectCard(Position.B3, ""), SUE, approver=SAM),
        lambda: why(dealt("BAC8"), c.CorrectCard(Position.B3, "x"), SUE, approver=SAM),
    ),
    Pair(
        X.NOT_DRAWN,
        X.CARD_MISSING,
        lambda: why(faceless("PB6"), c.ExposeCard(Position.P3)),
        lambda: why(faceless("PB6"), c.ExposeCard(Position.P1)),
    ),
    # Irregularities
    Pair(
        X.NOT_A_CARD,
        X.NOT_NOW,
        lambda: why(staked("BAC8"), LATE, cards=("1C",)),
        lambda: why(staked("BAC8"), LATE),
    ),
    Pair(
        X.NOT_NOW,
        X.REPORT_INCOMPLETE,
        lambda: why(staked("BAC8"), LATE),
        lambda: why(closed("BAC8"), LATE),
    ),
    Pair(
        X.NOTHING_TO_ANSWER,
        X.NOT_WITHDRAWABLE,
        lambda: why(offered("BAC8", answered=True), c.Withdraw("ann", (9,)), ANN),
        lambda: why(offered("BAC8"), c.Withdraw("ann", (9,)), ANN),
    ),
    Pair(
        X.NOT_WITHDRAWABLE,
        X.ALL_OR_NONE,
        lambda: why(two_stakes(), c.Withdraw("ann", (1, 9)), ANN),
        lambda: why(two_stakes(), c.Withdraw("ann", (1,)), ANN),
    ),
]


def on_lost_terminal() -> Pit:
    p = lost("EB4")
    p.call()
    return p


def spent() -> Pit:
    """Exceed the differential when nobody has credit left."""
    p = pit("BAC8", differential_cents=50_00)
    p.bets(("ann", "player", CREDIT), ("bob", "banker", CREDIT - 100_00))
    p.do(c.TakeCredit("bob", 100_00))
    return p


def poor_and_closed() -> Pit:
    p = poor("BAC8", limits=LIMITS)
    p.close()
    return p


def two_stakes() -> Pit:
    """Let ann have two wagers when all may withdraw all of theirs, or none."""
    p = staked("BAC8")
    p.bet("ann", "tie", 50_00)
    p.close()
    p.do(c.report(Situation.OTHER))
    p.do(c.DecideReferral(c.Decision.OFFER_WITHDRAWAL, "as a courtesy"), GUS)
    return p


@pytest.mark.parametrize(
    "pair", PAIRS, ids=[f"{pair.earlier.value}-{pair.later.value}" for pair in PAIRS]
)
def test_of_two_reasons_the_earlier_is_given(pair: Pair) -> None:
    assert ORDER.index(pair.earlier) < ORDER.index(pair.later)
    assert pair.alone() is pair.later
    assert pair.both() is pair.earlier
