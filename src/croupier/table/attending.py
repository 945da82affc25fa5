"""Who attends a table: Dealers who sign in and out, and patrons who do not answer.

Where the house deals, or the system of an electronic table, a patron who is asked for
something has the answer time, and counts as absent after it (A54): wagers stay, the shaker and
the dealing device go to the next, and the Dealer turns the cards up.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.course import due
from croupier.table.draft import Draft
from croupier.table.folding import plan_of
from croupier.table.opening import latest, set_anew
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.rulings import Situation
from croupier.table.settings import DealtBy
from croupier.table.state import HoldKind
from croupier.table.steps import detect
from croupier.table.words import named

if TYPE_CHECKING:
    from datetime import datetime

    from croupier.table.draft import Events, Handlers
    from croupier.table.state import Table


def answers_until(table: Table) -> datetime | None:
    """Return until when patrons who are asked now may answer; None: there is no end."""
    if table.since is None:
        return None
    return table.since + timedelta(milliseconds=table.settings.clocks.answer_ms)


# Dealers


def _sign_in(
    table: Table, envelope: c.Envelope, command: c.SignIn, by: e.By
) -> Events | Refusal:
    refusal = _not_by_house(table)
    if refusal is not None:
        return refusal
    if table.dealer == by.name:
        return refuse(Code.SIGNED_IN, f"{by.name} has signed in at this table already")
    return (e.DealerSignedIn(by.name, by),)


def _sign_out(
    table: Table, envelope: c.Envelope, command: c.SignOut, by: e.By
) -> Events | Refusal:
    if table.dealer is None:
        return refuse(Code.NOT_SIGNED_IN, "No Dealer has signed in at this table")
    return (e.DealerSignedOut(table.dealer, by),)


def _not_by_house(table: Table) -> Refusal | None:
    """Refuse what only a table that the house deals has."""
    settings = table.scheduled or table.settings
    if settings.dealt_by is DealtBy.HOUSE:
        return None
    who = "its system" if plan_of(table).calls_by_system else "Dealers"
    why = f"This table is dealt by {who}; Dealers sign in where the house deals"
    return refuse(Code.NOT_DEALT_BY_HOUSE, why)


def _set_clocks(
    table: Table, envelope: c.Envelope, command: c.SetClocks, by: e.By
) -> Events | Refusal:
    clocks = command.clocks
    choice = f"betting {clocks.betting_ms} ms, pause {clocks.pause_ms} ms, pace"
    choice += f" {clocks.pace_ms} ms, answer {clocks.answer_ms} ms"
    record = e.DecisionRecorded(by, None, "clocks", (), choice, command.reason)
    return set_anew(table, replace(latest(table), clocks=clocks), record)


def _set_dealt_by(
    table: Table, envelope: c.Envelope, command: c.SetDealtBy, by: e.By
) -> Events | Refusal:
    plan = plan_of(table)
    if plan.calls_by_system:
        why = f"{plan.rulebook.edition.title} is dealt by the system of its terminals"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    options = tuple(one.value for one in DealtBy)
    choice = command.dealt_by.value
    record = e.DecisionRecorded(by, None, "who deals", options, choice, command.reason)
    return set_anew(table, replace(latest(table), dealt_by=command.dealt_by), record)


# Patrons


def _pass_over(
    table: Table, envelope: c.Envelope, command: c.PassOver, by: e.By
) -> Events | Refusal:
    patron, now = command.patron, due(table)
    if not table.system_deals:
        why = f"A Dealer deals this round, and decides what an absence of patron {patron} means"
        return refuse(Code.NOT_DEALT_BY_HOUSE, why)
    if not now.asks or patron not in now.patrons:
        for_whom = named("patron", now.patrons) if now.patrons else "no patron"
        why = f"The round does not wait for patron {patron}; it waits for {for_whom}"
        return refuse(Code.NOT_ASKED, why, now.clause)
    until = answers_until(table)
    if until is not None and envelope.moment < until:
        left = (until - envelope.moment) // timedelta(milliseconds=1)
        why = f"Patron {patron} has {left} ms left to answer, and is passed over after that"
        return refuse(Code.TIME_LEFT, why, now.clause)
    return _without(table, envelope, patron, now.command, by)


def _without(
    table: Table, envelope: c.Envelope, patron: str, asked: c.Command | None, by: e.By
) -> Events:
    """Return what happens without the answer of a patron."""
    moment = envelope.moment
    if asked is None:
        assert table.hold is not None, "nobody was asked"
        assert table.hold.kind is HoldKind.WITHDRAWAL, "asked for something else"
        return (i.WagersKept(patron, answered=False),)
    if isinstance(asked, c.ConfirmShake):
        return (e.ShakerRefused(patron, answered=False, moment=moment),)
    if isinstance(asked, c.TakeShoe):
        return (e.ShoeRefused(patron, answered=False, moment=moment),)
    if isinstance(asked, c.DrawCard):
        methods = plan_of(table).procedure.methods
        assert methods is not None, "a patron draws without methods"
        # The patron neither lost nor gave up the device: it is offered again next round.
        why = "no card drawn in time"
        gone = e.ShoeGivenUp(patron, methods.by_dealer.refused, why, moment=moment)
        return (gone, e.ShoeRefused(patron, answered=False, moment=moment))
    assert isinstance(asked, c.ExposeCard), f"nobody answers {asked}"
    draft = Draft(table)
    side = asked.position.side
    detect(draft, envelope, c.report(Situation.HANDLER_ABSENT, side=side), by)
    return draft.done


HANDLERS: Handlers = {
    c.SetClocks: _set_clocks,
    c.SetDealtBy: _set_dealt_by,
    c.SignIn: _sign_in,
    c.SignOut: _sign_out,
    c.PassOver: _pass_over,
}
