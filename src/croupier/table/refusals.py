"""Refusals: every reason why the table says no, in one order of precedence.

When several reasons hold, the first in this order is given.
"""

from __future__ import annotations

import msgspec

from croupier.frozen import Reason
from croupier.rules.errors import cited


class Code(Reason):
    """A reason to refuse."""

    # Who asks
    TABLE_NOT_OPEN = "table_not_open", "The table has not been opened."
    TABLE_ALREADY_OPEN = "table_already_open", "The table is open already."
    UNKNOWN_RULEBOOK = "unknown_rulebook", "There is no such rulebook."
    NOT_IN_FORCE = "not_in_force", "The rulebook is not in force at this moment."
    NEEDS_SYSTEM = "needs_system", "Only the house's own system does this."
    NOT_YOURS = "not_yours", "A patron acts for another patron, or does what staff do."
    NO_PROXY = "no_proxy", "Staff place no wagers for patrons under this rulebook."
    HOUSE_DEALS = "house_deals", "The house deals this round; whoever signs in deals the next."
    NEEDS_DEALER = "needs_dealer", "Only a Dealer may do this."
    NEEDS_PIT_SUPERVISOR = "needs_pit_supervisor", "Only a Pit Supervisor may do this."
    NEEDS_PIT_MANAGER = "needs_pit_manager", "Only a Pit Manager may do this."
    NEEDS_ASSISTANT_CASINO_MANAGER = (
        "needs_assistant_casino_manager",
        "Only an Assistant Casino Manager may do this.",
    )
    NEEDS_GAMING_SHIFT_MANAGER = (
        "needs_gaming_shift_manager",
        "Only a Gaming Shift Manager may do this.",
    )
    NEEDS_APPROVAL = "needs_approval", "A second person must approve this."
    SELF_APPROVAL = "self_approval", "Nobody approves an act of their own."
    APPROVER_TOO_LOW = "approver_too_low", "The second person is not of the position set."
    # When
    BETS_NOT_OPEN = "bets_not_open", "Bets have not been called for."
    BETS_CLOSED = "bets_closed", "The closing of bets was called."
    NOT_ON_HOLD = "not_on_hold", "The round waits for nothing of the kind."
    NO_ROUND = "no_round", "No round is in progress."
    ROUND_IN_PROGRESS = "round_in_progress", "This waits until the round is over."
    WRONG_PHASE = "wrong_phase", "This is not done at this point of the round."
    ON_HOLD = "on_hold", "The round waits for something else first."
    # What the rulebook or the table has
    GAME_NOT_IN_RULEBOOK = "game_not_in_rulebook", "The rulebook has no such game."
    NOT_IN_RULEBOOK = "not_in_rulebook", "The rulebook has no such thing."
    BAD_DECKS = "bad_decks", "A shoe has four to ten decks."
    BAD_LAYOUT = "bad_layout", "The rulebook has no such layout for this game."
    BAD_POSITIONS = "bad_positions", "The layout has no such number of playing positions."
    BAD_OFFER = "bad_offer", "This is no optional wager of the game."
    BAD_LIMITS = "bad_limits", "Limits must name a wager, be in order and fit the step."
    ROUNDING_NEEDED = "rounding_needed", "The step would need rounding, and none is set."
    METHOD_NEEDED = "method_needed", "The table needs a dealing method."
    HLGA_ONLY = "hlga_only", "This exists in the high-limit rooms only."
    NO_HANDLING = "no_handling", "Patrons handle no cards under this method."
    DEVICE_CANNOT = "device_cannot", "The dealing device cannot do this."
    BAD_CAP = "bad_cap", "The number of wagers an area holds is out of range."
    BAD_CLOCK = "bad_clock", "A clock runs for 0 ms to an hour."
    BAD_NOTICE = "bad_notice", "A table closes within a day of the notice."
    NOT_DEALT_BY_HOUSE = "not_dealt_by_house", "The house does not deal here, or not now."
    REASON_NEEDED = "reason_needed", "This needs a reason."
    # Who is there
    SIGNED_IN = "signed_in", "This Dealer has signed in already."
    NOT_SIGNED_IN = "not_signed_in", "No Dealer has signed in."
    NOT_AT_TABLE = "not_at_table", "The patron is not at the table."
    UNKNOWN_POSITION = "unknown_position", "There is no such playing position."
    POSITION_TAKEN = "position_taken", "Somebody else is at this terminal."
    ALREADY_SEATED = "already_seated", "The patron is at the table already."
    STAKES_IN_PLAY = "stakes_in_play", "The patron has stakes in play."
    PATRONS_AT_TABLE = "patrons_at_table", "Patrons are still at the table."
    TERMINAL_DOWN = "terminal_down", "The terminal is not connected."
    TERMINAL_STATE = "terminal_state", "The terminal is in that state already."
    # Shoe
    NO_SHOE = "no_shoe", "No shoe is loaded, or it is out of play."
    SHOE_IN_USE = "shoe_in_use", "A shoe is in play already."
    CARDS_MUST_BE_REPLACED = "cards_must_be_replaced", "These cards may not be used again."
    REPLACEMENT_UNDECIDED = (
        "replacement_undecided",
        "Whether the cards are replaced is to be decided first.",
    )
    BAD_CUT = "bad_cut", "The cut card cannot lie there."
    NOT_ENOUGH_CARDS = "not_enough_cards", "The device does not hold so many cards."
    # Wagers
    WAGER_NOT_OFFERED = "wager_not_offered", "The wager is not offered at this table."
    UNKNOWN_STAKE = "unknown_stake", "There is no such stake of this patron."
    NOT_SHARED = "not_shared", "Nobody else may add to this stake."
    NO_JOINT_WAGERS = "no_joint_wagers", "The rulebook has no wagers of several patrons."
    BAD_AMOUNT = "bad_amount", "An amount is a whole number of cents above zero."
    OFF_STEP = "off_step", "The amount does not fit the step."
    BELOW_MINIMUM = "below_minimum", "The wager would be below the minimum."
    ABOVE_MAXIMUM = "above_maximum", "The wager would be above the maximum."
    WITHIN_LIMITS = "within_limits", "The stake found is within the limits."
    NOT_PAYABLE = "not_payable", "A line comes to parts of a cent, and no rounding is set."
    AREA_FULL = "area_full", "The playing area holds no further wager."
    PRECONDITION = "precondition", "The wager needs another wager of the same patron."
    CARDS_OUT = "cards_out", "Cards of the round are out; no wager is raised any more."
    HEAVIER_HAND = "heavier_hand", "Only the lighter hand may be raised now."
    LIGHTER_HAND = "lighter_hand", "Only the heavier hand may be lowered now."
    DIFFERENTIAL = "differential", "The table differential would be exceeded."
    ASK_FIRST = "ask_first", "Patrons are asked to lower their wagers first."
    NOT_ENOUGH_CREDIT = "not_enough_credit", "The seat does not hold so much credit."
    RESERVED = "reserved", "What a pay list credited that can still change stays at the seat."
    # The die
    ALL_SHAKES_DONE = "all_shakes_done", "The Dealer has shaken the die often enough."
    SHAKES_MISSING = "shakes_missing", "The Dealer shakes the die first."
    NOT_THE_SHAKER = "not_the_shaker", "The shaker goes to somebody else."
    SHAKE_MISSING = "shake_missing", "The die has not been shaken by whom it is due."
    SHAKER_CLOSED = "shaker_closed", "The shaker is not open yet."
    BAD_DIE = "bad_die", "The die does not show this."
    DIE_ANNOUNCED = "die_announced", "The die was announced already."
    DIE_NOT_ANNOUNCED = "die_not_announced", "The die comes before the cards."
    # Dealing
    NOT_ASKED = "not_asked", "The round does not wait for this patron."
    TIME_LEFT = "time_left", "The patron still has time to answer."
    NO_SHOE_HOLDER = "no_shoe_holder", "No patron has taken the dealing device."
    SHOE_DUE_TO_ANOTHER = "shoe_due_to_another", "The dealing device is offered to another."
    NO_VALID_WAGER = "no_valid_wager", "The patron has no wager within the limits."
    HAND_HELD = "hand_held", "A patron holds this hand."
    NOT_THE_HANDLER = "not_the_handler", "The cards go to somebody else."
    HAND_NOT_DRAWN = "hand_not_drawn", "The cards of this hand are not out yet."
    FIRST_HAND_MISSING = "first_hand_missing", "The Dealer says first which hand is revealed."
    OTHER_HAND_FIRST = "other_hand_first", "The other hand is revealed first."
    CARDS_FACE_DOWN = "cards_face_down", "Cards must be exposed before this."
    NO_CARD_CALLED_FOR = "no_card_called_for", "The tableau calls for no card."
    NOT_DRAWN = "not_drawn", "There is no card in this place."
    ALREADY_EXPOSED = "already_exposed", "The card lies face up already."
    CARD_MISSING = "card_missing", "The face of the card did not come with the command."
    NOT_A_CARD = "not_a_card", "This is no card of the deck in use."
    OTHER_CARD = "other_card", "The device read another card."
    COUP_NOT_OVER = "coup_not_over", "A card is still to come."
    CUT_CARD_NOT_FIRST = "cut_card_not_first", "The cut card did not come first."
    # Irregularities
    NOT_NOW = "not_now", "This cannot happen at this point of the round."
    REPORT_INCOMPLETE = "report_incomplete", "The report does not say enough."
    CANNOT_RECONSTRUCT = "cannot_reconstruct", "The cards cannot be put in this order."
    NOTHING_TO_ANSWER = "nothing_to_answer", "The patron was not asked, or has answered."
    NOT_WITHDRAWABLE = "not_withdrawable", "This stake cannot be withdrawn."
    ALL_OR_NONE = "all_or_none", "All wagers are withdrawn, or none."
    BAD_ORDER = "bad_order", "An order names every card once."
    BAD_COUNTS = "bad_counts", "The counts do not leave as many cards as are missing."
    WRONG_SUBSTITUTE = "wrong_substitute", "The replacement is not the missing card."
    MUST_REPLACE = "must_replace", "These cards must be replaced."


ORDER = tuple(Code)


class Refusal(msgspec.Struct, frozen=True):
    """The table says no: why, by which clause, and what would be allowed."""

    code: Code
    sentence: str
    clause: str | None = None

    def __str__(self) -> str:
        return self.sentence


def refuse(code: Code, why: str, clause: str | None = None) -> Refusal:
    """Refuse with one sentence; the clause is shown at its end."""
    if clause is None:
        return Refusal(code, f"{why}.")
    return Refusal(code, f"{why} [{cited(clause)}].", cited(clause))
