"""The writer of an SQLite journal: a process of its own, or a thread where that is better.

A process leaves the interpreter lock of the deciding process alone. Jobs come to it through
one pipe and results go back through another. It inherits the lock of the file: when the house
dies, the writer finishes the frames that reached it, and nobody else opens the file before.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import queue
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.frames import Frame  # noqa: TC001  # read by msgspec
from croupier.journal.medium import Medium, connect_file

if TYPE_CHECKING:
    from collections.abc import Callable

PIPE_BYTES = 1 << 20
LENGTH = struct.Struct("<I")
GROUP_MAX = 64
"""How many jobs are taken together at most."""
ENDED = "the writer ended"


class Job(msgspec.Struct, array_like=True, tag=True, gc=False):
    """Something for the writer to do; its number comes back with the result."""

    number: int


class Append(Job, array_like=True, tag=True, gc=False):
    """Write a frame."""

    frame: Frame


class Claim(Job, array_like=True, tag=True, gc=False):
    """Take streams over."""

    streams: list[str]
    holder: str


class KeepSealed(Job, array_like=True, tag=True, gc=False):
    """Keep the sealed cards of a shoe."""

    shoe: str
    cards: list[bytes]


class Reopen(Job, array_like=True, tag=True, gc=False):
    """Open the file again after it failed."""


class Close(Job, array_like=True, tag=True, gc=False):
    """Copy the log into the file, and end."""


class Done(msgspec.Struct, array_like=True, gc=False):
    """What came of a job: a value, or a sentence about what failed."""

    number: int
    value: Any = None
    error: str | None = None
    poisoned: bool = False

    def failure(self) -> JournalError | None:
        """Return the error, if there is one."""
        if self.error is None:
            return None
        return PoisonedError(self.error) if self.poisoned else JournalError(self.error)


AnyJob = Append | Claim | KeepSealed | Reopen | Close


def opened(path: Path, connect: Callable[[Path], Any]) -> Medium:
    """Open a file to write it."""
    try:
        return Medium(path, connect)
    except (sqlite3.Error, OSError) as error:
        message = f"The journal {path.name} cannot be opened: {error}."
        raise PoisonedError(message) from error


def serve(medium: Medium, jobs: list[Any]) -> list[Done]:
    """Do what came, frames that came together in one transaction."""
    results: list[Done] = []
    place = 0
    while place < len(jobs):
        group = [jobs[place]]
        while (
            type(group[0]) is Append
            and place + len(group) < len(jobs)
            and type(jobs[place + len(group)]) is Append
        ):
            group.append(jobs[place + len(group)])
        place += len(group)
        try:
            values = _do(medium, group)
            results += [Done(job.number, one) for job, one in zip(group, values, strict=True)]
        except JournalError as error:
            poisoned = isinstance(error, PoisonedError)
            results += [Done(job.number, None, str(error), poisoned) for job in group]
    return results


def _do(medium: Medium, group: list[Any]) -> list[Any]:
    first = group[0]
    if isinstance(first, Append):
        return list(medium.write([job.frame for job in group]))
    if isinstance(first, Claim):
        return [medium.claim(first.streams, first.holder)]
    if isinstance(first, KeepSealed):
        medium.keep_sealed(first.shoe, first.cards)
    elif isinstance(first, Reopen):
        try:
            medium.reopen()
        except (sqlite3.Error, OSError) as error:
            medium.poison = str(error)
            message = f"The journal failed and must be opened again: {error}."
            raise PoisonedError(message) from error
    else:
        failed = medium.close()
        if failed is not None:
            message = f"The journal failed while it was closed: {failed}."
            raise PoisonedError(message)
    return [None]


class Backend(Protocol):
    """Where the writer runs."""

    def put(self, job: Any) -> None:  # noqa: ANN401  # one of the jobs
        """Hand a job over; results come by the callback, in order."""

    def abandon(self) -> None:
        """Let the writer end, without any answer."""

    async def join(self) -> None:
        """Wait until the writer has ended; the last job was Close, or it is gone."""

    @property
    def alive(self) -> bool:
        """Tell whether the writer runs."""


class ThreadBackend:
    """The writer as a thread of this process."""

    def __init__(
        self,
        medium: Medium,
        told: Callable[[list[Done]], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._medium, self._told, self._loop = medium, told, loop
        self._jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Tell whether the thread runs."""
        return self._thread.is_alive()

    def put(self, job: Any) -> None:  # noqa: ANN401
        """Hand a job over."""
        self._jobs.put(job)

    def _run(self) -> None:
        ending = False
        while not ending:
            group = [self._jobs.get()]
            while len(group) < GROUP_MAX:
                try:
                    group.append(self._jobs.get_nowait())
                except queue.Empty:
                    break
            results = serve(self._medium, group)
            ending = isinstance(group[-1], Close)
            # In a loop that was closed nobody waits any more.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._told, results)

    def abandon(self) -> None:
        """Let the thread end."""
        self._jobs.put(Close(0))

    async def join(self) -> None:
        """Wait until the thread has ended."""
        await asyncio.to_thread(self._thread.join)


