"""What a reading comes to, at every point of a round: the table of docs/devices.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.feed import (
    Came,
    Feed,
    Reading,
    Verdict,
    draw_is_due,
    fitting,
    judge,
    next_number,
)
from croupier.rulebooks import find_game
from croupier.table import commands as c
from croupier.table.course import Source, due
from croupier.table.events import CardDrawn
from croupier.table.phases import timely
from croupier.table.refusals import Code
from croupier.table.roles import Patron, System
from croupier.table.rulings import Situation
from croupier.table.settings import Device, Method
from tests.table.floor import Floor
from tests.wording import is_one_sentence

if TYPE_CHECKING:
    from croupier.floor.feed import Judged

PAPER = Device(physical=True)
SHOE = System("shoe-1")
FACE = "4S"


def baccarat(**settings: object) -> Floor:
    floor = Floor("baccarat", **{"device": PAPER, **settings})
    floor.seat("Ann", "Bea")
    return floor


def verdict(floor: Floor, number: int, face: str = FACE, feed: Feed | None = None) -> Judged:
    found = judge(floor.table, feed or Feed(1), number, face)
    assert not found.why or is_one_sentence(found.why)
    assert face not in found.why  # nobody is told a face by an alarm
    return found


def read(feed: Feed, number: int, face: str = FACE, came: Came = Came.DRAWN) -> None:
    feed.readings[number] = Reading(number, face, came, "shoe-1")


@pytest.mark.parametrize("device", [Device(), Device(physical=True, reads_cards=False)])
def test_a_table_without_a_reading_shoe_takes_nothing(device: Device) -> None:
    floor = baccarat(device=device)
    floor.bets()
    assert verdict(floor, 0).verdict is Verdict.NOT_FED


def test_a_card_is_drawn_when_one_is_due_and_kept_otherwise() -> None:
    floor = baccarat()
    assert verdict(floor, 0).verdict is Verdict.KEEP  # between rounds
    floor.open_bets()
    assert verdict(floor, 0).verdict is Verdict.KEEP
    floor.close_bets()
    assert verdict(floor, 0).verdict is Verdict.DRAW
    for number, face in enumerate(("4S", "2S", "5H", "6D")):
        assert verdict(floor, number, face).verdict is Verdict.DRAW
        floor.do(c.DrawCard(), SHOE, cards=(face,))
    assert verdict(floor, 4).verdict is Verdict.KEEP  # a natural: the hand is complete
    floor.do(c.AnnounceOutcome())
    assert verdict(floor, 4).verdict is Verdict.KEEP
    floor.do(c.Settle())
    assert verdict(floor, 4).verdict is Verdict.KEEP


def test_a_card_that_leaves_during_a_hold_is_kept() -> None:
    floor = baccarat()
    floor.bets()
    floor.report(Situation.OTHER)
    assert floor.table.hold is not None
    assert verdict(floor, 0).verdict is Verdict.KEEP


def test_numbers_are_taken_in_order() -> None:
    floor, feed = baccarat(), Feed(1)
    floor.bets()
    assert verdict(floor, 1, feed=feed).verdict is Verdict.OUT_OF_ORDER
    read(feed, 0)
    assert verdict(floor, 0, feed=feed).verdict is Verdict.AGAIN
    assert verdict(floor, 0, "5S", feed).verdict is Verdict.OTHER_FACE
    assert verdict(floor, 2, feed=feed).verdict is Verdict.OUT_OF_ORDER
    assert verdict(floor, 416, feed=feed).verdict is Verdict.OUT_OF_ORDER
    # Card 0 left and the table does not count it: what follows waits for the report.
    assert feed.unreported(floor.table) == [0]
    assert verdict(floor, 1, feed=feed).verdict is Verdict.KEEP
    assert verdict(floor, 1, "9X", feed).verdict is Verdict.MISREAD


def test_what_the_table_counts_is_compared() -> None:
    floor, feed = baccarat(), Feed(1)
    floor.do(c.RemoveCards(2))
    assert verdict(floor, 1, feed=feed).verdict is Verdict.COUNT
    floor.bets()
    floor.draw("4S")
    assert verdict(floor, 2, "4S", feed).verdict is Verdict.COUNT
    assert verdict(floor, 2, "5S", feed).verdict is Verdict.OTHER_FACE
    assert next_number(floor.table, feed) == 3


def test_no_shoe_no_card() -> None:
    floor = baccarat()
    floor.do(c.EndShoe())
    assert verdict(floor, 0).verdict is Verdict.OUT_OF_ORDER


def test_what_fits_follows_the_round() -> None:
    floor = baccarat()
    assert fitting(floor.table) == ("remove_cards", "end_shoe")
    floor.open_bets()
    assert fitting(floor.table)[0] == "remove_cards"
    floor.close_bets()
    assert fitting(floor.table) == (
        "remove_cards",
        "report drawn_together",
        "report device_reset",
        "report other",
    )
    floor.deal("4S 2S 5H 6D")
    assert "report wrong_number" in fitting(floor.table)
    assert "remove_cards" not in fitting(floor.table)


def test_a_card_too_many_that_is_reported_is_counted() -> None:
    floor, feed = baccarat(), Feed(1)
    floor.bets()
    floor.deal("4S 2S 5H 6D")
    read(feed, 4, "KS", Came.KEPT)
    assert feed.unreported(floor.table) == [4]
    floor.report(Situation.WRONG_NUMBER, order_known=True, count=1)
    if floor.table.hold is not None:
        floor.confirm()
    assert feed.unreported(floor.table) == []


@pytest.mark.parametrize("method", Method)
def test_whoever_draws_the_device_may_say_so(method: Method) -> None:
    floor = baccarat(method=method)
    floor.bets(("Ann", "player", 100_00))
    if method is Method.C:
        assert not draw_is_due(floor.table)  # somebody takes the device first
        floor.do(c.TakeShoe("Ann"), Patron("Ann"))
    assert draw_is_due(floor.table)
    floor.do(c.DrawCard(), SHOE, cards=(FACE,))


def test_a_device_says_nothing_at_a_table_of_a_virtual_shoe() -> None:
    floor = Floor("baccarat")
    floor.bets()
    assert floor.refused(c.DrawCard(), SHOE, cards=(FACE,)).code is Code.NEEDS_DEALER
    power = Floor("power-98")
    power.bets()
    for command in (c.ShakeDie(), c.ShakeDie(), c.ShakeDie(), c.PassShaker()):
        power.do(command)
    power.do(c.ConfirmShake())
    power.do(c.OpenShaker())
    assert power.refused(c.AnnounceDie(), SHOE, die=1).code is Code.NEEDS_DEALER


# Whatever a device and its Dealer do


class Feeding:
    """A table and a device that reads its shoe, as the house lets them meet."""

    def __init__(self) -> None:
        self.floor, self.feed = baccarat(), Feed(1)
        shoe = [card.text for card in find_game("baccarat").deck.cards] * 8
        self.order = [shoe[number * 5 % len(shoe)] for number in range(len(shoe))]
        self.drawn: dict[int, str | None] = {}
        self.removed = 0

    def read(self, number: int) -> None:
        face = self.order[number]
        judged = judge(self.floor.table, self.feed, number, face)
        if judged.verdict is Verdict.DRAW:
            events = self.floor.do(c.DrawCard(), SHOE, cards=(face,))
            card = next(one for one in events if isinstance(one, CardDrawn))
            assert card.number not in self.drawn
            self.drawn[card.number] = card.card
            read(self.feed, number, face)
        elif judged.verdict is Verdict.KEEP:
            read(self.feed, number, face, Came.KEPT)
        else:
            assert judged.verdict in (Verdict.AGAIN, Verdict.COUNT, Verdict.OUT_OF_ORDER)

    def deal(self) -> None:
        """Do what comes next, unless the device does."""
        now = due(self.floor.table)
        if now.command is not None and now.source is not Source.CARD:
            self.floor.do(now.command)

    def remove(self) -> None:
        """Record what left in error, where that can be done."""
        count = len(self.feed.unreported(self.floor.table))
        if count and c.RemoveCards in timely(self.floor.table):
            self.floor.do(c.RemoveCards(count))
            self.removed += count


ACTS = st.sampled_from(["read", "read", "read", "again", "skip", "deal", "deal", "remove"])


@given(acts=st.lists(ACTS, max_size=60))
def test_no_card_is_drawn_twice_or_lost_whatever_happens(acts: list[str]) -> None:
    feeding = Feeding()
    for act in acts:
        table = feeding.floor.table
        number = next_number(table, feeding.feed)
        if act == "read":
            feeding.read(number)
        elif act == "again":
            feeding.read(max(0, number - 1))
        elif act == "skip":
            feeding.read(number + 1)
        elif act == "deal":
            feeding.deal()
        else:
            feeding.remove()
        table = feeding.floor.table
        assert table.shoe is not None
        unreported = feeding.feed.unreported(table)
        assert table.shoe.out == len(feeding.drawn) + feeding.removed
        assert table.shoe.out + len(unreported) == next_number(table, feeding.feed)
        assert not (unreported and feeding.drawn.keys() & set(unreported))
    assert feeding.drawn == {number: feeding.order[number] for number in feeding.drawn}
