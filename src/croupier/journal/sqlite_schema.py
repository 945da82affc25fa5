"""The SQL of an SQLite journal: its tables, their guards, and how rows get into them."""

from __future__ import annotations

import sqlite3
from functools import cache
from itertools import chain
from typing import Any

from croupier.journal.record import Answer, Posting, Record
from croupier.journal.store import MAY_BE_NEGATIVE

OF_THE_HOUSE = " OR ".join(f"name GLOB '{start}*'" for start in MAY_BE_NEGATIVE)
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS record (
    stream TEXT NOT NULL, sequence INTEGER NOT NULL, epoch INTEGER NOT NULL,
    moment TEXT NOT NULL, actor TEXT NOT NULL, command TEXT NOT NULL, name TEXT NOT NULL,
    version INTEGER NOT NULL, body BLOB NOT NULL, previous BLOB NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (stream, sequence)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS posting (
    stream TEXT NOT NULL, sequence INTEGER NOT NULL, line INTEGER NOT NULL,
    source TEXT NOT NULL, target TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0), CHECK (source <> target),
    PRIMARY KEY (stream, sequence, line)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answer (
    actor TEXT NOT NULL, command TEXT NOT NULL, digest BLOB NOT NULL, stream TEXT NOT NULL,
    first INTEGER NOT NULL, last INTEGER NOT NULL, result BLOB NOT NULL,
    PRIMARY KEY (stream, first, actor, command), UNIQUE (command, actor)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS account (
    name TEXT PRIMARY KEY, cents INTEGER NOT NULL,
    CHECK (cents >= 0 OR {OF_THE_HOUSE})) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owner (
    stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sealed (
    shoe TEXT NOT NULL, number INTEGER NOT NULL, card BLOB NOT NULL,
    PRIMARY KEY (shoe, number)) WITHOUT ROWID;
"""
KEYS = {
    "record": ("stream", "sequence"),
    "posting": ("stream", "sequence", "line"),
    "answer": ("command", "actor"),
    "sealed": ("shoe", "number"),
}
"""What is never changed, and the key of each."""


def _guard(table: str, name: str, when: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{name} BEFORE {when}"
        f" BEGIN SELECT RAISE(ABORT, '{table}s are never changed'); END;"
    )


def _guards(table: str) -> str:
    # INSERT OR REPLACE removes a row without asking the guard against deletion.
    same = " AND ".join(f"{column} = NEW.{column}" for column in KEYS[table])
    again = f"INSERT ON {table} WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608  # our own names
    return (
        _guard(table, "update", f"UPDATE ON {table}")
        + _guard(table, "delete", f"DELETE ON {table}")
        + _guard(table, "replace", again)
    )


FOREVER = "".join(map(_guards, KEYS))
# What SQLite keeps for itself, statistics for example, has names that nobody else can give.
SHAPE = (
    "SELECT replace(type, 'trigger', 'guard') || ' ' || name, sql FROM sqlite_master"
    " WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'"
)


@cache
def wanted_shape() -> dict[str, str]:
    """Return what a file holds, beside its rows, that the store has just made."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(SCHEMA + FOREVER)
        return dict(connection.execute(SHAPE).fetchall())
    finally:
        connection.close()


WIDTHS = {
    table: len(kind.__struct_fields__)
    for table, kind in (("record", Record), ("posting", Posting), ("answer", Answer))
} | {"account": 2}
IF_THERE = {"account": " ON CONFLICT (name) DO UPDATE SET cents = excluded.cents"}
# Epochs never fall in a stream, so the newest record has the highest of them.
TAKE_OVER = (
    "INSERT INTO owner VALUES (?1, 1 + coalesce((SELECT epoch FROM record WHERE stream = ?1"
    " ORDER BY sequence DESC LIMIT 1), 0), ?2) ON CONFLICT (stream)"
    " DO UPDATE SET epoch = max(epoch + 1, excluded.epoch), holder = excluded.holder"
    " RETURNING epoch"
)
ROWS_TOGETHER = 64
"""How many rows one statement inserts at most."""


def insert_rows(write: sqlite3.Connection, table: str, rows: list[Any]) -> None:
    """Insert rows, many by one step: between steps the thread would wait for its turn."""
    for first in range(0, len(rows), ROWS_TOGETHER):
        some = rows[first : first + ROWS_TOGETHER]
        write.execute(insert_statement(table, len(some)), list(chain.from_iterable(some)))


@cache
def insert_statement(table: str, rows: int = 1) -> str:
    """Return an INSERT of so many rows."""
    row = f"({', '.join('?' * WIDTHS[table])})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}{IF_THERE.get(table, '')}"  # noqa: S608  # our own names
