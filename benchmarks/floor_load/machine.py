"""What the machine tells: processor time and memory of a process, and how fast its disk is."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
BLOCK = bytes(4096)
USER, SYSTEM = 11, 12
"""Where /proc/PID/stat has the processor time, counted behind the name."""


class Used(NamedTuple):
    """Processor seconds: of the server, of the kernel for it, of its writer, of the load."""

    server: float
    kernel: float
    writer: float
    load: float

    def since(self, before: Used) -> Used:
        """Return what was used since then."""
        return Used(*(now - was for now, was in zip(self, before, strict=True)))


def used(server: int) -> Used:
    """Return what a server, its children and this process have used."""
    user, kernel = _seconds(server)
    writer = sum(sum(_seconds(child)) for child in children(server))
    return Used(user + kernel, kernel, writer, time.process_time())


def _seconds(process: int) -> tuple[float, float]:
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0, 0.0
    fields = text.rpartition(")")[2].split()
    return int(fields[USER]) / TICKS, int(fields[SYSTEM]) / TICKS


def children(process: int) -> list[int]:
    """Return the processes that a process started: the journal's writer is one."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def resident_bytes(process: int) -> int:
    """Return the memory of a process."""
    text = Path(f"/proc/{process}/statm").read_text(encoding="ascii")
    return int(text.split()[1]) * PAGE_BYTES


def kernel_bytes() -> int:
    """Return what the kernel holds for TCP, of everybody on this machine."""
    for line in Path("/proc/net/sockstat").read_text(encoding="ascii").splitlines():
        if line.startswith("TCP:"):
            return int(line.split()[-1]) * PAGE_BYTES
    return 0


def synchronised(folder: Path, seconds: float) -> list[float]:
    """Return how long each fdatasync of one more block took, one after the other."""
    path, took = folder / "synchronised", []
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        until = time.perf_counter() + seconds
        while (began := time.perf_counter()) < until:
            os.write(file, BLOCK)
            os.fdatasync(file)
            took.append(time.perf_counter() - began)
    finally:
        os.close(file)
        path.unlink()
    return took
