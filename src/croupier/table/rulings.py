"""Rulings: what a rulebook's chapter 5 does about an irregularity, as data.

A ruling names the situations it is about, when it holds, and its steps in order. The first
ruling of a rulebook that fits applies; what none fits is referred.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from croupier.frozen import Named

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.table.commands import Report
    from croupier.table.settings import Plan
    from croupier.table.state import Table


class Situation(Named):
    """An irregularity that somebody reports or the table detects."""

    EXTRA_CARD = "extra_card"
    MISSING_CARD = "missing_card"
    FOREIGN_CARD = "foreign_card"
    UNSHUFFLED_CARDS = "unshuffled_cards"
    ORDER_ALTERED = "order_altered"
    INSUFFICIENT_CARDS = "insufficient_cards"
    LATE_INCREASE = "late_increase"
    LATE_REMOVAL = "late_removal"
    FACE_UP_CARD = "face_up_card"
    WRONG_ORDER = "wrong_order"
    WRONG_NUMBER = "wrong_number"
    WRONG_PATRON = "wrong_patron"
    NOT_PASSED = "not_passed"
    EXPOSED_IN_ERROR = "exposed_in_error"
    DRAWN_TOGETHER = "drawn_together"
    DEVICE_RESET = "device_reset"
    HANDLER_ABSENT = "handler_absent"
    LEFT_WITH_CARDS = "left_with_cards"
    EXPOSED_IN_MOVEMENT = "exposed_in_movement"
    ALTERED_IN_MOVEMENT = "altered_in_movement"
    POWER_FAILURE = "power_failure"
    TERMINAL_FAILURE = "terminal_failure"
    DISPLAY_WRONG = "display_wrong"
    OTHER = "other"


class Step(Named):
    """What a ruling does. Steps marked * wait for somebody."""

    STAND = "stand"
    """Nothing is undone; it is recorded and the round continues."""
    NOT_HONOURED = "not_honoured"
    """What was put down or added late is handed back."""
    REMAINS = "remains"
    """What was taken away late still wins or loses."""
    EARLIER_STAND = "earlier_stand"
    """Earlier rounds are left as they are."""
    EXPOSE = "expose"
    """Cards whose faces were seen, or are known, lie open."""
    RECONSTRUCT = "reconstruct"
    """Cards are put back in the order in which they were drawn."""
    TAKE_UP = "take_up"
    """Cards drawn together wait beside the device for their turn."""
    VOID = "void"
    OFFER_ANY = "offer_any"
    """* Patrons may withdraw any of their wagers."""
    OFFER_UNDECIDED = "offer_undecided"
    """* Patrons may withdraw any of their wagers that is not decided (A19)."""
    OFFER_REMAINING = "offer_remaining"
    """* Patrons may withdraw all their undecided wagers, or none."""
    OFFER_ALL = "offer_all"
    """* Patrons may withdraw all their wagers, or none."""
    SET_ORDER = "set_order"
    """* Somebody fixes the order of the cards."""
    RESET_DEVICE = "reset_device"
    """* The dealing device is reset; the cards of the round are set aside."""
    REOPEN = "reopen"
    """Bets are open again until a second call."""
    RETRIEVE = "retrieve"
    """Cards go back to the Dealer and on to the right patron."""
    DEALER_EXPOSES = "dealer_exposes"
    """The Dealer turns the cards of the hand up."""
    RESERVE_CARDS = "reserve_cards"
    """* Two cards are taken from the device, unseen, in drawn order."""
    SORT_CARDS = "sort_cards"
    """* The other cards are sorted and counted."""
    DEDUCE_MISSING = "deduce_missing"
    """Which cards are gone follows from the counts."""
    SUBSTITUTE = "substitute"
    """* Equal cards of another deck take the place of the missing ones."""
    CONCLUDE = "conclude"
    """The round goes on to its end."""
    REPLACE_CARDS = "replace_cards"
    """No further round is played with these cards."""
    TAKES_PART = "takes_part"
    """The accepted wagers of the terminal are settled with the round."""
    NO_PART = "no_part"
    """Whoever sits at the terminal is not in the round."""
    REFER = "refer"
    """* Somebody decides, with a reason."""


OFFERS = frozenset({Step.OFFER_ANY, Step.OFFER_UNDECIDED, Step.OFFER_REMAINING, Step.OFFER_ALL})
WAITS = OFFERS | {
    Step.SET_ORDER,
    Step.RESET_DEVICE,
    Step.RESERVE_CARDS,
    Step.SORT_CARDS,
    Step.SUBSTITUTE,
    Step.REFER,
}


@dataclass(frozen=True, slots=True)
class Do:
    """One step of a ruling and the clause that orders it."""

    step: Step
    clause: str


class Condition(Named):
    """What a ruling turns on, where it is said why the other one does not apply."""

    ESTABLISHED = "established"
    """A wager on offer is won or lost for certain by the cards that are known (A18)."""
    NOT_ESTABLISHED = "not_established"
    """None is."""


def always(table: Table, report: Report) -> bool:
    """Hold in every case."""
    return True


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a clause does in a situation."""

    clause: str
    situations: tuple[Situation, ...]
    steps: tuple[Do, ...]
    when: Callable[[Table, Report], bool] = always

    @property
    def voids(self) -> bool:
        """Tell whether this ruling ends the round as void."""
        return any(do.step is Step.VOID for do in self.steps)


def initial_deal(table: Table, report: Report) -> bool:
    """Tell whether a card in question belongs to the first four."""
    play = table.round
    return play is None or len(play.cards) + len(play.waiting) < 4  # noqa: PLR2004  # four


