"""What scenarios share: the plan, messages, times, and everybody who is in the house."""

from __future__ import annotations

import itertools
import os
import time
from typing import TYPE_CHECKING

import msgspec

from floor_load.crowd import Crowd, clock, sequence_of
from floor_load.founding import House  # noqa: TC001  # read by msgspec
from floor_load.machine import resident_bytes, used

if TYPE_CHECKING:
    from floor_load.founding import Bettor
    from floor_load.machine import Used

STAKE_CENTS = 100
ROUND = 1
"""The one that is called when a scenario begins."""
PING_SECONDS = 15.0
"""Whoever says nothing for a minute is taken for gone."""
SAMPLED = 400
"""How many of a crowd are listened to closely."""
ANSWER_SECONDS = 10.0
ACCEPTED, ANSWER, CHANGE = b'"accepted":true', b'"type":"answer"', b'"type":"change"'
KIB, MIB = 1024, 1024 * 1024
Row = tuple[str, str, str]
"""What was measured, how much it was, and what it should be, for orientation."""
RUN = os.urandom(5).hex()
_numbers = itertools.count(1)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a crowd does."""

    scenario: str
    port: int
    server: int
    """The process of the server."""
    house: House
    seconds: float
    clients: int
    senders: int = 200
    rate: int = 500
    changes: int = 20
    deaf: float = 0.1


def key() -> str:
    """Return a UUIDv7: the server need not look up whether it came before."""
    made = f"{time.time_ns() // 1_000_000:012x}"
    return f"{made[:8]}-{made[8:]}-7000-8{RUN[:3]}-{RUN[3:6]}{next(_numbers):09x}"


def wager(bettor: Bettor, number: int = ROUND) -> str:
    """Return what a wager says: the command, and the round it is for."""
    command = f'{{"type":"place_wager","wager":"{bettor.wager}","cents":{STAKE_CENTS}}}'
    return f'"command":{command},"round":{number}'


def order(table: str, said: str) -> str:
    """Return the message of a command to a table, with a new identification."""
    return f'{{"type":"command","table":"{table}","id":"{key()}",{said}}}'


def spread(times: list[float]) -> str:
    """Write the middle, the end and the longest of some times."""
    if not times:
        return "none"
    times = sorted(times)
    ends = times[len(times) // 2], times[int(len(times) * 0.99)], times[-1]
    return ", ".join(f"{1e3 * one:.1f}" for one in ends) + " ms"


def lags(sent: dict[int, float], heard: list[tuple[int, float]]) -> list[float]:
    """Return how long after it was sent a client knew of each record, by its sequence."""
    found, at = [], 0
    for sequence, began in sorted(sent.items()):
        while at < len(heard) and heard[at][0] < sequence:
            at += 1
        if at == len(heard):
            break
        found.append(heard[at][1] - began)
    return found


class Measured:
    """A stretch of time, and what it took."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.began, self._used = clock(), used(plan.server)

    @property
    def passed(self) -> float:
        """Return how many seconds it lasts by now."""
        return clock() - self.began

    def rows(self, count: int = 0) -> list[Row]:
        """Say how busy everybody was, and what each of so many took."""
        seconds, spent = self.passed, used(self._plan.server).since(self._used)
        busy = (spent.server, spent.writer, spent.load)
        shown = ", ".join(f"{one / seconds:.2f}" for one in busy)
        rows: list[Row] = [("cores: server, writer, load", shown, "")]
        if count:
            rows.append(("us each: server (kernel), writer", _each(count, spent), ""))
        return rows


def _each(count: int, spent: Used) -> str:
    one = [1e6 * part / count for part in (spent.server, spent.kernel, spent.writer)]
    return f"{one[0]:.0f} ({one[1]:.0f}), {one[2]:.0f}"


class Dealers:
    """The Dealer, with a socket at each table."""

    def __init__(self, crowd: Crowd, house: House) -> None:
        self._crowd, self.tables = crowd, house.tables
        joined = crowd.join([house.dealer] * len(house.tables))
        self.sockets = dict(zip(house.tables, joined, strict=True))
        self._seated = dict.fromkeys(house.tables, False)

    def order(self, table: str, command: str) -> None:
        """Give a command."""
        self._crowd.say(self.sockets[table], order(table, f'"command":{command}'))

    def call(self) -> None:
        """Call for bets at every table."""
        for command in ('{"type":"load_shoe","shoe":"first"}', '{"type":"call_bets"}'):
            for table in self.tables:
                self.order(table, command)
            self._require_done(len(self.tables))

    def _require_done(self, count: int) -> None:
        until, mine = clock() + ANSWER_SECONDS, set(self.sockets.values())
        while count:
            assert clock() < until, f"{count} commands are not answered"
            for _, messages in self._crowd.heard(0.1, mine):
                for message in messages:
                    assert ACCEPTED in message, message
                    count -= 1

    def change(self, table: str) -> None:
        """Let a guest sit down, or leave: everybody at the table hears of it at once."""
        seated = self._seated[table]
        self._seated[table] = not seated
        command = '{"type":"leave_seat","patron":"guest"}'
        if not seated:
            command = '{"type":"take_seat","patron":"guest","position":14}'
        self.order(table, command)


