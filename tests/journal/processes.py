"""Programs that the tests of the stores run beside themselves, and how they talk to them.

``writer DSN STREAM NAME``: at every line it reads, takes the stream over and appends until it
is fenced. ``holder PATH``: opens a file, and keeps it open until it reads a line.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.journal.errors import FencedError
from croupier.journal.postgres import PostgresStore
from croupier.journal.sqlite import SqliteStore
from tests.journal.places import append, claim, following, head_after

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ROOT = Path(__file__).resolve().parent.parent.parent
ANSWER_SECONDS_MAX = 60


class Program:
    """A running program, and the lines it writes."""

    def __init__(self, process: Process) -> None:
        self.process = process

    async def line(self) -> str:
        """Return the next line that it writes."""
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), ANSWER_SECONDS_MAX)
        assert line, "the program ended"
        return line.decode().strip()

    def tell(self, line: str) -> None:
        """Send it a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())


@asynccontextmanager
async def running(*arguments: str) -> AsyncIterator[Program]:
    """Run one of the programs of this module, and end it at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, *arguments, cwd=ROOT, stdin=PIPE, stdout=PIPE
    )
    try:
        yield Program(process)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


def say(*words: object) -> None:
    """Write a line, at once."""
    print(*words, flush=True)  # noqa: T201  # how this program answers


async def told() -> str:
    """Return the next line that was sent to this program."""
    line: str = await asyncio.to_thread(sys.stdin.readline)
    return line.strip()


async def write(dsn: str, stream: str, name: str) -> None:
    """Take a stream over whenever told, and append until fenced."""
    store = await PostgresStore.open(dsn)
    commands = (f"{name}-{number}" for number in itertools.count())
    say("ready")
    while await told():
        epoch = await claim(store, stream, name)
        say("epoch", epoch)
        head = await store.head(stream)
        with suppress(FencedError):
            while True:
                command = next(commands)
                batch = following(head, epoch, commands=[command], actor=name)
                await append(store, batch)
                head = head_after(batch)
                say("wrote", head.sequence, command)
        say("fenced", epoch)
    await store.close()


async def hold(path: str) -> None:
    """Open a file as the journal's writer, and keep it until told."""
    store = await SqliteStore.open(path)
    say("open")
    await told()
    await store.close()


if __name__ == "__main__":
    program, *values = sys.argv[1:]
    asyncio.run(write(*values) if program == "writer" else hold(*values))
