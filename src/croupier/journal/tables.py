"""Tables as streams of the journal: the pure table, and what is sealed in its shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from croupier.journal.codec import Start, Started
from croupier.journal.decision import NOTHING, House, Refused
from croupier.journal.errors import JournalError
from croupier.journal.ledger import commission, expected, moves, seat, stakes
from croupier.journal.packing import pack, unpack
from croupier.journal.recovery import consequence, interrupted
from croupier.journal.shoes import ShoeSealed  # noqa: TC001  # read by msgspec
from croupier.journal.streams import Envelope, Needs
from croupier.table import commands as c
from croupier.table import draft
from croupier.table import events as e
from croupier.table import incidents as i
from croupier.table.decide import decide_or_ask
from croupier.table.draft import Drafted
from croupier.table.evolve import evolve
from croupier.table.missing import RESERVED_CARDS
from croupier.table.refusals import Code, Refusal, refuse
from croupier.table.rulings import Situation
from croupier.table.state import Table, unopened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from croupier.journal.shoes import CardOpened, ShoeOpened
    from croupier.journal.streams import Events, Move
    from croupier.rules.cards import Deck
    from croupier.table.rulebook import Rulebook

FROM_THE_SHOE = (c.DrawCard, c.ReserveCards, c.CorrectCard)
"""Commands by which cards of a sealed shoe get a face."""
OF_THE_SHOE = frozenset(
    (e.ShoeLoaded, e.CardExposed, e.ShoeEnded, e.TableClosed, i.ReplacementDecided)
)
"""Events that only the source of the cards can prove."""
OF_THE_KEY = frozenset((c.CorrectCard, c.Report, c.DeclareShoeLost))
"""Commands that a shoe whose cards are sealed, or were, may refuse."""


class TableState(msgspec.Struct, frozen=True, gc=False):
    """A table, the seal of its shoe, and the cards of it that were opened."""

    table: Table
    seal: ShoeSealed | None = None
    opened: frozenset[int] = frozenset()
    held_since: int = 0
    """The sequence of the decision with which the hold began, or began again."""

    @property
    def sealed(self) -> ShoeSealed | None:
        """Return the seal of the shoe in play, if it is a virtual one."""
        return None if self.seal is None or self.seal.root is None else self.seal


class TableNeeds(Needs, frozen=True):
    """What a table needs to decide; numbers are those of cards in the shoe in play."""

    cards: tuple[int, ...] = ()
    """Cards whose faces come out of the sealed shoe."""
    openings: tuple[int, ...] = ()
    """Cards that are exposed and must be proved."""
    left: tuple[int, ...] | None = None
    """Cards that were never exposed of a shoe that goes out of play."""
    shoe: str | None = None
    """A new shoe, to be made ready."""
    interruption: bool = False
    """Whether the house stood still in the middle of a round."""
    opens: bool = False
    """Whether the key of the shoe in play opens its cards."""


class CardSource(Protocol):
    """Gives cards to one table.

    It is asked by the number of the card in its shoe, and that number comes from the journal:
    after a failure the same card comes again, and no other.
    """

    @property
    def opens_shoes(self) -> bool:
        """Tell whether sealed shoes can be opened here."""

    async def load(self, shoe: str, deck: Deck, decks: int, *, physical: bool) -> ShoeSealed:
        """Make a shoe ready, and return what is journalled of it."""

    async def opens(self, seal: ShoeSealed) -> bool:
        """Tell whether the cards of a sealed shoe can still be opened."""

    async def card(self, seal: ShoeSealed, number: int) -> str | None:
        """Return the face of a card that comes out, or None where nobody reads it."""

    async def opened(self, seal: ShoeSealed, number: int) -> CardOpened | None:
        """Return the proof of an exposed card, where there is one."""

    async def ended(self, seal: ShoeSealed, numbers: list[int]) -> ShoeOpened | None:
        """Return the cards of a shoe that were never exposed, where they are known."""


class TableStream:
    """A table as a stream."""

    def __init__(
        self, table: str, rulebooks: tuple[Rulebook, ...], source: CardSource | None = None
    ) -> None:
        self.table, self.name = table, f"table:{table}"
        self.source = source
        """None: nothing is supplied here, and everything is decided again."""
        self._rulebooks = rulebooks

    def initial(self) -> TableState:
        """Return a table that is not open yet."""
        return TableState(unopened(self._rulebooks))

    # Deciding

    def decide(self, state: TableState, envelope: Envelope) -> Events | Refusal | Needs:
        """Let the table decide; whatever a sealed shoe gives comes from it alone.

        The table asks for a card only when everything else about the command is in order:
        nobody who may not draw, or not yet, makes the house look into the shoe.
        """
        command, house, sealed = envelope.command, envelope.house, state.sealed
        if type(command) is Start:
            return _start(state, envelope, command)
        assert isinstance(command, c.Command), "a command of another kind of stream"
        approver = None if envelope.approver is None else envelope.approver.member
        events = decide_or_ask(
            state.table,
            c.Envelope(
                command,
                envelope.actor.actor,
                envelope.moment,
                approver,
                house.cards if sealed is None else house.drawn,
                house.die,
                sealed is not None,
            ),
        )
        if not isinstance(events, tuple):
            return TableNeeds(cards=events.cards) if isinstance(events, draft.Needs) else events
        if type(command) in OF_THE_KEY:
            answer = _of_the_key(state, command, house)
            if answer is not None:
                return answer
        for event in events:
            if type(event) in OF_THE_SHOE:
                return _proved(state, events, house)
        return events

    # Going on

    def advance(
        self, state: TableState, house: House, events: Events, sequence: int
    ) -> tuple[TableState, list[Move]]:
        """Return the state after a decision, and what its events move."""
        table = state.table
        if len(events) == 1 and type(events[0]) is not Started:
            (event,) = events
            moved = list(moves(self.table, table, event))
            after = evolve(table, event)  # type: ignore[arg-type]
            return _after(state, after, house, events, sequence), moved
        moved = []
        drafted = events.tables if type(events) is Drafted else None
        for place, event in enumerate(events):
            if type(event) is Started:
                continue
            moved += moves(self.table, table, event)
            table = evolve(table, event) if drafted is None else drafted[place]  # type: ignore[arg-type]
        return _after(state, table, house, events, sequence), moved

    def fold(
        self, state: TableState, house: House, events: Events, sequence: int
    ) -> TableState:
        """Return the state after a decision."""
        table = state.table
        for event in events:
            if type(event) is not Started:
                table = evolve(table, event)  # type: ignore[arg-type]
        return _after(state, table, house, events, sequence)

    # What only the house knows

    async def supply(self, state: TableState, needs: TableNeeds, envelope: Envelope) -> House:
        """Ask the source of the cards for what a decision needs."""
        new: dict[str, object] = {}
        seal, source = state.sealed, self.source
        assert source is not None, "nothing is supplied here"
        if needs.interruption:
            new["interruption"] = interrupted(state.table, envelope.epoch)
        if needs.opens:
            assert seal is not None, "no sealed shoe"
            new["opens"] = await source.opens(seal)
        if needs.cards:
            assert seal is not None, "no sealed shoe"
            faces = [await source.card(seal, number) for number in needs.cards]
            new["drawn"] = tuple(face for face in faces if face is not None)
        if needs.openings:
            assert seal is not None, "no sealed shoe"
            new["openings"] = tuple(
                [await source.opened(seal, number) for number in needs.openings]
            )
        if needs.left is not None:
            assert seal is not None, "no sealed shoe"
            new["ended"] = await source.ended(seal, list(needs.left))
        if needs.shoe is not None:
            plan = state.table.plan
            assert plan is not None, "the table is not open"
            new["seal"] = await source.load(
                needs.shoe,
                plan.game.deck,
                plan.settings.decks,
                physical=plan.settings.device.physical,
            )
        return msgspec.structs.replace(envelope.house, **new)

    def beside(self, state: TableState) -> Mapping[str, int]:
        """Return where everybody sits: most hear of a playing position instead of a name."""
        return state.table.seats

    def check(self, state: TableState) -> None:
        """Refuse a sealed shoe that the source of this table cannot open."""
        sealed = state.sealed
        if sealed is not None and self.source is not None and not self.source.opens_shoes:
            message = (
                f"The sealed shoe {sealed.shoe} is in play at table {self.table};"
                " its cards do not come from a scanner or a keyboard."
            )
            raise JournalError(message)

    # Refusals, accounts, snapshots

    def refused(self, refusal: Refusal) -> Refused:
        """Return a refusal as the journal keeps it."""
        return Refused(refusal.code.value, refusal.sentence, refusal.clause)

    def refusal(self, refused: Refused) -> Refusal:
        """Return a refusal as the table gave it."""
        return msgspec.convert(msgspec.structs.asdict(refused), Refusal)

    def owned(self) -> tuple[str, ...]:
        """Return the accounts that only this table changes."""
        return seat(self.table, ""), stakes(self.table), commission(self.table)

    def expected(self, state: TableState) -> Mapping[str, int]:
        """Return what those accounts hold by the table."""
        return expected(self.table, state.table)

    def resting(self, state: TableState) -> bool:
        """Tell whether no round is in progress."""
        return state.table.between_rounds

    def pack(self, state: TableState) -> bytes:
        """Return the table as a snapshot keeps it."""
        return pack(state.table, state.seal, state.opened, state.held_since)

    def unpack(self, data: bytes) -> TableState:
        """Return the table of a snapshot."""
        return TableState(*unpack(data, self._rulebooks))


def _start(state: TableState, envelope: Envelope, command: Start) -> Events | Needs:
    """Begin an epoch; a round that was in progress goes on as its rulebook says."""
    if interrupted(state.table, envelope.epoch) != envelope.house.interruption:
        return TableNeeds(interruption=True)
    started = Started(command.holder, envelope.release)
    if envelope.house.interruption is None:
        return (started,)
    return (started, *consequence(state.table, envelope.moment))


def _of_the_key(
    state: TableState, command: c.Command, house: House
) -> Refusal | TableNeeds | None:
    """Return what else a shoe whose cards are sealed, or were, refuses or needs."""
    refusal, sealed = shoe_refusal(state, command), state.sealed
    if refusal is not None or sealed is None or type(command) is not c.DeclareShoeLost:
        return refusal
    if house.opens is None:
        return TableNeeds(opens=True)
    why = f"The key of shoe {sealed.shoe} opens its cards; it is not lost"
    return refuse(Code.DEVICE_CANNOT, why) if house.opens else None


def shoe_refusal(state: TableState, command: c.Command) -> Refusal | None:
    """Say why a shoe whose cards are sealed, or were, cannot do something; None: it can."""
    if state.sealed is None:
        if type(command) is not c.CorrectCard or not _is_proved(state, command):
            return None
        why = f"The face of card {command.position.value} was proved when it was exposed"
        return refuse(Code.DEVICE_CANNOT, f"{why}; it stays as it is")
    if not _drew_together(command):
        return None
    why = "A virtual shoe gives its cards one by one; none come together"
    return refuse(Code.DEVICE_CANNOT, why)


def _is_proved(state: TableState, command: c.CorrectCard) -> bool:
    """Tell whether a card was opened while the key of its shoe was there."""
    play = state.table.round
    cards = () if play is None else play.cards
    return any(one.number in state.opened for one in cards if one.position is command.position)


def _drew_together(command: c.Command) -> bool:
    return isinstance(command, c.Report) and command.situation is Situation.DRAWN_TOGETHER


def card_numbers(table: Table, command: c.Command) -> tuple[int, ...]:
    """Return the numbers of the cards that come out of a sealed shoe by a command."""
    shoe, play = table.shoe, table.round
    if shoe is None or shoe.ended or play is None:
        return ()
    if isinstance(command, c.CorrectCard):
        return tuple(one.number for one in play.cards if one.position is command.position)
    drawn = 0 if play.waiting else 1
    count = RESERVED_CARDS if isinstance(command, c.ReserveCards) else drawn
    return tuple(range(shoe.out, min(shoe.cards, shoe.out + count)))


def _proved(state: TableState, events: Events, house: House) -> Events | Needs:
    """Return the events once the source has proved what they show of a shoe."""
    if is_lost(events):
        return events  # its key is gone: the source proves nothing more of it
    exposed, ends, shoe = [], False, None
    for table, event in _with_tables(state.table, events):
        if isinstance(event, e.CardExposed):
            assert table.round is not None, "no round"
            dealt = (one for one in table.round.cards if one.position is event.position)
            exposed.append(next(dealt).number)
        elif isinstance(event, e.ShoeLoaded):
            shoe, ends = event.shoe, True
        elif isinstance(event, i.ReplacementDecided):
            ends = ends or event.replace
        else:
            ends = ends or isinstance(event, e.ShoeEnded | e.TableClosed)
    sealed = state.sealed
    left = None
    if sealed is None:
        exposed = []
    elif ends:
        opened = state.opened.union(exposed)
        left = tuple(number for number in range(sealed.cards) if number not in opened)
    needs = TableNeeds(
        openings=() if [one.number for one in house.openings] == exposed else tuple(exposed),
        left=None if house.ended is not None else left,
        shoe=None if house.seal is not None else shoe,
    )
    return events if needs == TableNeeds() else needs


def is_lost(events: Events) -> bool:
    """Tell whether a shoe was declared lost."""
    return any(type(event) is e.ShoeLost for event in events)


def _with_tables(table: Table, events: Events) -> Iterable[tuple[Table, msgspec.Struct]]:
    """Yield every event with the table before it."""
    for place, event in enumerate(events):
        yield table, event
        drafted = events.tables[place] if type(events) is Drafted else None
        table = drafted or evolve(table, event)  # type: ignore[arg-type]


def _after(
    state: TableState, table: Table, house: House, events: Events, sequence: int
) -> TableState:
    """Return the state after a decision, with what the house let be known of the shoe."""
    seal, opened, since = state.seal, state.opened, _held_since(state, table, events, sequence)
    if house is NOTHING and len(events) == 1 and type(events[0]) is not e.ShoeLost:
        return TableState(table, seal, opened, since)
    if seal is not None and is_lost(events):
        seal = None  # nothing of it is opened any more
    if house.openings:
        opened = opened.union(one.number for one in house.openings)
    if house.ended is not None:
        seal = None
    if house.seal is not None:
        seal, opened = house.seal, frozenset()
    return TableState(table, seal, opened, since)


def _held_since(state: TableState, table: Table, events: Events, sequence: int) -> int:
    """Return with which decision the table's hold began; 0: nothing is on hold."""
    if table.hold is None:
        return 0
    if table.hold is state.table.hold:
        return state.held_since
    begins = any(type(event) in (i.HoldPlaced, i.HoldResumed) for event in events)
    return sequence if begins else state.held_since
