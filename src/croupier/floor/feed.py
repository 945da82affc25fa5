"""The feed of a table: what its dealing device read, and what a reading comes to.

A device numbers the cards of its shoe from 0, as the journal does. The table counts the cards
that it knows to be out; a card that was read and that the table does not count has left the
shoe without anybody having said so. ``docs/devices.md`` has the table of these decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.frozen import Named
from croupier.rules.errors import listed
from croupier.table import commands as c
from croupier.table.cards import card_of
from croupier.table.course import Source, due
from croupier.table.folding import plan_of
from croupier.table.phases import timely
from croupier.table.refusals import Refusal
from croupier.table.reporting import reportable
from croupier.table.rulings import Situation
from croupier.table.words import counted

if TYPE_CHECKING:
    from croupier.table.state import Round, Shoe, Table


class Came(Named):
    """What came of a reading."""

    DRAWN = "drawn"
    """It is the card of a draw."""
    COUNTED = "counted"
    """The table counted this card already: it was removed, or keyed in."""
    KEPT = "kept"
    """No card was due: it is for people to report it."""


class Reading(msgspec.Struct, frozen=True):
    """A card that a device read."""

    number: int
    face: str
    came: Came
    device: str
    sequence: int | None = None
    """Of the record of its draw."""


class Feed:
    """What was read of the shoe in play at a table."""

    __slots__ = ("readings", "shoe")

    def __init__(self, shoe: int = 0) -> None:
        self.shoe = shoe
        """The how manyth shoe of its table it is."""
        self.readings: dict[int, Reading] = {}

    @property
    def next(self) -> int:
        """Return the number behind the last card that was read."""
        return max(self.readings, default=-1) + 1

    def unreported(self, table: Table) -> list[int]:
        """Return the numbers of cards that left the shoe and that the table does not count."""
        out = 0 if table.shoe is None else table.shoe.out
        return sorted(number for number in self.readings if number >= out)


class Verdict(Named):
    """What is to be done with a reading."""

    DRAW = "draw"
    KEEP = "keep"
    COUNT = "count"
    AGAIN = "again"
    OTHER_FACE = "other_face"
    OUT_OF_ORDER = "out_of_order"
    MISREAD = "misread"
    NOT_FED = "not_fed"


class Judged(msgspec.Struct, frozen=True):
    """A verdict, with what there is to say about it."""

    verdict: Verdict
    face: str = ""
    """As the house writes it."""
    why: str = ""
    """One sentence, without any face."""


def takes_readings(table: Table) -> bool:
    """Tell whether a table deals cards of paper that its device reads."""
    device = None if table.plan is None else table.plan.settings.device
    return device is not None and device.physical and device.reads_cards


def next_number(table: Table, feed: Feed) -> int:
    """Return the number of the next card that leaves the shoe."""
    return max(feed.next, 0 if table.shoe is None else table.shoe.out)


def judge(table: Table, feed: Feed, number: int, face: str) -> Judged:
    """Decide what a reading comes to; the state of the table and the feed decide alone."""
    if not takes_readings(table):
        why = "The table deals no cards of paper that a device reads."
        return Judged(Verdict.NOT_FED, why=why)
    shoe = table.shoe
    if shoe is None or shoe.ended:
        why = f"Card {number} was read; no shoe is in play at the table."
        return Judged(Verdict.OUT_OF_ORDER, why=why)
    card = card_of(plan_of(table), face)
    if isinstance(card, Refusal):
        why = f"What was read as card {number} is no card of the decks in use."
        return Judged(Verdict.MISREAD, why=why)
    if number in feed.readings or number < shoe.out:
        return _came_before(table, feed, number, card.text)
    return _comes_now(table, shoe, feed, number, card.text)


def _came_before(table: Table, feed: Feed, number: int, face: str) -> Judged:
    """Judge a card that was read before, or that the table counts."""
    known = feed.readings.get(number)
    if known is not None:
        if known.face == face:
            return Judged(Verdict.AGAIN, face)
        why = f"Card {number} was read once more, as another card."
        return Judged(Verdict.OTHER_FACE, face, why)
    if lying(table.round, number) in (None, face):
        return Judged(Verdict.COUNT, face)
    why = f"Card {number} was read as another card than the table has."
    return Judged(Verdict.OTHER_FACE, face, why)


def _comes_now(table: Table, shoe: Shoe, feed: Feed, number: int, face: str) -> Judged:
    """Judge a card that leaves the shoe: the next one, and in time or not."""
    expected = next_number(table, feed)
    if number != expected or number >= shoe.cards:
        awaited = "the shoe is empty"
        if expected < shoe.cards:
            awaited = f"card {expected} is the next"
        return Judged(Verdict.OUT_OF_ORDER, face, f"Card {number} was read; {awaited}.")
    if number == shoe.out and draw_is_due(table):
        return Judged(Verdict.DRAW, face)
    return Judged(Verdict.KEEP, face, _left(table, feed, number))


def draw_is_due(table: Table) -> bool:
    """Tell whether the next card that leaves the shoe is the card of a draw."""
    if table.plan is None or (table.round is not None and table.round.waiting):
        return False
    now = due(table)
    return isinstance(now.command, c.DrawCard) and now.source is Source.CARD


def beside_the_shoe(table: Table, feed: Feed) -> Reading | None:
    """Return what was read of a card that is drawn next and lies beside the shoe, unread."""
    play = table.round
    if table.plan is None or play is None or not play.waiting or play.waiting[0] is not None:
        return None
    if table.loaded != feed.shoe or not isinstance(due(table).command, c.DrawCard):
        return None
    return feed.readings.get(play.waiting_numbers[0])


def die_is_due(table: Table) -> bool:
    """Tell whether the die is announced next."""
    return table.plan is not None and isinstance(due(table).command, c.AnnounceDie)


def lying(play: Round | None, number: int) -> str | None:
    """Return the face of a card of the round by its number in the shoe, if it has one."""
    if play is None:
        return None
    for dealt in (*play.cards, *play.aside):
        if dealt.number == number and dealt.card is not None:
            return dealt.card.text
    beside = (*zip(play.waiting_numbers, play.waiting, strict=True),
              *zip(play.unused_numbers, play.unused, strict=True))  # fmt: skip
    found = next((card for one, card in beside if one == number), None)
    return None if found is None else found.text


def _left(table: Table, feed: Feed, number: int) -> str:
    before = feed.unreported(table)
    why = f"Card {number} left the shoe and no card was due"
    if before:
        cards = listed([str(one) for one in before])
        why = f"Card {number} left the shoe before {counted(len(before), 'card')}, {cards},"
        why += " had been reported"
    return f"{why}: report it."


TAKES_CARDS = (
    Situation.WRONG_NUMBER,
    Situation.DRAWN_TOGETHER,
    Situation.DEVICE_RESET,
    Situation.OTHER,
)
"""What a card that left in error may be reported as, the likeliest first."""


def fitting(table: Table) -> tuple[str, ...]:
    """Return by which commands, or reports, a card that left in error becomes known now."""
    if table.plan is None:
        return ()
    now = timely(table)
    found = ["remove_cards"] if c.RemoveCards in now else []
    if c.Report in now and table.round is not None:
        may = reportable(table)
        found += [f"report {one.value}" for one in TAKES_CARDS if one in may]
    if c.EndShoe in now and table.between_rounds:
        found.append("end_shoe")
    return tuple(found)
