"""``croupier bot``: patrons who play at a floor, and what they saw."""

from __future__ import annotations

import asyncio
import random
import sys
from contextlib import AsyncExitStack
from pathlib import Path  # noqa: TC003  # the command line reads the annotation
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from cyclopts import Parameter

from croupier.cli.floors import FloorUrl, needs_client, run_until_stopped
from croupier.cli.output import JsonFlag, Whole, console, new_table, print_json
from croupier.money import dollars
from croupier.rules.errors import RulesError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from croupier.client import Client, ClientError
    from croupier.client.playing import Seen

LEAVE_SECONDS: Final = 60.0
"""How long the end of a round is waited for, so that nobody stays seated."""
PATRONS_MAX: Final = 1000
SIGN_INS: Final = 4
"""Patrons who sign in at a time: each costs the floor the hashing of a password."""
FORBIDDEN: Final = 403
"""The floor lets this patron not play: excluded, disabled, at a limit of their own."""
GONE_SECONDS: Final = 1.5
"""How long a floor that has gone is waited for when somebody stops the bot."""
LOOK_SECONDS: Final = 0.1
FAILED: Final = 1
"""The exit code where nobody could sign in."""
PATRON: Final = "patron"
PERCENTILES: Final = (50, 90, 99, 100)


class Login(msgspec.Struct, frozen=True):
    """Name and password of a patron; files may say more of people."""

    name: str
    password: str
    kind: str = "patron"

    def __repr__(self) -> str:
        return f"Login({self.name!r})"


class ReadyFile(msgspec.Struct, frozen=True):
    """The file that a floor writes when it is ready, as far as it is needed here."""

    logins: tuple[Login, ...]


def bot(
    url: FloorUrl,
    /,
    *,
    patrons: Annotated[Whole, Parameter(help="How many patrons play.")] = 1,
    table: Annotated[
        list[str] | None,
        Parameter(
            negative="", help="Where they play, repeatable; all tables if you do not say."
        ),
    ] = None,
    rounds: Annotated[
        Whole | None, Parameter(help="Rounds that each plays; until Ctrl-C if you do not say.")
    ] = None,
    seed: Annotated[Whole | None, Parameter(help="Makes what they do repeatable.")] = None,
    ready: Annotated[
        Path | None,
        Parameter(
            help="The ready file of a demo: its logins, which a demo shows by itself, too."
        ),
    ] = None,
    logins: Annotated[
        Path | None, Parameter(help='A file of logins: [{"name": …, "password": …}, …].')
    ] = None,
    json: JsonFlag = False,
) -> int:
    """Let patrons sign in, bet at random within the limits, answer and leave."""
    if not 1 <= patrons <= PATRONS_MAX:
        message = f"{patrons} patrons came; 1 to {PATRONS_MAX} are allowed."
        raise RulesError(message)
    if rounds is not None and rounds < 1:
        message = f"{rounds} rounds came; at least 1 is played."
        raise RulesError(message)
    # The first of a demo are those whom visitors play.
    people = logins_of(url, ready, logins)[-patrons:]
    if len(people) < patrons:
        message = f"{patrons} patrons were asked for, and there are logins of {len(people)}."
        raise RulesError(message)
    try:
        from croupier.client.playing import Seen  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise needs_client(error) from error
    seen, party = Seen(), _Party(url, people, table or [], rounds, seed)
    code = run_until_stopped(lambda stop: party.play(seen, stop))
    if json:
        print_json(document(seen, len(people)))
    else:
        show(seen, len(people))
    return code


def logins_of(url: str, ready: Path | None, logins: Path | None) -> list[Login]:
    """Return the patrons of a file, or those whom a demo lets in without asking."""
    if ready is not None or logins is not None:
        return read_logins(ready, logins)
    try:
        from croupier.client import ClientError  # noqa: PLC0415  # an extra
        from croupier.client.demo import demo_logins  # noqa: PLC0415
    except ImportError as error:
        raise needs_client(error) from error
    try:
        found = demo_logins(url)
    except ClientError as error:
        raise RulesError(str(error)) from error
    if found is None:
        message = "This house is no demo and shows no logins; give a file of them by --logins."
        raise RulesError(message)
    shown = (Login(one.name, one.password, one.kind) for one in found)
    return [one for one in shown if one.kind == PATRON]


def read_logins(ready: Path | None, logins: Path | None) -> list[Login]:
    """Return the patrons of a ready file, or of a file of logins."""
    if ready is not None and logins is not None:
        message = "Give --ready or --logins: one file says who plays."
        raise RulesError(message)
    path = ready or logins
    assert path is not None
    data = path.read_bytes()
    try:
        if ready is not None:
            found = msgspec.json.decode(data, type=ReadyFile).logins
        else:
            found = msgspec.json.decode(data, type=tuple[Login, ...])
    except (msgspec.MsgspecError, UnicodeError) as error:
        message = f"{path} has no logins that can be read: {str(error).rstrip('.')}."
        raise RulesError(message) from error
    return [one for one in found if one.kind == PATRON]


