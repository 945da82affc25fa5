"""Refusals of the cage: every reason why it says no, in one order of precedence.

When several reasons hold, the first in this order is given.
"""

from __future__ import annotations

import msgspec

from croupier.frozen import Reason


class CageCode(Reason):
    """A reason to refuse."""

    # Who asks
    NEEDS_SYSTEM = "needs_system", "Only the house's own system does this."
    NOT_YOURS = "not_yours", "Only the patron whose wallet it is does this."
    NEEDS_CASHIER = "needs_cashier", "Only a Cashier may do this."
    NEEDS_APPROVAL = "needs_approval", "A second person must approve this."
    SELF_APPROVAL = "self_approval", "Nobody approves an act of their own."
    APPROVER_TOO_LOW = "approver_too_low", "The second person is not of a position asked for."
    # What comes
    BAD_AMOUNT = "bad_amount", "An amount is a whole number of cents within its limits."
    BAD_NAME = "bad_name", "A name is too long to be written, or holds what is not."
    # Tickets
    UNKNOWN_TICKET = "unknown_ticket", "There is no such ticket."
    WRONG_VALIDATION = "wrong_validation", "The validation number is not the ticket's."
    TICKET_PAID = "ticket_paid", "The ticket was paid already."
    TICKET_EXPIRED = "ticket_expired", "The ticket is too old to be paid."
    # Wallets and transfers
    NOT_ENOUGH_CREDIT = "not_enough_credit", "The wallet does not hold so much credit."
    UNKNOWN_TRANSFER = "unknown_transfer", "Nothing of this name is on its way to a table."
    # Chips and cash of tables
    UNKNOWN_TABLE = "unknown_table", "There is no such table."
    HAS_CHIPS = "has_chips", "The table has its opener."
    DROP_NOT_COUNTED = "drop_not_counted", "The box is counted before the next opener."
    NO_CHIPS = "no_chips", "The table has no chips of the house."
    TABLE_OPEN = "table_open", "A table is counted once it is closed."
    NOT_ENOUGH_CHIPS = "not_enough_chips", "The tray does not hold so many chips."


class CageRefusal(msgspec.Struct, frozen=True):
    """The cage says no: why, and what would be allowed."""

    code: CageCode
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def refuse(code: CageCode, why: str) -> CageRefusal:
    """Refuse with one sentence."""
    return CageRefusal(code, f"{why}.")
