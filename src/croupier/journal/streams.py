"""What a stream is to the writer: a state, a way to decide, and what its events do.

The writer knows nothing of tables or cages. A stream says how it begins, what it decides, how
its state goes on, and what its decisions move in the ledger. ``decide`` is a pure function of
the state and the envelope: whatever else it needs (a card, the die, the balance of another
stream) it asks for by its answer, the writer has it supplied, and decides again with the same
command and a house that knows more. So verification can decide again what was decided.
"""

from __future__ import annotations

from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from croupier.journal.codec import AnyCommand  # noqa: TC001
from croupier.journal.decision import House, Person, Refused  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Mapping

Move = tuple[str, str, int]
"""From which account, to which, how many cents."""
Events = tuple[msgspec.Struct, ...]


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """A command with who asks and all that only the house knows."""

    command: AnyCommand
    actor: Person
    moment: datetime
    approver: Person | None
    house: House
    epoch: int
    release: str
    sequence: int = 0
    """The number that the decision gets in its stream."""


class Needs(msgspec.Struct, frozen=True):
    """What a decision needs before it can be taken; each kind of stream has its own."""


class Refusal(Protocol):
    """Why a stream says no; tables and the cage have types of their own."""

    @property
    def sentence(self) -> str:
        """Return one sentence for a person."""


class Stream(Protocol):
    """One stream: what it is, how it decides, how it goes on.

    ``state`` is whatever the stream likes, never changed in place: the writer keeps the state
    before and after every decision that is on its way.
    """

    @property
    def name(self) -> str:
        """Return the name under which it is in the journal."""

    def initial(self) -> Any:  # noqa: ANN401  # a state of its own
        """Return the state before the first decision."""

    def decide(self, state: Any, envelope: Envelope) -> Events | Refusal | Needs:  # noqa: ANN401
        """Return what happens, why nothing does, or what is needed to decide."""

    def advance(
        self,
        state: Any,  # noqa: ANN401
        house: House,
        events: Events,
        sequence: int,
    ) -> tuple[Any, list[Move]]:
        """Return the state after the decision with this sequence, and what its events move."""

    def fold(self, state: Any, house: House, events: Events, sequence: int) -> Any:  # noqa: ANN401
        """Return the state after a decision: as ``advance`` does, without the ledger."""

    async def supply(self, state: Any, needs: Any, envelope: Envelope) -> House:  # noqa: ANN401
        """Return the envelope's house with what a decision needs; other streams go on.

        Called when everything that the stream decided before is durable.
        """

    def refused(self, refusal: Any) -> Refused:  # noqa: ANN401
        """Return a refusal of this stream as the journal keeps it."""

    def refusal(self, refused: Refused) -> Any:  # noqa: ANN401
        """Return a refusal from the journal as this stream gives it."""

    def beside(self, state: Any) -> Any:  # noqa: ANN401
        """Return what is needed beside the events of a decision to tell people of them."""

    def check(self, state: Any) -> None:  # noqa: ANN401
        """Refuse to serve a state that cannot be served here."""

    def owned(self) -> tuple[str, ...]:
        """Return the beginnings of the names of accounts that only this stream changes."""

    def expected(self, state: Any) -> Mapping[str, int]:  # noqa: ANN401
        """Return what those accounts hold by the state, as far as not zero."""

    def resting(self, state: Any) -> bool:  # noqa: ANN401
        """Tell whether this is a good moment for a snapshot: between rounds."""

    def pack(self, state: Any) -> bytes:  # noqa: ANN401
        """Return a state as a snapshot keeps it."""

    def unpack(self, data: bytes) -> Any:  # noqa: ANN401
        """Return the state of a snapshot."""
