"""The cage as a stream of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from croupier.cage import commands as c
from croupier.cage.decide import decide
from croupier.cage.events import CageEvent
from croupier.cage.evolve import evolve
from croupier.cage.ledger import moves, ticket, wallet
from croupier.cage.refusals import CageCode, CageRefusal
from croupier.cage.state import Cage
from croupier.journal.codec import Start, Started
from croupier.journal.decision import House, Refused
from croupier.journal.streams import Envelope, Needs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.journal.decision import Known
    from croupier.journal.streams import Events, Move

STREAM = "cage"
TRAY, BOX, OPEN = "tray", "box", "open"
"""What the cage takes from a table: cents of chips and of cash, and whether it is open."""


class CageNeeds(Needs, frozen=True):
    """What the cage needs to decide: a new ticket, or what a table holds."""

    ticket: bool = False
    table: str | None = None


class CageSource(Protocol):
    """Knows for the cage what only the house knows."""

    def printed(self, patron: str) -> tuple[str, ...]:
        """Print a ticket: return its number, the digest of its validation number, and where.

        Where is a table and a playing position; a patron who sits nowhere has none.
        """

    async def held(self, table: str) -> Known:
        """Return what a table holds, as of a sequence of its stream."""


class CageStream:
    """The cage as a stream."""

    name = STREAM

    def __init__(self, source: CageSource | None = None) -> None:
        self.source = source
        """None: nothing is supplied here, and everything is decided again."""

    def initial(self) -> Cage:
        """Return an empty cage."""
        return Cage()

    def decide(self, state: Cage, envelope: Envelope) -> Events | CageRefusal | Needs:
        """Let the cage decide."""
        command = envelope.command
        if isinstance(command, Start):
            return (Started(command.holder, envelope.release),)
        assert isinstance(command, c.CageCommand), "a command of another kind of stream"
        approver, house = envelope.approver, envelope.house
        known = house.facts.get(f"table:{getattr(command, 'table', None)}")
        decided = decide(
            state,
            c.Envelope(
                command,
                envelope.actor.actor,
                envelope.moment,
                None if approver is None else approver.member,
                envelope.sequence,
                c.Printed(*house.tickets) if house.tickets else None,
                None if known is None else held_of(known),
            ),
        )
        if isinstance(decided, c.Needs):
            return CageNeeds(decided.ticket, decided.table)
        return decided

    def advance(
        self, state: Cage, house: House, events: Events, sequence: int
    ) -> tuple[Cage, list[Move]]:
        """Return the cage after a decision, and what its events move."""
        moved = [move for one in events if isinstance(one, CageEvent) for move in moves(one)]
        return self.fold(state, house, events, sequence), moved

    def fold(self, state: Cage, house: House, events: Events, sequence: int) -> Cage:  # noqa: ARG002
        """Return the cage after a decision."""
        for event in events:
            if isinstance(event, CageEvent):
                state = evolve(state, event)
        return state

    async def supply(self, state: Cage, needs: CageNeeds, envelope: Envelope) -> House:  # noqa: ARG002
        """Print a ticket, or look at what a table holds."""
        source, house = self.source, envelope.house
        assert source is not None, "nothing is supplied here"
        if needs.ticket:
            command = envelope.command
            assert isinstance(command, c.CashOut), "only a cash-out needs a ticket"
            return msgspec.structs.replace(house, tickets=source.printed(command.patron))
        assert needs.table is not None, "nothing is needed"
        known = await source.held(needs.table)
        facts = {**house.facts, f"table:{needs.table}": known}
        return msgspec.structs.replace(house, facts=facts)

    def refused(self, refusal: CageRefusal) -> Refused:
        """Return a refusal as the journal keeps it."""
        return Refused(refusal.code.value, refusal.sentence)

    def refusal(self, refused: Refused) -> CageRefusal:
        """Return a refusal as the cage gave it."""
        return CageRefusal(CageCode(refused.code), refused.sentence)  # type: ignore[call-arg]

    def beside(self, state: Cage) -> None:
        """Return nothing: the events say it all."""

    def check(self, state: Cage) -> None:
        """Serve every cage."""

    def owned(self) -> tuple[str, ...]:
        """Return the accounts that only the cage changes."""
        return wallet(""), ticket("")

    def expected(self, state: Cage) -> Mapping[str, int]:
        """Return what those accounts hold by the cage."""
        held = {wallet(patron): cents for patron, cents in state.wallets.all.items()}
        held |= {
            ticket(number): one.cents
            for number, one in state.tickets.all.items()
            if not one.paid
        }
        return {account: cents for account, cents in held.items() if cents}

    def resting(self, state: Cage) -> bool:  # noqa: ARG002
        """Take no snapshot between rounds: the cage has none."""
        return False

    def pack(self, state: Cage) -> bytes:
        """Return the cage as a snapshot keeps it."""
        return msgspec.msgpack.encode(state)

    def unpack(self, data: bytes) -> Cage:
        """Return the cage of a snapshot."""
        return msgspec.msgpack.decode(data, type=Cage)


def held_of(known: Known) -> c.Held:
    """Return what is known of a table as the cage takes it."""
    values = known.values
    exists = known.sequence > 0
    return c.Held(values[TRAY], values[BOX], open=bool(values[OPEN]), exists=exists)
