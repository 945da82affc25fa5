"""Names that every store can write: the journal refuses all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.accounting import unwritable
from croupier.journal.errors import UnwritableError

if TYPE_CHECKING:
    from collections.abc import Iterable


def check_names(names: Iterable[str]) -> None:
    """Refuse what cannot be a key or a name in every store."""
    for name in names:
        reason = unwritable(name)
        if reason is not None:
            raise UnwritableError(reason)
