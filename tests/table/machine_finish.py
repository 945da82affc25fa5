"""Finishing: from wherever a round is, somebody can bring it to its end."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from croupier.rules.outcome import Side
from croupier.table import commands as c
from croupier.table.authority import needs, second_of
from croupier.table.course import due
from croupier.table.decide import act
from croupier.table.next import Act, WaitFor, WaitUntil, next_act
from croupier.table.referral import decisions
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff
from croupier.table.state import HoldKind
from tests.table.floor import SYSTEM

if TYPE_CHECKING:
    from datetime import datetime
    from random import Random

    from croupier.table.draft import Events
    from croupier.table.roles import Actor, System
    from croupier.table.state import Hold, Round, Table
    from tests.table.machine_watch import Watch

STEPS_MAX = 400
"""More than the longest round needs from anywhere, with its waits."""


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
    """Bring the round to its end by what ``next_act`` says; return what was asked for.

    At every moment there is an act of the system, a moment to wait for, or one command by
    one right person; if the table refuses it, the round is stuck. Without ``chance`` patrons
    are absent where the system deals; with it they may answer, reports are confirmed as well
    as dismissed, and referred matters decided in every way that the table says is open. What
    is asked for is written to ``script`` as it goes.
    """
    script = [] if script is None else script
    for _ in range(STEPS_MAX):
        table = watch.table
        if table.plan is None or (table.between_rounds and table.hold is None):
            return script
        now = next_act(table, moment)
        absent = chance is None or chance.randrange(2) > 0
        if isinstance(now, WaitUntil):
            assert now.moment > moment, "waits for the past"
            moment = now.moment
            continue
        if isinstance(now, WaitFor) and now.until is not None and absent:
            assert now.until > moment, "waits for the past"
            moment = now.until
            continue
        moment += timedelta(milliseconds=1)
        if isinstance(now, Act):
            envelope = _envelope(table, now.command, moment, len(script), now.actor)
        else:
            command = now.command or answer_of(table, chance)
            envelope = _envelope(table, command, moment, len(script))
        script.append(envelope)
        answer = watch.ask(envelope)
        assert not isinstance(answer, Refusal), f"stuck at {envelope.command}: {answer}"
    message = "the round does not end"
    raise AssertionError(message)


def next_command(table: Table) -> c.Command:
    """Return what comes next, whatever the clocks say, or how people answer."""
    return due(table).command or answer_of(table)


def answer_of(table: Table, chance: Random | None = None) -> c.Command:
    """Return how people answer what a round waits for."""
    hold, play = table.hold, table.round
    assert hold is not None, "no hold, and nothing that comes next"
    assert play is not None
    return _answer(table, hold, play, chance)


def _answer(table: Table, hold: Hold, play: Round, chance: Random | None) -> c.Command:
    if hold.kind is HoldKind.BALANCE:
        heavy = Side.PLAYER
        if table.on_hand(Side.BANKER) > table.on_hand(Side.PLAYER):
            heavy = Side.BANKER
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


def _envelope(
    table: Table,
    command: c.Command,
    moment: datetime,
    number: int,
    system: System | None = None,
) -> c.Envelope:
    plan, play = table.plan, table.round
    assert plan is not None
    assert play is not None
    need = needs(table, command)
    actor: Actor = system or SYSTEM
    if system is not None:
        pass
    elif need.patron is not None:
        actor = Patron(need.patron)
    elif need.position is not None and not need.house_deals:
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
        turns = isinstance(actor, Patron)  # and the Dealer keys in what it shows
        cards = (faces[0],) if dealt.card is None and not turns else ()
    return c.Envelope(command, actor, moment, approver, cards, 1)
