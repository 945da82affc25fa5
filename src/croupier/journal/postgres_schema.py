"""What the journal is in a PostgreSQL database: tables, guards and functions."""

from __future__ import annotations

from croupier.journal.store import MAY_BE_NEGATIVE

OF_THE_HOUSE = f"^({'|'.join(MAY_BE_NEGATIVE)})"
# PostgreSQL has a type "record" of its own, so the rows of ours have a type of another name.
# Text is compared by its bytes, as everywhere else in the journal.
TABLES = """
CREATE TYPE written_record AS (
    stream text COLLATE "C", sequence bigint, epoch bigint, moment text, actor text,
    command text, name text, version bigint, body bytea, previous bytea, hash bytea);
CREATE TABLE record OF written_record (
    PRIMARY KEY (stream, sequence),
    epoch WITH OPTIONS NOT NULL, moment WITH OPTIONS NOT NULL, actor WITH OPTIONS NOT NULL,
    command WITH OPTIONS NOT NULL, name WITH OPTIONS NOT NULL, version WITH OPTIONS NOT NULL,
    body WITH OPTIONS NOT NULL, previous WITH OPTIONS NOT NULL, hash WITH OPTIONS NOT NULL);
CREATE TABLE posting (
    stream text COLLATE "C" NOT NULL, sequence bigint NOT NULL, line bigint NOT NULL,
    source text NOT NULL, target text NOT NULL,
    cents bigint NOT NULL CHECK (cents > 0), CHECK (source <> target),
    PRIMARY KEY (stream, sequence, line));
CREATE TABLE answer (
    actor text COLLATE "C" NOT NULL, command text COLLATE "C" NOT NULL,
    digest bytea NOT NULL, stream text COLLATE "C" NOT NULL,
    first bigint NOT NULL, last bigint NOT NULL, result bytea NOT NULL,
    PRIMARY KEY (actor, command));
CREATE INDEX answer_of_stream ON answer (stream, first, actor, command);
CREATE TABLE account (
    name text COLLATE "C" PRIMARY KEY, cents bigint NOT NULL,
    house boolean NOT NULL GENERATED ALWAYS AS (name ~ '{house}') STORED,
    CHECK (cents >= 0 OR house));
CREATE TABLE owner (
    stream text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL, holder text NOT NULL);
CREATE TABLE sealed (
    shoe text COLLATE "C" NOT NULL, number bigint NOT NULL, card bytea NOT NULL,
    PRIMARY KEY (shoe, number));
CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%s are never changed', TG_TABLE_NAME;
END $$;
""".replace("{house}", OF_THE_HOUSE)
KEPT = ("record", "posting", "answer", "sealed")
# Enabled always: otherwise a session that plays a replica would not be stopped.
FOREVER = "".join(
    f"CREATE TRIGGER {table}_forever BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION never_changed();"
    f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_forever;"
    for table in KEPT
)
# Locks are taken in one order by everybody: owners, answers, accounts, each by name. Every
# statement sees what was committed before it began, so the heads are those after the locks.
# A new account is made empty first, because a constraint is checked on the row to insert
# before it is found to be there already.
APPEND = """
CREATE FUNCTION append_batches(
    streams text[], epochs bigint[], sequences bigint[], hashes bytea[],
    records written_record[], postings posting[], answers answer[],
    names text[], changes bigint[], lows bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    wrong text;
BEGIN
    PERFORM FROM owner WHERE stream = ANY (streams) ORDER BY stream FOR NO KEY UPDATE;
    SELECT asked.stream INTO wrong
        FROM unnest(streams, epochs) AS asked (stream, epoch) LEFT JOIN owner USING (stream)
        WHERE owner.epoch IS DISTINCT FROM asked.epoch LIMIT 1;
    IF FOUND THEN RAISE EXCEPTION USING ERRCODE = 'CR001', MESSAGE = wrong; END IF;

    SELECT asked.stream INTO wrong
        FROM unnest(streams, sequences, hashes) AS asked (stream, sequence, hash)
        LEFT JOIN LATERAL (
            SELECT record.sequence, record.hash FROM record
            WHERE record.stream = asked.stream ORDER BY record.sequence DESC LIMIT 1
        ) AS newest ON true
        WHERE coalesce(newest.sequence, 0) <> asked.sequence
            OR coalesce(newest.hash, decode(repeat('00', 32), 'hex')) <> asked.hash LIMIT 1;
    IF FOUND THEN RAISE EXCEPTION USING ERRCODE = 'CR002', MESSAGE = wrong; END IF;

    INSERT INTO answer SELECT * FROM unnest(answers) ORDER BY actor, command;
    INSERT INTO record SELECT * FROM unnest(records);
    INSERT INTO posting SELECT * FROM unnest(postings);

    INSERT INTO account (name, cents)
        SELECT moved, 0 FROM unnest(names) AS moved ORDER BY moved COLLATE "C"
        ON CONFLICT DO NOTHING;
    PERFORM FROM account WHERE name = ANY (names) ORDER BY name FOR NO KEY UPDATE;
    SELECT account.name INTO wrong
        FROM account JOIN unnest(names, lows) AS moved (name, low) USING (name)
        WHERE account.cents + moved.low < 0 AND NOT account.house LIMIT 1;
    IF FOUND THEN RAISE EXCEPTION USING ERRCODE = 'CR003', MESSAGE = wrong; END IF;
    UPDATE account SET cents = account.cents + moved.change
        FROM unnest(names, changes) AS moved (name, change) WHERE account.name = moved.name;

    PERFORM pg_notify('croupier', stream || ' ' || max(sequence))
        FROM unnest(records) GROUP BY stream;
END $$;
"""
SCHEMA = TABLES + FOREVER + APPEND
SHAPE = """
WITH own AS (
    SELECT pg_class.* FROM pg_class JOIN unnest($1::text[]) AS one
        ON pg_class.oid = to_regclass(one))
SELECT 'table ' || own.relname, concat(
        string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod),
            CASE WHEN attnotnull THEN 'NOT NULL' END,
            (SELECT 'COLLATE ' || collname FROM pg_collation
                WHERE oid = attcollation AND collname <> 'default'),
            pg_get_expr(adbin, adrelid)), ', ' ORDER BY attnum),
        CASE WHEN relpersistence <> 'p' THEN ' UNLOGGED' END,
        CASE WHEN relrowsecurity THEN ' ROW SECURITY' END,
        CASE WHEN relhassubclass THEN ' INHERITED' END)
    FROM own JOIN pg_attribute ON attrelid = own.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = own.oid AND adnum = attnum
    GROUP BY own.relname, relpersistence, relrowsecurity, relhassubclass
UNION ALL SELECT 'constraint ' || conname, pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN own ON conrelid = own.oid WHERE contype <> 'n'
UNION ALL SELECT 'guard ' || tgname,
        concat(tgenabled, ' ', pg_get_triggerdef(pg_trigger.oid, true))
    FROM pg_trigger JOIN own ON tgrelid = own.oid WHERE NOT tgisinternal
UNION ALL SELECT 'rule ' || rulename, pg_get_ruledef(pg_rewrite.oid)
    FROM pg_rewrite JOIN own ON ev_class = own.oid
UNION ALL SELECT 'function ' || proname, string_agg(prosrc, '')
    FROM pg_proc JOIN own ON pronamespace = relnamespace AND own.relname = 'record'
    WHERE proname IN ('never_changed', 'append_batches') GROUP BY proname
"""
"""Reads everything that guards the journal, each part by its kind and name."""
_KEYS = {
    "record": "stream, sequence",
    "posting": "stream, sequence, line",
    "answer": "actor, command",
    "account": "name",
    "owner": "stream",
    "sealed": "shoe, number",
}
WANTED = {
    "table record": "stream text NOT NULL COLLATE C, sequence bigint NOT NULL,"
    " epoch bigint NOT NULL, moment text NOT NULL, actor text NOT NULL,"
    " command text NOT NULL, name text NOT NULL, version bigint NOT NULL,"
    " body bytea NOT NULL, previous bytea NOT NULL, hash bytea NOT NULL",
    "table posting": "stream text NOT NULL COLLATE C, sequence bigint NOT NULL,"
    " line bigint NOT NULL, source text NOT NULL, target text NOT NULL,"
    " cents bigint NOT NULL",
    "table answer": "actor text NOT NULL COLLATE C, command text NOT NULL COLLATE C,"
    " digest bytea NOT NULL, stream text NOT NULL COLLATE C, first bigint NOT NULL,"
    " last bigint NOT NULL, result bytea NOT NULL",
    "table account": "name text NOT NULL COLLATE C, cents bigint NOT NULL,"
    f" house boolean NOT NULL (name ~ '{OF_THE_HOUSE}'::text)",
    "table owner": "stream text NOT NULL COLLATE C, epoch bigint NOT NULL,"
    " holder text NOT NULL",
    "table sealed": "shoe text NOT NULL COLLATE C, number bigint NOT NULL, card bytea NOT NULL",
    **{f"constraint {table}_pkey": f"PRIMARY KEY ({key})" for table, key in _KEYS.items()},
    "constraint posting_cents_check": "CHECK ((cents > 0))",
    "constraint posting_check": "CHECK ((source <> target))",
    "constraint account_check": "CHECK (((cents >= 0) OR house))",
    **{
        f"guard {table}_forever": f"A CREATE TRIGGER {table}_forever BEFORE DELETE OR UPDATE"
        f" OR TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION never_changed()"
        for table in KEPT
    },
    "function never_changed": TABLES.split("$$")[1],
    "function append_batches": APPEND.split("$$")[1],
}
"""What SHAPE reads in a database as it was made, as the server itself writes it."""
