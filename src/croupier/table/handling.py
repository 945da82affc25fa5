"""Who handles the cards: card handlers, squeezing, and the patron with the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.folding import round_of
from croupier.table.opening import at_table
from croupier.table.order import (
    anybody_takes_shoe,
    drawer,
    handler_clause,
    handler_due,
    has_valid_wager,
    shoe_due,
)
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.settings import Method
from croupier.table.words import at_position, begun

if TYPE_CHECKING:
    from croupier.rules.outcome import Side
    from croupier.table.draft import Events, Handlers
    from croupier.table.procedure import Methods
    from croupier.table.state import Round, Table

TWO = 2


def _handled(table: Table) -> Methods | Refusal:
    """Return the rules on handling, or refuse where patrons handle no cards."""
    plan = table.plan
    assert plan is not None, "the table is not open"
    methods = plan.procedure.methods
    if methods is None:
        why = f"{plan.rulebook.edition.title} has no dealing methods; patrons handle no cards"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    if plan.settings.method is Method.B:
        why = "Under method B the Dealer keeps control of all cards"
        return refuse(Code.NO_HANDLING, why, methods.by_dealer.no_handling)
    return methods


def _by_patron(table: Table) -> Methods | Refusal:
    """Return the rules on methods, or refuse where no patron draws."""
    plan = table.plan
    assert plan is not None, "the table is not open"
    methods = plan.procedure.methods
    if methods is None:
        why = f"{plan.rulebook.edition.title} lets no patron draw the cards"
        return refuse(Code.NOT_IN_RULEBOOK, why)
    if plan.settings.method is not Method.C:
        why = "Under methods A and B the Dealer keeps control of the dealing device"
        return refuse(Code.NO_HANDLING, why, methods.by_dealer.control)
    return methods


# The dealing device


def drawer_refusal(table: Table) -> Refusal | None:
    """Refuse a draw under method C by nobody, or by a patron without a wager."""
    methods = _by_patron(table)
    if isinstance(methods, Refusal):
        return methods
    holder = table.shoe_holder
    if drawer(table) is not None or not anybody_takes_shoe(table):
        return None  # where everybody refused the Dealer draws in this round (A53)
    if holder is None:
        why = "No patron has taken the dealing device; whoever draws takes it first"
        return refuse(Code.NO_SHOE_HOLDER, why, methods.by_patron.draws)
    why = f"Patron {holder} has no valid wager any more; the device is offered to"
    due = shoe_due(table)
    why += f" {at_position(table, due) if due else 'nobody'}"
    return refuse(Code.NO_VALID_WAGER, why, methods.by_patron.without_wager)


def _take_shoe(
    table: Table, envelope: c.Envelope, command: c.TakeShoe, by: e.By
) -> Events | Refusal:
    methods, patron = _by_patron(table), command.patron
    if isinstance(methods, Refusal):
        return methods
    refusal = take_refusal(table, methods, patron, shoe_due(table))
    if refusal is not None:
        return refusal
    taken = e.ShoeTaken(patron, by.moment)
    if table.shoe_holder is None:
        return (taken,)
    clause, why = methods.by_patron.without_wager, "no valid wager any more"
    return (e.ShoeGivenUp(table.shoe_holder, clause, why, moment=by.moment), taken)


def take_refusal(
    table: Table, methods: Methods, patron: str, due: str | None
) -> Refusal | None:
    """Say why a patron does not take the dealing device, which is due to somebody, or not."""
    refusal, rule = at_table(table, patron), methods.by_patron
    if refusal is not None:
        return refusal
    if drawer(table) is not None:
        holder = at_position(table, table.shoe_holder or "")
        why = f"{begun(holder)} controls the dealing device, and may keep it"
        return refuse(Code.SHOE_DUE_TO_ANOTHER, why, rule.keeps)
    if patron in table.shoe_permitted:
        return None
    staked = has_valid_wager(table, patron)
    if due != patron and staked:
        why = "Every patron refused the dealing device; the Dealer draws in this round"
        if due is not None:
            why = f"The dealing device is offered to {at_position(table, due)} first"
        return refuse(Code.SHOE_DUE_TO_ANOTHER, why, methods.by_dealer.handler)
    if not staked:
        why = f"Patron {patron} has no wager within the limits in this round"
        return refuse(Code.NO_VALID_WAGER, why, rule.without_wager)
    return None


def _holder(table: Table) -> str:
    """Say who controls the dealing device."""
    holder = table.shoe_holder
    return "nobody does" if holder is None else f"{at_position(table, holder)} does"


def _device_is(table: Table, due: str | None) -> str:
    """Say where the dealing device is, for somebody to whom it is not offered."""
    if table.shoe_holder is not None:
        return f"{at_position(table, table.shoe_holder)} controls it"
    if due is None:
        return "nobody is left to take it"
    return f"it is offered to {at_position(table, due)}"


def held_by(table: Table, side: Side) -> str | None:
    """Return which patron has cards of a hand face down."""
    play = round_of(table)
    holder = play.handlers.get(side)
    for card in play.cards if holder is not None else ():
        if not card.exposed and card.position.side is side:
            return holder
    return None


def _refuse_shoe(
    table: Table, envelope: c.Envelope, command: c.RefuseShoe, by: e.By
) -> Events | Refusal:
    methods = _by_patron(table)
    if isinstance(methods, Refusal):
        return methods
    due = shoe_due(table)
    if not offered_shoe(table, command.patron, due):
        why = f"The dealing device is not offered to patron {command.patron}"
        why += f"; {_device_is(table, due)}"
        return refuse(Code.SHOE_DUE_TO_ANOTHER, why, methods.by_dealer.refused)
    return (e.ShoeRefused(command.patron, moment=by.moment),)


def offered_shoe(table: Table, patron: str, due: str | None) -> bool:
    """Tell whether a patron, to whom it is due, may refuse the dealing device."""
    return due == patron and drawer(table) is None


def _relinquish(
    table: Table, envelope: c.Envelope, command: c.RelinquishShoe, by: e.By
) -> Events | Refusal:
    methods = _by_patron(table)
    if isinstance(methods, Refusal):
        return methods
    if table.shoe_holder != command.patron:
        why = f"Patron {command.patron} does not control the dealing device; {_holder(table)}"
        return refuse(Code.NO_SHOE_HOLDER, why, methods.by_patron.relinquishes)
    clause = methods.by_patron.relinquishes
    why = "relinquished"
    return (e.ShoeGivenUp(command.patron, clause, why, relinquished=True, moment=by.moment),)


def _allow_shoe(
    table: Table, envelope: c.Envelope, command: c.AllowShoe, by: e.By
) -> Events | Refusal:
    methods = _by_patron(table)
    if isinstance(methods, Refusal):
        return methods
    refusal = at_table(table, command.patron)
    if refusal is not None:
        return refusal
    clause = methods.by_patron.without_wager
    choice = "allowed" if command.allowed else "not allowed"
    question = f"{command.patron} draws without a valid wager"
    record = e.DecisionRecorded(
        by, clause, question, ("allowed", "not allowed"), choice, command.reason
    )
    allowed = e.ShoeAllowed(command.patron, command.allowed, by)
    if not command.allowed and table.shoe_holder == command.patron:
        why = "no longer allowed"
        ended = e.ShoeGivenUp(command.patron, clause, why, moment=by.moment)
        return (record, allowed, ended)
    return (record, allowed)


def _end_control(
    table: Table, envelope: c.Envelope, command: c.EndControl, by: e.By
) -> Events | Refusal:
    methods = _by_patron(table)
    if isinstance(methods, Refusal):
        return methods
    if table.shoe_holder != command.patron:
        why = f"Patron {command.patron} does not control the dealing device; {_holder(table)}"
        return refuse(Code.NO_SHOE_HOLDER, why, methods.by_patron.keeps)
    lines = table.round.lines if table.round else None
    own = [line for line in lines or () if line.patron == command.patron]
    both = {"player", "banker"} <= {line.wager for line in own}
    lost = any(line.result == "loses" and line.wager in ("player", "banker") for line in own)
    if not both or not lost:
        why = "Control ends by a decision only where the holder had wagers on both hands"
        why += " and one lost"
        return refuse(Code.NOT_NOW, why, methods.by_patron.loses)
    clause = methods.by_patron.loses
    record = e.DecisionRecorded(
        by, clause, "control of the device", ("keeps", "ends"), "ends", command.reason
    )
    ended = e.ShoeGivenUp(command.patron, clause, "one of two wagers lost", settled=True)
    return (record, ended)


def _attest(
    table: Table, envelope: c.Envelope, command: c.AttestDraws, by: e.By
) -> Events | Refusal:
    methods = _by_patron(table)
    if isinstance(methods, Refusal):
        return methods
    return (e.DrawsAttested(by),)


# Hands


def _named(
    table: Table, side: Side, patron: str, designee: str | None, record: e.DecisionRecorded
) -> Events | Refusal:
    methods = _handled(table)
    if isinstance(methods, Refusal):
        return methods
    refusal = at_table(table, patron)
    if refusal is not None:
        return refusal
    holder = held_by(table, side)
    if holder is not None:
        why = f"The {side.value} hand is with patron {holder} already"
        return refuse(Code.HAND_HELD, why, record.clause)
    clause = record.clause or ""
    return (record, e.HandlerNamed(side, patron, designee, clause, record.by))


def _name_handler(
    table: Table, envelope: c.Envelope, command: c.NameHandler, by: e.By
) -> Events | Refusal:
    methods = _handled(table)
    if isinstance(methods, Refusal):
        return methods
    refusal = at_table(table, command.patron)
    if refusal is not None:
        return refusal
    due = handler_due(table, command.side)
    if due is None and command.patron in round_of(table).refused.get(command.side, ()):
        why = f"Patron {command.patron} refused the {command.side.value} hand; name"
        why += " somebody else"
        return refuse(Code.NOT_THE_HANDLER, why, methods.by_dealer.discretion)
    if due is not None:
        why = f"The {command.side.value} hand goes to patron {due}; nobody else is named"
        return refuse(Code.NOT_THE_HANDLER, why, methods.by_dealer.handler)
    question = f"who handles the {command.side.value} hand"
    clause = methods.by_dealer.discretion
    options = (*table.seats, "Dealer")
    record = e.DecisionRecorded(by, clause, question, options, command.patron, command.reason)
    return _named(table, command.side, command.patron, None, record)


def _permit_squeeze(
    table: Table, envelope: c.Envelope, command: c.PermitSqueeze, by: e.By
) -> Events | Refusal:
    methods = _handled(table)
    if isinstance(methods, Refusal):
        return methods
    who = command.designee or command.patron
    question = f"who squeezes the {command.side.value} hand"
    options = tuple(dict.fromkeys((*table.seats, who)))
    record = e.DecisionRecorded(by, methods.squeeze, question, options, who, command.reason)
    return _named(table, command.side, command.patron, command.designee, record)


def lies_face_down(play: Round, side: Side) -> bool:
    """Tell whether a hand lies face down as it is passed: two cards, or its third one."""
    cards = [card for card in play.cards if card.position.side is side]
    down = [card for card in cards if not card.exposed]
    return len(down) >= TWO or (len(cards) > TWO and len(down) == 1)


def _pass_hand(
    table: Table, envelope: c.Envelope, command: c.PassHand, by: e.By
) -> Events | Refusal:
    methods = _handled(table)
    if isinstance(methods, Refusal):
        return methods
    play, side, patron = round_of(table), command.side, command.patron
    if side in play.handlers:
        why = f"The {side.value} hand is with patron {play.handlers[side]} already"
        return refuse(Code.HAND_HELD, why, methods.by_dealer.handler)
    by_patron = table.settings.method is Method.C
    due = handler_due(table, side)
    if patron != due and not (by_patron and patron == table.shoe_holder):
        theirs = f"patron {due}" if due else "the Dealer, as nobody is left to take it"
        why = f"The {side.value} hand goes to {theirs}, not to patron {patron}"
        clause = handler_clause(table, side, methods.by_dealer)
        return refuse(Code.NOT_THE_HANDLER, why, clause)
    if not lies_face_down(play, side):
        down = [one for one in play.cards if one.position.side is side and not one.exposed]
        why = "A hand is passed with two cards face down, or its third card"
        why += f"; the {side.value} hand has {len(down)} face down"
        return refuse(Code.HAND_NOT_DRAWN, why, methods.by_dealer.handler)
    way: tuple[str, ...] = (by.name, patron)
    if by_patron and table.shoe_holder not in (None, patron):
        way = (str(table.shoe_holder), by.name, patron)
    clause = _passing_clause(table, methods, side, patron)
    return (e.HandPassed(side, patron, way, clause, by.moment),)


def _passing_clause(table: Table, methods: Methods, side: Side, patron: str) -> str:
    """Return the clause by which a hand goes to a patron."""
    named = round_of(table).named_by.get(side)
    if named is not None and round_of(table).named.get(side) == patron:
        return named
    if table.settings.method is Method.C:
        return methods.by_patron.passed
    return handler_clause(table, side, methods.by_dealer)


def _refuse_hand(
    table: Table, envelope: c.Envelope, command: c.RefuseHand, by: e.By
) -> Events | Refusal:
    methods = _handled(table)
    if isinstance(methods, Refusal):
        return methods
    play, side, patron = round_of(table), command.side, command.patron
    refused = e.HandRefused(side, patron, moment=by.moment)
    if play.handlers.get(side) == patron:
        clause = methods.by_dealer.refused
        return (i.HandRetrieved(side, patron, clause), refused)
    due = handler_due(table, side)
    if not offered_hand(table, side, patron, due):
        theirs = f"offered to {at_position(table, due)}" if due else "for the Dealer"
        why = f"The {side.value} hand is not offered to patron {patron}; it is {theirs}"
        return refuse(Code.NOT_THE_HANDLER, why, methods.by_dealer.refused)
    return (refused,)


def offered_hand(table: Table, side: Side, patron: str, due: str | None) -> bool:
    """Tell whether a patron may refuse a hand: who has it, or to whom it is due."""
    return patron in (due, round_of(table).handlers.get(side))


def _choose_first(
    table: Table, envelope: c.Envelope, command: c.ChooseFirstHand, by: e.By
) -> Events | Refusal:
    methods = _handled(table)
    if isinstance(methods, Refusal):
        return methods
    cards = round_of(table).cards
    if len(cards) < TWO + TWO:
        why = f"The initial deal has {len(cards)} of its four cards; the choice comes after it"
        return refuse(Code.HAND_NOT_DRAWN, why, methods.by_dealer.first_hand)
    if round_of(table).first_hand is not None and any(card.exposed for card in cards):
        # A card exposed in error before the choice does not take the choice away.
        why = "A card is exposed already; the hand revealed first cannot change"
        return refuse(Code.NOT_NOW, why, methods.by_dealer.first_hand)
    record = e.DecisionRecorded(
        by,
        methods.by_dealer.first_hand,
        "hand revealed first",
        ("player", "banker"),
        command.side.value,
    )
    return (record, e.FirstHandChosen(command.side, by))


HANDLERS: Handlers = {
    c.TakeShoe: _take_shoe,
    c.RefuseShoe: _refuse_shoe,
    c.RelinquishShoe: _relinquish,
    c.AllowShoe: _allow_shoe,
    c.EndControl: _end_control,
    c.AttestDraws: _attest,
    c.NameHandler: _name_handler,
    c.PermitSqueeze: _permit_squeeze,
    c.PassHand: _pass_hand,
    c.RefuseHand: _refuse_hand,
    c.ChooseFirstHand: _choose_first,
}
