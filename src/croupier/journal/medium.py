"""The file of an SQLite journal, as its one writer knows it: a thread, or a process.

``synchronous=FULL`` in WAL mode syncs the log at every commit; with less, a power failure
loses acknowledged frames. All frames that wait are written in one transaction, so that one
sync serves many senders. Any error of the medium poisons it: SQLite would go on after a
failed sync as if nothing had happened, and a frame behind one that failed was decided on top
of it. The log is copied into the file beside the writer, who copies only the short rest.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from croupier.journal.errors import JournalError, PoisonedError
from croupier.journal.frames import (
    DECISION_WIDTH,
    POSTING_WIDTH,
    Frame,
    conflict,
    fenced,
    next_balances,
    taken,
    without,
    wrong_parts,
)
from croupier.journal.sqlite_file import write_log_again
from croupier.journal.sqlite_schema import (
    FOREVER,
    ROWS_TOGETHER,
    SCHEMA,
    SHAPE,
    TAKE_OVER,
    WIDTHS,
    insert_flat,
    insert_rows,
    wanted_shape,
)
from croupier.journal.store import sealed_twice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from croupier.journal.frames import Refusals

PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0;"
    "PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000;"
)
FAILED = "The journal failed and must be opened again: {}."
STATEMENTS_KEPT = len(WIDTHS) * ROWS_TOGETHER + 32
MISTAKES = (sqlite3.IntegrityError, OverflowError, ValueError)
"""What can be wrong with a frame, and not with the medium."""
LOG_ROWS_MAX = 20_000
"""How many rows may be in the log alone before it is copied into the file."""
GENESIS = bytes(32)
HEADS = """
WITH RECURSIVE each(one) AS (SELECT min(stream) FROM decision UNION ALL
    SELECT (SELECT min(stream) FROM decision WHERE stream > one) FROM each
    WHERE one IS NOT NULL)
SELECT stream, sequence, hash FROM each JOIN decision ON stream = one
    AND sequence = (SELECT max(sequence) FROM decision WHERE stream = one)