class ProcessBackend:
    """The writer as a process of its own, behind two pipes."""

    def __init__(self, path: Path, lock: int, told: Callable[[list[Done]], None]) -> None:
        self._told = told
        self._loop = asyncio.get_running_loop()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Done).decode
        self._waiting: deque[bytes] = deque()
        self._buffer = bytearray()
        theirs, self._out = os.pipe()
        self._back, answers = os.pipe()
        with suppress(OSError):  # a smaller pipe is slower, and does
            fcntl.fcntl(self._out, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        # What is sent to everybody at a terminal is no business of the writer: it ends when
        # the house closes the pipe. It inherits what is held back here.
        before = signal.pthread_sigmask(
            signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        )
        try:
            self.process = subprocess.Popen(  # noqa: S603  # our own program
                [
                    sys.executable,
                    # Nothing of the folder where somebody happens to be is run.
                    "-P",
                    "-m",
                    __name__,
                    str(path),
                    str(theirs),
                    str(answers),
                    str(lock),
                ],
                pass_fds=(theirs, answers, lock),
                stdin=subprocess.DEVNULL,
                # Whoever reads what the house prints is not kept waiting by its writer.
                stdout=subprocess.DEVNULL,
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(theirs)
            os.close(answers)
        os.set_blocking(self._out, False)
        os.set_blocking(self._back, False)
        self._open = True
        self._loop.add_reader(self._back, self._readable)

    @property
    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self._open

    def put(self, job: Any) -> None:  # noqa: ANN401
        """Hand a job over; what the pipe cannot take now waits."""
        if not self._open:
            self._loop.call_soon(
                self._told, [Done(job.number, None, _failed(ENDED), poisoned=True)]
            )
            return
        data = self._encode(job)
        self._waiting.append(LENGTH.pack(len(data)) + data)
        if len(self._waiting) == 1:
            self._push()

    def _push(self) -> None:
        while self._waiting:
            data = self._waiting[0]
            try:
                sent = os.write(self._out, data)
            except BlockingIOError:
                self._loop.add_writer(self._out, self._push)
                return
            except BrokenPipeError:
                self._waiting.clear()
                self._loop.remove_writer(self._out)
                return  # the other pipe tells of it
            if sent < len(data):
                self._waiting[0] = data[sent:]
            else:
                self._waiting.popleft()
        self._loop.remove_writer(self._out)

    def _readable(self) -> None:
        try:
            data = os.read(self._back, PIPE_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._end()
            return
        buffer = self._buffer
        buffer += data
        results, start = [], 0
        for body, start in _messages(buffer):  # noqa: B007  # the last one counts
            results.append(self._decode(body))
        del buffer[:start]
        if results:
            self._told(results)

    def _end(self) -> None:
        """Let go of a writer that ended, by itself or by somebody's hand."""
        self._open = False
        self._loop.remove_reader(self._back)
        self._loop.remove_writer(self._out)
        os.close(self._out)
        os.close(self._back)
        self._told([Done(-1, None, _failed(ENDED), poisoned=True)])

    def abandon(self) -> None:
        """Close the pipes: the process finishes what it has, and ends."""
        if self._open:
            self._end()

    async def join(self) -> None:
        """Wait until the process has ended."""
        await asyncio.to_thread(self.process.wait)
        if self._open:
            # Its last words may still be in the pipe.
            self._readable()
            if self._open:
                self._end()


def _failed(why: str) -> str:
    return f"The journal failed and must be opened again: {why}."


def _messages(buffer: bytearray) -> list[tuple[bytes, int]]:
    """Return the whole messages of a buffer, each with where it ends."""
    found, start = [], 0
    while len(buffer) - start >= LENGTH.size:
        (length,) = LENGTH.unpack_from(buffer, start)
        end = start + LENGTH.size + length
        if len(buffer) < end:
            break
        found.append((bytes(buffer[start + LENGTH.size : end]), end))
        start = end
    return found


def main(path: str, source: int, answers: int) -> None:
    """Write what comes until the other side closes its pipe."""
    encode = msgspec.msgpack.Encoder().encode

    def tell(results: list[Done]) -> None:
        data = b"".join(LENGTH.pack(len(one)) + one for one in map(encode, results))
        with suppress(BrokenPipeError):  # nobody waits any more; what was written stays
            while data:
                data = data[os.write(answers, data) :]

    try:
        medium = opened(Path(path), connect_file)
    except JournalError as error:
        tell([Done(0, None, str(error), isinstance(error, PoisonedError))])
        return
    tell([Done(0)])
    decode = msgspec.msgpack.Decoder(AnyJob).decode
    buffer = bytearray()
    poll = select.poll()
    poll.register(source, select.POLLIN)
    closed = False
    while not closed:
        data = os.read(source, PIPE_BYTES)
        closed = not data
        buffer += data
        while not closed and poll.poll(0):
            data = os.read(source, PIPE_BYTES)
            closed = not data
            buffer += data
        jobs, start = [], 0
        for body, start in _messages(buffer):  # noqa: B007
            jobs.append(decode(body))
        del buffer[:start]
        if jobs:
            tell(serve(medium, jobs))
            if isinstance(jobs[-1], Close):
                return
    # The house is gone: what reached this process whole is written.
    medium.close()


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
