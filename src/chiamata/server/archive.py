"""A log looked at, copied and put back by those who run a house, without becoming its writer.

A copy is always a log of its own in one SQLite file, whatever database it came
from: ``chiamata serve --db COPY`` would go on from it, and a log moves from one
database to the other by way of it.  What is told of a table is what anybody with
its link may know; nobody is shown a hand.  Without the house's key a table whose
deal runs is read up to that deal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

import apsw
import msgspec

from chiamata.rules import fair
from chiamata.rules.errors import Bug, Illegal, Malformed
from chiamata.server import boxes, paper, picture, table, vault
from chiamata.server import lines as say
from chiamata.server.boxes import Keys
from chiamata.server.log import Unwritten, opened

STEP = 1_000
"""Pages that a copy takes over before the house may write again, and lines that go into one insert."""

Row = tuple[str, int, bytes]


class NotEmpty(Exception):
    """There is something already where a log should be put."""


class NotClosed(Exception):
    """The table has no running deal whose key is missing."""


class Archive(Protocol):
    """A log, whatever database it lies in."""

    def books(self) -> list[str]:
        """The tables' codes, in order."""

    def lines(self, book: str) -> list[tuple[int, bytes]]:
        """Numbers and lines of a book."""

    def note(self, key: str, value: bytes) -> None:
        """Keeps a note under a key, in place of what was there; the house may go on.  Raises Unwritten."""

    def append(self, book: str, prev: int, line: bytes) -> None:
        """Writes a line after line ``prev`` of a table that is not served.

        Raises:
            Unwritten: another line stands there, a node serves the table, or the disk or the database refused.
        """

    def save(self, file: Path) -> int:
        """Copies the log as it is at one moment; the house may go on writing.  Returns how many lines.

        Raises:
            FileExistsError: nothing is ever overwritten.
            Unwritten: the disk or the database refused.
        """

    def load(self, file: Path) -> int:
        """Puts a copy in place of an empty log; whoever writes here is refused from then on.

        Raises:
            NotEmpty: there is a line already, or a note of a guest.
            Unwritten: the copy is no log, or the disk or the database refused.
        """

    def close(self) -> None:
        """Lets go of it."""


class Facts(msgspec.Struct, frozen=True):
    """A table as the log has it: what its link tells, and how much was played.

    ``closed``: a deal runs, and its key is not here.
    """

    facts: paper.TableFacts
    lines: int
    deals: int
    closed: bool = False


class Finding(msgspec.Struct, frozen=True):
    """What the check of one table came to; ``trouble`` is '' where all holds, ``closed`` as in Facts."""

    code: str
    lines: int
    deals: int
    trouble: str = ""
    closed: bool = False


NO_KEYS = Keys()


def tables(archive: Archive, keys: Keys = NO_KEYS) -> Iterator[Facts | Finding]:
    """Every table; a Finding for one that cannot be read."""
    for book in archive.books():
        rows = archive.lines(book)
        try:
            read = boxes.read(book, [line for _, line in rows], keys)
            state = table.fold(read.lines)
            shown = picture.facts(table.follow(state, say.Opened(state.at)))
        except (Malformed, Illegal, Bug) as error:
            yield Finding(book, len(rows), 0, _trouble(error))
        else:
            yield Facts(shown, len(rows), table.finished(state), read.closed)


def check(archive: Archive, keys: Keys = NO_KEYS) -> Iterator[Finding]:
    """Replays every table: its lines are 1, 2, 3, …, each can follow, and every ended deal came about as promised."""
    for book in archive.books():
        rows = archive.lines(book)
        deals, trouble, is_closed = 0, "", False
        if [seq for seq, _ in rows] != [*range(1, len(rows) + 1)]:
            trouble = "GAP"
        else:
            try:
                read = boxes.read(book, [line for _, line in rows], keys)
                is_closed = read.closed
                state = table.fold(read.lines)
                opened_deals = table.transcripts(state)
                deals = len(opened_deals)
                holds = all(all(fair.check(one).values()) for one in opened_deals) and fair.is_chain(opened_deals)
                trouble = "ANOTHER_TABLE" if state.code != book else "" if holds else "UNFAIR"
            except (Malformed, Illegal, Bug) as error:
                trouble = _trouble(error)
        yield Finding(book, len(rows), deals, trouble, is_closed)


def give_up(archive: Archive, keys: Keys, book: str) -> int:
    """Voids the running deal of a table, whose key is lost; its number.  The table says so and deals again.

    Raises:
        NotClosed: there is no such table, no deal runs, or it can be read with these keys.
        Malformed: the table cannot be read for another reason.
    """
    rows = archive.lines(book)
    read = boxes.read(book, [line for _, line in rows], keys)
    if not read.closed:
        raise NotClosed(book)
    state, last = table.fold(read.lines), rows[-1][1]
    (line,) = say.chain([say.Voided(say.decode(last).at, since=read.end.v + 1)], say.sum_in(last))
    archive.append(book, rows[-1][0], line)
    return table.finished(state) + 1


