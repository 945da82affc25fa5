"""``croupier watch``: a table of a floor, live on the terminal."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path  # noqa: TC003  # read by cyclopts
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from croupier.cli.floors import FloorUrl, needs_client, run_until_stopped, secret_of
from croupier.cli.output import JsonFlag  # noqa: TC001  # the command line reads it
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine
    from typing import Any

    from croupier.client import Subscription
    from croupier.client.wire import View

LOOK_SECONDS: Final = 0.25
"""How often the countdown is drawn anew."""
RECONNECTING: Final = "The floor does not answer; reconnecting."


def watch(
    url: FloorUrl,
    /,
    *,
    table: Annotated[str, Parameter(help="The name of the table, such as tiger.")],
    name: Annotated[
        str | None, Parameter(help="Sign in, and see what this person may see.")
    ] = None,
    password_file: Annotated[
        Path | None,
        Parameter(help="A file with the password, - for standard input; else it is asked for."),
    ] = None,
    json: JsonFlag = False,
) -> int:
    """Show a table as it is played: state, hands, results and roads; Ctrl-C ends it."""
    if name is None and password_file is not None:
        message = "--password-file belongs to --name, which says whose it is."
        raise RulesError(message)
    try:
        import croupier.client  # noqa: F401, PLC0415  # an extra
    except ImportError as error:
        raise needs_client(error) from error
    login = None if name is None else (name, secret_of(password_file))
    terminal = sys.stdout.isatty()
    show = _documents if json else _live if terminal else _lines
    return run_until_stopped(lambda stop: _watch(url, table, login, partial(show, stop=stop)))


async def _watch(
    url: str,
    table: str,
    login: tuple[str, str] | None,
    show: Callable[[Subscription], Coroutine[Any, Any, None]],
) -> int:
    from croupier.client import Client, Display  # noqa: PLC0415  # an extra

    async with AsyncExitStack() as stack:
        display = await stack.enter_async_context(Display(url))
        await display.table(table)  # a wrong address or name is said at once
        source: Client | Display = display
        if login is not None:
            source = await stack.enter_async_context(Client(url, *login))
        await show(source.subscribe(f"table:{table}"))
    return 0


async def _live(subscription: Subscription, stop: asyncio.Event) -> None:
    """Draw the table in place whenever something changed, and while a countdown runs."""
    from rich.live import Live  # noqa: PLC0415  # only for a terminal

    from croupier.cli.output import console  # noqa: PLC0415
    from croupier.cli.watching import picture  # noqa: PLC0415

    with Live(console=console(), auto_refresh=False, screen=False) as live:
        while not stop.is_set():
            update = await subscription.next(LOOK_SECONDS)
            while update is not None:
                update = await subscription.next(0)
            view = subscription.view
            if view:
                shown = picture(
                    view, subscription.now, live.console.width, live=subscription.connected
                )
                live.update(shown, refresh=True)


async def _lines(subscription: Subscription, stop: asyncio.Event) -> None:
    """Print a line for everything that happens, for a file or another program."""
    from croupier.cli.watching import news  # noqa: PLC0415

    before: View = {}
    heard = True
    while not stop.is_set():
        update = await subscription.next(LOOK_SECONDS)
        lines = [] if update is None else news(before, update.view)
        if update is not None:
            before = update.view
        if before and heard != subscription.connected:
            heard = subscription.connected
            if not heard:
                lines.append(RECONNECTING)
        if lines:
            sys.stdout.write("".join(f"{line}\n" for line in lines))
            sys.stdout.flush()


async def _documents(subscription: Subscription, stop: asyncio.Event) -> None:
    """Print every update as a line of JSON: the whole view first, then what changed."""
    import msgspec  # noqa: PLC0415  # only here

    while not stop.is_set():
        update = await subscription.next(LOOK_SECONDS)
        if update is not None:
            document = {
                "sequence": update.sequence,
                "time": update.time,
                "snapshot": update.snapshot,
                "events": update.events,
                "view": update.changed,
            }
            sys.stdout.write(f"{msgspec.json.encode(document).decode()}\n")
            sys.stdout.flush()
