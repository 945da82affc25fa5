"""How fast shoes are dealt and compositions counted. Prints; asserts no times.

With a C compiler and AVX2 the simulator is measured against benchmarks/limit.c, the two in
turn within one run: only figures of one run can be divided on a machine that does other work.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from croupier import find_game
from croupier.odds import exact, exact_odds, plain
from croupier.odds.simulate import limits_of, simulate, simulate_independent
from croupier.rules.outcome import Side

if TYPE_CHECKING:
    from collections.abc import Callable

SHOES = 400_000
ROUNDS = 9
GAME = find_game("baccarat")
MILLION = 1e6


def compiled(folder: Path) -> Path | None:
    """Compile the limit program with the rules of the tableau, where that can be done."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    limits = limits_of(GAME.tableau)
    rules = [
        f"-DAGAINST={','.join(map(str, limits.against))}",
        f"-DSTOOD={limits.stood}",
        f"-DPLAYER={limits.player}",
        f"-DNATURAL={limits.natural}",
    ]
    program, source = folder / "limit", Path(__file__).with_name("limit.c")
    files = ["-o", str(program), str(source), "-lpthread"]
    command = [compiler, "-O3", "-march=native", *rules, *files]
    done = subprocess.run(command, check=False, capture_output=True)  # noqa: S603  # our own
    if done.returncode:
        return None
    works = subprocess.run([program, "1", "4", "1"], check=False, capture_output=True)  # noqa: S603  # our own
    return None if works.returncode else program


def limit_speed(program: Path, threads: int) -> float:
    """Run the limit program; check that it deals the same game; return coups a second."""
    arguments = [str(threads), str(SHOES * threads), "1"]
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)  # noqa: S603  # our own
    coups, seconds, banker, player, tie = done.stdout.split()
    odds = exact_odds(GAME)
    wins = {Side.BANKER: int(banker), Side.PLAYER: int(player)}
    for side, count in wins.items():
        chance = float(odds[side.value].hit_rate)
        deviation = (chance * (1 - chance) / int(coups)) ** 0.5
        assert abs(count / int(coups) - chance) < 5 * deviation, "limit.c deals another game"
    assert sum(wins.values()) + int(tie) == int(coups)
    return int(coups) / float(seconds)


def speed(threads: int) -> float:
    """Deal shoes through the public call; return coups a second."""
    start = time.perf_counter()
    found = simulate(GAME, shoes=SHOES * threads, seed=1, threads=threads)
    return found.coups / (time.perf_counter() - start)


def shoes_table(program: Path | None, rounds: int) -> Table:
    """Measure real shoes on one and two threads, in turn with the limit program."""
    table = Table(title="Real shoes, 8 decks, million coups a second, best (median)")
    for heading in ("threads", "croupier", "limit.c", "ratio of bests", "median ratio"):
        table.add_column(heading, justify="right")
    speed(1)
    for threads in (1, 2):
        ours, limit = [], []
        for _ in range(rounds):
            if program is not None:
                limit.append(limit_speed(program, threads))
            ours.append(speed(threads))
        cells = [str(threads), shown(ours)]
        if limit:
            ratios = [own / other for own, other in zip(ours, limit, strict=True)]
            cells += [shown(limit), f"{max(ours) / max(limit):.2f}"]
            cells += [f"{statistics.median(ratios):.2f}"]
        table.add_row(*cells)
    return table


def shown(speeds: list[float]) -> str:
    """Write the best and the median of some speeds."""
    return f"{max(speeds) / MILLION:.1f} ({statistics.median(speeds) / MILLION:.1f})"


def best(work: Callable[[], object], repeat: int) -> float:
    """Return the shortest mean time of a call, in seconds."""
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(repeat):
            work()
        times.append((time.perf_counter() - start) / repeat)
    return min(times)


def counting_table() -> Table:
    """Measure exact counting of a full shoe, one core, and independent coups."""
    table = Table(title="Exact counting of a full shoe, one core, best of nine")
    for heading in ("what", "time", "goal"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    tableau, work = GAME.tableau, exact.Work()
    ranks, precious = np.full(13, 32), np.full(13, 8)
    golden = exact.Work()
    tasks: list[tuple[str, Callable[[], object], int, str, float]] = [
        ("points", lambda: exact.count_points(tableau, ranks, work), 300, "25 us", 1e6),
        (
            "outcomes",
            lambda: exact.count_outcomes(tableau, ranks, None, work),
            300,
            "80 us",
            1e6,
        ),
        (
            "outcomes, precious suit",
            lambda: exact.count_outcomes(tableau, ranks, precious, golden),
            300,
            "130 us",
            1e6,
        ),
        ("plain Python", lambda: plain.count_outcomes(tableau, [32] * 13), 2, "60 ms", 1e3),
        (
            "plain Python, precious suit",
            lambda: plain.count_outcomes(tableau, [32] * 13, [8] * 13),
            2,
            "60 ms",
            1e3,
        ),
        (
            "10^9 independent coups",
            lambda: simulate_independent(GAME, 10**9, seed=1),
            2,
            "50 ms",
            1e3,
        ),
    ]
    for name, task, repeat, goal, scale in tasks:
        unit = goal.partition(" ")[2]
        table.add_row(name, f"{best(task, repeat) * scale:.1f} {unit}", goal)
    many = np.tile(ranks, (4096, 1))
    for threads in (1, 2):
        each = best(lambda: exact.expectations(GAME, many, threads=threads), 1) / len(many)  # noqa: B023  # called at once
        name = f"expectations of a batch, {threads} thread{'s' * (threads > 1)}"
        table.add_row(name, f"{each * 1e6:.1f} us", "")
    return table


def main() -> None:
    """Measure and print; an argument says how many rounds."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    out = Console(width=100)
    out.print(counting_table())
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(Path(folder))
        if program is None:
            out.print("No C compiler with AVX2 is here, so there is no limit to compare with.")
        out.print(shoes_table(program, rounds))


if __name__ == "__main__":
    main()
