"""Following the shoes of a table through its decisions: sealed, drawn, exposed, opened.

A sealed shoe gives its cards in their order, each one exposed is opened at once, and what is
left is opened when it ends. So whatever face a card has at the table must be the face that
was sealed under its number. Leaves and roots are computed by the verifier that shares no
code with the sealing.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from croupier import verifier
from croupier.journal.tables import FROM_THE_SHOE, TableState, card_numbers, is_lost
from croupier.table import commands as c
from croupier.table import events as e

if TYPE_CHECKING:
    from croupier.journal.decision import Decision
    from croupier.journal.shoes import ShoeSealed


class ShoeCheck:
    """Follows the shoes of one table."""

    def __init__(self) -> None:
        self.openings = 0
        self.lost: dict[str, int] = {}
        """By seal: how many cards of a shoe that was declared lost stay unproved."""
        self._roots = verifier.Stream()
        self._faces: dict[int, str] = {}
        """By number: the face that a card of this shoe has, or had, at the table."""
        self._full: dict[str, int] = {}
        """How many of each face the shoe holds."""

    def check(self, state: object, one: Decision) -> str | None:
        """Say what does not hold of the shoe by a decision; the state is before it."""
        house = one.house
        if not isinstance(state, TableState):
            return None
        sealed = state.sealed
        if house.drawn and sealed is None:
            return "Cards came out of a sealed shoe, and none is in play"
        if sealed is not None:
            wrong = self._check_sealed(state, sealed, one)
            if wrong is not None:
                return wrong
            if one.accepted and is_lost(one.events):
                self.lost[sealed.seal] = sealed.cards - len(state.opened)
        elif house.openings or house.ended is not None:
            return "A card was opened, and no sealed shoe is in play"
        return self._check_loaded(state, one)

    def _check_sealed(self, state: TableState, seal: ShoeSealed, one: Decision) -> str | None:
        house = one.house
        assert isinstance(one.command, c.Command) or not house.drawn
        if house.drawn:
            if not isinstance(one.command, FROM_THE_SHOE):
                return "Cards came out of a sealed shoe that nobody drew"
            numbers = card_numbers(state.table, one.command)
            if len(numbers) != len(house.drawn):
                return "Other cards came out of the shoe than were due"
            for number, face in zip(numbers, house.drawn, strict=True):
                wrong = self._face(number, face)
                if wrong is not None:
                    return wrong
        wrong = self._check_exposed(seal, one)
        if wrong is None and house.ended is not None:
            wrong = self._check_ended(seal, one)
        return wrong

    def _check_exposed(self, seal: ShoeSealed, one: Decision) -> str | None:
        exposed = [event for event in one.events if isinstance(event, e.CardExposed)]
        if len(exposed) != len(one.house.openings):
            return "A card was exposed and not opened, or opened and not exposed"
        for event, opened in zip(exposed, one.house.openings, strict=True):
            self.openings += 1
            if opened.seal != seal.seal or opened.card != event.card:
                return f"Card {opened.number} was opened, and another card exposed"
            wrong = self._face(opened.number, opened.card) or self._proved(
                "card_opened", opened
            )
            if wrong is not None:
                return wrong
        return None

    def _check_ended(self, seal: ShoeSealed, one: Decision) -> str | None:
        ended = one.house.ended
        assert ended is not None
        self.openings += 1
        if ended.seal != seal.seal:
            return "Another shoe was opened than the one in play"
        for number, (face, _) in ended.cards.items():
            wrong = self._face(int(number), face)
            if wrong is not None:
                return wrong
        wrong = self._proved("shoe_opened", ended)
        if wrong is None and Counter(self._faces.values()) != self._full:
            wrong = "The shoe did not hold the cards of its decks"
        return wrong

    def _check_loaded(self, state: TableState, one: Decision) -> str | None:
        seal = one.house.seal
        loaded = [event for event in one.events if isinstance(event, e.ShoeLoaded)]
        if seal is None:
            return "A shoe was loaded and not sealed" if loaded else None
        if not loaded or (loaded[0].shoe, loaded[0].cards) != (seal.shoe, seal.cards):
            return "A shoe was sealed that was not loaded"
        if (seal.source == "virtual") != (seal.root is not None):
            return "A virtual shoe has a root, and a shoe of paper has none"
        if seal.root is not None and seal.seal in self._roots.roots:
            return "A seal was used twice"
        plan = state.table.plan
        assert plan is not None, "the table is not open"
        faces = (card.text for card in plan.game.deck.cards)
        self._faces, self._full = {}, dict.fromkeys(faces, plan.settings.decks)
        return self._proved("shoe_sealed", seal)

    def _face(self, number: int, face: str) -> str | None:
        """Say that a card of the shoe had another face before."""
        before = self._faces.setdefault(number, face)
        if before == face:
            return None
        return f"Card {number} of the shoe is {face} here and was {before}"

    def _proved(self, name: str, fact: msgspec.Struct) -> str | None:
        body: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fact))
        wrong = verifier.check_shoe(self._roots, name, body)
        return wrong[0] if wrong else None
