"""Metrics of a floor: integers that are counted where things happen, written when asked for.

The text is the exposition format of Prometheus. Values of labels are names of tables and games
and codes of ours, so their number is bounded; no patron is named anywhere.
"""

from __future__ import annotations

import gc
import resource
import shutil
import time
from bisect import bisect_left
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier import __version__
from croupier.journal.release import release
from croupier.table import events as e
from croupier.table.commands import PlaceWager
from croupier.table.incidents import RoundVoided
from croupier.table.views.public import result_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from croupier.floor.floor import Floor
    from croupier.floor.house import House
    from croupier.journal.decision import Decision
    from croupier.journal.gathering import Landed
    from croupier.table.state import Table

MEDIA_TYPE: Final = "text/plain; version=0.0.4"
TABLE: Final = "table:"
LAG_SECONDS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
SETTLE_SECONDS: Final = (0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
PAUSE_SECONDS: Final = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0)
LOOK_SECONDS: Final = 1.0
"""How often it is measured how late the loop is."""
VOID: Final = "void"
Labels = tuple[tuple[str, str], ...]


class Histogram:
    """How often something took how long."""

    __slots__ = ("bounds", "counts", "longest", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds, self.counts = bounds, [0] * (len(bounds) + 1)
        self.sum = self.longest = 0.0

    def observe(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.sum += seconds
        self.longest = max(self.longest, seconds)

    def lines(self, name: str, labels: Labels = ()) -> Iterator[str]:
        """Yield it as the text has it: every bucket holds those below it, too."""
        whole = 0
        for bound, count in zip((*self.bounds, None), self.counts, strict=True):
            whole += count
            le = "+Inf" if bound is None else f"{bound:g}"
            yield sample(f"{name}_bucket", whole, (*labels, ("le", le)))
        yield sample(f"{name}_sum", self.sum, labels)
        yield sample(f"{name}_count", whole, labels)


class Metrics:
    """What is counted from the start of the process."""

    def __init__(self) -> None:
        self.started = time.time()
        self.coups: Counter[tuple[str, ...]] = Counter()
        """By table, game and result."""
        self.bets: Counter[tuple[str, ...]] = Counter()
        """By table and game."""
        self.bet_rejections: Counter[str] = Counter()
        self.decisions: Counter[tuple[str, ...]] = Counter()
        """By kind of stream, and whether it was accepted."""
        self.refusals: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        """By code: what the server turned away, over HTTP and sockets."""
        self.requests: Counter[tuple[str, ...]] = Counter()
        """By method and status."""
        self.frames = 0
        self.request_seconds = Histogram(LAG_SECONDS)
        self.settle_seconds = Histogram(SETTLE_SECONDS)
        self.lag_seconds = Histogram(LAG_SECONDS)
        self.loop_seconds = Histogram(LAG_SECONDS)
        self.pauses: dict[int, Histogram] = {n: Histogram(PAUSE_SECONDS) for n in range(3)}
        self._paused_at = 0.0
        self._house: House | None = None
        self._moment = ""
        self._outcomes: dict[str, datetime] = {}
        """When the outcome of the round in progress was announced, by stream."""

    # Counting

    def attach(self, floor: Floor) -> None:
        """Begin to measure what follows the clock of a house, and pauses for garbage."""
        self._house = floor.house
        gc.callbacks.append(self._paused)
        self._look(floor, floor.loop.time())

    def close(self) -> None:
        """Measure no more."""
        self._house = None
        with suppress(ValueError):
            gc.callbacks.remove(self._paused)

    def _look(self, floor: Floor, due: float) -> None:
        if self._house is None:
            return
        now = floor.loop.time()
        self.loop_seconds.observe(max(0.0, now - due))
        floor.loop.call_at(now + LOOK_SECONDS, self._look, floor, now + LOOK_SECONDS)

    def _paused(self, phase: str, info: Mapping[str, int]) -> None:
        if phase == "start":
            self._paused_at = time.perf_counter()
        else:
            seconds = time.perf_counter() - self._paused_at
            self.pauses[info["generation"]].observe(seconds)

    def committed(self, landed: Landed) -> None:
        """Count durable decisions; a subscriber of the writer."""
        stream = landed.stream
        table = stream.startswith(TABLE)
        kind = "table" if table else stream
        accepted = bets = 0
        for one in landed.all:
            decision = one.decision
            if decision.moment != self._moment:
                self._framed(decision.moment)
            if decision.refusal is not None:
                self._refused(kind, decision.refusal.code, decision.command)
                continue
            accepted += 1
            if type(decision.command) is PlaceWager:
                bets += 1  # most of what is decided, and it ends no round
            elif table:
                self._played(stream, decision, one.after.table)
        if accepted:
            self.decisions[kind, "accepted"] += accepted
        if bets:
            name = stream.removeprefix(TABLE)
            self.bets[name, _game(landed.last.after.table)] += bets

    def _refused(self, kind: str, code: str, command: object) -> None:
        self.decisions[kind, "refused"] += 1
        self.refusals[code] += 1
        if type(command) is PlaceWager:
            self.bet_rejections[code] += 1

    def _framed(self, moment: str) -> None:
        """Count a frame: all that is decided in one has its moment."""
        self._moment = moment
        self.frames += 1
        if self._house is not None:
            lag = self._house.clock() - datetime.fromisoformat(moment)
            self.lag_seconds.observe(max(0.0, lag.total_seconds()))

    def _played(self, stream: str, decision: Decision, table: Table) -> None:
        for event in decision.events:
            if isinstance(event, e.OutcomeAnnounced):
                if event.moment is not None:
                    self._outcomes[stream] = event.moment
            elif isinstance(event, e.WagersSettled):
                self._settled(stream, event.moment)
            elif isinstance(event, e.RoundClosed | RoundVoided):
                self._outcomes.pop(stream, None)
                result = VOID if isinstance(event, RoundVoided) else _result(table)
                self.coups[stream.removeprefix(TABLE), _game(table), result] += 1

    def _settled(self, stream: str, moment: datetime | None) -> None:
        announced = self._outcomes.pop(stream, None)
        if announced is not None and moment is not None:
            self.settle_seconds.observe(max(0.0, (moment - announced).total_seconds()))

    # Writing

    def text(self, floor: Floor) -> str:
        """Return all metrics of a floor as text."""
        lines = [*self._play(), *_house(floor), *self._served(floor), *self._process(floor)]
        return "\n".join(lines) + "\n"

    def _play(self) -> Iterator[str]:
        yield from _counted(
            "croupier_coups_total", "Rounds that are over.", ("table", "game", "result"),
            self.coups,
        )  # fmt: skip
        yield from _counted(
            "croupier_bets_total", "Wagers placed.", ("table", "game"), self.bets
        )
        yield from _counted(
            "croupier_bet_rejections_total", "Wagers refused, by code.",
            ("reason",), _single(self.bet_rejections),
        )  # fmt: skip
        yield from _measured(
            "croupier_settle_duration_seconds",
            "From the announcement of an outcome to the settlement.", self.settle_seconds,
        )  # fmt: skip
        yield from _counted(
            "croupier_commands_total", "Commands decided and recorded.", ("stream", "result"),
            self.decisions,
        )  # fmt: skip
        yield from _counted(
            "croupier_refusals_total", "Commands refused, by code.", ("code",),
            _single(self.refusals),
        )  # fmt: skip
        yield from _value("counter", "croupier_frames_total", "Frames written.", self.frames)
        yield from _measured(
            "croupier_event_lag_seconds",
            "From the moment of a frame until it was durable and announced.", self.lag_seconds,
        )  # fmt: skip

    def _served(self, floor: Floor) -> Iterator[str]:
        hub, people = floor.hub, floor.people
        yield from _value("gauge", "croupier_ws_clients", "Sockets.", len(hub.clients))
        yield from _value(
            "gauge", "croupier_ws_full_clients", "Sockets without room.", len(hub.full)
        )
        yield from _value(
            "counter", "croupier_ws_closed_slow_total", "Sockets closed: they did not read.",
            hub.closed_slow,
        )  # fmt: skip
        yield from _counted(
            "croupier_http_requests_total", "Requests answered.", ("method", "status"),
            self.requests,
        )  # fmt: skip
        yield from _measured(
            "croupier_http_request_seconds",
            "How long it took until an answer began.",
            self.request_seconds,
        )
        yield from _counted(
            "croupier_problems_total", "What was turned away, by code.", ("code",),
            _single(self.problems),
        )  # fmt: skip
        yield from _value("gauge", "croupier_sessions", "Sessions open.", len(people.sessions))
        yield from _value(
            "gauge", "croupier_sign_ins_waiting", "People signing in.", people.waiting
        )
        yield from _value(
            "counter", "croupier_failed_logins_total", "Sign-ins that failed.",
            people.failed_logins,
        )  # fmt: skip

    def _process(self, floor: Floor) -> Iterator[str]:
        yield from _head("histogram", "croupier_gc_pause_seconds", "Pauses to collect garbage.")
        for generation, pauses in self.pauses.items():
            of = (("generation", str(generation)),)
            yield from pauses.lines("croupier_gc_pause_seconds", of)
        yield from _value(
            "gauge", "croupier_gc_pause_max_seconds", "The longest of these pauses.",
            max(one.longest for one in self.pauses.values()),
        )  # fmt: skip
        yield from _measured(
            "croupier_loop_lag_seconds", "How late the loop is, once a second.",
            self.loop_seconds,
        )  # fmt: skip
        yield from _process(self.started)
        yield from _value(
            "gauge", "croupier_disk_free_bytes", "Room where the house's folder is.",
            free_bytes(floor.house.folder),
        )  # fmt: skip
        yield from _head("gauge", "croupier_build_info", "Which code runs.")
        labels = (("version", __version__), ("release", release()))
        yield sample("croupier_build_info", 1, labels)


# What is looked up when somebody asks


def _house(floor: Floor) -> Iterator[str]:
    house = floor.house
    seats = [desk.seat for desk in house.tables.values() if desk.started]
    if house.own.cage:
        seats += [house.cage.seat, house.accounts.seat]
    yield from _value(
        "gauge", "croupier_commands_waiting", "Commands that wait for their answer.",
        sum(seat.open for seat in seats),
    )  # fmt: skip
    yield from _value(
        "gauge", "croupier_writer_up", "1 while the journal is written.",
        int(house.writer.well.is_set()),
    )  # fmt: skip
    yield from _value(
        "gauge", "croupier_checkpoint_up", "1 unless the newest checkpoint failed.",
        int(house.keeper.failure is None),
    )  # fmt: skip
    phases = Counter(desk.table.phase.value for desk in house.tables.values())
    yield from _counted(
        "croupier_tables", "Tables by phase.", ("phase",), _single(phases), "gauge"
    )
    holds = Counter(
        desk.table.hold.kind.value for desk in house.tables.values() if desk.table.hold
    )
    yield from _counted(
        "croupier_tables_held", "Tables that wait for a ruling or an answer, by what for.",
        ("hold",), _single(holds), "gauge",
    )  # fmt: skip
    up = {name: int(desk.serves) for name, desk in house.tables.items()}
    up |= dict.fromkeys(house.failures, 0)
    yield from _counted(
        "croupier_table_up", "1 while a table serves.", ("table",), _single(up), "gauge"
    )
    stuck = {name: int(driver.error is not None) for name, driver in house.drivers.items()}
    yield from _counted(
        "croupier_driver_stuck", "1 while the system cannot go on at a table.", ("table",),
        _single(stuck), "gauge",
    )  # fmt: skip
    yield from _value(
        "gauge", "croupier_clock_off_seconds", "How far the machine's clock is ahead.",
        house.clock.off.total_seconds(),
    )  # fmt: skip


def _process(started: float) -> Iterator[str]:
    """Yield what every process has, under the names that are usual for it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield from _value(
        "counter", "process_cpu_seconds_total", "Processor time.",
        used.ru_utime + used.ru_stime,
    )  # fmt: skip
    yield from _value(
        "gauge", "process_resident_memory_bytes", "Memory in use.", resident_bytes()
    )
    yield from _value("gauge", "process_open_fds", "Open files and sockets.", open_files())
    yield from _value(
        "gauge", "process_max_fds", "How many there may be.",
        resource.getrlimit(resource.RLIMIT_NOFILE)[0],
    )  # fmt: skip
    yield from _value(
        "gauge", "process_start_time_seconds", "When it started.", round(started, 3)
    )


def resident_bytes() -> int:
    """Return how much memory this process has; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * resource.getpagesize()


def open_files() -> int:
    """Return how many files and sockets are open; 0 where the system does not tell."""
    try:
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    except OSError:
        return 0


def free_bytes(folder: Path) -> int:
    """Return the room that is left where a folder is; 0 where it cannot be told."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0


def _game(table: Table) -> str:
    return "" if table.plan is None else table.plan.game.slug


def _result(table: Table) -> str:
    """Return how the round that was just closed ended."""
    if table.plan is None or not table.results:
        return VOID
    return result_of(table.plan.game, table.results[-1]).winner or VOID


# The text


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def sample(name: str, value: float, labels: Iterable[tuple[str, str]] = ()) -> str:
    r"""Return one line of the text.

    >>> sample("croupier_coups_total", 3, (("table", 'a"b'), ("result", "tie")))
    'croupier_coups_total{table="a\\"b",result="tie"} 3'
    """
    inside = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
    shown = f"{name}{{{inside}}}" if inside else name
    return f"{shown} {value}"


def _head(kind: str, name: str, said: str) -> Iterator[str]:
    yield f"# HELP {name} {said}"
    yield f"# TYPE {name} {kind}"


def _value(kind: str, name: str, said: str, value: float) -> Iterator[str]:
    yield from _head(kind, name, said)
    yield sample(name, value)


def _counted(
    name: str,
    said: str,
    labels: tuple[str, ...],
    counts: Mapping[tuple[str, ...], int],
    kind: str = "counter",
) -> Iterator[str]:
    yield from _head(kind, name, said)
    for values, count in sorted(counts.items()):
        yield sample(name, count, zip(labels, values, strict=True))


def _single(counts: Mapping[str, int]) -> dict[tuple[str, ...], int]:
    return {(value,): count for value, count in counts.items()}


def _measured(name: str, said: str, histogram: Histogram) -> Iterator[str]:
    yield from _head("histogram", name, said)
    yield from histogram.lines(name)
