"""A table of one's own whose every command a desk decides, and a house's journal keeps."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from croupier.floor.desk import Request
from croupier.floor.house import JOURNAL, House
from croupier.journal.decision import read_record
from croupier.journal.errors import JournalError
from croupier.rules.errors import RulesError, listed
from croupier.table.events import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from croupier.table.commands import Envelope
    from croupier.table.refusals import Refusal
    from croupier.table.state import Table

Result = TypeVar("Result")


class KeptTable:
    """The next table of a house; its cards come from sealed shoes."""

    def __init__(self, folder: Path, below: Callable[[int], int] | None) -> None:
        self._runner = asyncio.Runner()
        self._asked = 0
        try:
            self._run(self._open(folder, below))
        except BaseException:
            self._runner.close()
            raise

    async def _open(self, folder: Path, below: Callable[[int], int] | None) -> None:
        self._house = await House.open(folder, below)
        try:
            self.ruled = await self._house.rule_interruptions()
            self.name = await self._house.new_table()
            self._desk = await self._house.desk(self.name)
        except BaseException:
            await self._house.close()
            raise

    def _run(self, work: Coroutine[object, object, Result]) -> Result:
        try:
            return self._runner.run(work)
        except JournalError as error:
            raise RulesError(str(error)) from error

    def decide(self, table: Table, envelope: Envelope) -> tuple[Event, ...] | Refusal:  # noqa: ARG002
        """Let the desk decide, and return what is in the journal of it."""
        self._asked += 1
        request = Request(
            f"play-{self.name}-{self._asked}",
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
    def notice(self) -> str | None:
        """Say which tables were left in the middle of a round; None: none was."""
        if not self.ruled:
            return None
        tables = f"Table {self.ruled[0]}" if len(self.ruled) == 1 else "Tables "
        tables += listed(self.ruled) if len(self.ruled) > 1 else ""
        verb = "was" if len(self.ruled) == 1 else "were"
        return (
            f"{tables} {verb} left in the middle of a round; what the rulebook says about an"
            f" interruption was done. See: croupier recall {self._house.folder}"
            f" --table {self.ruled[-1]}"
        )

    def close(self) -> str:
        """Close the house, and say where everything is."""
        try:
            self._run(self._house.close())
        finally:
            self._runner.close()
        folder = self._house.folder
        return (
            f"Table {self.name} is kept in {folder / JOURNAL}, signed by"
            f" {self._house.signer.public}. Try: croupier verify {folder}"
        )
