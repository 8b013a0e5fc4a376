-- The database as version 1 made it, with two tables and a guest: what a migration starts from.

CREATE SCHEMA IF NOT EXISTS chiamata;
CREATE TABLE IF NOT EXISTS chiamata.lines (
    book text NOT NULL, seq bigint NOT NULL, line bytea NOT NULL, epoch bigint NOT NULL, PRIMARY KEY (book, seq)
);
CREATE TABLE IF NOT EXISTS chiamata.notes (key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE IF NOT EXISTS chiamata.writer (
    only_one boolean PRIMARY KEY CHECK (only_one), epoch bigint NOT NULL, version int NOT NULL
);
INSERT INTO chiamata.writer VALUES (true, 0, 1) ON CONFLICT DO NOTHING;

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
    PERFORM 1 FROM chiamata.writer WHERE epoch = NEW.epoch FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another writer has opened the log' USING ERRCODE = '40001';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON chiamata.lines FOR EACH ROW EXECUTE FUNCTION chiamata.follows();

CREATE OR REPLACE FUNCTION chiamata.append(mine bigint, books text[], prevs bigint[], counts int[], added bytea[])
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    answers bigint[] := '{}';
    known bigint;
    used int := 0;
BEGIN
    PERFORM 1 FROM chiamata.writer WHERE epoch = mine FOR SHARE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    FOR place IN 1 .. cardinality(books) LOOP
        SELECT coalesce(max(seq), 0) INTO known FROM chiamata.lines WHERE book = books[place];
        answers := answers || known;
        IF known = prevs[place] THEN
            FOR n IN 1 .. counts[place] LOOP
                INSERT INTO chiamata.lines VALUES (books[place], known + n, added[used + n], mine);
            END LOOP;
        END IF;
        used := used + counts[place];
    END LOOP;
    RETURN answers;
END $$;

UPDATE chiamata.writer SET epoch = 7;
SELECT chiamata.append(7, ARRAY['ABCDE', 'FGHJK'], ARRAY[0, 0], ARRAY[3, 1], ARRAY['one', 'two', 'three', 'x']::bytea[]);
SELECT chiamata.append(7, ARRAY['ABCDE'], ARRAY[3], ARRAY[1], ARRAY['four']::bytea[]);
INSERT INTO chiamata.notes VALUES ('guest/x', 'Anna');
