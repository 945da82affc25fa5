"""What the rules room refuses, by cause. Every message is one sentence for a person."""

from __future__ import annotations


class RulesError(ValueError):
    """Something the rules do not allow; the message says what came and what is allowed."""


class NotationError(RulesError):
    """A text that names no card of the deck in use."""


class CompositionError(RulesError):
    """A number of decks, or a set of cards, that no shoe of the game can hold."""


class CoupError(RulesError):
    """Cards that the tableau does not call for, or too few of them."""


class UnknownNameError(RulesError):
    """A game, wager, layout or clause that does not exist."""


SHOWN_MAX = 40
"""How much of somebody's text a refusal repeats."""


def quoted(text: str) -> str:
    """Repeat what came, in quotation marks and not at any length.

    >>> quoted("4X"), quoted("9" * 50)
    ("'4X'", "'9999999999999999999999999999999999999999...'")
    """
    return repr(text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}...")


def cited(clause: str) -> str:
    """Write a citation as people see it: without the part behind ``#``.

    >>> cited("EB4 4.2#banker-6")
    'EB4 4.2'
    """
    return clause.partition("#")[0]


def listed(words: list[str], last: str = "and") -> str:
    """Join words as a sentence does.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    if len(words) < 2:  # noqa: PLR2004  # a list of one needs no joining word
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
