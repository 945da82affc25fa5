"""Dealing: cards drawn and exposed, the cut card, and the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.coup import INITIAL_DEAL, Coup
from croupier.rules.errors import CoupError, listed
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.cards import card_of
from croupier.table.draft import Draft, Needs
from croupier.table.folding import plan_of, round_of
from croupier.table.handling import drawer_refusal
from croupier.table.placement import cut_card_comes
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.roles import Patron
from croupier.table.rulings import Situation
from croupier.table.settings import Method
from croupier.table.steps import announce, detect, turn_up

if TYPE_CHECKING:
    from croupier.rules.coup import Position
    from croupier.table.draft import Events, Handlers
    from croupier.table.settings import Plan
    from croupier.table.state import DealtCard, Table

FOUR = len(INITIAL_DEAL)


def next_position(table: Table) -> Position | Refusal:
    """Return the place of the next card, or say why none is drawn now."""
    plan, play = plan_of(table), round_of(table)
    drawn = len(play.cards)
    if drawn < FOUR:
        return INITIAL_DEAL[drawn]
    if play.coup is None:
        why = "Cards lie face down; they are exposed before a third card is drawn"
        return refuse(Code.CARDS_FACE_DOWN, why, plan.game.tableau.clause)
    place = play.coup.due
    if place is None:
        why = _why_over(play.coup)
        return refuse(Code.NO_CARD_CALLED_FOR, why, plan.game.tableau.clause)
    return place


def _why_over(coup: Coup) -> str:
    player, banker = coup.player, coup.banker
    if player.natural or banker.natural:
        return f"Player has {player.points} and Banker {banker.points}; a natural ends the deal"
    return f"Player has {player.points} and Banker {banker.points}, and neither draws"


def to_be_drawn(table: Table) -> Position | Refusal:
    """Return the place of the card that is drawn now, or say why none can be."""
    plan, play = plan_of(table), round_of(table)
    if plan.procedure.shake is not None and play.die is None:
        why = "The die has not been announced; it comes before the cards"
        return refuse(Code.DIE_NOT_ANNOUNCED, why, plan.procedure.shake.clause)
    if plan.settings.method is Method.C:
        refusal = drawer_refusal(table)
        if refusal is not None:
            return refusal
    return next_position(table)


def _draw(
    table: Table, envelope: c.Envelope, command: c.DrawCard, by: e.By
) -> Events | Refusal | Needs:
    plan, play = table.plan, table.round
    assert plan is not None and play is not None
    position = to_be_drawn(table)
    if isinstance(position, Refusal):
        return position
    waited, shoe = bool(play.waiting), table.shoe
    first = None if waited else _before_drawing(table, envelope, by)
    if first is not None:
        return first
    card = play.waiting[0] if waited else None
    if card is None and envelope.cards:
        read = card_of(plan, envelope.cards[0])
        if isinstance(read, Refusal):
            return read
        card = read
    draft = Draft(table)
    if not waited and cut_card_comes(table):
        draft.add(e.CutCardSeen(not play.cards, by.name))
    face = None if card is None else card.text
    handed = play.handlers.get(position.side)
    number = play.waiting_numbers[0] if waited else shoe.out if shoe else 0
    draft.add(e.CardDrawn(position, by.name, face, handed, waited, number, by.moment))
    if card is not None and not plan.face_down:
        turn_up(draft, envelope, position, card, by)
    return draft.done


def _before_drawing(table: Table, envelope: c.Envelope, by: e.By) -> Events | Needs | None:
    """Detect that the device is empty, or ask for its next card; None: it is drawn."""
    shoe = table.shoe
    if shoe is None or shoe.ended or shoe.left <= 0:
        draft = Draft(table)
        detect(draft, envelope, c.report(Situation.INSUFFICIENT_CARDS), by)
        return draft.done
    return Needs((shoe.out,)) if envelope.supplies and not envelope.cards else None


def to_be_exposed(table: Table, place: Position) -> DealtCard | Refusal:
    """Return the card that lies face down at a place, or say why it is not turned up now."""
    plan, play = plan_of(table), round_of(table)
    refusal = _reveal_refusal(table, plan, place)
    if refusal is not None:
        return refusal
    dealt = next((card for card in play.cards if card.position is place), None)
    if dealt is None:
        places = listed([card.position.value for card in play.cards])
        return refuse(
            Code.NOT_DRAWN, f"No card lies at {place.value} yet; cards lie at {places}"
        )
    if dealt.exposed:
        why = f"The card at {place.value} is {dealt.card} and lies face up already"
        return refuse(Code.ALREADY_EXPOSED, why)
    return dealt


def _expose_card(
    table: Table, envelope: c.Envelope, command: c.ExposeCard, by: e.By
) -> Events | Refusal:
    plan, place = plan_of(table), command.position
    dealt = to_be_exposed(table, place)
    if isinstance(dealt, Refusal):
        return dealt
    if not envelope.cards and dealt.card is None:
        if isinstance(envelope.actor, Patron):
            # The patron turns it; only staff say what it is.
            return (e.CardTurned(place, envelope.actor.name, by.moment),)
        why = f"The device did not read the card at {place.value}; its face must be entered"
        return refuse(Code.CARD_MISSING, why)
    card = dealt.card
    if envelope.cards:
        read = card_of(plan, envelope.cards[0])
        if isinstance(read, Refusal):
            return read
        if card is not None and read is not card:
            why = f"{read} was entered for {place.value}; the device read another card"
            return refuse(Code.OTHER_CARD, why)
        card = read
    assert card is not None
    draft = Draft(table)
    turn_up(draft, envelope, place, card, by)
    return draft.done


def _reveal_refusal(table: Table, plan: Plan, place: Position) -> Refusal | None:
    """Under method A the Dealer says which hand is revealed first, and it is."""
    play, methods = round_of(table), plan.procedure.methods
    initial = place in INITIAL_DEAL
    if plan.settings.method is not Method.A or methods is None or not initial:
        return None
    if table.hold is not None:
        # Cards are gone with a patron: what is left is turned up to find out which.
        return None
    if len(play.cards) < FOUR:
        why = f"The initial deal has {len(play.cards)} of its four cards; they are revealed"
        why += " after it"
        return refuse(Code.HAND_NOT_DRAWN, why, methods.by_dealer.first_hand)
    if play.first_hand is None:
        why = "The Dealer has not said which hand is revealed first"
        return refuse(Code.FIRST_HAND_MISSING, why, methods.by_dealer.first_hand)
    first = [card for card in play.cards if card.position.side is play.first_hand]
    if place.side is not play.first_hand and not all(card.exposed for card in first):
        why = f"{place.value} is of the {place.side.value} hand"
        why += f"; the {play.first_hand.value} hand is revealed first"
        return refuse(Code.OTHER_HAND_FIRST, why, methods.by_dealer.first_hand)
    return None


def _show_cut_card(
    table: Table, envelope: c.Envelope, command: c.ShowCutCard, by: e.By
) -> Events | Refusal:
    shoe, play = table.shoe, round_of(table)
    if shoe is None:
        return refuse(Code.NO_SHOE, "No shoe is in play")
    if shoe.cut_card_seen:
        why = "The cut card of this shoe came already; it comes once"
        return refuse(Code.NOT_NOW, why, cut_clause(plan_of(table)))
    return (e.CutCardSeen(not play.cards, by.name),)


def cut_clause(plan: Plan) -> str | None:
    """Return the clause of the cut card, where the rulebook has one."""
    return plan.procedure.cut_card.clause if plan.procedure.cut_card else None


def outcome_refusal(table: Table) -> Refusal | None:
    """Say why the outcome cannot be announced yet, or return None."""
    plan, play = plan_of(table), round_of(table)
    faces = [dealt.card for dealt in play.cards if dealt.exposed and dealt.card is not None]
    if len(faces) < len(play.cards):
        why = "Cards lie face down; the outcome is announced when all are exposed"
        return refuse(Code.CARDS_FACE_DOWN, why, plan.procedure.round.definition)
    coup = play.coup or plan.game.coup(faces)
    try:
        coup.require_complete()
    except CoupError as error:
        clause = plan.game.tableau.clause
        why = str(error).partition(" [")[0].removesuffix(".")
        return refuse(Code.COUP_NOT_OVER, why, clause)
    return None


def _announce_outcome(
    table: Table, envelope: c.Envelope, command: c.AnnounceOutcome, by: e.By
) -> Events | Refusal:
    refusal = outcome_refusal(table)
    if refusal is not None:
        return refusal
    draft = Draft(table)
    announce(draft, by)
    return draft.done


HANDLERS: Handlers = {
    c.DrawCard: _draw,
    c.ExposeCard: _expose_card,
    c.ShowCutCard: _show_cut_card,
    c.AnnounceOutcome: _announce_outcome,
}
