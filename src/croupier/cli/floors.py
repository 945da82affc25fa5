"""What commands share that talk to a floor: they run until they are done or stopped."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import signal
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

FloorUrl = Annotated[
    str, Parameter(name="URL", help="Where the floor is, such as http://127.0.0.1:8000.")
]


def secret_of(
    file: Path | None, what: str = "Password", option: str = "--password-file"
) -> str:
    """Return a secret: from a file, from standard input, or asked for.

    No secret is an argument: other users of the machine could read it.
    """
    if file is None:
        if not sys.stdin.isatty():
            message = f"The {what.lower()} is missing; give it by {option}."
            raise RulesError(message)
        return getpass.getpass(f"{what}: ")
    if str(file) == "-":
        return sys.stdin.readline().rstrip("\r\n")
    lines = file.read_text(encoding="utf-8").splitlines()
    if not lines:
        message = f"{file} is empty; its first line is the {what.lower()}."
        raise RulesError(message)
    return lines[0]


def needs_client(error: ImportError) -> RulesError:
    """Say which extra a command needs."""
    return RulesError(
        f"This needs the extra client: pip install 'croupier[client]' ({error.name})."
    )


def run_until_stopped(main: Callable[[asyncio.Event], Coroutine[Any, Any, int]]) -> int:
    """Run something that ends in order at the first Ctrl-C, and at once at the second."""
    from croupier.client import ClientError  # noqa: PLC0415  # an extra

    try:
        return asyncio.run(_stoppable(main))
    except ClientError as error:
        raise RulesError(str(error)) from error


async def _stoppable(main: Callable[[asyncio.Event], Coroutine[Any, Any, int]]) -> int:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    task = asyncio.ensure_future(main(stop))

    def stopped() -> None:
        if stop.is_set():
            task.cancel()
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # where a loop knows no signals
            loop.add_signal_handler(number, stopped)
    try:
        return await task
    except asyncio.CancelledError:
        if not stop.is_set():
            raise
        return 0
