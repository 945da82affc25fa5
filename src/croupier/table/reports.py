"""What is reported of each irregularity: one small content for each situation.

A report carries just what its situation needs, under the name of the situation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from croupier.rules.coup import Position  # noqa: TC001  # read at run time to decode
from croupier.rules.outcome import Side  # noqa: TC001
from croupier.table.rulings import Situation

if TYPE_CHECKING:
    from collections.abc import Iterable


class About(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="situation"
):
    """What is reported; the subclasses are the situations."""


class ExtraCard(About, frozen=True, tag="extra_card"):
    """There is a card too many among the decks in use."""


class MissingCard(About, frozen=True, tag="missing_card"):
    """A card of the decks in use is not there."""


class ForeignCard(About, frozen=True, tag="foreign_card"):
    """A card does not belong to the decks in use."""


class UnshuffledCards(About, frozen=True, tag="unshuffled_cards"):
    """The cards were not shuffled."""


class OrderAltered(About, frozen=True, tag="order_altered"):
    """The order of the cards in the device was altered."""

    order_known: bool
    """The order can be found again."""
    laid: tuple[Position, ...] = ()
    """Where cards of the round lay, in the order in which they were drawn."""


class InsufficientCards(About, frozen=True, tag="insufficient_cards"):
    """The device holds too few cards to complete the round."""


class LateIncrease(About, frozen=True, tag="late_increase"):
    """A wager was placed or raised after the closing."""

    patron: str
    stake: int | None = None
    """The stake that was raised; None: nothing lay there."""
    cents: int = 0


class LateRemoval(About, frozen=True, tag="late_removal"):
    """A stake was taken away after the closing."""

    stake: int


class FaceUpCard(About, frozen=True, tag="face_up_card"):
    """A card was found face up in the device."""


class WrongOrder(About, frozen=True, tag="wrong_order"):
    """Cards were dealt in a wrong order."""

    laid: tuple[Position, ...]
    """Where the cards lay, in the order in which they were drawn."""


class WrongNumber(About, frozen=True, tag="wrong_number"):
    """A hand got too many cards, or too few."""

    order_known: bool
    """The order of the cards can be found again."""
    count: int = 0
    """How many cards were drawn that lie in no hand."""
    laid: tuple[Position, ...] = ()
    """Where the cards lay, in the order in which they were drawn."""


class WrongPatron(About, frozen=True, tag="wrong_patron"):
    """A hand was passed to the wrong patron."""

    side: Side
    patron: str


class NotPassed(About, frozen=True, tag="not_passed"):
    """A hand was not passed to whom it was due."""

    side: Side | None = None


class ExposedInError(About, frozen=True, tag="exposed_in_error"):
    """A card was dealt face up, or exposed, in error."""

    position: Position


class DrawnTogether(About, frozen=True, tag="drawn_together"):
    """Two or more cards came out of the device together."""

    count: int
    order_known: bool


class DeviceMustBeReset(About, frozen=True, tag="device_reset"):
    """An error of the Dealer requires the dealing device to be reset."""


class HandlerAbsent(About, frozen=True, tag="handler_absent"):
    """The patron who handles a hand is not there to expose it, or to receive a card."""

    side: Side


class LeftWithCards(About, frozen=True, tag="left_with_cards"):
    """A patron left the table with cards."""

    patron: str
    value_known: bool = False
    """Device or surveillance know the cards."""


class ExposedInMovement(About, frozen=True, tag="exposed_in_movement"):
    """A card was exposed while the device moved."""


class AlteredInMovement(About, frozen=True, tag="altered_in_movement"):
    """The order of the cards was altered while the device moved."""

    order_known: bool
    laid: tuple[Position, ...] = ()


class PowerFailed(About, frozen=True, tag="power_failure"):
    """The power failed, or the house was interrupted."""


class TerminalFailed(About, frozen=True, tag="terminal_failure"):
    """A player terminal failed."""

    terminal: int


class DisplayWrong(About, frozen=True, tag="display_wrong"):
    """A display shows another outcome than the cards."""


class SomethingElse(About, frozen=True, tag="other"):
    """Something that no other situation names; the note says what."""


Content = (
    ExtraCard
    | MissingCard
    | ForeignCard
    | UnshuffledCards
    | OrderAltered
    | InsufficientCards
    | LateIncrease
    | LateRemoval
    | FaceUpCard
    | WrongOrder
    | WrongNumber
    | WrongPatron
    | NotPassed
    | ExposedInError
    | DrawnTogether
    | DeviceMustBeReset
    | HandlerAbsent
    | LeftWithCards
    | ExposedInMovement
    | AlteredInMovement
    | PowerFailed
    | TerminalFailed
    | DisplayWrong
    | SomethingElse
)
"""What a report may be about."""

CONTENTS: dict[Situation, type[About]] = {
    Situation(kind.__struct_config__.tag): kind for kind in About.__subclasses__()
}
"""The content of each situation."""
assert set(CONTENTS) == set(Situation), "a situation that nobody can report"

SITUATIONS: dict[type[About], Situation] = {kind: name for name, kind in CONTENTS.items()}
"""The situation of each content."""

BLANK: dict[str, Any] = {
    "order_known": False,
    "value_known": False,
    "count": 0,
    "laid": (),
    "position": None,
    "side": None,
    "patron": None,
    "stake": None,
    "cents": 0,
    "terminal": None,
}
"""What a report says of things that its situation does not ask for."""

UNSAID: dict[str, Any] = {
    "order_known": False, "count": 0, "laid": (), "patron": "", "stake": 0, "terminal": 0
}  # fmt: skip
"""What stands for something that a report should say and does not; the table refuses it."""


def missing(situation: Situation, facts: Iterable[str]) -> list[str]:
    """Return what a report must say and nothing could stand for."""
    kind = CONTENTS[situation]
    needed = kind.__struct_fields__[: -len(kind.__struct_defaults__) or None]
    return [name for name in needed if name not in facts and name not in UNSAID]


def about(situation: Situation, **facts: Any) -> Content:  # noqa: ANN401  # fields of contents
    """Return the content of a report; the table refuses one that does not say enough."""
    kind = CONTENTS[situation]
    needed = kind.__struct_fields__[: -len(kind.__struct_defaults__) or None]
    said = {name: UNSAID[name] for name in needed if name in UNSAID} | facts
    return kind(**said)  # type: ignore[return-value]  # one of the contents


class Facts:
    """What a report says; what its situation does not ask for is blank."""

    __slots__ = ()
    about: Content

    @property
    def situation(self) -> Situation:
        """Return which irregularity it is."""
        return SITUATIONS[type(self.about)]

    @property
    def order_known(self) -> bool:
        """Tell whether the order of the cards can be found again."""
        return bool(self._said("order_known"))

    @property
    def value_known(self) -> bool:
        """Tell whether device or surveillance know the cards in question."""
        return bool(self._said("value_known"))

    @property
    def count(self) -> int:
        """Return how many cards came together, or are too many."""
        return cast("int", self._said("count"))

    @property
    def laid(self) -> tuple[Position, ...]:
        """Return where the cards lay, in the order in which they were drawn."""
        return cast("tuple[Position, ...]", self._said("laid"))

    @property
    def position(self) -> Position | None:
        """Return the place of the card in question."""
        return cast("Position | None", self._said("position"))

    @property
    def side(self) -> Side | None:
        """Return the hand in question."""
        return cast("Side | None", self._said("side"))

    @property
    def patron(self) -> str | None:
        """Return the patron in question."""
        return cast("str | None", self._said("patron"))

    @property
    def stake(self) -> int | None:
        """Return the number of the stake in question."""
        return cast("int | None", self._said("stake"))

    @property
    def terminal(self) -> int | None:
        """Return the number of the terminal in question."""
        return cast("int | None", self._said("terminal"))

    def _said(self, name: str) -> object:
        return getattr(self.about, name, BLANK[name])
