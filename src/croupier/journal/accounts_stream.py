"""The accounts as a stream of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from croupier.accounts import commands as c
from croupier.accounts.decide import decide
from croupier.accounts.events import AccountsEvent
from croupier.accounts.refusals import AccountsCode, AccountsRefusal
from croupier.accounts.state import Accounts, evolve
from croupier.journal.codec import Start, Started
from croupier.journal.decision import House, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.journal.streams import Envelope, Events, Move, Needs

STREAM = "accounts"


class AccountsStream:
    """The accounts as a stream; they move no money, and need nothing that the house knows."""

    name = STREAM

    def initial(self) -> Accounts:
        """Return accounts of nobody."""
        return Accounts()

    def decide(self, state: Accounts, envelope: Envelope) -> Events | AccountsRefusal:
        """Let the accounts decide."""
        command, approver = envelope.command, envelope.approver
        if isinstance(command, Start):
            return (Started(command.holder, envelope.release),)
        assert isinstance(command, c.AccountsCommand), "a command of another kind of stream"
        second = None if approver is None else approver.member
        return decide(state, c.Envelope(command, envelope.actor.actor, envelope.moment, second))

    def advance(
        self, state: Accounts, house: House, events: Events, sequence: int
    ) -> tuple[Accounts, list[Move]]:
        """Return the accounts after a decision; nothing moves."""
        return self.fold(state, house, events, sequence), []

    def fold(self, state: Accounts, house: House, events: Events, sequence: int) -> Accounts:  # noqa: ARG002
        """Return the accounts after a decision."""
        for event in events:
            if isinstance(event, AccountsEvent):
                state = evolve(state, event)
        return state

    async def supply(self, state: Accounts, needs: Needs, envelope: Envelope) -> House:
        """Supply nothing: no decision asks for anything."""
        raise AssertionError((state, needs, envelope))

    def refused(self, refusal: AccountsRefusal) -> Refused:
        """Return a refusal as the journal keeps it."""
        return Refused(refusal.code.value, refusal.sentence)

    def refusal(self, refused: Refused) -> AccountsRefusal:
        """Return a refusal as the accounts gave it."""
        return AccountsRefusal(AccountsCode(refused.code), refused.sentence)  # type: ignore[call-arg]

    def beside(self, state: Accounts) -> None:
        """Return nothing: the events say it all."""

    def check(self, state: Accounts) -> None:
        """Serve all accounts."""

    def owned(self) -> tuple[str, ...]:
        """Return no accounts of money: there are none."""
        return ()

    def expected(self, state: Accounts) -> Mapping[str, int]:  # noqa: ARG002
        """Return nothing: no money is here."""
        return {}

    def resting(self, state: Accounts) -> bool:  # noqa: ARG002
        """Take no snapshot between rounds: there are none."""
        return False

    def pack(self, state: Accounts) -> bytes:
        """Return the accounts as a snapshot keeps them."""
        return msgspec.msgpack.encode(state)

    def unpack(self, data: bytes) -> Accounts:
        """Return the accounts of a snapshot."""
        return msgspec.msgpack.decode(data, type=Accounts)
