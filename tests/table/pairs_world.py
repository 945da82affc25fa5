"""A table with the cards that really lie in its device, looked at after every command."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from croupier.rulebooks import RULEBOOKS
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.authority import needs, second_of
from croupier.table.decide import decide
from croupier.table.evolve import evolve, fold
from croupier.table.refusals import Refusal
from croupier.table.roles import Patron, Staff
from croupier.table.rulings import Situation
from croupier.table.settings import Method
from croupier.table.state import Phase, unopened
from tests.deals import in_deck_of
from tests.table.helpers import ADA, MIA, NOW, SYSTEM, well_said
from tests.table.machine_watch import check_pay_list, check_table
from tests.table.pairs_book import Book, DeadEndError

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.rules.coup import Position
    from croupier.table.draft import Events
    from croupier.table.roles import Actor
    from croupier.table.settings import Plan
    from croupier.table.state import DealtCard, Round, Table


class Ask(NamedTuple):
    """Something that is asked for, and what the house knows beside it."""

    command: c.Command
    cards: tuple[str, ...] = ()
    system: bool = False
    die: int | None = None


class World:
    """A table, the cards of its device in their order, and all that happened."""

    def __init__(self, truth: tuple[str, ...]) -> None:
        self.table: Table = unopened(RULEBOOKS)
        self.truth = truth
        self.events: tuple[e.Event, ...] = ()
        self.script: tuple[str, ...] = ()
        self.book = Book()
        self.unsure = False
        """Cards came out that the table has not heard of, or heard of and did not believe."""
        self.meant: frozenset[int] = frozenset()
        """The cards of which reports said that they were exposed, or are known."""

    def fork(self) -> World:
        """Return the same world; what happens there leaves this one alone."""
        other = World(self.truth)
        other.table, other.events, other.script = self.table, self.events, self.script
        other.book = self.book.copy()
        other.unsure, other.meant = self.unsure, self.meant
        return other

    @property
    def play(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def plan(self) -> Plan:
        assert self.table.plan is not None
        return self.table.plan

    @property
    def over(self) -> bool:
        """Tell whether the round ended, paid or void."""
        return self.table.between_rounds and self.table.hold is None

    def next_faces(self, count: int) -> tuple[str, ...]:
        """Return the cards that come out of the device next."""
        out = self.table.shoe.out if self.table.shoe else 0
        return self.truth[out : out + count]

    def faces(self, cards: str) -> tuple[str, ...]:
        """Write cards of the 52-card deck as those of this game."""
        return tuple(in_deck_of(self.plan.game.slug, cards).split())

    def try_(self, ask: Ask) -> Events | Refusal:
        """Return the answer, and leave all as it is."""
        envelope = self._envelope(ask)
        try:
            answer = decide(self.table, envelope)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise DeadEndError(why, (*self.script, told(ask))) from error
        if isinstance(answer, Refusal):
            well_said(answer)
        return answer

    def ask(self, ask: Ask) -> Events | Refusal:
        """Bring something to the table; the money is counted after every event."""
        answer = self.try_(ask)
        if isinstance(answer, Refusal):
            return answer
        self.script = (*self.script, told(ask))
        self._note(ask)
        try:
            table = self.table
            for event in answer:
                self._check_exposed(ask, table, event)
                before, table = table, evolve(table, event)
                _check_order(before, table, event)
                self.book.post(event)
                self.book.check(table)
                if isinstance(event, e.WagersSettled) and not _by_decision(event):
                    check_pay_list(table, event, before.under_minimum)
            check_table(table)
            self._check_cards(ask, table)
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise DeadEndError(why, self.script) from error
        self._put_right(ask, table)
        self.table = table
        self.events = (*self.events, *answer)
        return answer

    def do(self, ask: Ask) -> None:
        """Bring something that must be accepted."""
        answer = self.ask(ask)
        if isinstance(answer, Refusal):
            why = f"refused: {answer}"
            raise DeadEndError(why, (*self.script, told(ask)))

    def _note(self, ask: Ask) -> None:
        """Keep what a report says of cards; it is ruled later perhaps."""
        command = ask.command
        if isinstance(command, c.DismissReport):
            self.unsure = True
        if not isinstance(command, c.Report):
            return
        if command.count and self.table.hold is not None:
            self.unsure = True
        of_cards = (Situation.EXPOSED_IN_ERROR, Situation.LEFT_WITH_CARDS)
        if command.situation in of_cards:
            self.meant |= {
                one.number
                for one in self.play.cards
                if one.position is command.position
                or (one.handed_to is not None and one.handed_to == command.patron)
            }

    def _check_exposed(self, ask: Ask, table: Table, event: e.Event) -> None:
        """Test that a report exposes the cards that it was about, and no other."""
        exposing = isinstance(ask.command, c.ExposeCard | c.DrawCard)
        if not isinstance(event, e.CardExposed) or exposing or table.round is None:
            return
        dealt = next(one for one in table.round.cards if one.position is event.position)
        assert dealt.number in self.meant, "a card was exposed that no report was about"

    def _check_cards(self, ask: Ask, table: Table) -> None:
        """Every card is the one that came out of the device, and in one place."""
        play = table.round
        if play is None or isinstance(ask.command, c.CorrectCard):
            return
        cards = (*play.cards, *play.aside)
        numbers = [one.number for one in cards]
        numbers += [*play.waiting_numbers, *play.unused_numbers]
        assert len(set(numbers)) == len(numbers), "one card is in two places"
        faces = [one.card for one in cards] + [*play.waiting, *play.unused]
        if self.unsure:
            return
        for number, card in zip(numbers, faces, strict=True):
            right = card is None or play.missing or card.text == self.truth[number]
            assert right, f"{card} is not what came out of the device"

    def _put_right(self, ask: Ask, after: Table) -> None:
        """Put a card that was read wrongly into the device as it is now known."""
        command = ask.command
        if not isinstance(command, c.CorrectCard):
            return
        number = next(one.number for one in self.play.cards if one.position is command.position)
        truth, face = list(self.truth), ask.cards[0]
        out = after.shoe.out if after.shoe else 0
        if face in truth[out:]:
            behind = len(truth) - 1 - truth[::-1].index(face)
            truth[behind] = truth[number]
        truth[number] = face
        self.truth = tuple(truth)

    def _envelope(self, ask: Ask) -> c.Envelope:
        moment = NOW + timedelta(seconds=len(self.events))
        actor: Actor = SYSTEM
        approver = None
        if self.table.plan is None:
            method_c = getattr(ask.command, "settings", None)
            actor = ADA if method_c and method_c.method is Method.C else MIA
        elif not ask.system:
            need = needs(self.table, ask.command)
            if need.patron is not None:
                actor = Patron(need.patron)
            elif need.position is not None and not need.house_deals:
                actor = Staff("Ida", need.position)
            wanted = second_of(self.plan, need)
            approver = Staff("Ivo", wanted) if wanted else None
        return c.Envelope(ask.command, actor, moment, approver, ask.cards, ask.die)

    def check_replay(self) -> None:
        """All events from the unopened table give the same table."""
        if fold(unopened(RULEBOOKS), self.events) != self.table:
            why = "a replay gives another table"
            raise DeadEndError(why, self.script)

    def check_end(self) -> None:
        """Every stake is resolved, once."""
        table, book = self.table, self.book
        try:
            assert table.in_play == 0, "stakes still lie there"
            assert not self.play.queue, "a report still waits"
            assert not table.suspended, "a hold still waits"
            once = {line.patron for line in book.lines or () if _the_one_time(line)}
            assert table.under_minimum == once, "5.14 remembers another patron"
            if book.lines is None:
                assert table.phase is Phase.VOID, "over, and neither paid nor void"
                assert not book.open, "a stake was lost"
                assert self._device_is_back(), "the device is not given back"
        except AssertionError as error:
            raise DeadEndError(str(error), self.script) from error

    def _device_is_back(self) -> bool:
        """After a void nobody has lost the device by a settlement (3.11.8.2)."""
        lost = None
        for event in self.events:
            if isinstance(event, e.BetsOpened | e.ShoeTaken):
                lost = None
            elif isinstance(event, e.ShoeGivenUp) and event.settled:
                lost = event.patron
        return lost is None


def _check_order(before: Table, after: Table, event: e.Event) -> None:
    """Test that fixing the order of cards moves none that came before them (A52)."""
    if not isinstance(event, i.OrderSet) or before.round is None or after.round is None:
        return
    waited = before.round.waiting_numbers, after.round.waiting_numbers
    others = len(waited[0]) - len(event.after)
    assert waited[0][:others] == waited[1][:others], "other cards lost their order"


def _by_decision(event: e.WagersSettled) -> bool:
    return any(line.corrected is not None for line in event.lines)


def _the_one_time(line: e.PayLine) -> bool:
    return line.breach == "under_minimum" and line.result != "pushes"


def told(ask: Ask) -> str:
    """Write a line of a script."""
    command = ask.command
    said = [
        f"{field}={_text(value)}"
        for field in command.__struct_fields__
        if (value := getattr(command, field)) not in (None, "", (), 0, False)
        and field not in ("reason", "counts", "settings")
    ]
    line = " ".join((type(command).__name__, *said))
    line += f" cards={','.join(ask.cards)}" if ask.cards else ""
    return line + (" (by the system)" if ask.system else "")


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return str(getattr(value, "value", value))


# What everybody asks for


def plain(command: c.Command) -> Callable[[World], Ask]:
    """Ask for a command whatever the table looks like."""
    return lambda _: Ask(command)


def draw(world: World) -> Ask:
    """Draw the next card, with its face where the device, or everybody, sees it."""
    seen = world.plan.settings.device.reads_cards or not world.plan.face_down
    faces = () if world.play.waiting or not seen else world.next_faces(1)
    if world.play.waiting and world.play.waiting[0] is None and seen:
        faces = (world.truth[world.play.waiting_numbers[0]],)
    return Ask(c.DrawCard(), faces)


def expose(place: Position) -> Callable[[World], Ask]:
    """Turn a card up, with its face where the device did not read it."""

    def make(world: World) -> Ask:
        dealt = next((one for one in world.play.cards if one.position is place), None)
        known = dealt is None or dealt.card is not None
        return Ask(c.ExposeCard(place), () if known or not dealt else (face_of(world, dealt),))

    return make


def face_of(world: World, dealt: DealtCard) -> str:
    """Return what a card really is."""
    return world.truth[dealt.number]


def hidden(world: World) -> list[DealtCard]:
    """Return the cards that lie face down."""
    return [one for one in world.play.cards if not one.exposed]
