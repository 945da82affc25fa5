"""Opening a table, its settings and shoes, and who comes to it with how much credit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from croupier.money import dollars
from croupier.rules.errors import cited, listed, quoted
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.draft import Draft
from croupier.table.folding import plan_of
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.roles import Patron, Staff, StaffPosition, System, authority
from croupier.table.settable import CENTS_MAX, settings_refusal
from croupier.table.settings import DealtBy, Method
from croupier.table.state import Phase
from croupier.table.unentitled import NEEDED, a_position
from croupier.table.words import counted, named, not_over

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.rulebook import Rulebook
    from croupier.table.settings import Settings
    from croupier.table.state import Table

OPENS = StaffPosition.PIT_MANAGER
"""Who opens a table, whatever its settings give to lower positions."""


def open_table(table: Table, envelope: c.Envelope, settings: Settings) -> Events | Refusal:
    """Open a table under a rulebook that is in force."""
    rulebook = next((book for book in table.rulebooks if book.code == settings.rulebook), None)
    if rulebook is None:
        codes = listed([book.code for book in table.rulebooks])
        why = f"There is no rulebook {quoted(settings.rulebook)}; the rulebooks are {codes}"
        return refuse(Code.UNKNOWN_RULEBOOK, why)
    edition = rulebook.edition
    if envelope.moment.tzinfo is None or not edition.in_force(envelope.moment):
        here = envelope.moment
        if here.tzinfo is not None:
            here = here.astimezone(edition.effective.tzinfo)
        why = f"{edition} is in force from {edition.effective:%Y-%m-%d %H:%M} on"
        why += f", and it is {here:%Y-%m-%d %H:%M} (Singapore time)"
        return refuse(Code.NOT_IN_FORCE, why, rulebook.procedure.version)
    by = _opener(rulebook, envelope, settings)
    if isinstance(by, Refusal):
        return by
    refusal = settings_refusal(rulebook, settings)
    if refusal is not None:
        return refusal
    return (e.TableOpened(settings, edition.version, edition.effective, by),)


def _opener(rulebook: Rulebook, envelope: c.Envelope, settings: Settings) -> e.By | Refusal:
    """Return who opens: a Pit Manager, or whoever may choose the method."""
    actor, needed, clause = envelope.actor, OPENS, None
    if isinstance(actor, Patron):
        return refuse(Code.NOT_YOURS, f"Patron {actor.name} asks; patrons open no tables")
    methods = rulebook.procedure.methods
    if methods is not None and settings.method is not None:
        needed, clause = methods.choice(settings.method)
    if isinstance(actor, System):
        if methods is None:
            return e.By(actor.name, None, envelope.moment)
        why = f"The system asks; a dealing method is chosen by {a_position(needed)}"
        return refuse(NEEDED[needed], why, clause)
    # Opening is the house's own function; a rulebook that names methods has higher positions.
    top = settings.readings.higher_manager
    right = authority(actor, needed, envelope.moment, higher_may_act=True, top=top)
    if right is None:
        why = f"{actor.position.value} {actor.name} asks; this needs {a_position(needed)}"
        return refuse(NEEDED[needed], why, clause)
    assert isinstance(actor, Staff), "a rulebook's right without a rulebook's position"
    acting_for = right.acting_for
    if right.position is not actor.position and acting_for is None:
        acting_for = right.position
    return e.By(actor.name, actor.position, envelope.moment, acting_for)


def _close_table(
    table: Table, envelope: c.Envelope, command: c.CloseTable, by: e.By
) -> Events | Refusal:
    refusal = close_refusal(table)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    for patron, cents in table.credits.items():
        # The last round could still be void: only the closing of the table ends that.
        if cents:
            draft.add(e.CreditTaken(patron, cents, to_wallet=True))
        # A void may have returned a stake to somebody who left before.
        if patron in table.seats:
            draft.add(e.SeatLeft(patron))
    draft.add(e.TableClosed(by))
    return draft.done


def close_refusal(table: Table) -> Refusal | None:
    """Say why the table cannot close now, or return None."""
    refusal = _in_round(table, c.CloseTable)
    if refusal is None and table.seats and table.phase is not Phase.SETTLED:
        why = f"{named('Patron', sorted(table.seats))} must leave before the table closes"
        return refuse(Code.PATRONS_AT_TABLE, why)
    return refusal


def _in_round(table: Table, kind: type[c.Command]) -> Refusal | None:
    if table.between_rounds:
        return None
    why = not_over(kind, table.phase)
    return refuse(Code.ROUND_IN_PROGRESS, why, plan_of(table).procedure.round.definition)


# Settings that change between rounds


def set_anew(table: Table, settings: Settings, record: e.DecisionRecorded) -> Events | Refusal:
    """Put settings in force, or schedule them for the next round."""
    plan = plan_of(table)
    refusal = settings_refusal(plan.rulebook, settings)
    if refusal is not None:
        return refusal
    if table.between_rounds:
        changed = e.SettingsChanged(settings, record.by)
        return (record, changed, *ended_by(table, settings, record.by))
    return (record, e.SettingsScheduled(settings, record.by))


def ended_by(table: Table, settings: Settings, by: e.By) -> Events:
    """Return what other settings end: a patron's control of the device, a Dealer's turn."""
    ended: list[e.Event] = []
    methods, holder = plan_of(table).procedure.methods, table.shoe_holder
    if holder is not None and methods is not None and settings.method is not Method.C:
        clause = methods.by_dealer.control
        ended.append(e.ShoeGivenUp(holder, clause, "the dealing method changed"))
    if table.dealer is not None and settings.dealt_by is not DealtBy.HOUSE:
        # Only where the house deals otherwise does it matter who signed in.
        ended.append(e.DealerSignedOut(table.dealer, by))
    return tuple(ended)


def latest(table: Table) -> Settings:
    """Return the settings as they will be in the next round."""
    return table.scheduled or table.settings


def _set_method(
    table: Table, envelope: c.Envelope, command: c.SetMethod, by: e.By
) -> Events | Refusal:
    plan = plan_of(table)
    methods = plan.procedure.methods
    if methods is None:
        why = f"{plan.rulebook.edition.title} has no dealing methods to choose from"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    _, clause = methods.choice(command.method)
    options = ("A", "B", "C") if plan.hlga else ("A", "B")
    record = e.DecisionRecorded(
        by, clause, "dealing method", options, command.method.value, command.reason
    )
    return set_anew(table, replace(latest(table), method=command.method), record)


def _set_area_cap(
    table: Table, envelope: c.Envelope, command: c.SetAreaCap, by: e.By
) -> Events | Refusal:
    plan = plan_of(table)
    cap = plan.procedure.area_cap
    if cap is None:
        why = f"{plan.rulebook.edition.title} has no rule on wagers for each area"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    options = tuple(str(number) for number in range(1, cap.most + 1))
    record = e.DecisionRecorded(
        by, cap.lowered, "wagers for each area", options, str(command.wagers), command.reason
    )
    return set_anew(table, replace(latest(table), wagers_per_area=command.wagers), record)


def _set_limits(
    table: Table, envelope: c.Envelope, command: c.SetLimits, by: e.By
) -> Events | Refusal:
    plan = plan_of(table)
    choice = "; ".join(
        f"{slug} {dollars(limit.minimum_cents)}-{dollars(limit.maximum_cents)}"
        for slug, limit in command.limits.items()
    )
    record = e.DecisionRecorded(by, plan.procedure.limits, "limits", (), choice, command.reason)
    return set_anew(table, replace(latest(table), limits=command.limits), record)


def _set_differential(
    table: Table, envelope: c.Envelope, command: c.SetDifferential, by: e.By
) -> Events | Refusal:
    plan = plan_of(table)
    rule = plan.procedure.differential
    if rule is None:
        why = f"{plan.rulebook.edition.title} has no rule on a table differential"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    choice = "none" if command.cents is None else dollars(command.cents)
    record = e.DecisionRecorded(
        by, rule.clause, "table differential", (), choice, command.reason
    )
    changed = replace(latest(table), differential_cents=command.cents)
    return set_anew(table, changed, record)


def _offer_wagers(
    table: Table, envelope: c.Envelope, command: c.OfferWagers, by: e.By
) -> Events | Refusal:
    game = plan_of(table).game
    options = tuple(wager.slug for wager in game.wagers if wager.optional)
    choice = listed(list(command.optional)) or "none"
    switched = [wager for wager in game.wagers if wager.slug in (command.optional or options)]
    clause = next((cited(wager.rows[0].clause) for wager in switched), None)
    record = e.DecisionRecorded(by, clause, "optional wagers", options, choice, command.reason)
    return set_anew(table, replace(latest(table), optional=command.optional), record)


# The shoe


def _load_shoe(
    table: Table, envelope: c.Envelope, command: c.LoadShoe, by: e.By
) -> Events | Refusal:
    refusal = load_refusal(table)
    if refusal is not None:
        return refusal
    shoe = table.shoe
    if command.shoe in table.shoes:
        why = f"Shoe {command.shoe} was in play at this table before; load another"
        clause = shoe.replace_by if shoe is not None else None
        return refuse(Code.CARDS_MUST_BE_REPLACED, why, clause)
    plan = plan_of(table)
    cards = plan.settings.decks * len(plan.game.deck)
    if command.cut_behind is not None and not 0 <= command.cut_behind <= cards:
        behind = counted(command.cut_behind, "card")
        why = f"The cut card cannot lie behind {behind}; it lies behind 0 to {cards}"
        return refuse(Code.BAD_CUT, why)
    return (e.ShoeLoaded(command.shoe, cards, command.cut_behind, by),)


def load_refusal(table: Table) -> Refusal | None:
    """Say why no shoe can be loaded now, or return None."""
    shoe = table.shoe
    refusal = _in_round(table, c.LoadShoe) or _undecided(table)
    if refusal is None and shoe is not None and not shoe.ended and shoe.replace_by is None:
        left = counted(shoe.left, "card")
        why = f"Shoe {shoe.name} is in play with {left} left; end it first"
        return refuse(Code.SHOE_IN_USE, why)
    return refusal


def _undecided(table: Table) -> Refusal | None:
    """Refuse to exchange cards while it is to be decided whether they are replaced."""
    if not table.replacement_due or (table.shoe and table.shoe.replace_by):
        return None
    why = "The last round was void; decide first whether its cards are replaced"
    return refuse(Code.REPLACEMENT_UNDECIDED, why, plan_of(table).procedure.replacement)


def _end_shoe(
    table: Table, envelope: c.Envelope, command: c.EndShoe, by: e.By
) -> Events | Refusal:
    refusal = _in_round(table, c.EndShoe)
    if refusal is not None:
        return refusal
    if table.shoe is None or table.shoe.ended:
        return refuse(Code.NO_SHOE, "There is no shoe in play that could end")
    refusal = _undecided(table)
    if refusal is not None:
        return refusal
    return (e.ShoeEnded(table.shoe.name, f"ended by {by.name}"),)


def _remove_cards(
    table: Table, envelope: c.Envelope, command: c.RemoveCards, by: e.By
) -> Events | Refusal:
    shoe = table.shoe
    if shoe is None or shoe.ended:
        return refuse(Code.NO_SHOE, "There is no shoe in play to take cards from")
    if not 1 <= command.count <= shoe.left:
        asked = counted(command.count, "card")
        may = f"remove 1 to {shoe.left}" if shoe.left else "the device is empty"
        return refuse(Code.NOT_ENOUGH_CARDS, f"{asked} cannot be removed; {may}")
    return (e.CardsRemoved(command.count, by),)


# People, credit and terminals


def _take_seat(
    table: Table, envelope: c.Envelope, command: c.TakeSeat, by: e.By
) -> Events | Refusal:
    plan, position = plan_of(table), command.position
    if not 1 <= position <= plan.positions:
        why = f"There is no playing position {position}; there are 1 to {plan.positions}"
        return refuse(Code.UNKNOWN_POSITION, why)
    terminals = plan.procedure.terminals
    taken = {seat for name, seat in table.seats.items() if name != command.patron}
    if terminals and position in taken:
        why = f"Terminal {position} is taken; a terminal has one patron"
        return refuse(Code.POSITION_TAKEN, why, terminals.clause)
    if command.patron in table.seats:
        why = f"Patron {command.patron} is at position {table.seats[command.patron]} already"
        return refuse(Code.ALREADY_SEATED, why)
    return (e.SeatTaken(command.patron, position),)


def at_table(table: Table, patron: str) -> Refusal | None:
    """Refuse a patron who is not at the table."""
    if patron in table.seats:
        return None
    return refuse(Code.NOT_AT_TABLE, f"Patron {patron} is not at this table")


def _leave_seat(
    table: Table, envelope: c.Envelope, command: c.LeaveSeat, by: e.By
) -> Events | Refusal:
    refusal = _cash_refusal(table, command) or leave_refusal(table, command.patron)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    if table.shoe_holder == command.patron:
        draft.add(_given_up(table, command.patron))
    if table.credits[command.patron]:
        cents = table.credits[command.patron]
        draft.add(e.CreditTaken(command.patron, cents, not command.cash))
    draft.add(e.SeatLeft(command.patron))
    return draft.done


def _cash_refusal(table: Table, command: c.LeaveSeat | c.TakeCredit) -> Refusal | None:
    """Refuse to pay out at a terminal: what leaves it goes to the wallet."""
    plan = plan_of(table)
    if not command.cash or plan.pays_cash:
        return None
    why = f"{plan.rulebook.edition.title} has no cash at its terminals"
    clause = plan.procedure.terminals.clause if plan.procedure.terminals else None
    return refuse(Code.NOT_IN_RULEBOOK, f"{why}; credit goes to the wallet", clause)


def leave_refusal(table: Table, patron: str) -> Refusal | None:
    """Say why a patron cannot leave now, or return None."""
    refusal = at_table(table, patron)
    if refusal is not None or patron not in bound(table):
        return refusal
    play = table.round
    assert play is not None, "bound by no round"
    if play.lines is None:
        why = f"Patron {patron} has {dollars(table.staked(patron))} in play"
        why += "; they may leave when it is settled or taken back"
        return refuse(Code.STAKES_IN_PLAY, why)
    why = f"Round {play.number} can still be {'void' if play.confirmed else 'made anew'}"
    why += f"; patron {patron} leaves"
    return refuse(Code.RESERVED, f"{why} {_until(table)}", _window(table))


def bound(table: Table) -> set[str]:
    """Return the patrons who must stay: stakes in play, or a pay list that can change."""
    play = table.round
    if play is None:
        return set()
    if play.lines is None:
        stakes = () if table.between_rounds else table.stakes
        return {share.patron for stake in stakes for share in stake.shares}
    lines = play.lines if table.phase is Phase.SETTLED else ()
    return {line.patron for line in lines if line.paid_cents or not play.confirmed}


def _given_up(table: Table, patron: str) -> e.ShoeGivenUp:
    methods = plan_of(table).procedure.methods
    assert methods is not None, "a shoe holder without methods"
    clause = methods.by_patron.relinquishes
    return e.ShoeGivenUp(patron, clause, "left the table", relinquished=True)


def _until(table: Table) -> str:
    if plan_of(table).procedure.voidable is not None:
        return "from the next call for bets on"
    return "when its payment is confirmed"


def _window(table: Table) -> str:
    """Return the clause by which a settled round is not over yet."""
    procedure, play = plan_of(table).procedure, table.round
    paid = play is not None and play.confirmed
    return (procedure.voidable if paid else None) or procedure.round.definition


def _reserved(table: Table, patron: str, reserved: int) -> Refusal:
    why = f"{dollars(reserved)} of patron {patron} came from a pay list that can still change"
    why += f"; it is free {_until(table)}"
    return refuse(Code.RESERVED, why, _window(table))


def _amount(cents: int) -> Refusal | None:
    if 0 < cents <= CENTS_MAX:
        return None
    why = f"An amount of {dollars(cents)} came; amounts are above zero and at most"
    return refuse(Code.BAD_AMOUNT, f"{why} {dollars(CENTS_MAX)}")


def _bring_credit(
    table: Table, envelope: c.Envelope, command: c.BringCredit, by: e.By
) -> Events | Refusal:
    refusal = at_table(table, command.patron) or _amount(command.cents)
    return refusal or (e.CreditBrought(command.patron, command.cents, command.transfer),)


def _take_credit(
    table: Table, envelope: c.Envelope, command: c.TakeCredit, by: e.By
) -> Events | Refusal:
    # Whoever left may have credit here: a void returned a stake that was lost.
    here = None if command.patron in table.credits else at_table(table, command.patron)
    refusal = _cash_refusal(table, command) or here or _amount(command.cents)
    if refusal is not None:
        return refusal
    held = table.credits[command.patron]
    if command.cents > held:
        why = f"{dollars(command.cents)} was asked for; the seat of patron {command.patron}"
        why += f" holds {dollars(held)}"
        return refuse(Code.NOT_ENOUGH_CREDIT, why)
    reserved = table.reserved(command.patron)
    if command.cents > held - reserved:
        return _reserved(table, command.patron, reserved)
    return (e.CreditTaken(command.patron, command.cents, not command.cash),)


HANDLERS: Handlers = {
    c.CloseTable: _close_table,
    c.SetMethod: _set_method,
    c.SetAreaCap: _set_area_cap,
    c.SetLimits: _set_limits,
    c.SetDifferential: _set_differential,
    c.OfferWagers: _offer_wagers,
    c.LoadShoe: _load_shoe,
    c.EndShoe: _end_shoe,
    c.RemoveCards: _remove_cards,
    c.TakeSeat: _take_seat,
    c.LeaveSeat: _leave_seat,
    c.BringCredit: _bring_credit,
    c.TakeCredit: _take_credit,
}