class _Party:
    """Patrons who come together, and leave together."""

    def __init__(
        self,
        url: str,
        people: Sequence[Login],
        tables: list[str],
        rounds: int | None,
        seed: int | None,
    ) -> None:
        self._url, self._people, self._tables = url, people, tables
        self._rounds, self._seed = rounds, seed
        self._door = asyncio.Semaphore(SIGN_INS)

    async def play(self, seen: Seen, stop: asyncio.Event) -> int:
        """Let everybody play until all are done, or somebody stops them."""
        tasks = [
            asyncio.create_task(self._one(number, login, seen, stop))
            for number, login in enumerate(self._people)
        ]
        try:
            failures = await asyncio.gather(*tasks)
        finally:
            # Who asks for what is not there, or is stopped a second time, ends all of it.
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        failed = [one for one in failures if one is not None]
        nobody = len(failed) == len(tasks)
        if nobody and _is_away(failed[0]):
            raise failed[0]
        for login, failure in zip(self._people, failures, strict=True):
            if failure is not None and _is_away(failure):
                _say(login, failure)
        return FAILED if nobody else 0

    async def _one(
        self, number: int, login: Login, seen: Seen, stop: asyncio.Event
    ) -> ClientError | None:
        """Let one patron play; return why they could not, if so. The others play on."""
        from croupier.client import Client  # noqa: PLC0415  # an extra

        client = Client(self._url, login.name, login.password)
        playing = asyncio.create_task(self._play(number, login, client, seen, stop))
        gone = asyncio.create_task(_gone(client, stop, playing))
        try:
            return await playing
        except asyncio.CancelledError:
            if not gone.done():
                raise
            sys.stderr.write(f"{login.name} leaves: the floor has gone.\n")
            return None
        finally:
            gone.cancel()
            playing.cancel()
            await asyncio.gather(gone, playing, return_exceptions=True)

    async def _play(
        self, number: int, login: Login, client: Client, seen: Seen, stop: asyncio.Event
    ) -> ClientError | None:
        from croupier.client import ClientError, Refused  # noqa: PLC0415  # an extra

        async with AsyncExitStack() as stack:
            stack.push_async_callback(client.close)
            try:
                async with self._door:
                    if stop.is_set():
                        return None
                    await client.sign_in()
            except ClientError as error:
                if not _is_away(error):
                    _say(login, error)
                return error
            try:
                await self._visits(number, client, seen, stop)
            except Refused as refused:
                _say(login, refused)
                if refused.problem.status == FORBIDDEN:
                    seen.refused[refused.code] += 1
                    return refused
            except ClientError as error:
                _say(login, error)
        return None

    async def _visits(
        self, number: int, client: Client, seen: Seen, stop: asyncio.Event
    ) -> None:
        """Look for a seat, and play there."""
        from croupier.client.playing import Habits, Visit  # noqa: PLC0415  # an extra

        chance = random.Random(None if self._seed is None else f"{self._seed}/{number}")  # noqa: S311
        for table in await self._places(client, number):
            if stop.is_set():
                return
            visit = Visit(client, table, Habits(), chance, seen)
            if await visit.sit():
                await visit.play(stop, self._rounds)
                await visit.leave(LEAVE_SECONDS)
                return
            visit.close()

    async def _places(self, client: Client, number: int) -> list[str]:
        """Return the tables in the order in which this patron looks for a seat."""
        known = [one.name for one in await client.tables()]
        for name in self._tables:
            if name not in known:
                message = f"There is no table {quoted(name[:80])} at this floor."
                raise RulesError(message)
        tables = self._tables or known
        first = number % len(tables)
        return [*tables[first:], *tables[:first]]


def _is_away(error: ClientError) -> bool:
    """Tell whether nobody could be asked, so that it is no matter of one login."""
    from croupier.client import Unavailable  # noqa: PLC0415  # an extra

    return isinstance(error, Unavailable)


def _say(login: Login, why: ClientError) -> None:
    sys.stderr.write(f"{login.name} does not play: {why}\n")


async def _gone(client: Client, stop: asyncio.Event, playing: asyncio.Task[object]) -> None:
    """Once somebody stops the bot, wait for a floor that has gone no more."""
    await stop.wait()
    seen = monotonic()
    while monotonic() - seen < GONE_SECONDS:
        await asyncio.sleep(LOOK_SECONDS)
        if client.connected:
            seen = monotonic()
    playing.cancel()


# What they saw


def percentile(seconds: Sequence[float], percent: int) -> float | None:
    """Return the time within which so many of a hundred answers came, in milliseconds.

    >>> percentile([0.004, 0.001, 0.002, 0.003], 50), percentile([], 99)
    (2.0, None)
    """
    if not seconds:
        return None
    ordered = sorted(seconds)
    return round(1000 * ordered[max(0, -(-len(ordered) * percent // 100) - 1)], 3)


def document(seen: Seen, patrons: int) -> dict[str, object]:
    """Return what patrons saw in JSON."""
    return {
        "patrons": patrons,
        "rounds": seen.rounds,
        "wagers": {
            "accepted": seen.accepted,
            "refused": dict(sorted(seen.refused.items())),
        },
        "answers": seen.answers,
        "staked_cents": seen.staked_cents,
        "won_cents": seen.won_cents,
        "lost_cents": seen.lost_cents,
        "latency_ms": {
            "max" if one == PERCENTILES[-1] else f"p{one}": percentile(seen.seconds, one)
            for one in PERCENTILES
        },
    }


def show(seen: Seen, patrons: int) -> None:
    """Show what patrons saw on a terminal."""
    table = new_table("What", "Seen", right=("Seen",))
    rows: list[tuple[str, object]] = [
        ("Patrons", patrons),
        ("Rounds, counted for each patron", seen.rounds),
        ("Wagers accepted", seen.accepted),
        *((f"Refused: {code}", count) for code, count in sorted(seen.refused.items())),
        ("Answers given", seen.answers),
        ("Staked", dollars(seen.staked_cents)),
        ("Won", dollars(seen.won_cents)),
        ("Lost", dollars(seen.lost_cents)),
    ]
    for percent in PERCENTILES:
        value = percentile(seen.seconds, percent)
        name = "most" if percent == PERCENTILES[-1] else f"{percent} of 100 within"
        if value is not None:
            rows.append((f"Answer to a wager, {name}", f"{value:.1f} ms"))
    for name, what in rows:
        table.add_row(name, str(what))
    console().print(table)
