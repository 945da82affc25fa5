"""A base for small hot objects that do not change and are too busy for a dataclass."""

from __future__ import annotations

from typing import NoReturn


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
