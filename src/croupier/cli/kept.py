"""A table of one's own in a house: a desk decides every command, and the journal keeps it."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, TypeVar

from croupier.cage.commands import SendToTable
from croupier.floor.desk import Request
from croupier.floor.house import JOURNAL, House
from croupier.journal.decision import read_record
from croupier.journal.errors import JournalError
from croupier.money import dollars
from croupier.playthrough import YOU
from croupier.rules.errors import RulesError, listed
from croupier.table.events import Event
from croupier.table.roles import Patron

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from croupier.cage.refusals import CageRefusal
    from croupier.table.commands import Envelope
    from croupier.table.refusals import Refusal
    from croupier.table.state import Table

Result = TypeVar("Result")


class KeptTable:
    """A table of a house for one patron; its cards come from sealed shoes.

    A table of the game at which the patron sits is found again, with the credit that the
    journal has; otherwise it is the next new one.
    """

    def __init__(self, folder: Path, game: str, below: Callable[[int], int] | None) -> None:
        self._runner = asyncio.Runner()
        self._asked = 0
        try:
            self._run(self._open(folder, game, below))
        except BaseException:
            self._runner.close()
            raise

    async def _open(self, folder: Path, game: str, below: Callable[[int], int] | None) -> None:
        self._house = await House.open(folder, below=below or secrets.randbelow)
        try:
            # Whoever plays here deals by typing: no clock runs.
            await self._house.start(drive=False)
            self.ruled = sorted(self._house.interrupted)
            left = [
                name for name, desk in self._house.tables.items() if _left(desk.table, game)
            ]
            self.found = bool(left)
            self.name = left[0] if left else self._house.new_name()
            self._desk = await self._house.table(self.name)
        except BaseException:
            await self._house.close()
            raise

    @property
    def table(self) -> Table:
        """Return the table as it is in the journal."""
        return self._desk.table

    @property
    def wallet_cents(self) -> int:
        """Return what the patron's wallet holds: what left a seat of this house before."""
        return self._house.cage.cage.held(YOU)

    def bring(self) -> str | None:
        """Bring what the wallet holds to the seat, and say so; None: there is nothing."""
        cents = self.wallet_cents
        if not cents or YOU not in self.table.seats:
            return None
        refusal = self._run(self._sent(cents))
        if refusal is not None:
            return f"{dollars(cents)} stays in your wallet: {refusal.sentence}"
        return f"{dollars(cents)} came from your wallet to the seat."

    async def _sent(self, cents: int) -> CageRefusal | Refusal | None:
        """Send credit from the wallet to the table; return why it did not arrive."""
        cage, transfers = self._house.cage, self._house.transfers
        send = SendToTable(YOU, self.name, cents)
        reply = await cage.submit(Request(f"play-cage-{cage.seat.epoch}", Patron(YOU), send))
        arrived = await transfers.arrival(reply.sequence) if reply.accepted else reply
        await transfers.quiet()
        assert arrived is not None, "the table is of this process"
        refusal: CageRefusal | Refusal | None = arrived.refusal
        return refusal

    def _run(self, work: Coroutine[object, object, Result]) -> Result:
        try:
            return self._runner.run(work)
        except JournalError as error:
            raise RulesError(str(error)) from error

    def decide(self, table: Table, envelope: Envelope) -> tuple[Event, ...] | Refusal:  # noqa: ARG002
        """Let the desk decide, and return what is in the journal of it."""
        self._asked += 1
        request = Request(
            f"play-{self.name}-{self._desk.epoch}-{self._asked}",
            envelope.actor,
            envelope.command,
            envelope.approver,
            envelope.cards,
            envelope.die,
        )
        return self._run(self._decided(request))

    async def _decided(self, request: Request) -> tuple[Event, ...] | Refusal:
        reply = await self._desk.submit(request)
        if reply.refusal is not None:
            refusal: Refusal = reply.refusal
            return refusal
        (record,) = await self._house.store.read(self._desk.stream, reply.sequence - 1, 1)
        return tuple(one for one in read_record(record).events if isinstance(one, Event))

    @property
    def notices(self) -> list[str]:
        """Say which tables were left in the middle of a round, and which was found again."""
        said = []
        if self.ruled:
            tables = f"Table {self.ruled[0]}" if len(self.ruled) == 1 else "Tables "
            tables += listed(self.ruled) if len(self.ruled) > 1 else ""
            verb = "was" if len(self.ruled) == 1 else "were"
            said.append(
                f"{tables} {verb} left in the middle of a round; what the rulebook says about"
                f" an interruption was done. See: croupier recall {self._house.folder}"
                f" --table {self.ruled[-1]}"
            )
        said += [
            f"Table {name} cannot be started: {why}"
            for name, why in sorted(self._house.failures.items())
        ]
        if self.found:
            held = dollars(self.table.credits[YOU])
            said.append(f"You are back at table {self.name}, with {held}.")
        return said

    def close(self) -> str:
        """Close the house, and say where everything is."""
        held = ""
        try:
            self._run(self._house.transfers.quiet())
            if YOU in self.table.seats:
                held = " Your credit stays there: the same command finds it again."
            elif self.wallet_cents:
                held = f" Your wallet holds {dollars(self.wallet_cents)}: the same command"
                held += " brings it to a seat again."
            self._run(self._house.close())
        finally:
            self._runner.close()
        folder = self._house.folder
        return (
            f"Table {self.name} is kept in {folder / JOURNAL}, signed by"
            f" {self._house.signer.public}.{held} Try: croupier verify {folder}"
        )


def _left(table: Table, game: str) -> bool:
    """Tell whether this is a table of a game at which the patron still sits."""
    return table.plan is not None and table.plan.game.slug == game and YOU in table.seats
