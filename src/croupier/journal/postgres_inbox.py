"""The inbox in a PostgreSQL database: its table, and what is done with it.

Deadlines are by the clock of the database alone, so processes need not agree about the time.
Nothing here is part of the journal: verification does not read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.journal.errors import JournalError, busy
from croupier.journal.inbox import Answered, Waiting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence

    from croupier.journal.store import Key

CHANNEL = "croupier_inbox"
"""Where it is announced, as "stream number", that a command was put or answered."""
WAITING_MAX = 1_000
"""How many commands may wait for one stream."""
# One after the other for each stream: so numbers can be seen in their order, and no two take
# the last place. The owner's row is locked as an append locks it, so a process that lost the
# stream while it thought cannot answer what the next owner may decide.
SCHEMA = """
CREATE TABLE inbox (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream text COLLATE "C" NOT NULL, command_id text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL, body bytea NOT NULL,
    put timestamptz NOT NULL, deadline timestamptz NOT NULL, answer bytea);
CREATE INDEX inbox_waiting ON inbox (stream, number) WHERE answer IS NULL;
CREATE INDEX inbox_deadline ON inbox (deadline);
CREATE FUNCTION put_command(
    wanted text, id text, by text, content bytea, seconds float8, most bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz;
    given bigint;
BEGIN
    PERFORM pg_advisory_xact_lock(
        hashtextextended(current_schema() || ' inbox ' || wanted, 0));
    IF NOT EXISTS (SELECT FROM owner WHERE stream = wanted) THEN RETURN NULL; END IF;
    moment := clock_timestamp();
    IF (SELECT count(*) FROM inbox
        WHERE stream = wanted AND answer IS NULL AND deadline > moment) >= most
    THEN RETURN 0; END IF;
    INSERT INTO inbox (stream, command_id, actor, body, put, deadline)
        VALUES (wanted, id, by, content, moment, moment + seconds * interval '1 second')
        RETURNING number INTO given;
    PERFORM pg_notify('croupier_inbox', wanted || ' ' || given);
    RETURN given;
END $$;
CREATE FUNCTION settle_commands(
    decided bigint[], numbers bigint[], epochs bigint[], answers bytea[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    told record;
BEGIN
    PERFORM FROM owner
        WHERE stream IN (SELECT inbox.stream FROM inbox WHERE number = ANY (numbers))
        ORDER BY stream FOR NO KEY UPDATE;
    FOR told IN
        UPDATE inbox SET answer = given.said
            FROM unnest(numbers, epochs, answers) AS given (one, epoch, said), owner
            WHERE inbox.number = given.one AND inbox.answer IS NULL
                AND owner.stream = inbox.stream AND owner.epoch = given.epoch
            RETURNING inbox.stream, inbox.number
    LOOP
        PERFORM pg_notify('croupier_inbox', told.stream || ' ' || told.number);
    END LOOP;
    DELETE FROM inbox WHERE number = ANY (decided);
    RETURN ARRAY(SELECT number FROM inbox WHERE number = ANY (numbers) AND answer IS NULL);
END $$;
"""
PUT = "SELECT put_command($1, $2, $3, $4, $5, $6)"
WAITING = (
    "SELECT number, stream, command_id, actor, body,"
    " extract(epoch FROM deadline - clock_timestamp())::float8 FROM inbox"
    " WHERE answer IS NULL AND stream = ANY ($1) AND number <> ALL ($2)"
    " ORDER BY number LIMIT $3"
)
SETTLE = "SELECT settle_commands($1, $2, $3, $4)"
ANSWERS = "SELECT number, answer FROM inbox WHERE number = ANY ($1)"
REMOVE = "DELETE FROM inbox WHERE number = ANY ($1)"
SWEEP = "DELETE FROM inbox WHERE deadline < clock_timestamp() - $1 * interval '1 second'"


class PostgresInbox:
    """The inbox that lies beside a journal.

    ``write`` and ``read`` do something in the database: its writer one after the other with
    frames, the reader beside them.
    """

    def __init__(
        self,
        write: Callable[..., Awaitable[Any]],
        read: Callable[..., Awaitable[list[Any]]],
        listen: Callable[[Callable[[str, int], None], str], Awaitable[None]],
    ) -> None:
        self._write, self._read, self._listen = write, read, listen

    async def put(self, key: Key, body: bytes, seconds: float) -> int:
        """Put a command that may be decided for so long; return its number."""
        stream, actor, command_id = key
        number: int | None = await self._write(
            PUT, stream, command_id, actor, body, seconds, WAITING_MAX
        )
        if number is None:
            message = f"No house has ever served {stream} on this database."
            raise JournalError(message)
        if number == 0:
            raise busy(WAITING_MAX, stream)
        return number

    async def waiting(
        self, streams: Collection[str], but: Collection[int], limit: int
    ) -> list[Waiting]:
        """Return what waits for some streams, in order; without those that are known."""
        rows = await self._read(WAITING, list(streams), list(but), limit)
        return [Waiting(*row) for row in rows]

    async def settle(
        self, decided: Sequence[int], answers: Sequence[Answered]
    ) -> frozenset[int]:
        """Remove what was decided, and answer what was not; return those that still wait."""
        left = await self._write(
            SETTLE,
            list(decided),
            [one.number for one in answers],
            [one.epoch for one in answers],
            [one.answer for one in answers],
        )
        return frozenset(left)

    async def answers(self, numbers: Collection[int]) -> dict[int, bytes | None]:
        """Return the answers to commands that are still there; None: they wait."""
        return {row[0]: row[1] for row in await self._read(ANSWERS, list(numbers))}

    async def remove(self, numbers: Collection[int]) -> None:
        """Remove commands, answered or not."""
        await self._write(REMOVE, list(numbers))

    async def sweep(self, seconds: float) -> None:
        """Remove what nobody asked for so long after its deadline."""
        await self._write(SWEEP, seconds)

    async def listen(self, callback: Callable[[str, int], None]) -> None:
        """Call back with stream and number whenever a command is put, or answered."""
        await self._listen(callback, CHANNEL)
