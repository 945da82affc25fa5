"""Simulation on a real local cluster: the tally of one process, whatever happens to workers."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from croupier.odds import cluster
from croupier.odds.cluster import simulate_on_cluster
from croupier.odds.extras import MissingExtraError
from croupier.odds.simulate import CHUNK, ShoeRules, simulate
from croupier.rulebooks import BACCARAT, find_game
from croupier.rules.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.odds.simulate import Simulation

distributed = pytest.importorskip("distributed")
# Dask leaves sockets to the garbage collector when its processes end.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as started:
        yield started


def counts(found: Simulation) -> list[dict[int, int]]:
    return [dict(part.counts) for part in found.tally.parts]


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "TASK_CHUNKS", 4)


def test_a_cluster_gives_the_tally_of_one_process(local: Any) -> None:  # noqa: ANN401
    address = local.scheduler_address
    for amount in ({"coups": 7_000_000}, {"shoes": 17 * CHUNK + 9}):
        for slug in ("power-98", "fa-fa-fabulous-4"):
            game = find_game(slug)
            coups, shoes = amount.get("coups"), amount.get("shoes")
            alone = simulate(game, coups=coups, shoes=shoes, seed=3)
            spread = simulate_on_cluster(
                game, coups=coups, shoes=shoes, seed=3, scheduler=address
            )
            assert counts(spread) == counts(alone)
            assert (spread.coups, spread.shoes) == (alone.coups, alone.shoes)
            assert spread.threads == 2
            assert spread.complete


def test_a_cluster_deals_by_the_same_rules(local: Any) -> None:  # noqa: ANN401
    rules = ShoeRules(4, behind_cut=40, after_cut=2, burn=False)
    alone = simulate(BACCARAT, shoes=9000, rules=rules, seed=8)
    spread = simulate_on_cluster(
        BACCARAT, shoes=9000, rules=rules, seed=8, scheduler=local.scheduler_address
    )
    assert counts(spread) == counts(alone)


def test_a_worker_that_dies_loses_nothing(local: Any) -> None:  # noqa: ANN401
    shoes = 400 * CHUNK
    killed: list[int] = []

    def kill_one(done: int, asked: int) -> None:
        if not killed and 0 < done < asked:
            worker = next(iter(local.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    spread = simulate_on_cluster(
        BACCARAT, shoes=shoes, seed=5, scheduler=local.scheduler_address, progress=kill_one
    )
    assert len(killed) == 1
    assert spread.complete
    assert spread.shoes == shoes
    assert counts(spread) == counts(simulate(BACCARAT, shoes=shoes, seed=5))


def test_an_interrupt_returns_what_has_come_back(local: Any) -> None:  # noqa: ANN401
    def interrupt(done: int, asked: int) -> None:
        assert done < asked
        raise KeyboardInterrupt

    found = simulate_on_cluster(
        BACCARAT, coups=10**12, seed=5, scheduler=local.scheduler_address, progress=interrupt
    )
    assert not found.complete
    assert found.tally.total == found.coups > 0
    assert max(abs(result.z) for result in found.wagers) < 4.5


def test_a_local_cluster_is_started_for_a_number_of_workers() -> None:
    spread = simulate_on_cluster(BACCARAT, shoes=5000, seed=2, workers=1)
    assert counts(spread) == counts(simulate(BACCARAT, shoes=5000, seed=2))
    assert spread.threads == 1


def test_impossible_clusters_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "START_SECONDS", 1)
    with pytest.raises(RulesError, match="either the address of a scheduler or a number"):
        simulate_on_cluster(BACCARAT, coups=5)
    with pytest.raises(RulesError, match="0 workers were asked for"):
        simulate_on_cluster(BACCARAT, coups=5, workers=0)
    with pytest.raises(RulesError, match="257 workers were asked for; 1 to 256 can be"):
        simulate_on_cluster(BACCARAT, coups=5, workers=257)
    with pytest.raises(RulesError, match=r"'1\.0' came for the number of workers"):
        simulate_on_cluster(BACCARAT, coups=5, workers=1.0)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="No scheduler answers at tcp://127"):
        simulate_on_cluster(BACCARAT, coups=5, scheduler="tcp://127.0.0.1:9")
    with pytest.raises(RulesError, match="No scheduler answers at nonsense"):
        simulate_on_cluster(BACCARAT, coups=5, scheduler="nonsense://x")
    with pytest.raises(RulesError, match="0 coups cannot be dealt"):
        simulate_on_cluster(BACCARAT, coups=0, workers=1)


def test_without_dask_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'croupier\[cluster\]'"):
        simulate_on_cluster(BACCARAT, coups=5, workers=1)


def test_an_interrupt_during_the_start_is_remembered() -> None:
    before = signal.getsignal(signal.SIGINT)
    with cluster.interrupts_held() as came:
        assert not came.is_set()
        signal.raise_signal(signal.SIGINT)
    assert came.is_set()
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_processes_started_meanwhile_are_out_of_reach() -> None:
    show = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    shown: list[str] = []

    def start() -> None:
        command = [sys.executable, "-c", show]
        shown.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)  # noqa: S603

    with cluster.interrupts_held():
        thread = threading.Thread(target=start)
        thread.start()
        thread.join()
    start()
    assert shown == ["True\n", "False\n"]


def test_other_threads_start_a_cluster_without_touching_interrupts() -> None:
    seen: list[object] = []

    def hold() -> None:
        with cluster.interrupts_held():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)]


def test_an_interrupt_of_the_start_ends_the_run_and_the_cluster(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[Any] = []
    real = distributed.LocalCluster

    def interrupted(**options: object) -> Any:  # noqa: ANN401
        started.append(real(**options))
        # To the thread that holds it back: others of this process, left by other tests, do not.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        return started[0]

    monkeypatch.setattr(distributed, "LocalCluster", interrupted)
    with pytest.raises(KeyboardInterrupt):
        simulate_on_cluster(BACCARAT, coups=10**12, seed=1, workers=1)
    assert started[0].status.name == "closed"


def test_workers_of_a_local_cluster_write_no_logs() -> None:
    def loudest() -> list[int]:
        import logging  # noqa: PLC0415  # this runs on the worker

        return [handler.level for handler in logging.getLogger("distributed").handlers]

    with cluster.connected(None, 1) as client:
        (levels,) = client.run(loudest).values()
    assert levels
    assert min(levels) > logging.CRITICAL