def _trouble(error: Malformed | Illegal | Bug) -> str:
    return "BUG" if isinstance(error, Bug) else error.code


class FileArchive:
    """A log in a SQLite file."""

    def __init__(self, path: Path) -> None:
        """``path`` need not be there for ``load``."""
        self._path = path
        self._db: apsw.Connection | None = None

    def books(self) -> list[str]:
        return [str(row[0]) for row in self._reading().execute("SELECT DISTINCT book FROM lines ORDER BY book")]

    def lines(self, book: str) -> list[tuple[int, bytes]]:
        found = self._reading().execute("SELECT seq, line FROM lines WHERE book = ? ORDER BY seq", (book,))
        return [(int(str(seq)), bytes(line)) for seq, line in found]

    def note(self, key: str, value: bytes) -> None:
        try:
            db = _open(self._path, apsw.SQLITE_OPEN_READWRITE)
            try:
                db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value)).fetchall()
            finally:
                db.close()
        except apsw.Error as error:
            raise Unwritten(str(error)) from error

    def append(self, book: str, prev: int, line: bytes) -> None:
        try:
            db = _open(self._path, apsw.SQLITE_OPEN_READWRITE)
            try:
                db.execute("PRAGMA synchronous = FULL").fetchall()
                with db:
                    ends = "(SELECT max(seq) FROM lines WHERE book = ?1) = ?2"
                    db.execute(f"INSERT INTO lines SELECT ?1, ?2 + 1, ?3 WHERE {ends}", (book, prev, line))
                    if db.changes() != 1:
                        raise Unwritten(f"{book} does not end with line {prev} any more")
            finally:
                db.close()
        except apsw.Error as error:
            raise Unwritten(str(error)) from error

    def save(self, file: Path) -> int:
        source = self._reading()
        _touch(file)
        copy = _open(file, apsw.SQLITE_OPEN_READWRITE)
        try:
            with copy.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(STEP)
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()  # one file, whole in itself
            return _count(copy)
        except apsw.Error as error:
            raise Unwritten(str(error)) from error
        finally:
            copy.close()

    def load(self, file: Path) -> int:
        copy = FileArchive(file)
        try:
            return fill(self._path, copy.rows(), copy.notes())
        finally:
            copy.close()

    def rows(self) -> Iterator[Row]:
        """Every line of every book, in order."""
        for book, seq, line in self._reading().execute("SELECT book, seq, line FROM lines ORDER BY book, seq"):
            yield str(book), int(str(seq)), bytes(line)

    def notes(self) -> Iterator[tuple[str, bytes]]:
        """Every note."""
        for key, value in self._reading().execute("SELECT key, value FROM notes ORDER BY key"):
            yield str(key), bytes(value)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()

    def _reading(self) -> apsw.Connection:
        if self._db is None:
            self._db = _open(self._path, apsw.SQLITE_OPEN_READONLY)
        return self._db


def fill(path: Path, rows: Iterable[Row], notes: Iterable[tuple[str, bytes]]) -> int:
    """Puts these lines and notes into the empty log of a file, all or nothing.  Raises NotEmpty, Unwritten."""
    db = opened(str(path))
    try:
        with db:
            db.execute("UPDATE writer SET epoch = epoch + 1")
            db.execute("DELETE FROM notes WHERE key = ?", (vault.NOTE,))  # a house that was only started
            if _count(db) or db.execute("SELECT count(*) FROM notes").fetchall() != [(0,)]:
                raise NotEmpty(str(path))
            db.executemany("INSERT INTO lines VALUES (?, ?, ?)", rows)
            db.executemany("INSERT INTO notes VALUES (?, ?)", notes)
        return _count(db)
    except apsw.Error as error:
        raise Unwritten(str(error)) from error
    finally:
        db.close()


def new_file(file: Path, rows: Iterable[Row], notes: Iterable[tuple[str, bytes]]) -> int:
    """The same into a file of its own that is not there yet.  Raises FileExistsError, Unwritten."""
    _touch(file)
    return fill(file, rows, notes)


def _touch(file: Path) -> None:
    """A copy holds what people wrote and were called: its owner alone may read it."""
    file.touch(mode=0o600, exist_ok=False)


def _open(path: Path, flags: int) -> apsw.Connection:
    try:
        db = apsw.Connection(str(path), flags=flags)
        db.set_busy_timeout(5_000)
        if flags == apsw.SQLITE_OPEN_READONLY:
            _count(db)
    except apsw.Error as error:
        raise Unwritten(f"{path}: {error}") from error
    return db


def _count(db: apsw.Connection) -> int:
    ((number,),) = db.execute("SELECT count(*) FROM lines").fetchall()
    return int(str(number))
