"""Finishing: from wherever a round is, somebody can bring it to its end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.authority import needs
from croupier.table.decide import act
from croupier.table.order import shoe_due
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff
from croupier.table.settings import Method
from croupier.table.state import HoldKind, Phase
from tests.table.floor import SYSTEM

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.draft import Events
    from croupier.table.roles import Actor
    from croupier.table.settings import Plan
    from croupier.table.state import Hold, Round, Table
    from tests.table.machine_watch import Watch

COMMANDS_MAX = 150
"""More than the longest round needs from anywhere."""


class Desk:
    """A table that is only asked, and not watched."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def ask(self, envelope: c.Envelope) -> Events | Refusal:
        """Bring a command to the table."""
        answer = act(self.table, envelope)
        if isinstance(answer, Refusal):
            return answer
        events, self.table = answer
        return events


def finish(watch: Watch | Desk, moment: datetime) -> list[c.Envelope]:
    """Bring the round to its end by the shortest way; return what was asked for.

    At every moment there is one command by one right person; if the table refuses it, the
    round is stuck.
    """
    script: list[c.Envelope] = []
    for _ in range(COMMANDS_MAX):
        table = watch.table
        if table.plan is None or (table.between_rounds and table.hold is None):
            return script
        moment += timedelta(seconds=1)
        envelope = _envelope(table, next_command(table), moment, len(script))
        script.append(envelope)
        answer = watch.ask(envelope)
        assert not isinstance(answer, Refusal), f"stuck at {envelope.command}: {answer}"
    message = "the round does not end"
    raise AssertionError(message)


def next_command(table: Table) -> c.Command:
    """Return what brings the round on."""
    play, plan = table.round, table.plan
    assert play is not None
    assert plan is not None
    if table.hold is not None:
        return _answer(table, table.hold, play)
    if table.phase is Phase.OPEN:
        return c.CloseBets()
    if table.phase is Phase.RESULT:
        return c.Settle()
    if table.phase is Phase.SETTLED:
        return c.ConfirmPayment()
    if plan.procedure.shake is not None and play.die is None:
        return _shake(play)
    return _deal(table, plan, play)


def _answer(table: Table, hold: Hold, play: Round) -> c.Command:
    if hold.kind is HoldKind.BALANCE:
        heavy = Side.PLAYER
        if table.on_hand(Side.BANKER) > table.on_hand(Side.PLAYER):
            heavy = Side.BANKER
        if play.asked_to_lower is not heavy:
            return c.AskToLower()
        stakes = [stake.number for stake in table.stakes if stake.wager == heavy.value]
        return c.TakeOffWager(stakes[0], "to balance")
    if hold.kind is HoldKind.SORT:
        return _sort(table, play)
    if hold.kind is HoldKind.RESERVE and (table.shoe is None or table.shoe.left < 2):
        return c.DecideReferral(c.Decision.VOID, "two cards cannot be reserved")
    return {
        HoldKind.REPORT: c.DismissReport("it was nothing"),
        HoldKind.WITHDRAWAL: c.EndOption(),
        HoldKind.ORDER: c.SetOrder(tuple(range(len(play.waiting)))),
        HoldKind.RESET: c.ResetDevice(),
        HoldKind.RESERVE: c.ReserveCards(),
        HoldKind.SUBSTITUTE: c.Substitute(play.missing),
        HoldKind.REFERRAL: c.DecideReferral(c.Decision.CONTINUE, "go on"),
    }[hold.kind]


def _sort(table: Table, play: Round) -> c.Command:
    plan = table.plan
    assert plan is not None
    assert play.reported is not None
    patron, gone = play.reported.patron, 0
    counts = dict.fromkeys((card.text for card in plan.game.deck.cards), plan.settings.decks)
    for dealt in play.cards:
        if dealt.card is not None:
            counts[dealt.card.text] -= 1
        elif dealt.handed_to == patron:
            gone += 1
        else:
            return c.ExposeCard(dealt.position)
    for card in play.waiting:
        if card is not None:
            counts[card.text] -= 1
    for face, count in counts.items():
        taken = min(gone, max(0, count))
        counts[face] -= taken
        gone -= taken
    return c.RecordSorting({face: count for face, count in counts.items() if count > 0})


def _shake(play: Round) -> c.Command:
    if play.shakes < 3:
        return c.ShakeDie()
    if not play.shaker_passed:
        return c.PassShaker()
    if not play.shake_confirmed:
        return c.ConfirmShake()
    return c.OpenShaker() if play.shaker_opened is None else c.AnnounceDie()


def _deal(table: Table, plan: Plan, play: Round) -> c.Command:
    hidden = [dealt for dealt in play.cards if not dealt.exposed]
    if len(play.cards) >= len(INITIAL_DEAL) and hidden:
        if plan.settings.method is Method.A and play.first_hand is None:
            return c.ChooseFirstHand(Side.PLAYER)
        first = [one for one in hidden if one.position.side is play.first_hand]
        return c.ExposeCard((first or hidden)[0].position)
    if play.coup is not None and play.coup.complete:
        return c.AnnounceOutcome()
    if plan.settings.method is Method.C:
        return _draw_by_patron(table)
    return c.DrawCard()


def _draw_by_patron(table: Table) -> c.Command:
    holder = table.shoe_holder
    if holder is not None:
        mains = [stake for stake in table.stakes if stake.wager in ("player", "banker")]
        has_wager = any(stake.share(holder) for stake in mains)
        may = has_wager or holder in table.shoe_permitted
        return c.DrawCard() if may else c.AllowShoe(holder)
    allowed = [name for name in table.shoe_permitted if name in table.seats]
    due = shoe_due(table) or next(iter(allowed), None)
    if due is not None:
        return c.TakeShoe(due)
    # Even a table without patrons can finish its round: somebody sits down.
    seated = next(iter(table.seats), None)
    return c.AllowShoe(seated) if seated else c.TakeSeat("Ann", 1)


def _envelope(table: Table, command: c.Command, moment: datetime, number: int) -> c.Envelope:
    plan, play = table.plan, table.round
    assert plan is not None
    assert play is not None
    need = needs(table, command)
    actor: Actor = SYSTEM
    if need.patron is not None:
        actor = Patron(need.patron)
    elif need.position is not None:
        actor = Staff("Ida", need.position)
    approver = None
    if need.approval is not None:
        approver = Staff("Ivo", getattr(plan.settings.approvals, need.approval))
    deck = plan.game.deck.cards
    # Every card another face, so that none is seen too often because of this.
    faces = [deck[(17 * number + k) % len(deck)].text for k in range(2)]
    cards: tuple[str, ...] = ()
    if isinstance(command, c.ReserveCards):
        cards = tuple(faces)
    elif isinstance(command, c.DrawCard):
        cards = (faces[0],)
    elif isinstance(command, c.ExposeCard):
        dealt = next(one for one in play.cards if one.position is command.position)
        cards = (faces[0],) if dealt.card is None else ()
    return c.Envelope(command, actor, moment, approver, cards, 1)
