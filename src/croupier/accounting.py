"""Names that every store can write, and accounts: how they are named, what they may hold."""

from __future__ import annotations

import re
from functools import lru_cache

NAMES_KEPT = 10_000
"""Names of accounts at hand: nearly every decision moves something of the same patrons."""
NAME_MAX = 200
"""How long a name may be: whatever is written in it, every database can make a key of it."""
_ONLY_WRITABLE = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+").fullmatch


def unwritable(text: str) -> str | None:
    r"""Say why a text cannot be a key or a name in the journal; None: it can.

    >>> unwritable("patron:Ann")
    >>> unwritable("a\nb")
    "The name 'a\\nb' holds a control character or half a character; neither is written."
    """
    # Nearly every name is printable, and that is told faster.
    if 0 < len(text) <= NAME_MAX and (text.isprintable() or _ONLY_WRITABLE(text)):
        return None
    if not text:
        return f"A name is empty; it has 1 to {NAME_MAX} characters."
    if len(text) > NAME_MAX:
        return (
            f"The name that begins with {text[:20]!a} has {len(text)} characters;"
            f" at most {NAME_MAX} are allowed."
        )
    return (
        f"The name {text!a} holds a control character or half a character; neither is written."
    )


CASH = "cash"
"""Money outside the house: it holds less than nothing, by what came in."""
VAULT = "vault"
"""What the house holds beside its tables; below zero, while the tables have its chips."""
SUMS = (CASH, VAULT)
"""Accounts without a row: every table moves them, so each would wait for all the others.
What they hold is the sum of their postings."""
MAY_BE_NEGATIVE = (
    CASH,
    VAULT,
    "house",
    "bank:",
    "box:",
    "commission:",
    "difference:",
)
"""Accounts of the house; all others belong to patrons or are owed to them."""
CENTS_MAX = 2**63 - 1
"""What a database can hold; no account comes near it."""


def may_be_negative(account: str) -> bool:
    """Tell whether an account may go below zero."""
    return account.startswith(MAY_BE_NEGATIVE)


@lru_cache(maxsize=NAMES_KEPT)
def account(kind: str, *names: str) -> str:
    """Name an account; a name cannot pass for two, whatever is in it.

    >>> account("seat", "1", "ann"), account("seat", "1:ann"), account("vault")
    ('seat:1:ann', 'seat:1%3Aann', 'vault')
    """
    for name in names:
        if ":" in name or "%" in name:
            names = tuple(name.replace("%", "%25").replace(":", "%3A") for name in names)
            break
    return ":".join((kind, *names))


def parts_of(name: str) -> tuple[str, ...]:
    """Return the kind of an account, and the names in it.

    >>> parts_of(account("seat", "1:ann", "bea"))
    ('seat', '1:ann', 'bea')
    """
    parts = name.split(":")
    return tuple(part.replace("%3A", ":").replace("%25", "%") for part in parts)
