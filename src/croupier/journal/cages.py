"""The cage as a stream of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.journal import cage as c
from croupier.journal.codec import Start, Started
from croupier.journal.decision import House, Refused
from croupier.journal.streams import Envelope, Needs
from croupier.money import dollars

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from croupier.journal.decision import Known
    from croupier.journal.streams import Events, Move

ACTOR = "system:cage"
COUNTS = (c.TableCloserCounted, c.DropCounted)
TRAYS = (c.TableCredited, *COUNTS)
"""What is compared with the ledger before it is written."""
TRAY, BOX, OPEN, LOST, ASLEEP = "tray", "box", "open", "lost", "asleep"
"""What the cage takes from a table: cents of chips and cash, and whether it may count."""


class CageNeeds(Needs, frozen=True):
    """The cage needs to know what a table holds, as of a sequence of its stream."""

    table: str


class CageStream:
    """The cage as a stream."""

    name = c.STREAM

    def __init__(self, look: Callable[[str], Awaitable[Known]] | None = None) -> None:
        self._look = look

    def initial(self) -> c.Cage:
        """Return an empty cage."""
        return c.Cage()

    def decide(self, state: c.Cage, envelope: Envelope) -> Events | c.CageRefusal | Needs:
        """Return what happens at the cage, or why it does not."""
        command = envelope.command
        if isinstance(command, Start):
            return (Started(command.holder, envelope.release),)
        assert isinstance(command, c.Act), "a command of another kind of stream"
        event = command.event
        try:
            _check(state, event)
            _check_actor(event, envelope.actor.key)
            if not isinstance(event, TRAYS):
                return (event,)
            known = envelope.house.facts.get(f"table:{event.table}")
            return CageNeeds(event.table) if known is None else _counted(event, known.values)
        except c.CageError as error:
            return error.refusal

    def advance(
        self, state: c.Cage, house: House, events: Events, sequence: int
    ) -> tuple[c.Cage, list[Move]]:
        """Return the cage after a decision, and what its events move."""
        moved = [
            move for one in events if isinstance(one, c.CageEvent) for move in c.moves(one)
        ]
        return self.fold(state, house, events, sequence), moved

    def fold(self, state: c.Cage, house: House, events: Events, sequence: int) -> c.Cage:  # noqa: ARG002
        """Return the cage after a decision."""
        for event in events:
            if isinstance(event, c.CageEvent):
                state = state.after(event)
        return state

    async def supply(self, state: c.Cage, needs: CageNeeds, envelope: Envelope) -> House:  # noqa: ARG002
        """Look at what a table holds."""
        assert self._look is not None, "nothing is supplied here"
        known = await self._look(needs.table)
        facts = {**envelope.house.facts, f"table:{needs.table}": known}
        return msgspec.structs.replace(envelope.house, facts=facts)

    def refused(self, refusal: c.CageRefusal) -> Refused:
        """Return a refusal as the journal keeps it."""
        return Refused(refusal.code.value, refusal.sentence)

    def refusal(self, refused: Refused) -> c.CageRefusal:
        """Return a refusal as the cage gave it."""
        return c.CageRefusal(c.CageCode(refused.code), refused.sentence)

    def check(self, state: c.Cage) -> None:
        """Serve every cage."""

    def owned(self) -> tuple[str, ...]:
        """Return the accounts that only the cage changes."""
        return c.wallet(""), c.ticket("")

    def expected(self, state: c.Cage) -> Mapping[str, int]:
        """Return what those accounts hold by the cage."""
        held = {c.wallet(patron): cents for patron, cents in state.wallets.items()}
        held |= {c.ticket(number): cents for number, cents in state.tickets.items()}
        return {account: cents for account, cents in held.items() if cents}

    def resting(self, state: c.Cage) -> bool:  # noqa: ARG002
        """Take no snapshot between rounds: the cage has none."""
        return False

    def pack(self, state: c.Cage) -> bytes:
        """Return the cage as a snapshot keeps it."""
        return msgspec.msgpack.encode(state, order="deterministic")

    def unpack(self, data: bytes) -> c.Cage:
        """Return the cage of a snapshot."""
        return msgspec.msgpack.decode(data, type=c.Cage)


def _check(state: c.Cage, event: c.CageEvent) -> None:
    """Refuse what the cage cannot do.

    What a table gave up arrives by the hash of its decision, whoever else had its name: it
    left the seat, and must not stay on its way.
    """
    try:
        c.check(state, event)
    except c.CageError as error:
        known = error.refusal.code is c.CageCode.KNOWN_TRANSFER
        if not known or not isinstance(event, c.ReceivedFromTable):
            raise


def _check_actor(event: c.CageEvent, actor: str) -> None:
    if isinstance(event, c.DifferenceFound):
        sentence = "What is over or short follows from a count; nobody records it."
        raise c.CageError(c.CageCode.NOT_A_COUNT, sentence)
    if isinstance(event, c.TRANSFERS) and actor != ACTOR:
        sentence = "Credit goes between cage and table by a transfer, with both of them."
        raise c.CageError(c.CageCode.NOT_A_TRANSFER, sentence)


def _counted(event: c.CageEvent, held: dict[str, int]) -> Events:
    """Compare what leaves a table with what its ledger says."""
    if isinstance(event, c.TableCredited):
        if event.cents > held[TRAY]:
            sentence = (
                f"{dollars(event.cents)} were asked for;"
                f" the tray of table {event.table} holds {dollars(held[TRAY])}."
            )
            raise c.CageError(c.CageCode.NOT_ENOUGH_CHIPS, sentence)
        return (event,)
    assert isinstance(event, COUNTS), "nothing is counted"
    if held.get(LOST):
        sentence = f"Table {event.table} was taken over by another desk; nothing is counted."
        raise c.CageError(c.CageCode.TABLE_OPEN, sentence)
    if held.get(ASLEEP):
        sentence = f"The desk of table {event.table} is not open; nothing is counted."
        raise c.CageError(c.CageCode.TABLE_OPEN, sentence)
    if held.get(OPEN):
        sentence = f"Table {event.table} is open; what it holds is counted once it closed."
        raise c.CageError(c.CageCode.TABLE_OPEN, sentence)
    counted, expected = c.Counted.CLOSER, held[TRAY]
    if isinstance(event, c.DropCounted):
        counted, expected = c.Counted.DROP, held[BOX]
    if event.cents == expected:
        return (event,)
    found = c.DifferenceFound(event.table, counted, expected, event.cents, event.by)
    return found, event
