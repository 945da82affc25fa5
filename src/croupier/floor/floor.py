"""The floor: a house with its people, a hub that announces, and a reception for commands.

Everything that serves HTTP and sockets stands on one ``Floor``; it knows no web framework.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Self

from croupier.accounts.events import ActingBegun, ActingEnded
from croupier.floor import logs
from croupier.floor.backups import Backups
from croupier.floor.books import Books
from croupier.floor.calls import Calls
from croupier.floor.device_book import DeviceBook
from croupier.floor.devices import Devices
from croupier.floor.hosts import is_known, names_of
from croupier.floor.house import House
from croupier.floor.hub import Hub
from croupier.floor.metrics import Metrics
from croupier.floor.people import People
from croupier.floor.people_file import PEOPLE, require_known_form
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.reception import Reception
from croupier.floor.sessions import standing
from croupier.floor.silence import Silence
from croupier.floor.terminals import Terminals
from croupier.floor.topics import TICK_SECONDS
from croupier.floor.verifications import Verifications
from croupier.floor.watch import Watch
from croupier.journal.accounts_stream import STREAM as ACCOUNTS
from croupier.rules.errors import quoted

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path

    from croupier.floor.api.journal import Exporting
    from croupier.floor.demo import DemoLogin
    from croupier.floor.sessions import Session, Settings
    from croupier.journal.gathering import Landed, Subscriber

LOGGER = logging.getLogger("croupier.floor")


class Floor:
    """A running house that people can enter."""

    def __init__(
        self,
        house: House,
        people: People,
        hub: Hub,
        origins: tuple[str, ...],
        metrics: Metrics | None = None,
    ) -> None:
        self.house, self.people, self.hub, self.origins = house, people, hub, origins
        self._names = names_of(origins, house.configuration.server.host)
        self.loop = asyncio.get_running_loop()
        self.reception = Reception(house, people)
        self._tasks: set[asyncio.Task[Any]] = set()
        lost_seconds = house.configuration.terminals.lost
        self.terminals = Terminals(house, self.loop, self.spawn, lost_seconds)
        self.socket_times = house.configuration.sockets
        self.metrics = metrics or Metrics()
        self.backups = Backups(self)
        self.devices = Devices(house, people, hub.alarms, self.spawn)
        self.device_book = DeviceBook(house, people.device_tokens)
        self.watch = Watch(house, self.devices.alarms, self.spawn)
        self.silence = Silence(house, self.devices.alarms, people.device_tokens, self.spawn)
        self.calls = Calls(house, self.devices.alarms, hub.me, self.loop.time)
        self.books = Books(house)
        self.verifications = Verifications(self)
        self.exporting: Exporting | None = None
        """The export of the journal that is being written; one is at a time."""
        self.closing = False
        self.logins: list[DemoLogin] | None = None
        """Of a demo alone: by which everybody may sign in."""
        people.sessions.on_ended.append(self._ended)
        house.tidying.attend(lambda name: bool(people.sessions.of(name)))
        self._acting: set[str] = set()
        """Who acts in a position for a time, now or soon."""
        hub.on_sweep += [
            self._renew,
            self.watch.look,
            self.silence.look,
            self.reception.sweep,
            hub.me.look,
        ]

    @classmethod
    async def open(
        cls,
        folder: Path,
        database: str | None = None,
        *,
        settings: Settings | None = None,
        origins: tuple[str, ...] = (),
        tick_seconds: float = TICK_SECONDS,
        **house_options: Any,  # noqa: ANN401  # of House.open
    ) -> Self:
        """Start a house with its people; ``start`` lets it deal."""
        require_known_form(folder / PEOPLE)
        hub = Hub(asyncio.get_running_loop(), tick_seconds)
        metrics = Metrics()
        logged = logs.DECISIONS.isEnabledFor(logging.DEBUG)
        told: list[Subscriber] = []
        told_of_people: list[Subscriber] = []

        def committed(landed: Landed) -> None:
            hub.committed(landed)
            metrics.committed(landed)
            if logged:
                for one in landed.all:
                    logs.decided(one)
            for tell in told_of_people if landed.stream == ACCOUNTS else told:
                tell(landed)

        house = await House.open(folder, database, subscribers=(committed,), **house_options)
        try:
            # Nobody deals before everybody may enter: founding comes between.
            await house.start(drive=False)
            people = await People.open(
                folder, lambda name: standing(house.accounts.accounts, name), settings=settings
            )
        except BaseException:
            await house.close()
            raise
        floor = cls(house, people, hub, origins, metrics)
        try:
            await floor.devices.load()
            await floor.calls.load()
        except BaseException:
            await floor.close()
            raise
        told += [floor.devices.committed, floor.watch.committed, floor.books.committed]
        told_of_people += [people.committed, floor.committed]
        return floor

    def start(self) -> None:
        """Let drivers deal, and announce what happens."""
        self.people.start()
        users = self.house.accounts.accounts.users
        self._acting.update(name for name, user in users.all.items() if user.acts is not None)
        self.hub.attach(self.house)
        self.hub.terminals = self.terminals
        self.metrics.attach(self)
        self.devices.start()
        self.books.start(self.spawn)
        self.house.drive()

    async def end_rounds(self) -> None:
        """Open no new round, and bring those that the system deals to their end."""
        self.closing = True
        await self.house.end_rounds()

    async def close(self) -> None:
        """Let rounds end, and close everything; everything acknowledged is durable."""
        self.closing = True
        self.hub.close()
        self.metrics.close()
        # Somebody who reads the journal would keep it from being closed.
        await self.backups.close()
        await self.books.close()
        await self.verifications.close()
        try:
            await self.house.close()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self.people.close()

    # Small things that doors share

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Let something run beside; what fails is logged, and stops nothing else."""
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            LOGGER.error("something beside failed", exc_info=error)

    def committed(self, landed: Landed) -> None:
        """Take note of whoever begins or ends to act in a position."""
        if landed.stream != ACCOUNTS:
            return
        for one in landed.all:
            for event in one.decision.events:
                if isinstance(event, ActingBegun | ActingEnded):
                    self._acting.add(event.user)

    def _renew(self) -> None:
        """Let those see as much as they may now whose acting in a position began or ended."""
        if not self._acting:
            return
        moment, users = self.house.clock(), self.house.accounts.accounts.users
        for client in list(self.hub.clients):
            if client.asker.name in self._acting:
                client.renew()
        for name in list(self._acting):
            user = users.get(name)
            if user is None or user.acts is None or moment >= user.acts.until:
                self._acting.discard(name)

    def _ended(self, session: Session) -> None:
        """Close the sockets of a session that is over; a Dealer's table may be given back."""
        self.house.tidying.left(session.name)
        for client in self.hub.of_session(session.number):
            client.leave("signed_out", "The session is over; sign in again.", session.ended)

    def require_host(self, host: str | None) -> None:
        """Refuse a page that calls this house by a name which is not its own.

        Only browsers are asked: no page can make another program come here. Where the house
        speaks TLS itself, a browser has compared the name already.
        """
        if host is None or is_known(host, self._names) or self.house.configuration.server.tls:
            return
        message = (
            f"This house is not reached as {quoted(host[:80])};"
            " a name that it has is set by server.origins."
        )
        raise ProblemError(ServerCode.BAD_ORIGIN, message)

    def require_origin(self, origin: str | None, host: str | None) -> None:
        """Refuse a page of another house; programs have no origin."""
        if origin is None:
            return
        self.require_host(host)
        if origin in self.origins:
            return
        scheme, _, place = origin.partition("://")
        if host and scheme in ("http", "https") and place.lower() == host.lower():
            return
        message = f"A page of {origin[:120]} is not one of this house."
        raise ProblemError(ServerCode.BAD_ORIGIN, message)
