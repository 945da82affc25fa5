"""All that a house keeps, in one folder: its journal, its keys and its checkpoints."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Self

from croupier.floor.desk import Desk
from croupier.floor.keeper import Keeper
from croupier.floor.sources import SealedSource
from croupier.journal.checkpoints import Checkpoints, Signer
from croupier.journal.errors import JournalError
from croupier.journal.gathering import Seat
from croupier.journal.loading import load
from croupier.journal.recovery import interrupted
from croupier.journal.seal import KeyBox
from croupier.journal.snapshots import Snapshots
from croupier.journal.sqlite import SqliteStore
from croupier.journal.tables import TableStream
from croupier.journal.writer import Writer
from croupier.rulebooks import RULEBOOKS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

JOURNAL = "journal.sqlite"
CHECKPOINTS = "checkpoints"
SHOE_KEYS = "shoe-keys"
SIGNING_KEY = "signing.key"
SNAPSHOT_KEY = "snapshot.key"


class House:
    """A journal with its keeper, and the desks of its tables, which draw from sealed shoes."""

    def __init__(
        self, folder: Path, store: SqliteStore, below: Callable[[int], int] | None = None
    ) -> None:
        self.folder, self.store = folder, store
        self.signer = Signer.at(folder / SIGNING_KEY)
        self._keeper = Keeper(store, Checkpoints(folder / CHECKPOINTS), self.signer)
        self._snapshots = Snapshots.at(folder / SNAPSHOT_KEY)
        self.writer = Writer(
            store, subscribers=(self._keeper.committed,), snapshots=self._snapshots
        )
        self._source = SealedSource(
            store, KeyBox(folder / SHOE_KEYS), below or secrets.randbelow
        )
        self._desks: dict[str, Desk] = {}

    @classmethod
    async def open(cls, folder: Path, below: Callable[[int], int] | None = None) -> Self:
        """Open a house, or found it; a journal behind its checkpoints is refused."""
        try:
            await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        except OSError as error:
            message = f"The folder {folder} cannot be used: {error.strerror}."
            raise JournalError(message) from error
        store = await SqliteStore.open(folder / JOURNAL)
        try:
            house = cls(folder, store, below)
            # Before any desk: it signs what they tell it.
            await house._keeper.start()
        except BaseException:
            await store.close()
            raise
        return house

    async def desk(self, name: str) -> Desk:
        """Return the desk of a table, started, whose decisions the keeper signs."""
        before = self._desks.pop(name, None)
        if before is not None:
            await before.close()
        desk = Desk(self.writer, name, RULEBOOKS, self._source)
        await desk.start()
        self._desks[name] = desk
        return desk

    async def rule_interruptions(self) -> list[str]:
        """Start every table that was left in the middle of a round; return their names.

        A start rules the interruption as the rulebook says. Tables that rest are left alone.
        """
        ruled = []
        for head in await self.store.heads():
            kind, _, name = head.stream.partition(":")
            if kind == "table" and await self._in_a_round(name):
                await self.desk(name)
                ruled.append(name)
        return ruled

    async def _in_a_round(self, name: str) -> bool:
        seat = Seat(TableStream(name, RULEBOOKS), epoch=0)
        await load(self.store, seat, self._snapshots)
        return interrupted(seat.state.table, seat.epoch) is not None

    async def new_table(self) -> str:
        """Return the first number that no table of this house has had."""
        streams = {head.stream for head in await self.store.heads()}
        number = 1
        while f"table:{number}" in streams:
            number += 1
        return str(number)

    async def close(self) -> None:
        """Stop the desks, sign how far the journal came, and close it."""
        await self.writer.close()
        try:
            await self._keeper.close()
        finally:
            await self.store.close()
