"""The die before the cards: who shakes, who opens, what is announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import RulesError, listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.order import counter_clockwise, staked_on
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.words import at_position

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.procedure import Shake
    from croupier.table.settings import Plan
    from croupier.table.state import Round, Table

NOBODY = "nobody"


def _rule(table: Table) -> tuple[Plan, Shake, Round] | Refusal:
    plan, play = table.plan, table.round
    assert plan is not None and play is not None
    rule = plan.procedure.shake
    if rule is None:
        why = f"{plan.rulebook.edition.title} is played without a die"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    return plan, rule, play


def shaker_due(table: Table) -> str | None:
    """Return who receives the shaker: the largest total stake, first reached (A16)."""
    play, plan = table.round, table.plan
    assert play is not None and plan is not None
    wagers = {stake.wager for stake in table.stakes}
    order = counter_clockwise(table, *staked_on(table, wagers))
    return next((name for name in order if name not in play.shaker_refused), None)


def _whom(patron: str | None) -> str:
    """Name who has, or receives, the shaker; without a patron it is the Dealer."""
    return f"patron {patron}" if patron else "the Dealer"


def _where(table: Table, play: Round) -> str:
    """Say where the shaker is, for somebody who cannot refuse it."""
    if not play.shaker_passed:
        return "it has not been passed on yet"
    if play.shake_confirmed:
        return "the shake is confirmed already"
    return f"it is with {at_position(table, play.shaker) if play.shaker else _whom(None)}"


def _shake_die(
    table: Table, envelope: c.Envelope, command: c.ShakeDie, by: e.By
) -> Events | Refusal:
    found = _rule(table)
    if isinstance(found, Refusal):
        return found
    _, rule, play = found
    if play.shakes >= rule.shakes:
        why = f"The Dealer has shaken the die {play.shakes} times; now the shaker is passed"
        return refuse(Code.ALL_SHAKES_DONE, why, rule.clause)
    return (e.DieShaken(play.shakes + 1, by),)


def _pass_shaker(
    table: Table, envelope: c.Envelope, command: c.PassShaker, by: e.By
) -> Events | Refusal:
    found = _rule(table)
    if isinstance(found, Refusal):
        return found
    _, rule, play = found
    due = shaker_due(table)
    if command.patron not in (None, due) and not command.reason:
        why = f"The shaker goes to {_whom(due)}; to pass it to another needs a reason"
        return refuse(Code.REASON_NEEDED, why, rule.clause)
    if command.patron is not None and command.patron not in table.seats:
        return refuse(Code.NOT_AT_TABLE, f"Patron {command.patron} is not at this table")
    if play.shakes < rule.shakes:
        why = f"The Dealer has shaken the die {play.shakes} of {rule.shakes} times; the shaker"
        why += " is passed after that"
        return refuse(Code.SHAKES_MISSING, why, rule.clause)
    if play.shaker_passed:
        why = f"The shaker is with {_whom(play.shaker)} already; it is passed on when refused"
        return refuse(Code.NOT_THE_SHAKER, why, rule.clause)
    patron = due if command.patron is None else command.patron
    passed = e.ShakerPassed(patron, by, command.reason)
    if patron == due:
        return (passed,)
    options = tuple(table.seats)
    record = e.DecisionRecorded(
        by, rule.clause, "who shakes", options, patron or NOBODY, command.reason
    )
    return (record, passed)


def _refuse_shaker(
    table: Table, envelope: c.Envelope, command: c.RefuseShaker, by: e.By
) -> Events | Refusal:
    found = _rule(table)
    if isinstance(found, Refusal):
        return found
    _, rule, play = found
    if play.shaker != command.patron or play.shake_confirmed:
        why = f"Patron {command.patron} cannot refuse the shaker; {_where(table, play)}"
        return refuse(Code.NOT_THE_SHAKER, why, rule.clause)
    return (e.ShakerRefused(command.patron, moment=by.moment),)


def _confirm_shake(
    table: Table, envelope: c.Envelope, command: c.ConfirmShake, by: e.By
) -> Events | Refusal:
    found = _rule(table)
    if isinstance(found, Refusal):
        return found
    _, rule, play = found
    if not play.shaker_passed:
        why = "The shaker has not been passed on yet"
        return refuse(Code.SHAKES_MISSING, why, rule.clause)
    if play.shake_confirmed:
        why = "The shake is confirmed already; another follows only an invalid one"
        return refuse(Code.NOT_NOW, why, rule.patron)
    return (e.ShakeConfirmed(play.shaker or by.name, by.name, by.moment),)


def _open_shaker(
    table: Table, envelope: c.Envelope, command: c.OpenShaker, by: e.By
) -> Events | Refusal:
    found = _rule(table)
    if isinstance(found, Refusal):
        return found
    _, rule, play = found
    if not play.shake_confirmed:
        why = "The die has not been heard tumbling since the shaker was passed"
        return refuse(Code.SHAKE_MISSING, why, rule.patron)
    if play.shaker_opened is not None:
        why = f"The shaker was opened by {play.shaker_opened} already; it is opened once"
        return refuse(Code.NOT_NOW, why, rule.patron)
    return (e.ShakerOpened(by.name, by.moment),)


def _announce_die(
    table: Table, envelope: c.Envelope, command: c.AnnounceDie, by: e.By
) -> Events | Refusal:
    found = _rule(table)
    if isinstance(found, Refusal):
        return found
    plan, rule, play = found
    if not play.shake_confirmed:
        why = "No shake has been confirmed, so there is no die to announce"
        return refuse(Code.SHAKE_MISSING, why, rule.patron)
    if play.shaker_opened is None:
        why = "The shaker has not been opened; the die is announced when it is open"
        return refuse(Code.SHAKER_CLOSED, why, rule.patron)
    die = envelope.die
    assert plan.game.die is not None, "a shake without a die"
    faces = [str(face) for face in plan.game.die.faces]
    if die is None:
        why = f"No value of the die came; it shows {listed(faces, 'or')}"
        return refuse(Code.BAD_DIE, why, rule.patron)
    try:
        power = plan.game.is_power(die)
    except RulesError:
        why = f"The die cannot show {die}; it shows {listed(faces, 'or')}"
        return refuse(Code.BAD_DIE, why, rule.patron)
    if play.die is not None:
        why = f"The die was announced as {play.die}; another value needs another shake"
        return refuse(Code.DIE_ANNOUNCED, why, rule.patron)
    return (e.DieAnnounced(die, power, by),)


def _invalid(
    table: Table, envelope: c.Envelope, command: c.CallShakeInvalid, by: e.By
) -> Events | Refusal:
    found = _rule(table)
    if isinstance(found, Refusal):
        return found
    _, rule, play = found
    if not command.reason.strip():
        why = "A shake is called invalid with a reason, and none came"
        return refuse(Code.REASON_NEEDED, why, rule.patron)
    if not play.shake_confirmed:
        why = "No shake has been confirmed that could be invalid"
        return refuse(Code.SHAKE_MISSING, why, rule.patron)
    return (e.ShakeInvalid(command.reason, by),)


HANDLERS: Handlers = {
    c.ShakeDie: _shake_die,
    c.PassShaker: _pass_shaker,
    c.RefuseShaker: _refuse_shaker,
    c.ConfirmShake: _confirm_shake,
    c.OpenShaker: _open_shaker,
    c.AnnounceDie: _announce_die,
    c.CallShakeInvalid: _invalid,
}
