"""Other houses on the same database: commands to and from them, and their tables."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from croupier.floor.incoming import Incoming
from croupier.floor.outgoing import Outgoing
from croupier.floor.watched import Watches
from croupier.journal.accounts_stream import STREAM as ACCOUNTS
from croupier.journal.accounts_stream import AccountsStream
from croupier.journal.cages import STREAM as CAGE
from croupier.journal.cages import CageStream
from croupier.journal.errors import JournalError
from croupier.journal.tables import TableStream
from croupier.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.floor.house import House
    from croupier.floor.watched import Watch
    from croupier.journal.gathering import Reply, Request, Subscriber
    from croupier.journal.postgres import PostgresStore
    from croupier.journal.streams import Stream

PREFIX = "table:"


class OtherHouses:
    """What a house has to do with the others."""

    def __init__(
        self, house: House, store: PostgresStore, seconds: Callable[[], float]
    ) -> None:
        self._house, self._store = house, store
        inbox = store.inbox
        self._outgoing = Outgoing(store, inbox, seconds)
        self._incoming = Incoming(
            house.writer,
            inbox,
            streams=self._own,
            give=house.give,
            before=self._before,
            seconds=seconds,
        )
        self._watches = Watches(house.writer, RULEBOOKS, seconds)

    def _own(self) -> list[str]:
        return [ACCOUNTS, CAGE, *(PREFIX + name for name in self._house.tables)]

    async def _before(self) -> None:
        """Know at least what the accounts were when the commands were put."""
        with suppress(JournalError):  # decided as of what was read, as any other command is
            await self._house.accounts.catch_up()

    async def start(self) -> None:
        """Hear of commands, take those that wait, and follow what is watched."""
        await self._store.inbox.listen(self._put)
        for one in (self._incoming, self._outgoing, self._watches):
            one.start()

    def _put(self, stream: str, _number: int) -> None:
        """Take note that a command was put into the inbox, or answered there."""
        self._incoming.heard(stream)
        self._outgoing.heard(stream)

    def heard(self, stream: str) -> None:
        """Take note that another house decided something."""
        self._outgoing.heard(stream)
        self._watches.heard(stream)

    async def submit(self, stream: str, request: Request, seconds: float) -> Reply:
        """Return the answer of the house that serves a stream."""
        return await self._outgoing.submit(stream_named(stream), request, seconds)

    async def watch(self, name: str, tell: Subscriber | None) -> Watch:
        """Fold a table of another house, and follow it."""
        if (await self._store.head(PREFIX + name)).sequence == 0:
            raise no_table(name)
        return await self._watches.watch(name, tell)

    async def stop(self) -> None:
        """Take, send and follow nothing any more."""
        await self._incoming.stop()
        await self._outgoing.close()
        await self._watches.close()

    async def settle(self) -> None:
        """Answer what was decided until the writer closed."""
        with suppress(JournalError):  # whoever has the streams next finds the records
            await self._incoming.settle()


def stream_named(name: str) -> Stream:
    """Return a stream by its name."""
    if name == CAGE:
        return CageStream()
    if name == ACCOUNTS:
        return AccountsStream()
    if not name.startswith(PREFIX) or name == PREFIX:
        message = f"No stream is named {name!r}."
        raise JournalError(message)
    return TableStream(name.removeprefix(PREFIX), RULEBOOKS)


def no_table(name: str) -> JournalError:
    """Say that there is no such table."""
    return JournalError(f"There is no table {name!r}.")


def another_houses(stream: str) -> JournalError:
    """Say that a stream is not served here."""
    if stream == ACCOUNTS:
        return JournalError("The accounts are another house's; this house does not serve them.")
    if stream != CAGE and not stream.startswith(PREFIX):
        return JournalError(f"No stream is named {stream!r}.")
    what = "The cage" if stream == CAGE else f"Table {stream.removeprefix(PREFIX)}"
    return JournalError(f"{what} is another house's; this house does not serve it.")
