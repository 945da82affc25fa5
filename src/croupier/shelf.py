"""A shelf: values by name that are never changed in place, and cheap to change one by one."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

Value = TypeVar("Value")
NEWEST_MIN = 64
"""So many newest values are kept apart in any case."""


class Shelf(msgspec.Struct, Generic[Value], frozen=True, eq=False):
    """Values by name; a change copies the newest few of them only.

    The newest are as many as the square root of all: then they join the others.
    """

    old: dict[str, Value] = {}
    new: dict[str, Value] = {}

    def get(self, name: str) -> Value | None:
        """Return the value of a name, if it has one."""
        found = self.new.get(name)
        return self.old.get(name) if found is None else found

    def put(self, name: str, value: Value) -> Shelf[Value]:
        """Return a shelf on which a name has this value."""
        new = {**self.new, name: value}
        if len(new) > NEWEST_MIN and len(new) ** 2 > len(self.old):
            return Shelf({**self.old, **new})
        return Shelf(self.old, new)

    @property
    def all(self) -> dict[str, Value]:
        """Return all values by their names."""
        return {**self.old, **self.new}

    def __eq__(self, other: object) -> bool:
        """Compare what is on it, however it is kept."""
        return isinstance(other, Shelf) and self.all == other.all

    __hash__ = None  # type: ignore[assignment]
