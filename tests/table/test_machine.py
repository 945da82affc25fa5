"""Whatever anybody asks for at any time, the table keeps its books and its promises.

Walks through the life of a table: patrons and staff of all positions ask for what could well
be asked for at that moment, for what cannot be, and for nonsense, at tables with all kinds
of settings. After every command :mod:`tests.table.machine_watch` tests what must hold.

Hypothesis gives each walk its seed and no more. Letting it decide every step was measured
too: a third of the commands in the same time, and fewer kinds of events. A walk that fails
is made as short as it can be by leaving commands out, which Hypothesis cannot know how to.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from croupier.rulebooks import GAMES, RULEBOOKS, find_game
from croupier.rules.coup import Position
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.evolve import EVENTS
from croupier.table.refusals import Code
from croupier.table.rulings import Situation
from croupier.table.settings import Limits
from croupier.table.state import Flag
from tests.table.floor import (
    MANAGER,
    PLAYER_WINS,
    SECOND,
    SHIFT,
    SUPERVISOR,
    SYSTEM,
    Floor,
    faces,
)
from tests.table.machine_shrink import shortest, written
from tests.table.machine_walk import Walk
from tests.table.machine_watch import check_timely

if TYPE_CHECKING:
    from croupier.table.rulebook import Rulebook
    from tests.table.machine_watch import Watch

SLUGS = [game.slug for game in GAMES]
WALKS, STEPS = 40, 120
LONG_WALKS, LONG_STEPS = 120, 1500
"""A long walk is as long as a shoe, or several."""

Kinds = frozenset[type[e.Event]]

HANDED_OUT: Kinds = frozenset(
    {
        e.ShoeTaken,
        e.ShoeAllowed,
        e.ShoeRefused,
        e.ShoeGivenUp,
        e.DrawsAttested,
        e.HandlerNamed,
        e.HandPassed,
        e.HandRefused,
        e.FirstHandChosen,
        e.CardTurned,
        i.HandRetrieved,
        i.CardsSorted,
        i.MissingDeduced,
        i.CardsSubstituted,
    }
)
OF_MAIN_FLOOR: Kinds = HANDED_OUT | {
    e.StakeFound,
    e.LoweringAsked,
    i.OrderSet,
    i.DeviceReset,
    i.BetsReopened,
    i.ReplacementRequired,
    i.WithdrawalOffered,
}
LETS_OUT: Kinds = frozenset({e.WagerReturned, i.WagersWithdrawn, i.WagersKept})
"""How a wager leaves a round after the closing."""
OF_THE_DIE: Kinds = frozenset(
    {
        e.DieShaken,
        e.ShakerPassed,
        e.ShakerRefused,
        e.ShakeConfirmed,
        e.ShakerOpened,
        e.DieAnnounced,
        e.ShakeInvalid,
    }
)
OF_TERMINALS: Kinds = frozenset(
    {e.TerminalLost, e.TerminalRestored, e.ClosingAcknowledged, i.TerminalDecided}
)
OF_DEALERS: Kinds = frozenset({e.DealerSignedIn, e.DealerSignedOut})
"""Who comes to a table that the house deals, and leaves it."""
UNPAID: Kinds = frozenset({e.PaymentConfirmed, i.SettlementReversed})
"""What there is where settling and paying are two things."""

ABSENT: dict[str, Kinds] = {
    "BAC8": OF_THE_DIE | OF_TERMINALS,
    "FF3": OF_THE_DIE | OF_TERMINALS,
    "F6T2": OF_THE_DIE | OF_TERMINALS | OF_MAIN_FLOOR | LETS_OUT,
    "PB6": OF_TERMINALS | OF_MAIN_FLOOR | LETS_OUT,
    "EB4": OF_THE_DIE | OF_MAIN_FLOOR | UNPAID | OF_DEALERS,
}
"""What does not happen under a rulebook, because it has no such thing."""

NOBODY_HOLDS_CARDS = ("F6T2", "PB6", "EB4")
NEEDS_A_HOLDER = (Situation.HANDLER_ABSENT, Situation.LEFT_WITH_CARDS)


def walked(game: str, seed: int, steps: int) -> Watch:
    """Walk; if something does not hold, fail with the shortest script that shows it."""
    walk = Walk(game, Random(seed))
    try:
        walk.go(steps)
    except Exception as error:
        script = shortest(walk.script)
        message = f"{error!r}, with seed {seed} of {game}; in short:\n{written(script)}"
        raise AssertionError(message) from error
    return walk.watch


@pytest.mark.clause(
    *("BAC8 5.4", "BAC8 5.5", "FF3 5.4", "FF3 5.5", "EB4 5.4", "EB4 5.5"),
    *("PB6 5.6", "PB6 5.7", "F6T2 5.6", "F6T2 5.7"),
    *("BAC8 5.1.1", "FF3 5.1.1", "EB4 5.1.1", "PB6 5.1.1", "F6T2 5.1.1"),
)
@pytest.mark.parametrize("game", SLUGS)
def test_whatever_is_asked_for_the_books_balance_and_the_round_can_end(game: str) -> None:
    totals: Counter[str] = Counter()

    @settings(max_examples=WALKS, phases=(Phase.generate,))
    @given(seed=st.integers(0, 2**32))
    def walks(seed: int) -> None:
        watch = walked(game, seed, STEPS)
        totals.update(settled=watch.settled, voided=watch.voided, reports=len(watch.ruled))
        totals.update(reversed=watch.reversed, turned=watch.turned)

    walks()
    assert totals["settled"] > WALKS
    assert totals["voided"] > 0
    code = find_game(game).edition.code
    assert (totals["reversed"] == 0) is (code == "EB4"), "settling is paying there"
    assert (totals["turned"] == 0) is (code in NOBODY_HOLDS_CARDS)
    assert totals["reports"] > WALKS


@pytest.mark.exhaustive
@pytest.mark.parametrize("rulebook", RULEBOOKS, ids=lambda rulebook: rulebook.code)
def test_long_walks_come_by_every_event_and_every_irregularity(rulebook: Rulebook) -> None:
    code = rulebook.code
    kinds: set[type[e.Event]] = set()
    ruled: set[Situation] = set()
    for number in range(LONG_WALKS):
        game = rulebook.games[number % len(rulebook.games)].slug
        watch = walked(game, number, LONG_STEPS)
        kinds |= {kind for under, kind in watch.kinds if under == code}
        ruled |= {situation for under, situation in watch.ruled if under == code}
    assert kinds == set(EVENTS) - ABSENT[code]
    unheard = NEEDS_A_HOLDER if code in NOBODY_HOLDS_CARDS else ()
    assert ruled == set(Situation) - set(unheard)


def test_what_one_rulebook_does_not_have_another_has() -> None:
    assert set(ABSENT) == {rulebook.code for rulebook in RULEBOOKS}
    assert frozenset.intersection(*ABSENT.values()) == frozenset()


# What walks found


@pytest.mark.clause("BAC8 1.1.7", "FF3 1.1.9", "BAC8 5.15", "FF3 5.15")
@pytest.mark.parametrize("game", ["baccarat", "fa-fa-fabulous-4"])
def test_a_stake_found_after_the_settlement_is_not_covered_by_what_it_credited(
    game: str,
) -> None:
    floor = Floor(game, limits={"*": Limits(25_00, 500_00)})
    floor.seat("Ann", cents=300_00)
    floor.bets(("Ann", "player", 200_00))
    floor.deal(faces(game, PLAYER_WINS))
    floor.do(c.AnnounceOutcome())
    floor.do(c.Settle())
    assert floor.table.credits["Ann"] == 500_00
    # Of it 400.00 goes back when the pay list is made anew.
    many = c.FindStake("Ann", "player", 400_00, None, "on the layout")
    refusal = floor.refused(many, SUPERVISOR, approver=SECOND)
    assert refusal.code is Code.NOT_ENOUGH_CREDIT
    assert "holds 100.00" in refusal.sentence
    few = c.FindStake("Ann", "tie", 10_00, None, "on the layout")
    floor.do(few, SUPERVISOR, approver=SECOND)
    assert floor.table.credits["Ann"] == 90_00


@pytest.mark.clause("EB4 5.8.1")
def test_cards_drawn_together_void_the_round_though_a_corrected_face_ends_the_coup() -> None:
    floor = Floor("tiger")
    floor.seat("Ann", cents=500_00)
    floor.bets(("Ann", "player", 100_00))
    floor.deal("JC 5H JS 2C")
    floor.report(Situation.DRAWN_TOGETHER, cards=("3H", "KD"), count=2)
    floor.do(c.CorrectCard(Position.B2, "misread"), SUPERVISOR, approver=SECOND, cards=("3C",))
    before = floor.table
    assert before.phase.name == "RESULT"
    (taken_up,) = (one for one in floor.confirm() if isinstance(one, i.CardsTakenUp))
    check_timely(before, taken_up)
    assert floor.last(i.RoundVoided).clause == "EB4 5.8.1"
    assert floor.table.credits["Ann"] == 500_00


def lost_terminal() -> Floor:
    """Close bets while a terminal with a wager on it is lost, which is flagged."""
    floor = Floor("tiger")
    floor.seat("Ann", cents=500_00)
    floor.open_bets()
    floor.bet("Ann", "player", 100_00)
    floor.do(c.LoseTerminal(1), SYSTEM)
    floor.close_bets()
    return floor


@pytest.mark.clause("EB4 5.10")
def test_a_terminal_that_is_lost_again_is_flagged_once() -> None:
    floor = lost_terminal()
    floor.do(c.RestoreTerminal(1), SYSTEM)
    floor.do(c.LoseTerminal(1), SYSTEM)
    assert floor.table.flagged == (Flag(1, 1),)


@pytest.mark.clause("EB4 5.10")
def test_a_flag_is_decided_on_when_the_table_was_opened_again() -> None:
    floor = lost_terminal()
    floor.deal(faces("tiger", PLAYER_WINS))
    floor.pay()
    floor.do(c.LeaveSeat("Ann"))
    settings = floor.table.settings
    floor.do(c.CloseTable(), MANAGER)
    floor.do(c.OpenTable(settings), MANAGER)
    floor.do(c.DecideTerminal(1, stands=True, reason="it was accepted"), SHIFT)
    assert floor.table.flagged == ()


@pytest.mark.clause("EB4 5.10")
def test_a_decision_on_an_earlier_round_is_none_on_this_one() -> None:
    floor = lost_terminal()
    floor.deal(faces("tiger", PLAYER_WINS))
    floor.pay()
    floor.do(c.RestoreTerminal(1), SYSTEM)
    floor.open_bets()
    floor.bet("Ann", "player", 100_00)
    floor.do(c.DecideTerminal(1, stands=True, reason="it was accepted"), SHIFT)
    floor.do(c.LoseTerminal(1), SYSTEM)
    assert floor.table.flagged == (Flag(1, 2),)


@pytest.mark.clause("BAC8 5.8", "BAC8 6.1")
def test_reports_that_wait_take_no_more_cards_out_than_there_are() -> None:
    floor = Floor("baccarat", decks=4)
    floor.seat("Ann")
    floor.open_bets()
    floor.bet("Ann", "player", 100_00)
    shoe = floor.table.shoe
    assert shoe is not None
    floor.do(c.RemoveCards(shoe.left - 8), MANAGER)
    floor.close_bets()
    floor.draw("2S")
    floor.report(Situation.OTHER)
    for _ in range(3):
        floor.report(Situation.DRAWN_TOGETHER, count=6, order_known=True)
    floor.do(c.DecideReferral(c.Decision.VOID, "they cannot be"), SHIFT, approver=SECOND)
    shoe = floor.table.shoe
    assert shoe is not None
    assert (shoe.left, shoe.out) == (0, shoe.cards)
