"""Events of sealed shoes: the root before bets open, a card's opening when it is exposed."""

from __future__ import annotations

import msgspec


class ShoeEvent(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something that happened to a shoe, beside the table."""


class ShoeSealed(ShoeEvent, frozen=True, tag="shoe_sealed"):
    """The order of a shoe is fixed; whoever has the root can check every card of it."""

    shoe: str
    seal: str
    """What its leaves are named by: no two shoes share it."""
    cards: int
    source: str
    """"virtual", or "device" for cards of paper: then there is no root."""
    root: str | None = None


class CardOpened(ShoeEvent, frozen=True, tag="card_opened"):
    """A card was exposed: its salt and the way to the root prove that it was there."""

    seal: str
    number: int
    card: str
    salt: str
    path: tuple[str, ...]


class ShoeOpened(ShoeEvent, frozen=True, tag="shoe_opened"):
    """The shoe is out of play: the cards that were never exposed, with their salts."""

    seal: str
    cards: dict[str, tuple[str, str]]
    """By number: the card and its salt."""


class Interrupted(ShoeEvent, frozen=True, tag="interrupted"):
    """The house stood still and started again; what the rulebook says follows."""

    phase: str
    cards: tuple[str, ...]
    """The places whose cards were known."""
    established: bool
    hold: str | None
    epoch: int


EVENTS: tuple[type[ShoeEvent], ...] = tuple(ShoeEvent.__subclasses__())
