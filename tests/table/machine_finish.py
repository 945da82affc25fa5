"""Finishing: from wherever a round is, somebody can bring it to its end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL
from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.authority import needs, second_of
from croupier.table.decide import act
from croupier.table.order import has_valid_wager, shoe_due
from croupier.table.referral import decisions
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff
from croupier.table.settings import Method
from croupier.table.state import HoldKind, Phase
from tests.table.floor import SYSTEM

if TYPE_CHECKING:
    from datetime import datetime
    from random import Random

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


def finish(
    watch: Watch | Desk,
    moment: datetime,
    chance: Random | None = None,
    script: list[c.Envelope] | None = None,
) -> list[c.Envelope]:
    """Bring the round to its end by the shortest way; return what was asked for.

    At every moment there is one command by one right person; if the table refuses it, the
    round is stuck. With ``chance``, reports are confirmed as well as dismissed, and referred
    matters decided in every way that the table says is open. What is asked for is written
    to ``script`` as it goes.
    """
    script = [] if script is None else script
    for _ in range(COMMANDS_MAX):
        table = watch.table
        if table.plan is None or (table.between_rounds and table.hold is None):
            return script
        moment += timedelta(seconds=1)
        envelope = _envelope(table, next_command(table, chance), moment, len(script))
        script.append(envelope)
        answer = watch.ask(envelope)
        assert not isinstance(answer, Refusal), f"stuck at {envelope.command}: {answer}"
    message = "the round does not end"
    raise AssertionError(message)


def next_command(table: Table, chance: Random | None = None) -> c.Command:
    """Return what brings the round on."""
    play, plan = table.round, table.plan
    assert play is not None
    assert plan is not None
    if table.hold is not None:
        return _answer(table, table.hold, play, chance)
    if table.phase is Phase.OPEN:
        return c.CloseBets()
    if table.phase is Phase.RESULT:
        return c.Settle()
    if table.phase is Phase.SETTLED:
        return c.ConfirmPayment()
    if plan.procedure.shake is not None and play.die is None:
        return _shake(play)
    return _deal(table, plan, play)


def _answer(table: Table, hold: Hold, play: Round, chance: Random | None) -> c.Command:
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
    goes_on = c.DecideReferral(c.Decision.CONTINUE, "go on")
    confirms = chance is not None and chance.randrange(2) > 0
    return {
        HoldKind.REPORT: c.ConfirmReport() if confirms else c.DismissReport("it was nothing"),
        HoldKind.WITHDRAWAL: c.EndOption(),
        HoldKind.ORDER: c.SetOrder(tuple(range(waiting_order(hold, play)))),
        HoldKind.RESET: c.ResetDevice(),
        HoldKind.RESERVE: c.ReserveCards(),
        HoldKind.SUBSTITUTE: c.Substitute(play.missing),
        HoldKind.REFERRAL: some_decision(table, chance) if chance else goes_on,
    }[hold.kind]


def waiting_order(hold: Hold, play: Round) -> int:
    """Return of how many cards, the last that came out, the order is fixed."""
    return min(hold.report.count if hold.report else 0, len(play.waiting))


def some_decision(table: Table, chance: Random) -> c.DecideReferral:
    """Decide a referred matter in one of the ways that are open, with all it needs."""
    play = table.round
    assert play is not None
    # Whether cards can be put in an order depends on those that lie face down.
    never = {c.Decision.RECONSTRUCT}
    lines = [line for line in play.lines or () if line.settled_cents]
    line = chance.choice(lines) if lines else None
    if line is None:
        never.add(c.Decision.CORRECT)  # what was returned whole is neither won nor lost
    choice = chance.choice([one for one in decisions(table) if one not in never])
    if choice is c.Decision.EXCLUDE:
        return c.DecideReferral(choice, "not fair", stake=chance.choice(list(play.stakes)))
    if choice is c.Decision.CORRECT and line is not None:
        amounts = (-line.settled_cents, 0, line.settled_cents)
        won = chance.choice([one for one in amounts if one != line.won_cents])
        return c.DecideReferral(
            choice, "a wrong line", stake=line.stake, patron=line.patron, won_cents=won
        )
    return c.DecideReferral(choice, "so it is fair")


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
        may = has_valid_wager(table, holder) or holder in table.shoe_permitted
        return c.DrawCard() if may else c.AllowShoe(holder)
    due = shoe_due(table)
    # Where nobody takes the device, the Dealer draws.
    return c.DrawCard() if due is None else c.TakeShoe(due)


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
    second = second_of(plan, need)
    if second is not None:
        approver = Staff("Ivo", second)
    deck = plan.game.deck.cards
    # Every card another face, so that none is seen too often because of this.
    unread = sum(card is None for card in play.waiting)
    faces = [deck[(17 * number + k) % len(deck)].text for k in range(2 + unread)]
    cards: tuple[str, ...] = ()
    if isinstance(command, c.ReserveCards):
        cards = tuple(faces)
    elif isinstance(command, c.DrawCard):
        cards = (faces[0],)
    elif isinstance(command, c.ExposeCard):
        dealt = next(one for one in play.cards if one.position is command.position)
        cards = (faces[0],) if dealt.card is None else ()
    return c.Envelope(command, actor, moment, approver, cards, 1)
