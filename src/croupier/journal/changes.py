"""What a transaction changes of what a store keeps in memory, until it is durable."""

from __future__ import annotations

from typing import Any

from croupier.journal.memory import conflict, fenced
from croupier.journal.record import GENESIS, Batch, Head
from croupier.journal.store import ConflictError, FencedError, new_balances


class _Layer:
    """Values by name on top of others: kept, or forgotten, all at once."""

    def __init__(self, below: dict[str, Any] | _Layer) -> None:
        self._below = below
        self.new: dict[str, Any] = {}

    def get(self, name: str, usual: Any = None) -> Any:  # noqa: ANN401  # an epoch, a head ...
        """Return the newest value."""
        found = self.new.get(name)
        return self._below.get(name, usual) if found is None else found

    def update(self, new: dict[str, Any]) -> None:
        """Note new values."""
        self.new.update(new)

    def keep(self) -> None:
        """Hand the new values to those below."""
        self._below.update(self.new)


class Changes:
    """What a transaction changes of what the store knows, until it is durable."""

    def __init__(self, *below: dict[str, Any] | _Layer) -> None:
        self._layers = tuple(_Layer(one) for one in below)
        self.epochs, self.heads, self.balances = self._layers

    def within(self) -> Changes:
        """Return changes on top of these, of a part that may be taken back."""
        return Changes(*self._layers)

    def check(self, batch: Batch) -> None:
        """Refuse a batch of an epoch that is over, or that does not follow the head."""
        if self.epochs.get(batch.stream) != batch.epoch:
            raise FencedError(fenced(batch))
        if (self.heads.get(batch.stream) or Head(batch.stream, 0, GENESIS)) != batch.after:
            raise ConflictError(conflict(batch))

    def post(self, batch: Batch) -> None:
        """Note the balances and the head after a batch."""
        self.balances.update(new_balances(self.balances, batch.postings))  # type: ignore[arg-type]
        if batch.records:
            last = batch.records[-1]
            self.heads.new[batch.stream] = Head(batch.stream, last.sequence, last.hash)

    def keep(self) -> None:
        """Make the changes what the store knows."""
        for layer in self._layers:
            layer.keep()
