"""Simulation on a cluster: the chunks of :mod:`croupier.odds.simulate`, spread over Dask.

A chunk is known by its number and the seed, so it does not matter who deals it, nor how often
it is begun: a worker that dies loses nothing, because its chunks are dealt again. The tally is
that of one process. Needs the extra ``croupier[cluster]``.
"""

from __future__ import annotations

import logging
import signal
import threading
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.odds.extras import load
from croupier.odds.simulate import (
    CHUNK,
    COUPS_MAX,
    Batch,
    Done,
    ShoeRules,
    Simulation,
    deal_chunk,
    finish,
    plan_of,
    require_amount,
    required_seed,
    whole,
)
from croupier.rulebooks import find_game
from croupier.rules.errors import RulesError
from croupier.rules.outcome import INDEX_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from croupier.odds.simulate import Progress
    from croupier.rules.game import Game

    Ints = NDArray[np.int64]

TASK_CHUNKS = 64
"""Chunks that a worker deals at a time: about a second of work."""
UNDER_WAY = 4
"""Tasks that each worker has before it: enough to keep it busy, few enough to hold."""
WORKERS_MAX = 256
RETRIES = 10
START_SECONDS = 10
SILENCE = logging.CRITICAL + 1
"""Workers log nothing: a connection that breaks when they are told to end is no news."""


class Task(NamedTuple):
    """Some chunks of a simulation, as they travel to a worker."""

    game: str
    rules: ShoeRules
    seed: int
    batch: Batch


class Answer(NamedTuple):
    """The tally of a task, without its zeros."""

    coups: int
    shoes: int
    places: NDArray[np.int32]
    counts: Ints


def deal_task(task: Task) -> Answer:
    """Deal the chunks of a task; this runs on a worker."""
    plan = plan_of(find_game(task.game), task.rules)
    tally = np.zeros(INDEX_SIZE, np.int64)
    coups, shoes = 0, 0
    for chunk in range(task.batch.first, task.batch.first + task.batch.chunks):
        most = task.batch.shoes_of(chunk), task.batch.coups_max
        more_coups, more_shoes = deal_chunk(plan, task.seed, chunk, most, tally)
        coups, shoes = coups + more_coups, shoes + more_shoes
    places = np.flatnonzero(tally)
    return Answer(coups, shoes, places.astype(np.int32), tally[places])


class Cluster:
    """Deals chunks on the workers of a Dask cluster."""

    def __init__(self, client: Any, game: Game, rules: ShoeRules, seed: int) -> None:  # noqa: ANN401  # Dask has no types
        self.client = client
        self.game = game
        self.rules = rules
        self.seed = seed
        self.workers = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
        self._tally = np.zeros(INDEX_SIZE, np.int64)

    def deal(self, batch: Batch, report: Callable[[int, int], None]) -> Done:
        """Deal a batch; after Ctrl-C return what has come back."""
        waiting = self._tasks(batch)
        coups, shoes = 0, 0
        jobs = dask().as_completed()
        complete = True
        try:
            for task in take(waiting, UNDER_WAY * self.workers):
                jobs.add(self._submit(task))
            for job in jobs:
                answer = job.result()
                self._tally[answer.places] += answer.counts
                coups, shoes = coups + answer.coups, shoes + answer.shoes
                for task in take(waiting, 1):
                    jobs.add(self._submit(task))
                report(coups, shoes)
        except KeyboardInterrupt:
            complete = False
            self.client.cancel(list(jobs.futures))
        return Done(coups, shoes, complete=complete)

    def _tasks(self, batch: Batch) -> Iterator[Task]:
        for first in range(batch.first, batch.first + batch.chunks, TASK_CHUNKS):
            chunks = min(TASK_CHUNKS, batch.first + batch.chunks - first)
            shoes = min(chunks * CHUNK, batch.shoes - (first - batch.first) * CHUNK)
            part = Batch(first, chunks, shoes, batch.coups_max)
            yield Task(self.game.slug, self.rules, self.seed, part)

    def _submit(self, task: Task) -> Any:  # noqa: ANN401  # Dask has no types
        return self.client.submit(deal_task, task, pure=False, retries=RETRIES)

    def counts(self) -> Ints:
        """Return the tally of all that was dealt."""
        return self._tally


def take(tasks: Iterator[Task], number: int) -> Iterator[Task]:
    """Give out the next tasks, as long as there are any."""
    for _, task in zip(range(number), tasks, strict=False):
        yield task


def dask() -> Any:  # noqa: ANN401  # Dask has few types
    """Return Dask's library, or say how to get it."""
    return load("distributed", "cluster")


@contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """Connect to a scheduler, or start a local cluster of so many processes."""
    library = dask()
    if (scheduler is None) == (workers is None):
        message = "Give either the address of a scheduler or a number of workers."
        raise RulesError(message)
    if scheduler is not None:
        with connect(library.Client, scheduler) as client:
            yield client
        return
    if workers is not None and not 1 <= whole(workers, "number of workers") <= WORKERS_MAX:
        message = f"{workers} workers were asked for; 1 to {WORKERS_MAX} can be."
        raise RulesError(message)
    with interrupts_held() as came:
        cluster = library.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=SILENCE,
        )
    with cluster:
        if came.is_set():
            signal.raise_signal(signal.SIGINT)
        with library.Client(cluster) as client:
            yield client


@contextmanager
def interrupts_held() -> Iterator[threading.Event]:
    """Let processes start that Ctrl-C does not reach; the event says whether one came here.

    Ctrl-C goes to every process of a terminal, but it is for the one that waits for the
    others. They inherit that it is blocked, and so do the threads that start them.
    """
    came = threading.Event()
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "pthread_sigmask"):
        yield came
        return
    # Where the tracker is not yet running, starting it would undo the block.
    resource_tracker.ensure_running()
    before = signal.signal(signal.SIGINT, lambda *_: came.set())
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield came
    finally:
        # Unblocked first: an interrupt that waited must still find the handler above.
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        signal.signal(signal.SIGINT, before)


def connect(client: Any, scheduler: str) -> Any:  # noqa: ANN401  # Dask has no types
    """Connect to a scheduler that should be running."""
    try:
        connection = client(scheduler, timeout=START_SECONDS)
    except (OSError, ValueError):
        message = (
            f"No scheduler answers at {scheduler} within {START_SECONDS} seconds; an address"
            " is such as tcp://127.0.0.1:8786."
        )
        raise RulesError(message) from None
    if not connection.scheduler_info(n_workers=-1)["workers"]:
        connection.close()
        message = f"The scheduler at {scheduler} has no workers."
        raise RulesError(message)
    return connection


def simulate_on_cluster(
    game: Game,
    *,
    coups: int | None = None,
    shoes: int | None = None,
    rules: ShoeRules | None = None,
    seed: int | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Deal real shoes on a cluster; the same seed gives the same tally as one process."""
    rules = rules or ShoeRules()
    plan = plan_of(game, rules)
    require_amount(coups, shoes)
    seed = required_seed(seed)
    with connected(scheduler, workers) as client:
        crew = Cluster(client, game, rules, seed)
        # Every worker compiles, or loads what was compiled, before the clock starts.
        client.run(deal_task, Task(game.slug, rules, seed, Batch(0, 1, 1, COUPS_MAX)))
        return finish(crew, (game, rules, plan, seed), coups, shoes, progress)