class Floor:
    """A crowd at some tables: bettors, people who watch, and the Dealer; and what they hear."""

    def __init__(self, plan: Plan, tables: list[str] | None = None) -> None:
        self.plan, self.crowd = plan, Crowd(plan.port)
        self.tables = tables or plan.house.tables
        self.dealers = Dealers(self.crowd, plan.house)
        self.dealers.call()
        before = resident_bytes(plan.server)
        seated = [one for one in plan.house.bettors if one.table in self.tables]
        joined = self.crowd.join(one.token for one in seated[: plan.clients])
        self.bettors = dict(zip(joined, seated, strict=False))
        self.at = {number: one.table for number, one in self.bettors.items()}
        others = itertools.cycle(plan.house.watchers)
        count = plan.clients - len(self.bettors)
        watching = self.crowd.join(itertools.islice(others, count))
        self.at.update(zip(watching, itertools.cycle(self.tables), strict=False))
        self.crowd.watch({number: f"table:{table}" for number, table in self.at.items()})
        self.client_bytes = (resident_bytes(plan.server) - before) / max(1, len(self.at))
        self.starts: dict[int, float] = {}
        """When somebody sent a wager that is not answered yet."""
        self.waits: list[float] = []
        self.accepted: dict[str, list[int]] = {table: [] for table in self.tables}
        """The records of wagers, by table."""
        self.refused = 0
        self.asked: dict[str, float] = {}
        """When the Dealer of a table gave a command that is not answered yet."""
        self.sent: dict[str, dict[int, float]] = {table: {} for table in self.tables}
        """When the Dealer gave which command, by its record."""
        self.done = dict.fromkeys(self.tables, True)
        """Whether what the Dealer of a table asked for last was done."""
        self._refusable: set[str] = set()
        self._pinged = clock()
        self._dealt = {number: table for table, number in self.dealers.sockets.items()}
        self.listen_to(list(self.at)[:: max(1, len(self.at) // SAMPLED)])

    def listen_to(self, numbers: list[int]) -> None:
        """Listen closely to some, from now on."""
        self.heard: dict[int, list[tuple[int, float]]] = {number: [] for number in numbers}
        self._close = {*self.bettors, *self._dealt, *numbers}

    def bet(self, number: int, in_round: int = ROUND) -> None:
        """Let a bettor place a wager, who is not waiting for an answer."""
        bettor = self.bettors[number]
        self.starts[number] = clock()
        self.crowd.say(number, order(bettor.table, wager(bettor, in_round)))

    def order(self, table: str, command: str, *, refusable: bool = False) -> None:
        """Let the Dealer of a table give a command, who is not waiting for an answer."""
        self.asked[table] = clock()
        if refusable:
            self._refusable.add(table)
        self.dealers.order(table, command)

    def change(self, table: str) -> None:
        """Let something happen at a table, unless the Dealer waits for an answer there."""
        if table not in self.asked:
            self.asked[table] = clock()
            self.dealers.change(table)

    def listen(self, seconds: float) -> None:
        """Take what comes within some time, or at once."""
        if clock() - self._pinged > PING_SECONDS:
            self._pinged = clock()
            self.crowd.ping()
        for number, messages in self.crowd.heard(seconds, self._close):
            now = clock()
            for message in messages:
                if ANSWER in message[:40]:
                    self._answered(number, message, now)
                elif number in self.heard and CHANGE in message[:40]:
                    self.heard[number].append((sequence_of(message), now))

    def _answered(self, number: int, message: bytes, now: float) -> None:
        accepted = ACCEPTED in message
        table = self._dealt.get(number)
        if table is not None:
            assert accepted or table in self._refusable, message
            self._refusable.discard(table)
            began, self.done[table] = self.asked.pop(table), accepted
            if accepted:
                self.sent[table][sequence_of(message)] = began
            return
        self.waits.append(now - self.starts.pop(number))
        if accepted:
            self.accepted[self.at[number]].append(sequence_of(message))
        else:
            self.refused += 1

    def finish(self) -> None:
        """Listen until everybody is answered, or it takes too long."""
        until = clock() + ANSWER_SECONDS
        while (self.starts or self.asked) and clock() < until:
            self.listen(0.01)

    @property
    def changed(self) -> list[float]:
        """Return how long it took until those who are listened to knew of each change."""
        return [
            lag
            for number, heard in self.heard.items()
            for lag in lags(self.sent[self.at[number]], heard)
        ]

    @property
    def memory(self) -> Row:
        """Say how much memory the server has, and what a client took of it."""
        now = resident_bytes(self.plan.server) / MIB
        one = self.client_bytes / KIB
        return "memory; of a client", f"{now:.0f} MiB; {one:.1f} KiB", "150 MiB"
