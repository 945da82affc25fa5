"""A house in a process of its own that sends commands, or hangs where it is to be killed.

It submits what it reads, a line of JSON each, and says what came of it::

    python -m tests.floor.inbox_worker FOLDER DATABASE TABLES HANG

``TABLES`` are the names of its tables, a letter each, or - for none. ``HANG`` is where it
says "hangs" and does nothing more: before it takes a command, in the append of one, after it
and before it is removed, or never.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from croupier.floor import house as house_module
from croupier.floor.house import House, Own
from croupier.floor.incoming import Incoming
from croupier.journal.codec import AnyCommand  # noqa: TC001  # read by msgspec
from croupier.journal.decision import Person  # noqa: TC001
from croupier.journal.errors import JournalError
from croupier.journal.gathering import Request

if TYPE_CHECKING:
    from croupier.journal.frames import Frame

house_module.LOOK_SECONDS = 0.5


class Order(msgspec.Struct):
    """What is to be sent."""

    stream: str
    number: str
    actor: Person
    command: AnyCommand
    seconds: float = 10.0


class Told(msgspec.Struct):
    """What came of it."""

    number: str
    sequence: int = 0
    accepted: bool = False
    error: str | None = None


def say(one: object) -> None:
    print(msgspec.json.encode(one).decode(), flush=True)  # noqa: T201  # somebody listens


async def hangs(*_: object) -> NoReturn:
    say("hangs")
    await asyncio.Event().wait()
    raise AssertionError


def hang(house: House, where: str) -> None:
    """Let a house hang as soon as a command of another one is somewhere."""
    patched: Any = Incoming
    if where == "before":
        whole = patched._page  # noqa: SLF001

        async def taken(self: Incoming) -> object:
            page = await whole(self)
            return await hangs() if page else page

        patched._page = taken  # noqa: SLF001
    elif where == "after":
        settle = patched.settle

        async def settled(self: Incoming) -> None:
            await (hangs() if self._decided else settle(self))

        patched.settle = settled
    elif where == "in":

        def appended(_: Frame) -> object:
            say("hangs")
            return asyncio.get_running_loop().create_future()

        house.store.append = appended  # type: ignore[method-assign,assignment]


async def answer(house: House, order: Order) -> None:
    request = Request(order.number, order.actor, order.command)
    try:
        reply = await house.submit(order.stream, request, order.seconds)
    except JournalError as error:
        say(Told(order.number, error=type(error).__name__))
    else:
        say(Told(order.number, reply.sequence, reply.accepted))


async def main(folder: Path, database: str, names: str, where: str) -> None:
    """Serve some tables until the end of the input."""
    own = Own(frozenset(names.replace("-", "")), cage=False)
    house = await House.open(folder, database, own=own)
    await house.start(drive=False)
    hang(house, where)
    say("ready")
    loop, tasks = asyncio.get_running_loop(), set()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        task = asyncio.create_task(answer(house, msgspec.json.decode(line, type=Order)))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await house.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:5]))
