"""Names that every store can write: the journal refuses all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.accounting import NAME_MAX, unwritable
from croupier.journal.errors import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_names(names: Iterable[str]) -> None:
    """Refuse what cannot be a key or a name in every store."""
    for name in names:
        # Nearly every name holds: most are asked about for every command.
        if 0 < len(name) <= NAME_MAX and name.isprintable():
            continue
        reason = unwritable(name)
        if reason is not None:
            raise UnwritableError(reason)
