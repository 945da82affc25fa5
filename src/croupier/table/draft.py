"""A draft of events: what a decision has so far, and the table as it would then be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.table.evolve import evolve

if TYPE_CHECKING:
    from croupier.table.commands import Command, Envelope
    from croupier.table.events import By, Event
    from croupier.table.refusals import Refusal
    from croupier.table.state import Round, Table

Events = tuple["Event", ...]
Handler = Callable[["Table", "Envelope", Any, "By"], "Events | Refusal | Needs"]
Handlers = dict[type["Command"], Handler]


class Needs(msgspec.Struct, frozen=True, gc=False):
    """What a decision asks for, where the house has the cards: everything else is in order."""

    cards: tuple[int, ...]
    """The numbers in their shoe of the cards whose faces are needed."""


class Drafted(tuple["Event", ...]):  # noqa: SLOT001  # a tuple cannot have slots of its own
    """The events of a decision that knows the table after each, so nobody folds twice."""

    tables: list[Table]

    @property
    def table(self) -> Table:
        """Return the table after all of them."""
        return self.tables[-1]


class Draft:
    """Collects the events of one decision; each sees the table after those before it."""

    __slots__ = ("_tables", "events", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.events: list[Event] = []
        self._tables: list[Table] = []

    def add(self, event: Event) -> None:
        """Add an event and evolve the table by it."""
        self.events.append(event)
        self.table = evolve(self.table, event)
        self._tables.append(self.table)

    @property
    def round(self) -> Round:
        """Return the round as it would then be."""
        assert self.table.round is not None, "no round"
        return self.table.round

    @property
    def done(self) -> Events:
        """Return all events."""
        done = Drafted(self.events)
        done.tables = self._tables
        return done
