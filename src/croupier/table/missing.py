"""Cards that a patron took away: reserve, sort, deduce, substitute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import listed, quoted
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.cards import card_of
from croupier.table.draft import Draft, Needs
from croupier.table.folding import hold_of, plan_of, round_of
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.reporting import carry_on
from croupier.table.steps import run, taken_cards, unaccounted
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.table.draft import Events, Handlers
    from croupier.table.state import DealtCard, Round, Table


RESERVED_CARDS = 2
"""As many as the tableau can still call for."""


def _reserve(
    table: Table, envelope: c.Envelope, command: c.ReserveCards, by: e.By
) -> Events | Refusal | Needs:
    hold, plan, shoe = hold_of(table), plan_of(table), table.shoe
    left = 0 if shoe is None or shoe.ended else shoe.left
    if left < RESERVED_CARDS:
        why = f"Two cards are taken from the device; it holds {counted(left, 'card')}"
        return refuse(Code.NOT_ENOUGH_CARDS, why, hold.clause)
    if envelope.supplies and not envelope.cards:
        assert shoe is not None
        return Needs(tuple(range(shoe.out, shoe.out + RESERVED_CARDS)))
    unread = sum(card is None for card in round_of(table).waiting)
    if len(envelope.cards) != unread + RESERVED_CARDS:
        why = f"{counted(len(envelope.cards), 'face')} came; both cards are read, by the device"
        why += " or privately by the Gaming Shift Manager (A31)"
        if unread:
            why += f", after the {counted(unread, 'card')} that came out before unread"
        return refuse(Code.CARD_MISSING, why, hold.clause)
    for text in envelope.cards:
        card = card_of(plan, text)
        if isinstance(card, Refusal):
            return card
    draft = Draft(table)
    draft.add(
        e.DecisionRecorded(by, hold.clause, "two cards reserved", ("reserved",), "reserved")
    )
    read, cards = envelope.cards[:unread], envelope.cards[unread:]
    draft.add(i.CardsTakenUp(RESERVED_CARDS, "reserved", hold.clause, cards, read))
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    run(draft, hold.steps[1:], envelope, by)
    return carry_on(draft, envelope, by)


def unknown_cards(play: Round) -> list[DealtCard]:
    """Return the cards in the hands that nobody has read: they come before a sorting."""
    assert play.reported is not None, "cards are gone without a report"
    gone = taken_cards(play, play.reported.patron)
    return [card for card in play.cards if card.card is None and card not in gone]


def _record_sorting(
    table: Table, envelope: c.Envelope, command: c.RecordSorting, by: e.By
) -> Events | Refusal:
    hold, plan, play = hold_of(table), plan_of(table), round_of(table)
    assert play.reported is not None
    gone, unknown = taken_cards(play, play.reported.patron), unknown_cards(play)
    if unknown:
        why = f"The card at {unknown[0].position.value} is face down and not known; expose it"
        why += " before the sorting"
        return refuse(Code.CARDS_FACE_DOWN, why, hold.clause)
    left = unaccounted(table)
    for face, count in command.counts.items():
        if face not in left or count < 0:
            why = f"{quoted(face)} was counted as {count}; the faces are those of the"
            why += f" {plan.game.deck.name}, each 0 or more"
            return refuse(Code.BAD_COUNTS, why, hold.clause)
        left[face] -= count
    over = min(left, key=left.__getitem__)
    if left[over] < 0:
        decks = plan.settings.decks
        why = f"With the cards at the table {over} would be there {decks - left[over]} times"
        why += f"; {decks} decks have it {decks} times"
        return refuse(Code.BAD_COUNTS, why, hold.clause)
    if sum(left.values()) != len(gone):
        why = f"The counts leave {counted(sum(left.values()), 'card')} missing; {len(gone)}"
        why += " was taken" if len(gone) == 1 else " were taken"
        return refuse(Code.BAD_COUNTS, why, hold.clause)
    draft = Draft(table)
    draft.add(i.CardsSorted(command.counts, by))
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    run(draft, hold.steps[1:], envelope, by)
    return carry_on(draft, envelope, by)


def _substitute(
    table: Table, envelope: c.Envelope, command: c.Substitute, by: e.By
) -> Events | Refusal:
    hold, play = hold_of(table), round_of(table)
    assert play.reported is not None
    if sorted(command.cards) != sorted(play.missing):
        why = f"{listed(list(command.cards)) or 'Nothing'} cannot stand in for"
        return refuse(Code.WRONG_SUBSTITUTE, f"{why} {listed(list(play.missing))}", hold.clause)
    draft = Draft(table)
    sides = {card.position.side: None for card in taken_cards(play, play.reported.patron)}
    draft.add(i.CardsSubstituted(command.cards, by))
    for side in sides:
        draft.add(i.HandRetrieved(side, play.reported.patron, hold.clause))
    draft.add(i.HoldLifted(hold.kind.value, envelope.moment))
    run(draft, hold.steps[1:], envelope, by)
    return carry_on(draft, envelope, by)


HANDLERS: Handlers = {
    c.ReserveCards: _reserve,
    c.RecordSorting: _record_sorting,
    c.Substitute: _substitute,
}
