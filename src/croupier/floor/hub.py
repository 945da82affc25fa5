"""The hub: every topic of the house, and who hears of what.

It is told every durable decision by the writer and never waits: it projects, encodes and
marks. Writing to clients is the walk's, closing slow ones the sweep's.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from croupier.floor.alarms import AlarmsTopic, hears
from croupier.floor.lobby import LobbyTopic
from croupier.floor.me import MeTopic
from croupier.floor.problems import ProblemError, ServerCode
from croupier.floor.rings import Walker
from croupier.floor.topics import TABLE, TICK_SECONDS, TableTopic
from croupier.rules.errors import quoted

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator

    from croupier.floor.api.events import Stream
    from croupier.floor.house import House
    from croupier.floor.live import Client
    from croupier.floor.reception import Asker
    from croupier.floor.rings import Receiver
    from croupier.floor.terminals import Terminals
    from croupier.journal.gathering import Landed

SLOW_SECONDS = 4.0
"""How long a client may have no room before it is closed."""
SWEEP_SECONDS = 1.0
TABLES, ME, ALARMS = "tables", "me", "alarms"
Topic = TableTopic | LobbyTopic | MeTopic | AlarmsTopic


class Hub:
    """All topics, all clients."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, tick_seconds: float = TICK_SECONDS
    ) -> None:
        self.loop, self.walker, self._tick_seconds = loop, Walker(loop), tick_seconds
        self.tables: dict[str, TableTopic] = {}
        self.lobby = LobbyTopic(self.walker, tick_seconds)
        self.me = MeTopic(self.walker)
        self.alarms = AlarmsTopic(self.walker)
        self.terminals: Terminals | None = None
        self._house: House | None = None
        self.clients: dict[Client, None] = {}
        self.streams: dict[Stream, None] = {}
        """Displays that hear by server-sent events."""
        self.full: dict[Receiver, float] = {}
        """Clients without room, and since when."""
        self.closed_slow = self.resynchronised = 0
        self.on_sweep: list[Callable[[], None]] = []
        """What else is looked at every second."""
        self._sweeping: asyncio.TimerHandle | None = None

    def attach(self, house: House) -> None:
        """Begin to announce what happens in a house that has started."""
        self._house = house
        self.lobby.attach(house)
        self.me.attach(house)
        self.alarms.clock = house.clock
        self._sweeping = self.loop.call_later(SWEEP_SECONDS, self._sweep)

    def end_streams(self) -> None:
        """Let displays go; they come back by themselves."""
        for stream in list(self.streams):
            stream.leave("going_down", "The server is going down.")

    def close(self) -> None:
        """Stop sweeping."""
        if self._sweeping is not None:
            self._sweeping.cancel()

    def committed(self, landed: Landed) -> None:
        """Take durable decisions of a stream."""
        self.me.count(landed)
        if self._house is None:
            return  # the house is starting, and nobody is here yet
        stream = landed.stream
        if stream.startswith(TABLE):
            name = stream.removeprefix(TABLE)
            topic = self.tables.get(name)
            if topic is not None:
                topic.happened(landed)
            self.lobby.happened(name, landed)
            if self.terminals is not None:
                self.terminals.happened(name, landed)
        self.me.happened(landed)

    # Topics

    def table(self, name: str) -> TableTopic:
        """Return the topic of a table, as it is in the journal."""
        topic = self.tables.get(name)
        if topic is None:
            house = self._house
            desk = None if house is None else house.tables.get(name)
            if desk is None or not desk.started:
                message = f"There is no table {quoted(name[:80])} in this house."
                raise ProblemError(ServerCode.UNKNOWN_TABLE, message)
            topic = self.tables[name] = TableTopic(desk, self.walker, self._tick_seconds)
        return topic

    def topic(self, name: str, asker: Asker) -> Topic:
        """Return a topic by its name on the wire."""
        if name == TABLES:
            return self.lobby
        if name == ME:
            if asker.name is None:
                message = "Only whoever is signed in has a topic of their own."
                raise ProblemError(ServerCode.UNAUTHENTICATED, message)
            return self.me
        if name == ALARMS:
            hears(asker)  # or is refused
            return self.alarms
        if name.startswith(TABLE):
            return self.table(name.removeprefix(TABLE))
        message = f"There is no topic {quoted(name[:80])}; there are table:NAME, tables and me."
        raise ProblemError(ServerCode.UNKNOWN_TOPIC, message)

    # Clients

    def of_session(self, session: str) -> Iterator[Client]:
        """Yield the sockets of a session."""
        yield from [one for one in self.clients if one.session_id == session]

    def _sweep(self) -> None:
        """Close whoever has had no room for too long; what fails stops nothing else."""
        self._sweeping = self.loop.call_later(SWEEP_SECONDS, self._sweep)
        now = self.loop.time()
        for client, since in list(self.full.items()):
            if now - since > SLOW_SECONDS:
                self.closed_slow += 1
                del self.full[client]
                why = "The client did not read what was sent to it."
                self.walker.do(partial(client.leave, "slow", why))
        for look in self.on_sweep:
            self.walker.do(look)
