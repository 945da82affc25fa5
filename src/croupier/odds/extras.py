"""Optional libraries: loaded when they are needed, asked for in a sentence when missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from types import ModuleType


class MissingExtraError(RulesError):
    """A library that only an optional extra of the package brings."""


def load(module: str, extra: str) -> ModuleType:
    """Return a module that an optional extra brings; refuse in a sentence without it.

    >>> load("no_such_library", "data")
    Traceback (most recent call last):
        ...
    croupier.odds.extras.MissingExtraError: This needs no_such_library, which is not \
installed; pip install 'croupier[data]' brings it.
    """
    from importlib import import_module  # noqa: PLC0415  # needed for extras only

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        message = (
            f"This needs {library}, which is not installed;"
            f" pip install 'croupier[{extra}]' brings it."
        )
        raise MissingExtraError(message) from None
