"""The SQL of an SQLite journal: its tables, their guards, and how rows get into them."""

from __future__ import annotations

import sqlite3
from functools import cache
from itertools import chain
from typing import Any

from croupier.accounting import MAY_BE_NEGATIVE
from croupier.journal.frames import DECISION_WIDTH, POSTING_WIDTH

OF_THE_HOUSE = " OR ".join(f"name GLOB '{start}*'" for start in MAY_BE_NEGATIVE)
# ``place`` counts over all streams: every commit adds to the end of both tables, instead of
# touching a page of each stream in each table. It is never a reading position.
# An identification comes first in its key: identifications in order then lie together.
SCHEMA = f"""
CREATE TABLE IF NOT EXISTS decision (
    place INTEGER PRIMARY KEY, stream TEXT NOT NULL, sequence INTEGER NOT NULL,
    command_id TEXT NOT NULL, actor TEXT NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL,
    UNIQUE (stream, sequence), UNIQUE (command_id, actor, stream));
CREATE TABLE IF NOT EXISTS posting (
    place INTEGER NOT NULL, line INTEGER NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0), CHECK (source <> target),
    PRIMARY KEY (place, line)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS account (
    name TEXT PRIMARY KEY, cents INTEGER NOT NULL,
    CHECK (cents >= 0 OR {OF_THE_HOUSE})) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS owner (
    stream TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sealed (
    shoe TEXT NOT NULL, number INTEGER NOT NULL, card BLOB NOT NULL,
    PRIMARY KEY (shoe, number)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshot (
    stream TEXT PRIMARY KEY, sequence INTEGER NOT NULL, hash BLOB NOT NULL,
    release TEXT NOT NULL, state BLOB NOT NULL, mark BLOB NOT NULL) WITHOUT ROWID;
"""
KEYS = {
    "decision": (("place",), ("stream", "sequence"), ("command_id", "actor", "stream")),
    "posting": (("place", "line"),),
    "sealed": (("shoe", "number"),),
}
"""What is never changed, and all keys of each."""


def _guard(table: str, name: str, when: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{name} BEFORE {when}"
        f" BEGIN SELECT RAISE(ABORT, '{table}s are never changed'); END;"
    )


def _guards(table: str) -> str:
    # INSERT OR REPLACE removes a row without asking the guard against deletion.
    there = " OR ".join(
        f"EXISTS (SELECT 1 FROM {table} WHERE "  # noqa: S608  # our own names
        + " AND ".join(f"{column} = NEW.{column}" for column in key)
        + ")"
        for key in KEYS[table]
    )
    return (
        _guard(table, "update", f"UPDATE ON {table}")
        + _guard(table, "delete", f"DELETE ON {table}")
        + _guard(table, "replace", f"INSERT ON {table} WHEN {there}")
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


WIDTHS = {"decision": DECISION_WIDTH, "posting": POSTING_WIDTH, "account": 2, "snapshot": 6}
IF_THERE = {
    "account": " ON CONFLICT (name) DO UPDATE SET cents = excluded.cents",
    "snapshot": " ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence,"
    " hash = excluded.hash, release = excluded.release, state = excluded.state,"
    " mark = excluded.mark",
}
# Epochs never fall in a stream, so the newest decision has the highest of them.
TAKE_OVER = (
    # A body that was changed is found when the stream is read; it is no fault of the medium.
    "INSERT INTO owner VALUES (?1, 1 + coalesce((SELECT"
    " CASE WHEN json_valid(body) THEN json_extract(body, '$.epoch') END"
    " FROM decision WHERE stream = ?1 ORDER BY sequence DESC LIMIT 1), 0), ?2)"
    " ON CONFLICT (stream)"
    " DO UPDATE SET epoch = max(epoch + 1, excluded.epoch), holder = excluded.holder"
    " RETURNING epoch"
)
ROWS_TOGETHER = 64
"""How many rows one statement inserts at most: between statements a thread waits."""


def insert_flat(write: sqlite3.Connection, table: str, values: list[Any]) -> None:
    """Insert rows that lie one after the other, many by one step."""
    step = ROWS_TOGETHER * WIDTHS[table]
    for first in range(0, len(values), step):
        some = values[first : first + step]
        write.execute(insert_statement(table, len(some) // WIDTHS[table]), some)


def insert_rows(write: sqlite3.Connection, table: str, rows: list[Any]) -> None:
    """Insert rows."""
    insert_flat(write, table, list(chain.from_iterable(rows)))


@cache
def insert_statement(table: str, rows: int = 1) -> str:
    """Return an INSERT of so many rows."""
    row = f"({', '.join('?' * WIDTHS[table])})"
    return f"INSERT INTO {table} VALUES {', '.join([row] * rows)}{IF_THERE.get(table, '')}"  # noqa: S608  # our own names