ORDER BY stream
"""
"""Where every stream ends, from stream to stream by the key; owners can be deleted."""
NEWEST = "SELECT sequence, hash FROM decision WHERE stream = ? ORDER BY sequence DESC LIMIT 1"


class OtherWriterError(Exception):
    """Somebody else wrote the file: what this process knows of it is no longer so."""


class Medium:
    """The file, written by this object alone."""

    def __init__(self, path: Path, connect: Callable[[Path], Any]) -> None:
        self.path, self._connect = path, connect
        self.poison: str | None = None
        self._in_doubt = True
        """Whether a frame that failed may lie whole in the log; before the start, too."""
        self._connections: list[Any] = []
        self._logged = 0
        self._copier: _Copier | None = None
        try:
            self._open()
        except BaseException:
            self._disconnect()
            raise

    # Opening

    def _open(self) -> None:
        """Connect, and read what the file holds, once that is durable."""
        self._make_durable()
        self._write = self._connected()
        self._require_form()
        self._write.executescript(SCHEMA + FOREVER)
        self._write.execute("BEGIN")
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._balances: dict[str, int] = {}
        self._place = self._last_place()
        self._epochs = self._read_epochs()
        self._version = self._data_version()
        self._write.execute("ROLLBACK")
        self._copier = _Copier(self._connected())

    def _require_form(self) -> None:
        """Refuse a file of another form; one whose making was interrupted may lack parts."""
        found = dict(self._write.execute(SHAPE).fetchall())
        if "table record" in found and "table decision" not in found:
            message = (
                f"The journal {self.path.name} is of the old form, which kept effects and"
                " answers; this version keeps decisions and cannot go on in it."
            )
            raise JournalError(message)
        for part, sql in found.items():
            if wanted_shape().get(part) != sql:
                message = (
                    f"The journal {self.path.name} has another form than this version writes:"
                    f" its {part} differs; restore it from an export."
                )
                raise JournalError(message)

    def _make_durable(self) -> None:
        """Make certain that the log is on the medium, and let go of the file.

        Whoever closes a file last copies the log into it, so the old connections stay until
        the log can be trusted.
        """
        with closing(self._connect(self.path)) as connection:
            # Nobody writes the log meanwhile, not even who went around the lock.
            connection.execute("BEGIN IMMEDIATE")
            write_log_again(self.path)
            connection.execute("ROLLBACK")
            self._disconnect()

    def _connected(self) -> Any:  # noqa: ANN401  # as a connection
        connection = self._connect(self.path)
        self._connections.append(connection)
        return connection

    def _disconnect(self) -> None:
        if self._copier is not None:
            self._copier.stop()
            self._copier = None
        while self._connections:
            self._connections.pop().close()

    def reopen(self) -> None:
        """Open the file anew after it failed; whoever holds the lock keeps it."""
        if self.poison is None:
            return
        self._open()
        self._write_over()
        self.poison = None

    def _write_over(self) -> None:
        """Commit something, so that a frame that failed cannot come back.

        While others have the file open, SQLite goes on from its index of the log. A frame
        whose sync failed lies whole behind the end of that index, and a power failure would
        bring it back. The commit takes its place. Until that is durable nobody may be told
        that nothing came of the frame; a full disk is read on only if no frame is in doubt.
        """
        try:
            (times,) = self._write.execute("PRAGMA user_version").fetchone()
            self._write.execute(f"PRAGMA user_version = {times + 1}")
        except sqlite3.OperationalError as error:
            if self._in_doubt or not _found_no_room(error):
                raise
        self._in_doubt = False

    def close(self) -> str | None:
        """Copy the log into the file, and close; return what failed meanwhile."""
        healthy = self.poison is None
        if self._copier is not None:
            self._copier.stop()
            self._copier = None
        if healthy:
            try:
                self._write.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except sqlite3.Error as error:
                self.poison = str(error)
        if self.poison is not None:
            with suppress(sqlite3.Error, OSError):
                self._make_durable()
        self._disconnect()
        return self.poison if healthy else None

    # What is known of the file

    def _data_version(self) -> int:
        """Return a number that changes whenever another connection changes the file."""
        (version,) = self._write.execute("PRAGMA data_version").fetchone()
        return int(version)

    def _last_place(self) -> int:
        (place,) = self._write.execute("SELECT max(place) FROM decision").fetchone()
        return int(place or 0)

    def _read_epochs(self) -> dict[str, int]:
        return dict(self._write.execute("SELECT stream, epoch FROM owner").fetchall())

    def _head(self, stream: str) -> tuple[int, bytes]:
        head = self._heads.get(stream)
        if head is None:
            head = self._write.execute(NEWEST, (stream,)).fetchone() or (0, GENESIS)
            self._heads[stream] = head
        return head

    def _balance(self, account: str) -> int:
        held = self._balances.get(account)
        if held is None:
            query = "SELECT cents FROM account WHERE name = ?"
            row = self._write.execute(query, (account,)).fetchone()
            held = self._balances[account] = row[0] if row else 0
        return held

    # Writing

    def do(self, job: Callable[[], Any]) -> Any:  # noqa: ANN401  # whatever it leads to
        """Do something in a transaction of its own, durably."""
        return self._guarded(lambda: self._transaction(job))

    def write(self, frames: Sequence[Frame]) -> list[Refusals]:
        """Write frames in one transaction; when this returns they are on the disk."""
        results: list[Refusals] = self._guarded(lambda: self._write_all(frames))
        if self._copier is not None and self._copier.failure is not None:
            # A sync failed beside this one: whether these frames are there is read again.
            self.poison, self._in_doubt = self._copier.failure, True
            raise PoisonedError(FAILED.format(self.poison))
        self._shorten_log()
        return results

    def _guarded(self, act: Callable[[], Any]) -> Any:  # noqa: ANN401
        if self.poison is not None:
            raise PoisonedError(FAILED.format(self.poison))
        try:
            return act()
        except JournalError:
            raise
        except Exception as error:
            # What reached the medium is not known: nobody is told that it did.
            self.poison = str(error) or type(error).__name__
            raise PoisonedError(FAILED.format(self.poison)) from error

    def _transaction(self, work: Callable[[], Any]) -> Any:  # noqa: ANN401
        write = self._write
        write.execute("BEGIN IMMEDIATE")
        try:
            self._require_alone()
            result = work()
            self._commit()
        except BaseException:
            if write.in_transaction:
                write.execute("ROLLBACK")
            raise
        return result

    def _commit(self) -> None:
        try:
            self._write.execute("COMMIT")
        except Exception as error:
            # What ends a frame in the log is written last: without room it is not there.
            self._in_doubt = self._in_doubt or not _found_no_room(error)
            raise
        self._in_doubt = False

    def _require_alone(self) -> None:
        """Refuse to write what somebody else wrote, whatever became of the lock."""
        version = self._data_version()
        if version == self._version:
            return
        # Whoever copies the log changes the number, too, and nothing else.
        known = (self._place, self._epochs, self._balances)
        if (self._last_place(), self._read_epochs(), self._read_balances()) != known:
            message = "another process wrote it"
            raise OtherWriterError(message)
        self._version = version

    def _read_balances(self) -> dict[str, int]:
        """Read the accounts again that this writer knows."""
        query = "SELECT cents FROM account WHERE name = ?"
        rows = {name: self._write.execute(query, (name,)).fetchone() for name in self._balances}
        return {name: row[0] if row else 0 for name, row in rows.items()}

    def _write_all(self, frames: Sequence[Frame]) -> list[Refusals]:
        """Write all frames together; if the database refuses a row, find whose it is."""
        known: list[Refusals] = [wrong_parts(frame) for frame in frames]
        while True:
            results = [dict(refused) for refused in known]
            try:
                return self._attempt(frames, results)
            except MISTAKES as error:
                if not self._blame(frames, known, results, error):
                    raise

    def _attempt(self, frames: Sequence[Frame], results: list[Refusals]) -> list[Refusals]:
        """Write what can be; add to what is refused what heads and accounts refuse."""
        heads: dict[str, tuple[int, bytes]] = {}
        balances: dict[str, int] = {}
        good: list[Frame] = []
        for frame, result in zip(frames, results, strict=True):
            self._check(frame, result, heads, balances)
            good.append(without(frame, result))
        rows = self._transaction(lambda: self._insert(good, balances))
        self._heads.update(heads)
        self._balances.update(balances)
        self._place += sum(len(frame.decisions) for frame in good) // DECISION_WIDTH
        self._logged += rows
        return results

    def _check(
        self,
        frame: Frame,
        refused: Refusals,
        heads: dict[str, tuple[int, bytes]],
        balances: dict[str, int],
    ) -> None:
        for stream, part in frame.parts.items():
            if stream in refused:
                continue
            if self._epochs.get(stream) != part.epoch:
                refused[stream] = fenced(stream, part.epoch)
                continue
            if (heads.get(stream) or self._head(stream)) != (part.after, part.after_hash):
                refused[stream] = conflict(stream, part.after)
                continue
            changes = frame.changes.get(stream)
            if changes:
                held = {
                    name: balances[name] if name in balances else self._balance(name)
                    for name in changes
                }
                new = next_balances(changes, held)
                if isinstance(new, tuple):
                    # A command that came again finds its answer, whatever it would move.
                    refused[stream] = self._taken(frame, refused, set()).get(stream, new)
                    continue
                balances.update(new)
            heads[stream] = (part.last, part.last_hash)

    def _insert(self, frames: Sequence[Frame], balances: dict[str, int]) -> int:
        place, write = self._place + 1, self._write
        decisions: list[Any] = []
        postings: list[Any] = []
        for frame in frames:
            # The frame stays as it is: if the database refuses a row it is taken once more.
            rows = list(frame.decisions)
            count = len(rows) // DECISION_WIDTH
            rows[::DECISION_WIDTH] = range(place, place + count)
            decisions += rows
            if frame.postings:
                moved = list(frame.postings)
                moved[::POSTING_WIDTH] = [place + one for one in moved[::POSTING_WIDTH]]
                postings += moved
            place += count
        insert_flat(write, "decision", decisions)
        insert_flat(write, "posting", postings)
        insert_rows(write, "account", list(balances.items()))
        snapshots = {one.stream: one for frame in frames for one in frame.snapshots}
        for one in snapshots.values():
            row = (one.stream, one.sequence, one.hash, one.release, one.state, one.mark)
            insert_rows(write, "snapshot", [row])
        return len(decisions) // DECISION_WIDTH + len(postings) // POSTING_WIDTH + len(balances)

    def _blame(
        self,
        frames: Sequence[Frame],
        known: list[Refusals],
        results: list[Refusals],
        error: Exception,
    ) -> bool:
        """Find the streams with a row that the database refuses; nothing was written.

        Whatever follows a part that is refused does not count: it has lost its head.
        """
        seen: set[tuple[str, str, str]] = set()
        found: Refusals = {}
        for frame, refused, result in zip(frames, known, results, strict=True):
            again = self._taken(frame, result | found, seen)
            refused.update(again)
            found.update(again)
        return bool(found) or self._blame_alone(frames, known, results, error)

    def _taken(
        self, frame: Frame, refused: Refusals, seen: set[tuple[str, str, str]]
    ) -> Refusals:
        """Return the streams of a frame with a command that is in the journal already."""
        there = "SELECT 1 FROM decision WHERE command_id = ? AND actor = ? AND stream = ?"
        found: Refusals = {}
        rows = frame.decisions
        for first in range(0, len(rows), DECISION_WIDTH):
            _, stream, _, command_id, actor, _, _ = rows[first : first + DECISION_WIDTH]
            key = (command_id, actor, stream)
            if stream in refused or stream in found:
                continue
            if key in seen or self._write.execute(there, key).fetchone():
                found[stream] = taken(actor, command_id)
            seen.add(key)
        return found

    def _blame_alone(
        self,
        frames: Sequence[Frame],
        known: list[Refusals],
        results: list[Refusals],
        error: Exception,
    ) -> bool:
        """Try the streams one by one, and take everything back: who fails is to blame."""
        for frame, refused, result in zip(frames, known, results, strict=True):
            for stream in frame.parts:
                if stream in result:
                    continue
                others = {other: ("", "") for other in frame.parts if other != stream}
                alone = without(frame, others)
                self._write.execute("BEGIN IMMEDIATE")
                try:
                    self._insert([alone], {})
                except MISTAKES:
                    refused[stream] = ("wrong", f"The database refused it: {error}.")
                    return True
                finally:
                    self._write.execute("ROLLBACK")
        return False

    def claim(self, streams: Sequence[str], holder: str) -> list[int]:
        """Take streams over."""
        claimed: dict[str, int] = {}

        def take() -> None:
            for stream in streams:
                (epoch,) = self._write.execute(TAKE_OVER, (stream, holder)).fetchone()
                claimed[stream] = int(epoch)

        self.do(take)
        self._epochs.update(claimed)
        return [claimed[stream] for stream in streams]

    def keep_sealed(self, shoe: str, cards: Sequence[bytes]) -> None:
        """Keep the sealed cards of a shoe, once."""

        def keep() -> None:
            rows = [(shoe, number, card) for number, card in enumerate(cards)]
            if not rows:
                raise JournalError(sealed_twice(shoe))
            try:
                self._write.executemany("INSERT INTO sealed VALUES (?, ?, ?)", rows)
            except sqlite3.IntegrityError as error:
                raise JournalError(sealed_twice(shoe)) from error

        self.do(keep)
        self._logged += len(cards)

    # The log

    def _shorten_log(self) -> None:
        """Have the log copied into the file now and then, and copy what came meanwhile."""
        copier = self._copier
        assert copier is not None, "the file is not open"
        if copier.copied:
            # What came meanwhile is little; after it the log starts from its beginning.
            copier.copied = False
            self._checkpoint()
        elif self._logged >= LOG_ROWS_MAX:
            self._logged = 0
            copier.wake()

    def _checkpoint(self) -> None:
        try:
            # By hand, because SQLite keeps an error of its own checkpoint to itself.
            # Passive: a reader who takes long must not keep the writer waiting.
            self._write.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        except sqlite3.Error as error:
            self.poison = str(error)


class _Copier:
    """Copies the log into the file beside the writer, who goes on writing."""

    def __init__(self, connection: Any) -> None:  # noqa: ANN401  # as a connection
        self._connection = connection
        self._full = threading.Semaphore(0)
        self._ending = False
        self.copied = False
        self.failure: str | None = None
        self._thread = threading.Thread(target=self._run, name="journal-log", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Copy what is in the log by now."""
        self._full.release()

    def stop(self) -> None:
        """End, after the copying that goes on."""
        self._ending = True
        self._full.release()
        self._thread.join()

    def _run(self) -> None:
        while self._full.acquire() and not self._ending:
            try:
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            except sqlite3.Error as error:
                self.failure = str(error)
                return
            self.copied = True


def connect_file(path: Path) -> sqlite3.Connection:
    """Open the file as the journal needs it."""
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=STATEMENTS_KEPT
    )
    try:
        connection.executescript(PRAGMAS)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _found_no_room(error: Exception) -> bool:
    return "full" in str(error)
