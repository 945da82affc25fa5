"""Following the shoes of a table through its records: sealed, drawn, exposed, opened.

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
from croupier.journal.shoes import CardOpened, ShoeOpened, ShoeSealed
from croupier.table import events as e
from croupier.table import incidents as i

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.journal.record import Record
    from croupier.table.state import Table


class OpeningCheck:
    """Follows the shoes of one table."""

    def __init__(self) -> None:
        self.openings = 0
        self._roots = verifier.Stream()
        self._loaded: e.ShoeLoaded | None = None
        self._seal: ShoeSealed | None = None
        self._faces: dict[int, str] = {}
        """By number: the face that a card of this shoe has, or had, at the table."""
        self._opened: dict[int, str] = {}
        self._full: dict[str, int] = {}
        """How many of each face the shoe holds; and the one that is being loaded."""
        self._next_full: dict[str, int] = {}
        self._due: type[msgspec.Struct] | None = None
        """What must follow at once."""
        self._exposed = (0, "")
        self._rules: dict[type[msgspec.Struct], Callable[..., str | None]] = {
            e.ShoeLoaded: self._on_loaded,
            ShoeSealed: self._on_sealed,
            e.CardDrawn: self._on_drawn,
            i.CardsTakenUp: self._on_taken_up,
            e.CardExposed: self._on_exposed,
            i.CardCorrected: self._on_corrected,
            CardOpened: self._on_opened,
            e.WagersSettled: self._on_settled,
            e.ShoeEnded: self._on_ended,
            e.TableClosed: self._on_ended,
            i.ReplacementDecided: self._on_ended,
            ShoeOpened: self._on_rest,
        }

    @property
    def unopened(self) -> dict[str, str]:
        """Return the seal that is still needed to deal on, if there is one, with its root."""
        seal = self._seal
        return {seal.seal: seal.root} if seal is not None and seal.root is not None else {}

    @property
    def _virtual(self) -> bool:
        return self._seal is not None and self._seal.root is not None

    def check(self, table: Table, record: Record, event: msgspec.Struct) -> str | None:
        """Say what does not hold of the shoe by this event; the table is before it."""
        kind = type(event)
        if self._due is not None:
            if kind is not self._due:
                return MISSING[self._due]
            self._due = None
        rule = self._rules.get(kind)
        return rule(table, record, event) if rule else None

    def missing(self) -> str | None:
        """Say what should still have followed the last record."""
        return MISSING[self._due] if self._due is not None else None

    def _on_loaded(self, table: Table, __: Record, event: e.ShoeLoaded) -> str | None:
        self._loaded, self._due = event, ShoeOpened if self._virtual else ShoeSealed
        if table.plan is not None:
            faces, decks = table.plan.game.deck.cards, table.plan.settings.decks
            self._next_full = dict.fromkeys((card.text for card in faces), decks)
        return None

    def _on_sealed(self, _: Table, record: Record, event: ShoeSealed) -> str | None:
        loaded, self._loaded = self._loaded, None
        if loaded is None or (loaded.shoe, loaded.cards) != (event.shoe, event.cards):
            return "A shoe was sealed that was not loaded"
        if (event.source == "virtual") != (event.root is not None):
            return "A virtual shoe has a root, and a shoe of paper has none"
        if event.root is not None and event.seal in self._roots.roots:
            return "A seal was used twice"
        self._seal, self._faces, self._opened = event, {}, {}
        self._full = self._next_full
        return self._verified(record)

    def _on_drawn(self, table: Table, _: Record, event: e.CardDrawn) -> str | None:
        if not self._virtual or table.shoe is None or table.round is None:
            return None
        waiting = table.round.waiting_numbers
        due = (waiting[0] if waiting else -1) if event.waited else table.shoe.out
        if event.number != due:
            return f"Card {event.number} of the shoe was drawn, and card {due} was next"
        if event.card is not None:
            return self._face(event.number, event.card)
        return None

    def _on_taken_up(self, table: Table, _: Record, event: i.CardsTakenUp) -> str | None:
        if not self._virtual or table.shoe is None:
            return None
        for number, face in enumerate(event.cards, table.shoe.out):
            wrong = self._face(number, face) if face is not None else None
            if wrong is not None:
                return wrong
        return None

    def _on_exposed(self, table: Table, _: Record, event: e.CardExposed) -> str | None:
        if not self._virtual or table.round is None:
            return None
        for dealt in table.round.cards:
            if dealt.position is event.position:
                self._exposed, self._due = (dealt.number, event.card), CardOpened
        return self._face(*self._exposed)

    def _on_corrected(self, table: Table, _: Record, event: i.CardCorrected) -> str | None:
        if not self._virtual or table.round is None:
            return None
        for dealt in table.round.cards:
            if dealt.position is event.position:
                return self._face(dealt.number, event.after)
        return None

    def _on_opened(self, _: Table, record: Record, event: CardOpened) -> str | None:
        self.openings += 1
        if self._seal is None or event.seal != self._seal.seal:
            return "A card of another shoe was opened"
        if (event.number, event.card) != self._exposed:
            return f"Card {event.number} was opened, and card {self._exposed[0]} exposed"
        self._opened[event.number] = event.card
        return self._verified(record) or self._face(event.number, event.card)

    def _on_settled(self, table: Table, _: Record, __: e.WagersSettled) -> str | None:
        for dealt in table.round.cards if self._virtual and table.round else ():
            if dealt.card is None or self._opened.get(dealt.number) != dealt.card.text:
                return f"The card at {dealt.position.value} is not the one that was opened"
        return None

    def _on_ended(self, _: Table, __: Record, event: msgspec.Struct) -> str | None:
        if self._virtual and not (
            isinstance(event, i.ReplacementDecided) and not event.replace
        ):
            self._due = ShoeOpened
        return None

    def _on_rest(self, _: Table, record: Record, event: ShoeOpened) -> str | None:
        self.openings += 1
        if self._seal is None or event.seal != self._seal.seal:
            return "Another shoe was opened than the one in play"
        for number, (face, __) in event.cards.items():
            wrong = self._face(int(number), face)
            if wrong is not None:
                return wrong
        wrong = self._verified(record)
        if wrong is None and Counter(self._faces.values()) != self._full:
            wrong = "The shoe did not hold the cards of its decks"
        self._seal = None
        self._due = ShoeSealed if self._loaded is not None else None
        return wrong

    def _face(self, number: int, face: str) -> str | None:
        """Say that a card of the shoe had another face before."""
        before = self._faces.setdefault(number, face)
        if before == face:
            return None
        return f"Card {number} of the shoe is {face} here and was {before}"

    def _verified(self, record: Record) -> str | None:
        body: dict[str, Any] = msgspec.json.decode(record.body)
        wrong = verifier.check_shoe(self._roots, record.name, body)
        return wrong[0] if wrong else None


MISSING: dict[type[msgspec.Struct], str] = {
    ShoeSealed: "A shoe was loaded and not sealed",
    CardOpened: "A card of a sealed shoe was exposed and not opened",
    ShoeOpened: "A sealed shoe ended and was not opened",
}
