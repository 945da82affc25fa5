"""Bases of small values: objects that do not change, and names."""

from __future__ import annotations

from enum import Enum
from operator import attrgetter
from typing import TYPE_CHECKING, NoReturn, Self


class Frozen:
    """Refuses every change after construction; subclasses fill their slots by ``set_slot``."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse: the object does not change."""
        message = f"{self!r} does not change: cannot set {name} to {value!r}."
        raise AttributeError(message)

    def __delattr__(self, name: str) -> NoReturn:
        """Refuse: the object does not change."""
        message = f"{self!r} does not change: cannot delete {name}."
        raise AttributeError(message)


set_slot = object.__setattr__
"""How a subclass fills its slots, once."""


class Named(Enum):
    """An enumeration whose members show themselves as they are written in code."""

    # There is one object for each member, so it need not hash its name each time; and no
    # member is called "value", which the property of all enumerations looks for each time.
    __hash__ = object.__hash__
    if not TYPE_CHECKING:
        value = property(attrgetter("_value_"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class Reason(Named):
    """Reasons to refuse, in their order: each has its name on the wire, and what it means."""

    meaning: str

    def __new__(cls, value: str, meaning: str) -> Self:
        """Keep the meaning beside the value."""
        member = object.__new__(cls)
        member._value_ = value
        member.meaning = meaning
        return member
