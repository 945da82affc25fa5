"""The course of a round: which command comes next, who gives it, and what it waits for.

This is the one place that knows the order. It looks at the state alone; the clocks that run
at tables which the system deals are added in :mod:`croupier.table.next`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.frozen import Named
from croupier.rules.coup import INITIAL_DEAL
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.authority import needs, system_may
from croupier.table.differential import heavier
from croupier.table.opening import OPENS
from croupier.table.order import drawer, handler_due, shoe_due
from croupier.table.roles import StaffPosition  # noqa: TC001  # structs look at their annotations
from croupier.table.settings import Method
from croupier.table.state import HoldKind, Phase
from croupier.table.words import HOLD_WORDS

if TYPE_CHECKING:
    from croupier.table.settings import Plan
    from croupier.table.state import Hold, Round, Table

CARDS_MAX = 6
"""As many as a round may take: a shoe with fewer is ended before the call for bets."""
TWO = 2


class Clock(Named):
    """Which of a table's clocks a step waits for, where the system deals."""

    BETTING = "betting"
    PAUSE = "pause"
    PACE = "pace"


class Source(Named):
    """What a command needs that only the house has."""

    CARD = "card"
    DIE = "die"


class Due(msgspec.Struct, frozen=True):
    """What comes next at a table."""

    why: str
    """What the round waits for, as a sentence."""
    command: c.Command | None = None
    """None: people decide, in one of several ways, or answer."""
    positions: tuple[StaffPosition, ...] = ()
    patrons: tuple[str, ...] = ()
    clause: str | None = None
    system: bool = False
    """The system may give the command, where it deals."""
    asks: bool = False
    """The patrons are asked for something that goes on without them."""
    clock: Clock = Clock.PACE
    source: Source | None = None


def due(table: Table) -> Due:
    """Return what comes next at a table."""
    plan, play = table.plan, table.round
    if plan is None:
        return Due("The table has not been opened.", positions=(OPENS,))
    if table.hold is not None:
        return _on_hold(table, plan, table.hold)
    if play is None or table.between_rounds:
        return _between_rounds(table, plan)
    if table.phase is Phase.OPEN:
        return _given(table, c.CloseBets(), "Bets are open.", Clock.BETTING)
    if table.phase is Phase.RESULT:
        return _given(table, c.Settle(), "The outcome is known and not settled.")
    if table.phase is Phase.SETTLED:
        return _given(table, c.ConfirmPayment(), "The wagers are settled and not yet paid.")
    if plan.procedure.shake is not None and play.die is None:
        return _shaking(table, play, plan.procedure.shake.shakes)
    return _dealing(table, plan, play)


def _given(
    table: Table,
    command: c.Command,
    why: str,
    clock: Clock = Clock.PACE,
    source: Source | None = None,
) -> Due:
    """Return a command with whoever may give it; what a patron may give is the patron's."""
    need = needs(table, command)
    patron = None if isinstance(command, c.OpenShaker) else need.patron
    return Due(
        why,
        command,
        () if need.position is None or need.house_deals else (need.position,),
        () if patron is None else (patron,),
        need.clause,
        system=patron is None and system_may(table, command, need),
        asks=patron is not None,
        clock=clock,
        source=source,
    )


# Between rounds


def _between_rounds(table: Table, plan: Plan) -> Due:
    shoe = table.shoe
    if table.replacement_due and (shoe is None or shoe.replace_by is None):
        why = "The last round was void; it is decided whether its cards are replaced."
        return Due(why, positions=(plan.settings.replaces,), clause=plan.procedure.replacement)
    if table.system_deals and not table.seats and plan.settings.clocks.waits_for_patrons:
        return Due("Nobody is seated.", clause=plan.procedure.round.opens)
    if shoe is None or shoe.ended or shoe.replace_by is not None:
        return _given(table, _new_shoe(table, plan), "No shoe is in play.", Clock.PAUSE)
    if shoe.left < CARDS_MAX:
        why = "The shoe has too few cards for a round."
        return _given(table, c.EndShoe(), why, Clock.PAUSE)
    return _given(table, c.CallBets(), "The next round has not begun.", Clock.PAUSE)


def _new_shoe(table: Table, plan: Plan) -> c.LoadShoe:
    """Return the loading of a shoe under the first number that no shoe here has had."""
    number = len(table.shoes) + 1
    while str(number) in table.shoes:
        number += 1
    cards = plan.settings.decks * len(plan.game.deck)
    return c.LoadShoe(str(number), cards - plan.settings.behind_cut)


# What a round waits for


def _on_hold(table: Table, plan: Plan, hold: Hold) -> Due:
    why = f"The round waits for {HOLD_WORDS[hold.kind]}."
    if hold.kind is HoldKind.WITHDRAWAL:
        return _option(table, plan, hold, why)
    if hold.kind is HoldKind.BALANCE:
        return _balance(table, why)
    need = needs(table, ANSWERS[hold.kind])
    assert need.position is not None, "a hold that nobody may answer"
    return Due(why, positions=(need.position,), clause=hold.clause)


