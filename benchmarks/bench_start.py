"""Where the time of a start goes: imports, founding, a warm second start, until it answers.

Run from the root of the project: ``python benchmarks/bench_start.py``. Prints a table; asserts
no times. Processes are started as an operator starts them, with bytecode that is kept.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STARTS = 5
IMPORTS = ("croupier", "croupier.cli", "croupier.floor.house", "litestar", "uvicorn",
           "croupier.floor.serving")  # fmt: skip
WAIT_SECONDS = 60.0


def environment() -> dict[str, str]:
    """Return an environment in which bytecode is kept, as where it is installed."""
    kept = dict(os.environ)
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    kept["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "croupier-bytecode")
    return kept


def taken(*arguments: str) -> float:
    """Return the seconds that a process takes."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, env=environment())  # noqa: S603
    return time.perf_counter() - began


def started(folder: Path, *options: str) -> tuple[float, float]:
    """Return after how many seconds a server is ready, and within how many it is gone."""
    ready = folder / "ready.json"
    command = ("-m", "croupier", "serve", "--data", str(folder / "house"), "--port", "0",
               "--ready", str(ready), "--log-level", "error", *options)  # fmt: skip
    began = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, *command], stdout=subprocess.DEVNULL, env=environment()
    )
    while not ready.exists():
        if process.poll() is not None or time.perf_counter() - began > WAIT_SECONDS:
            sys.exit("the server did not start")
        time.sleep(0.005)
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    process.send_signal(signal.SIGTERM)
    process.wait()
    ready.unlink()
    return seconds, time.perf_counter() - began


def main() -> None:
    """Print the table."""
    print(f"{'':44} {'best':>6} {'worst':>6} s")
    bare = min(taken("-c", "pass") for _ in range(STARTS))
    print(f"{'a bare interpreter':44} {bare:6.2f}")
    for name in IMPORTS:
        times = [taken("-c", f"import {name}") for _ in range(STARTS)]
        print(f"{'import ' + name:44} {min(times):6.2f} {max(times):6.2f}")
    for title, options in (("demo", ("--demo", "--demo-patrons", "0")), ("house", ())):
        with tempfile.TemporaryDirectory() as folder:
            first, _ = started(Path(folder), *options)
            print(f"{f'a new {title} is founded and ready':44} {first:6.2f}")
            again = [started(Path(folder), *options) for _ in range(STARTS)]
            times, ends = [one for one, _ in again], [one for _, one in again]
            print(f"{f'the {title} again, ready':44} {min(times):6.2f} {max(times):6.2f}")
            print(
                f"{f'the {title} is gone after SIGTERM':44} {min(ends):6.2f} {max(ends):6.2f}"
            )


if __name__ == "__main__":
    main()
