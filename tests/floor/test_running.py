"""How a process that serves desks runs: what it does not need goes back to the system."""

from __future__ import annotations

import subprocess
import sys

HASHING = """
from pathlib import Path
from concurrent.futures import ThreadPoolExecutor
from croupier.floor.passwords import HASHER
from croupier.floor.running import tune

def kibibytes():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])

tune()
before = kibibytes()
with ThreadPoolExecutor(2) as threads:
    list(threads.map(HASHER.hash, ["a long password"] * 6))
print((kibibytes() - before) / HASHER.memory_cost)
"""


def kept() -> float:
    """Return what a process keeps after looking at passwords, in memories of one password."""
    command = [sys.executable, "-c", HASHING]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # noqa: S603


def test_what_passwords_needed_goes_back_to_the_system() -> None:
    assert kept() < 0.5