ANSWERS: dict[HoldKind, c.Command] = {
    HoldKind.REPORT: c.ConfirmReport(),
    HoldKind.ORDER: c.SetOrder(()),
    HoldKind.RESET: c.ResetDevice(),
    HoldKind.RESERVE: c.ReserveCards(),
    HoldKind.SORT: c.RecordSorting({}),
    HoldKind.SUBSTITUTE: c.Substitute(()),
    HoldKind.REFERRAL: c.DecideReferral(c.Decision.CONTINUE, ""),
}
"""A command by which each hold is answered: it tells who answers. What it says is theirs."""


def _option(table: Table, plan: Plan, hold: Hold, why: str) -> Due:
    asked = tuple(one for one in hold.patrons if one not in hold.answers)
    if not asked:
        return _given(table, c.EndOption(), "Everybody asked has answered.")
    ends = (plan.settings.confirms,)
    return Due(why, positions=ends, patrons=asked, clause=hold.clause, asks=True)


def _balance(table: Table, why: str) -> Due:
    """Ask the patrons of the heavier hand; what they leave there, a Pit Manager removes."""
    play, heavy = table.round, heavier(table)
    assert play is not None, "no round"
    if play.asked_to_lower is not heavy:
        return _given(table, c.AskToLower(), why)
    stakes = [stake for stake in table.stakes if stake.wager == heavy.value]
    patrons = dict.fromkeys(share.patron for stake in stakes for share in stake.shares)
    need = needs(table, c.TakeOffWager(0))
    assert need.position is not None, "nobody may remove stakes"
    return Due(why, positions=(need.position,), patrons=tuple(patrons), clause=need.clause)


# The die and the cards


def _shaking(table: Table, play: Round, shakes: int) -> Due:
    if play.shakes < shakes:
        return _given(table, c.ShakeDie(), "The Dealer shakes the die.")
    if not play.shaker_passed:
        return _given(table, c.PassShaker(), "The shaker is passed on.")
    if not play.shake_confirmed:
        return _given(table, c.ConfirmShake(), "The die is shaken.")
    if play.shaker_opened is None:
        return _given(table, c.OpenShaker(), "The shaker is opened.")
    return _given(table, c.AnnounceDie(), "The die is announced.", source=Source.DIE)


def _dealing(table: Table, plan: Plan, play: Round) -> Due:
    hidden = [dealt for dealt in play.cards if not dealt.exposed]
    if hidden and len(play.cards) >= len(INITIAL_DEAL):
        return _revealing(table, plan, play)
    if play.coup is not None and play.coup.complete:
        return _given(table, c.AnnounceOutcome(), "The coup is complete.")
    if plan.settings.method is Method.C and drawer(table) is None:
        patron = shoe_due(table)
        if patron is not None:
            why = f"The dealing device is offered to patron {patron}."
            return _given(table, c.TakeShoe(patron), why)
    read = bool(play.waiting) and play.waiting[0] is not None
    source = None if read else Source.CARD
    return _given(table, c.DrawCard(), "The next card is drawn.", source=source)


def _revealing(table: Table, plan: Plan, play: Round) -> Due:
    """Pass hands to whom they are due, say which is revealed first, and turn cards up."""
    for side in Side if plan.face_down else ():
        patron = _takes(table, play, side)
        if patron is not None:
            why = f"The {side.value} hand goes to patron {patron}."
            return _given(table, c.PassHand(side, patron), why)
    if plan.settings.method is Method.A and play.first_hand is None:
        why = "The Dealer says which hand is revealed first."
        return _given(table, c.ChooseFirstHand(Side.PLAYER), why)
    hidden = [dealt for dealt in play.cards if not dealt.exposed]
    dealt = min(
        hidden,
        key=lambda one: (one.turned_by is None, one.position.side is not play.first_hand),
    )
    source = Source.CARD if dealt.card is None else None
    why = f"The card at {dealt.position.value} is turned up."
    if dealt.turned_by is not None:
        why = f"The card at {dealt.position.value} was turned up; its face is keyed in."
    return _given(table, c.ExposeCard(dealt.position), why, source=source)


def _takes(table: Table, play: Round, side: Side) -> str | None:
    """Return to whom a hand is passed now; None: it is with somebody, or the Dealer's."""
    if side in play.handlers or side in play.with_dealer:
        return None
    cards = [dealt for dealt in play.cards if dealt.position.side is side]
    down = sum(not dealt.exposed for dealt in cards)
    third = len(cards) > TWO and down == 1
    return handler_due(table, side) if down >= TWO or third else None