def after_initial_deal(table: Table, report: Report) -> bool:
    """Tell whether the first four cards are out."""
    return not initial_deal(table, report)


def reconstructable(table: Table, report: Report) -> bool:
    """Tell whether the order of the cards can be found again."""
    return report.order_known


def reconstructable_and_unpaid(table: Table, report: Report) -> bool:
    """Tell whether the cards can be put right; those of hands, only before it is paid."""
    paid = table.round is not None and table.round.confirmed
    return report.order_known and not (paid and report.laid)


def not_reconstructable(table: Table, report: Report) -> bool:
    """Tell whether the order of the cards is lost."""
    return not reconstructable(table, report)


def unknown_in_initial_deal(table: Table, report: Report) -> bool:
    """Tell whether cards of the first four came together in no known order."""
    return not report.order_known and initial_deal(table, report)


def unknown_after_initial_deal(table: Table, report: Report) -> bool:
    """Tell whether third cards came together in no known order."""
    return not report.order_known and not initial_deal(table, report)


def first_card_is_out(table: Table, report: Report) -> bool:
    """Tell whether the first card of the round has been dealt."""
    return table.round is not None and bool(table.round.cards)


def before_next_call(table: Table, report: Report) -> bool:
    """Tell whether cards are out, in this round or in one that can still be voided."""
    return first_card_is_out(table, report)


def resettable(table: Table, report: Report) -> bool:
    """Tell whether an electronic device can be reset: a card is still to be exposed (A23).

    An operator may have it referred once a card of the round lies open.
    """
    play, plan = table.round, table.plan
    if play is None or plan is None or not plan.settings.device.electronic:
        return False
    if plan.settings.readings.reset_refers_with_open_cards and table.exposed:
        return False
    return play.coup is None or not play.coup.complete


def still_face_down(table: Table, report: Report) -> bool:
    """Tell whether the cards in question, a hand or its third card, lie face down (A44)."""
    if table.round is None or report.side is None:
        return False
    cards = [card for card in table.round.cards if card.position.side is report.side]
    third = len(cards) > 2  # noqa: PLR2004  # the initial deal gives two
    return not any(card.exposed for card in (cards[2:] if third else cards))


def handled_by_patrons(table: Table, report: Report) -> bool:
    """Tell whether patrons may handle the cards: methods A and C."""
    return table.plan is not None and table.plan.face_down


def moved_by_patrons(table: Table, report: Report) -> bool:
    """Tell whether the device moves between patrons: method C."""
    method = table.plan.settings.method if table.plan else None
    return method is not None and method.value == "C"


def altered_and_moved(table: Table, report: Report) -> bool:
    """Tell whether the order was lost under method C."""
    return moved_by_patrons(table, report) and not report.order_known


def value_known(table: Table, report: Report) -> bool:
    """Tell whether device or surveillance know the cards that were taken away."""
    if report.value_known or table.round is None:
        return report.value_known
    taken = [
        card
        for card in table.round.cards
        if card.handed_to == report.patron and not card.exposed
    ]
    return bool(taken) and all(card.card is not None for card in taken)


def value_unknown(table: Table, report: Report) -> bool:
    """Tell whether nobody knows the cards that were taken away, all of one hand.

    Of cards of both hands the counts tell which are gone, not which hand had them.
    """
    cards = table.round.cards if table.round else ()
    hands = {card.position.side for card in cards if card.handed_to == report.patron}
    return len(hands) == 1 and not value_known(table, report)


def established(table: Table, report: Report) -> bool:
    """Tell whether any offered wager has conclusively won or lost (A18)."""
    return table.established


def not_established(table: Table, report: Report) -> bool:
    """Tell whether no offered wager is decided."""
    return not established(table, report)


def terminal_took_part(table: Table, report: Report) -> bool:
    """Tell whether the server had accepted a wager of the terminal (A30)."""
    return any(stake.position == report.terminal for stake in table.stakes)


def _shown_there(table: Table, report: Report) -> bool:
    return table.round is not None and report.terminal in table.round.terminals_closed


def terminal_closed_and_established(table: Table, report: Report) -> bool:
    """Tell whether the terminal showed the closing, had a wager, and something is decided."""
    taken = terminal_took_part(table, report) and _shown_there(table, report)
    return taken and table.established


def terminal_not_closed_nor_accepted(table: Table, report: Report) -> bool:
    """Tell whether the terminal neither showed the closing nor had a wager accepted."""
    return not terminal_took_part(table, report) and not _shown_there(table, report)


CONDITIONS: dict[Callable[[Table, Report], bool], Condition] = {
    established: Condition.ESTABLISHED,
    not_established: Condition.NOT_ESTABLISHED,
}
BY_PATRONS = (
    Situation.WRONG_PATRON,
    Situation.NOT_PASSED,
    Situation.HANDLER_ABSENT,
    Situation.LEFT_WITH_CARDS,
)
IN_MOVEMENT = (Situation.EXPOSED_IN_MOVEMENT, Situation.ALTERED_IN_MOVEMENT)


def not_here(plan: Plan) -> tuple[Situation, ...]:
    """Return the situations of another method of dealing, or of terminals that are not there.

    Whoever reports one all the same has it referred, as whatever no clause rules.
    """
    handled = plan.procedure.methods is not None and plan.face_down
    method = plan.settings.method
    found: tuple[Situation, ...] = () if handled else BY_PATRONS
    if method is None or method.value != "C":
        found += IN_MOVEMENT
    return found if plan.procedure.terminals else (*found, Situation.TERMINAL_FAILURE)
