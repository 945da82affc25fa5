"""What the journal is in a PostgreSQL database: tables, guards and functions."""

from __future__ import annotations

from croupier.accounting import MAY_BE_NEGATIVE

OF_THE_HOUSE = f"^({'|'.join(MAY_BE_NEGATIVE)})"
# Text is compared by its bytes, as everywhere else in the journal.
TABLES = """
CREATE TABLE decision (
    stream text COLLATE "C" NOT NULL, sequence bigint NOT NULL,
    command_id text COLLATE "C" NOT NULL, actor text COLLATE "C" NOT NULL,
    body bytea NOT NULL, hash bytea NOT NULL,
    PRIMARY KEY (stream, sequence),
    CONSTRAINT decision_once UNIQUE (command_id, actor, stream));
CREATE TABLE posting (
    stream text COLLATE "C" NOT NULL, sequence bigint NOT NULL, line bigint NOT NULL,
    source text COLLATE "C" NOT NULL, target text COLLATE "C" NOT NULL,
    cents bigint NOT NULL CHECK (cents > 0), CHECK (source <> target),
    PRIMARY KEY (stream, sequence, line));
CREATE TABLE account (
    name text COLLATE "C" PRIMARY KEY, cents bigint NOT NULL,
    house boolean NOT NULL GENERATED ALWAYS AS (name ~ '{house}') STORED,
    CHECK (cents >= 0 OR house));
CREATE TABLE owner (
    stream text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL, holder text NOT NULL);
CREATE TABLE sealed (
    shoe text COLLATE "C" NOT NULL, number bigint NOT NULL, card bytea NOT NULL,
    PRIMARY KEY (shoe, number));
CREATE TABLE snapshot (
    stream text COLLATE "C" PRIMARY KEY, sequence bigint NOT NULL, hash bytea NOT NULL,
    release text NOT NULL, state bytea NOT NULL, mark bytea NOT NULL);
CREATE FUNCTION never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%s are never changed', TG_TABLE_NAME;
END $$;
""".replace("{house}", OF_THE_HOUSE)
KEPT = ("decision", "posting", "sealed")
# Enabled always: otherwise a session that plays a replica would not be stopped.
FOREVER = "".join(
    f"CREATE TRIGGER {table}_forever BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
    " FOR EACH STATEMENT EXECUTE FUNCTION never_changed();"
    f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_forever;"
    for table in KEPT
)
# Locks are taken in one order by everybody: owners, decisions, accounts, each by name. Every
# statement sees what was committed before it began, so the heads are those after the locks.
# A new account is made empty first, because a constraint is checked on the row to insert
# before it is found to be there already.
APPEND = """
CREATE FUNCTION append_frame(
    streams text[], epochs bigint[], sequences bigint[], hashes bytea[],
    d1 text[], d2 bigint[], d3 text[], d4 text[], d5 bytea[], d6 bytea[],
    p1 text[], p2 bigint[], p3 bigint[], p4 text[], p5 text[], p6 bigint[],
    names text[], changes bigint[], lows bigint[],
    s1 text[], s2 bigint[], s3 bytea[], s4 text[], s5 bytea[], s6 bytea[]
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
            SELECT decision.sequence, decision.hash FROM decision
            WHERE decision.stream = asked.stream ORDER BY decision.sequence DESC LIMIT 1
        ) AS newest ON true
        WHERE coalesce(newest.sequence, 0) <> asked.sequence
            OR coalesce(newest.hash, decode(repeat('00', 32), 'hex')) <> asked.hash LIMIT 1;
    IF FOUND THEN RAISE EXCEPTION USING ERRCODE = 'CR002', MESSAGE = wrong; END IF;

    INSERT INTO decision SELECT * FROM unnest(d1, d2, d3, d4, d5, d6);
    INSERT INTO posting SELECT * FROM unnest(p1, p2, p3, p4, p5, p6);

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

    IF cardinality(s1) > 0 THEN
        INSERT INTO snapshot SELECT * FROM unnest(s1, s2, s3, s4, s5, s6)
            ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence,
            hash = excluded.hash, release = excluded.release, state = excluded.state,
            mark = excluded.mark;
    END IF;

    PERFORM pg_notify('croupier', stream || ' ' || max(sequence))
        FROM unnest(d1, d2) AS new (stream, sequence) GROUP BY stream;
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
    FROM pg_proc JOIN own ON pronamespace = relnamespace AND own.relname = 'decision'
    WHERE proname IN ('never_changed', 'append_frame') GROUP BY proname
"""
"""Reads everything that guards the journal, each part by its kind and name."""
_KEYS = {
    "decision": "stream, sequence",
    "posting": "stream, sequence, line",
    "account": "name",
    "owner": "stream",
    "sealed": "shoe, number",
    "snapshot": "stream",
}
TABLE_NAMES = tuple(_KEYS)
WANTED = {
    "table decision": "stream text NOT NULL COLLATE C, sequence bigint NOT NULL,"
    " command_id text NOT NULL COLLATE C, actor text NOT NULL COLLATE C,"
    " body bytea NOT NULL, hash bytea NOT NULL",
    "table posting": "stream text NOT NULL COLLATE C, sequence bigint NOT NULL,"
    " line bigint NOT NULL, source text NOT NULL COLLATE C, target text NOT NULL COLLATE C,"
    " cents bigint NOT NULL",
    "table account": "name text NOT NULL COLLATE C, cents bigint NOT NULL,"
    f" house boolean NOT NULL (name ~ '{OF_THE_HOUSE}'::text)",
    "table owner": "stream text NOT NULL COLLATE C, epoch bigint NOT NULL,"
    " holder text NOT NULL",
    "table sealed": "shoe text NOT NULL COLLATE C, number bigint NOT NULL, card bytea NOT NULL",
    "table snapshot": "stream text NOT NULL COLLATE C, sequence bigint NOT NULL,"
    " hash bytea NOT NULL, release text NOT NULL, state bytea NOT NULL, mark bytea NOT NULL",
    **{f"constraint {table}_pkey": f"PRIMARY KEY ({key})" for table, key in _KEYS.items()},
    "constraint decision_once": "UNIQUE (command_id, actor, stream)",
    "constraint posting_cents_check": "CHECK ((cents > 0))",
    "constraint posting_check": "CHECK ((source <> target))",
    "constraint account_check": "CHECK (((cents >= 0) OR house))",
    **{
        f"guard {table}_forever": f"A CREATE TRIGGER {table}_forever BEFORE DELETE OR UPDATE"
        f" OR TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION never_changed()"
        for table in KEPT
    },
    "function never_changed": TABLES.split("$$")[1],
    "function append_frame": APPEND.split("$$")[1],
}
"""What SHAPE reads in a database as it was made, as the server itself writes it."""
