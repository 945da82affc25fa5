"""Verifications of the journal while the house is open: one at a time, with what came of each.

Everything is decided again by a process of its own, which reads one moment of the journal
without any lock and gives way to whoever plays.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime  # noqa: TC003  # read by msgspec
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.floor.house import CHECKPOINTS, JOURNAL
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.verifying import Order, Told
from croupier.frozen import Named
from croupier.journal.errors import JournalError
from croupier.journal.reader import Finding  # noqa: TC001  # read by msgspec

if TYPE_CHECKING:
    from croupier.floor.floor import Floor
    from croupier.journal.verify import Verified

SHOWN_MAX: Final = 20
LINE_BYTES: Final = 1 << 22
"""How long the last line may be: it names the head of every stream."""
decode_told = msgspec.json.Decoder(Told).decode


class VerificationState(Named):
    """How a verification stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class VerifiedShown(msgspec.Struct, frozen=True, kw_only=True):
    """What was computed again, and what does not hold."""

    holds: bool
    streams: int
    decisions: int
    refusals: int
    postings: int
    settlements: int
    openings: int
    """Cards that lead to the root of their shoe."""
    checkpoints: int
    lost_shoes: int
    otherwise: int
    """Decisions of another release that would come out differently today: no fault."""
    heads: dict[str, int]
    """By stream: the last decision that was looked at."""
    findings: list[Finding]


class VerificationShown(msgspec.Struct, frozen=True, kw_only=True):
    """A verification: how far it is, and what came of it."""

    number: int
    by: str
    began: datetime
    ended: datetime | None = None
    state: VerificationState = VerificationState.RUNNING
    decisions_done: int = 0
    decisions: int = 0
    """How many the journal has; 0: it is being opened."""
    result: VerifiedShown | None = None
    error: str | None = None


class Verifications:
    """The verifications of this process."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self.shown: dict[int, VerificationShown] = {}
        self._last = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def newest(self) -> VerificationShown | None:
        """Return the newest one that came to its end."""
        done = (one for one in reversed(self.shown.values()) if one.result is not None)
        return next(done, None)

    def begin(self, by: str) -> VerificationShown:
        """Begin a verification, unless one is running."""
        if self._task is not None and not self._task.done():
            message = f"Verification {self._last} is running; wait until it is done."
            raise ProblemError(ServerCode.BUSY, message, 5.0)
        self._last += 1
        shown = VerificationShown(number=self._last, by=by, began=self._floor.house.clock())
        self.shown[shown.number] = shown
        for old in list(self.shown)[:-SHOWN_MAX]:
            del self.shown[old]
        self._task = self._floor.spawn(self._run(shown.number))
        return shown

    async def close(self) -> None:
        """Give up what is running."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, number: int) -> None:
        try:
            told = await self._apart(number)
        except (JournalError, OSError) as error:
            told = Told(error=str(error))
        if told.verified is None:
            why = told.error or "The process that verifies the journal failed."
            self._note(number, state=VerificationState.FAILED, error=why)
        else:
            result = _shown(told.verified)
            self._note(number, state=VerificationState.DONE, result=result)
        self._note(number, ended=self._floor.house.clock())

    def _note(self, number: int, **changes: object) -> None:
        self.shown[number] = msgspec.structs.replace(self.shown[number], **changes)

    async def _apart(self, number: int) -> Told:
        """Let another process verify; what it is to do goes over a pipe."""
        house = self._floor.house
        where = house.database or str(house.folder / JOURNAL)
        order = Order(where, str(house.folder / CHECKPOINTS), house.signer.public)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "croupier.floor.verifying", limit=LINE_BYTES,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        told = Told()
        try:
            process.stdin.write(msgspec.json.encode(order))
            process.stdin.close()
            async for line in process.stdout:
                told = decode_told(line)
                self._note(number, decisions_done=told.done, decisions=told.total)
            await process.wait()
        except (ValueError, msgspec.MsgspecError) as error:
            message = "What the process that verifies the journal said cannot be read."
            raise JournalError(message) from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return told


def _shown(verified: Verified) -> VerifiedShown:
    return VerifiedShown(
        holds=verified.holds,
        streams=verified.streams,
        decisions=verified.decisions,
        refusals=verified.refusals,
        postings=verified.postings,
        settlements=verified.settlements,
        openings=verified.openings,
        checkpoints=verified.checkpoints,
        lost_shoes=len(verified.lost),
        otherwise=len(verified.otherwise),
        heads={stream: sequence for stream, (sequence, _) in verified.heads.items()},
        findings=verified.findings,
    )
