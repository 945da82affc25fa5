"""Refusals of the accounts: every reason to say no, in one order of precedence.

When several reasons hold, the first in this order is given.
"""

from __future__ import annotations

import msgspec

from croupier.frozen import Reason


class AccountsCode(Reason):
    """A reason to refuse."""

    # Who asks
    NOT_IN_POSITION = "not_in_position", "The accounts know whoever asks in another position."
    NOT_YOURS = "not_yours", "Only the patron whose account it is does this."
    NEEDS_CASHIER = "needs_cashier", "Only a Cashier or an Administrator may do this."
    NEEDS_TECHNICIAN = "needs_technician", "Only a Technician or an Administrator may do this."
    NEEDS_PIT_MANAGER = (
        "needs_pit_manager",
        "Only a Pit Manager or somebody higher may do this.",
    )
    NEEDS_ADMINISTRATOR = "needs_administrator", "Only an Administrator may do this."
    NEEDS_HIGHER = "needs_higher", "Only an Administrator or a higher position may do this."
    OWN_ACCOUNT = "own_account", "Nobody changes the rights of their own account."
    # What comes
    BAD_NAME = "bad_name", "A name is empty, too long, or holds what is not written."
    REASON_NEEDED = "reason_needed", "This needs a reason."
    UNKNOWN_POSITION = "unknown_position", "There is no such position."
    BAD_PERIOD = "bad_period", "A period begins before it ends, ends later than now, in time."
    BAD_AMOUNT = "bad_amount", "A limit is a whole number above zero and below its most."
    # Whom it concerns
    KNOWN_USER = "known_user", "Somebody has, or had, this name."
    UNKNOWN_USER = "unknown_user", "Nobody has this name."
    WRONG_KIND = "wrong_kind", "This is not for an account of this kind."
    NO_CHANGE = "no_change", "It is so already."
    NO_POSITION = "no_position", "Nobody acts in a position who holds none of its kind."
    LAST_ADMINISTRATOR = "last_administrator", "The house keeps one Administrator."
    # Devices
    KNOWN_DEVICE = "known_device", "A device has, or had, this name."
    UNKNOWN_DEVICE = "unknown_device", "No device has this name."
    DEVICE_RETIRED = "device_retired", "The device is out of use for good."
    # Exclusions
    NOT_EXCLUDED = "not_excluded", "The patron is not excluded."
    EXCLUSION_STANDS = "exclusion_stands", "A patron's own exclusion is not shortened."


class AccountsRefusal(msgspec.Struct, frozen=True):
    """The accounts say no: why, and what would be allowed."""

    code: AccountsCode
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def refuse(code: AccountsCode, why: str) -> AccountsRefusal:
    """Refuse with one sentence."""
    return AccountsRefusal(code, f"{why}.")
