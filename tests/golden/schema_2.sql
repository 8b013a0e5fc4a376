-- The tables of version 2, as they were made: leases, and no boxes.  Never changed.

CREATE SCHEMA IF NOT EXISTS chiamata;
CREATE TABLE IF NOT EXISTS chiamata.lines (
    book text NOT NULL, seq bigint NOT NULL, line bytea NOT NULL, epoch bigint NOT NULL, PRIMARY KEY (book, seq)
);
CREATE TABLE IF NOT EXISTS chiamata.notes (key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE IF NOT EXISTS chiamata.writer (
    only_one boolean PRIMARY KEY CHECK (only_one), epoch bigint NOT NULL, version int NOT NULL
);
INSERT INTO chiamata.writer VALUES (true, 0, 2) ON CONFLICT DO NOTHING;

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
    answers bigint[] := '{}';
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

-- Takes a table that nobody holds, or whose node has not renewed in time; says who has it afterwards.
CREATE OR REPLACE FUNCTION chiamata.take(
    wish text, mine bigint, spare interval, OUT holder bigint, OUT epoch bigint, OUT node text, OUT late boolean
) LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM chiamata.nodes WHERE expires < clock_timestamp() AND session <> mine;
    INSERT INTO chiamata.leases (book, session) VALUES (wish, mine) ON CONFLICT DO NOTHING;
    SELECT nodes.session, leases.epoch, nodes.name, nodes.expires < clock_timestamp() + spare
        INTO holder, epoch, node, late
        FROM chiamata.leases JOIN chiamata.nodes USING (session) WHERE leases.book = wish;
END $$;
