"""What the house knows of sealed shoes: the root before bets open, openings of cards.

These are no events: nobody decides them. They come with the decision that needed them.
"""

from __future__ import annotations

import msgspec


class ShoeFact(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something that only the house knows of a shoe."""


class ShoeSealed(ShoeFact, frozen=True):
    """The order of a shoe is fixed; whoever has the root can check every card of it."""

    shoe: str
    seal: str
    """What its leaves are named by: no two shoes share it."""
    cards: int
    source: str
    """"virtual", or "device" for cards of paper: then there is no root."""
    root: str | None = None


class CardOpened(ShoeFact, frozen=True):
    """A card was exposed: its salt and the way to the root prove that it was there."""

    seal: str
    number: int
    card: str
    salt: str
    path: tuple[str, ...]


class ShoeOpened(ShoeFact, frozen=True):
    """The shoe is out of play: the cards that were never exposed, with their salts."""

    seal: str
    cards: dict[str, tuple[str, str]]
    """By number: the card and its salt."""


class Interrupted(ShoeFact, frozen=True):
    """The house stood still in the middle of a round and started again."""

    phase: str
    cards: tuple[str, ...]
    """The places whose cards were known."""
    established: bool
    hold: str | None
    epoch: int
