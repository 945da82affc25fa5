"""Places for journals: in memory, in a file, and on a PostgreSQL server of the tests' own."""

from __future__ import annotations

import asyncio
import inspect
import secrets
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from tests.journal.places import MemoryPlace, PostgresPlace, SqlitePlace
from tools.postgres import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
