"""The tables, the trigger and the functions of a log on PostgreSQL, and how a database of an older version gets them.

What is promised is kept here, whoever inserts: a line follows its book's last
one, and carries the epoch of the lease under which its node serves the table.
"""

from __future__ import annotations

from typing import Any

from chiamata.server.log import Unwritten

Connection = Any  # asyncpg brings no types

SCHEMA = 3
"""``chiamata.writer.version``; a newer one is refused, an older one brought up.

1: one writer for the whole log.  2: no boxes (``boxes``).
"""
_LOCK = 0x43484941
"""The advisory lock under which the tables are made: two nodes may start at once."""

_TABLES = f"""
CREATE SCHEMA IF NOT EXISTS chiamata;
CREATE TABLE IF NOT EXISTS chiamata.lines (
    book text NOT NULL, seq bigint NOT NULL, line bytea NOT NULL, epoch bigint NOT NULL, PRIMARY KEY (book, seq)
);
CREATE TABLE IF NOT EXISTS chiamata.notes (key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE IF NOT EXISTS chiamata.writer (
    only_one boolean PRIMARY KEY CHECK (only_one), epoch bigint NOT NULL, version int NOT NULL
);
INSERT INTO chiamata.writer VALUES (true, 0, {SCHEMA}) ON CONFLICT DO NOTHING;

CREATE SEQUENCE IF NOT EXISTS chiamata.epochs;
CREATE TABLE IF NOT EXISTS chiamata.nodes (
    session bigint PRIMARY KEY DEFAULT nextval('chiamata.epochs'), name text NOT NULL UNIQUE,
    expires timestamptz NOT NULL, leaving boolean NOT NULL DEFAULT false
);
CREATE TABLE IF NOT EXISTS chiamata.leases (
    book text PRIMARY KEY, session bigint NOT NULL REFERENCES chiamata.nodes ON DELETE CASCADE,
    epoch bigint NOT NULL DEFAULT nextval('chiamata.epochs'), wanted text NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS leases_of_node ON chiamata.leases (session);

CREATE OR REPLACE FUNCTION chiamata.last(name text) RETURNS bigint LANGUAGE sql STABLE AS
    'SELECT coalesce(max(seq), 0) FROM chiamata.lines WHERE book = name';

CREATE OR REPLACE FUNCTION chiamata.follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    known bigint;
BEGIN
    SELECT coalesce(max(seq), 0) INTO known FROM chiamata.lines WHERE book = NEW.book;
    IF NEW.seq <> known + 1 THEN
        RAISE EXCEPTION '% ends with line %, not %', NEW.book, known, NEW.seq - 1 USING ERRCODE = '40001';
    END IF;
    PERFORM 1 FROM chiamata.nodes JOIN chiamata.leases USING (session)
        WHERE book = NEW.book AND epoch = NEW.epoch FOR KEY SHARE OF nodes;
    IF NOT FOUND THEN
        RAISE EXCEPTION '% is not held under epoch %', NEW.book, NEW.epoch USING ERRCODE = '40001';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON chiamata.lines FOR EACH ROW EXECUTE FUNCTION chiamata.follows();

-- For each append the last line of its book before it, or -1 where it is not held under this epoch.  The node's row is
-- locked first: whoever finds its lease run out and removes it waits for what is under way, and cannot lock crosswise.
CREATE OR REPLACE FUNCTION chiamata.append(
    mine bigint, epochs bigint[], books text[], prevs bigint[], counts int[], added bytea[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    answers bigint[] := '{{}}';
    known bigint;
    used int := 0;
BEGIN
    PERFORM 1 FROM chiamata.nodes WHERE session = mine FOR KEY SHARE;
    FOR place IN 1 .. cardinality(books) LOOP
        PERFORM 1 FROM chiamata.leases WHERE book = books[place] AND epoch = epochs[place] AND session = mine;
        IF FOUND THEN
            known := chiamata.last(books[place]);
        ELSE
            known := -1;
        END IF;
        answers := answers || known;
        IF known = prevs[place] THEN
            FOR n IN 1 .. counts[place] LOOP
                INSERT INTO chiamata.lines VALUES (books[place], known + n, added[used + n], epochs[place]);
            END LOOP;
        END IF;
        used := used + counts[place];
    END LOOP;
    RETURN answers;
END $$;

-- Takes a table that nobody holds, or whose node has not renewed in time; says who has it afterwards.  A lease that
-- ends later than any can was written before the database's clock was set back: its node is not waited for.
CREATE OR REPLACE FUNCTION chiamata.take(
    wish text, mine bigint, spare interval, OUT holder bigint, OUT epoch bigint, OUT node text, OUT late boolean
) LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM chiamata.nodes
        WHERE expires NOT BETWEEN clock_timestamp() AND clock_timestamp() + interval '1 minute' AND session <> mine;
    INSERT INTO chiamata.leases (book, session) VALUES (wish, mine) ON CONFLICT DO NOTHING;
    SELECT nodes.session, leases.epoch, nodes.name, nodes.expires < clock_timestamp() + spare
        INTO holder, epoch, node, late
        FROM chiamata.leases JOIN chiamata.nodes USING (session) WHERE leases.book = wish;
END $$;
"""

_FROM_1 = """
UPDATE chiamata.writer SET epoch = epoch + 1;
SELECT setval('chiamata.epochs', epoch) FROM chiamata.writer;
"""
"""The former writer is refused by the function that it knows, which stays; new epochs are above all old ones."""

_ALIVE = "SELECT string_agg(name, ', ') FROM chiamata.nodes WHERE expires > clock_timestamp()"


async def make_tables(db: Connection) -> None:
    """Makes what is not there, in the transaction that is open; Unwritten for a log of a newer version."""
    await db.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
    found = await db.fetchval("SELECT to_regclass('chiamata.writer')")
    version = await db.fetchval("SELECT version FROM chiamata.writer") if found else SCHEMA
    if version > SCHEMA:
        raise Unwritten(f"it was written by a newer version (schema {version}, this one knows {SCHEMA})")
    await db.execute(_TABLES)
    if version == 1:
        await db.execute(_FROM_1)
    elif version < SCHEMA and (names := await db.fetchval(_ALIVE)):
        raise Unwritten(f"nodes of an older version, which could not read what this one writes, still run: {names}")
    if version < SCHEMA:
        await db.execute(f"UPDATE chiamata.writer SET version = {SCHEMA}")
