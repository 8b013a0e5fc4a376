"""The append-only log: lines of bytes in books, on SQLite.  It knows no rules.

A book is one table's list of lines, numbered 1, 2, 3, … without a gap.  An
append names the number of the last line that its writer knows; the log refuses
it when another line stands there, or when somebody has opened the log since.
Appends of all books that arrive while the disk is busy share the next sync
(group commit), and each is answered only after that sync.

One thread owns the connection.  ``Store`` is all that the rest of the server
knows of it, so that a store on another database can stand beside this one.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

import apsw

from chiamata.server.leases import Alone, Leases

T = TypeVar("T")

SCHEMA = 2
"""``PRAGMA user_version`` of the file; a newer one is refused (1: no boxes)."""
BATCH = 500
"""At most so many appends share a sync: a batch stays below about 20 ms of inserts."""
ROWS = 1_000
"""Lines in one statement; SQLite takes 32,766 values in one."""
CHECKPOINT = 1_000
"""Pages in the write-ahead log, 4 MiB, from which on they are put into the file itself."""

_TABLES = f"""
PRAGMA user_version = {SCHEMA};
CREATE TABLE IF NOT EXISTS lines (
    book TEXT NOT NULL, seq INTEGER NOT NULL, line BLOB NOT NULL, PRIMARY KEY (book, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notes (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS writer (only INTEGER PRIMARY KEY CHECK (only = 1), epoch INTEGER NOT NULL);
INSERT OR IGNORE INTO writer VALUES (1, 0);
"""


class Conflict(Exception):
    """Another line stands where this one should go, or another writer has opened the log."""


class Unwritten(Exception):
    """The disk did not take it (full, failed), or a database was lost and nobody knows: read the book again."""


class Store(Protocol):
    """What the server asks of a log, whatever database is below."""

    broken: str
    """Why nothing can be written any more; '' while all is well."""

    @property
    def leases(self) -> Leases:
        """Which tables this node may write and tell of."""

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        """Writes ``lines`` after line ``prev`` and returns when they are synced.

        Raises:
            Conflict: the book does not end with line ``prev``, or is not held by this node.
            Unwritten: the disk refused.
        """

    async def read(self, book: str) -> list[bytes]:
        """All lines of a book, oldest first; empty for a book that does not exist."""

    async def last(self, book: str) -> int:
        """The number of the last line of a book, 0 for a book that does not exist."""

    async def put(self, key: str, value: bytes) -> None:
        """Keeps a note (a guest's name, say) under a key, in place of what was there.  Raises Unwritten.

        One that is emptied is told to every other node: see ``heed``.
        """

    async def get(self, key: str) -> bytes | None:
        """The note kept under a key."""

    def heed(self, deed: Callable[[str], None]) -> None:
        """Has this done with the key of every note that another node empties, at once and from any thread.

        '' where one may have been missed, since the database was out of reach.
        """

    def close(self) -> None:
        """Waits for what is under way, then closes."""


class Around:
    """Another store with something done on the way: whoever builds on it says what with the methods of its own."""

    def __init__(self, store: Store) -> None:
        self._store, self.leases = store, store.leases
        self.last, self.put, self.get = store.last, store.put, store.get
        self.heed, self.close = store.heed, store.close

    @property
    def broken(self) -> str:
        return self._store.broken

    @broken.setter
    def broken(self, reason: str) -> None:
        self._store.broken = reason


class _Append:
    """One append that waits for its sync."""

    __slots__ = ("book", "done", "lines", "loop", "prev")

    def __init__(self, book: str, prev: int, lines: list[bytes]) -> None:
        self.book, self.prev, self.lines = book, prev, lines
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self.loop.create_future()


class _Job:
    """Anything else that the thread does with the connection."""

    __slots__ = ("deed", "done", "loop")

    def __init__(self, deed: Callable[[apsw.Connection], Any]) -> None:
        self.deed = deed
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self.loop.create_future()


class Log:
    """The store on one SQLite file (WAL, synchronous FULL)."""

    def __init__(self, path: Path | str) -> None:
        """Opens or makes the file and becomes its one writer: earlier writers are refused from now on.

        Raises:
            Unwritten: the file cannot be opened or is no log of this version.
        """
        self.broken = ""
        self.leases: Leases = Alone()
        self._ahead = 0
        try:
            self._db = opened(str(path))
            self._db.set_wal_hook(self._written_ahead)
            self._epoch = _take_over(self._db)
        except apsw.Error as error:
            raise Unwritten(f"{path}: {error}") from error
        self._queue: SimpleQueue[_Append | _Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        item = _Append(book, prev, lines)
        self._queue.put(item)
        await item.done

    async def read(self, book: str) -> list[bytes]:
        return await self._ask(
            lambda db: [row[0] for row in db.execute("SELECT line FROM lines WHERE book = ? ORDER BY seq", (book,))]
        )

    async def last(self, book: str) -> int:
        return await self._ask(lambda db: _ends(db, {book}).get(book, 0))

    async def put(self, key: str, value: bytes) -> None:
        await self._ask(lambda db: db.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (key, value)).fetchall())

    async def get(self, key: str) -> bytes | None:
        def find(db: apsw.Connection) -> bytes | None:
            for (value,) in db.execute("SELECT value FROM notes WHERE key = ?", (key,)):
                return bytes(value)
            return None

        return await self._ask(find)

    def heed(self, deed: Callable[[str], None]) -> None:
        return  # no other node has this file

    def before_commit(self, deed: Callable[[], None]) -> None:
        """Has this done in the log's thread before each commit, when the lines are in the transaction."""

        def hook() -> bool:
            deed()
            return False  # nothing against it

        self._db.set_commit_hook(hook)

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()
        self._db.close()

    async def _ask(self, deed: Callable[[apsw.Connection], T]) -> T:
        job = _Job(deed)
        self._queue.put(job)
        answer: T = await job.done
        return answer

    # --- in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            ended = False
            while isinstance(item, _Append):
                batch = [item]
                item, ended = self._collect(batch)
                self._write(batch)
            if isinstance(item, _Job):
                self._do(item)
            if ended:
                return
            self._checkpoint()

    def _written_ahead(self, db: apsw.Connection, name: str, pages: int) -> int:
        """After each commit: so many pages are in the write-ahead log.  SQLite itself then does nothing about them."""
        self._ahead = pages
        return apsw.SQLITE_OK

    def _checkpoint(self) -> None:
        """Puts the write-ahead log into the file when it is long; what waited for its sync has been answered.

        (SQLite would do it by itself, and keep to itself that a sync failed.)
        """
        if self._ahead >= CHECKPOINT and not self.broken:
            self._ahead = 0
            try:
                self._db.wal_checkpoint()
            except apsw.Error as error:
                self._failed(error)

    def _collect(self, batch: list[_Append]) -> tuple[_Job | None, bool]:
        """Fills the batch with what is waiting; returns the job that ended it, and whether the log was closed."""
        while len(batch) < BATCH:
            try:
                item = self._queue.get_nowait()
            except Empty:
                return None, False
            if not isinstance(item, _Append):
                return item, item is None
            batch.append(item)
        return None, False

    def _write(self, batch: list[_Append]) -> None:
        """One transaction, one sync; an append in conflict leaves the others of its batch alone."""
        answers: list[Exception | None] = []
        try:
            if self.broken:
                raise Unwritten(self.broken)
            self._db.execute("BEGIN IMMEDIATE")
            answers = self._insert(batch)
            self._db.execute("COMMIT")
        except (apsw.Error, Unwritten) as error:
            answers = [self._failed(error)] * len(batch)
        _resolve([(item, answer, None) for item, answer in zip(batch, answers, strict=True)])

    def _insert(self, batch: list[_Append]) -> list[Exception | None]:
        """All lines of a batch in few statements: after each this thread may wait 5 ms until the loop lets it go on."""
        if _epoch(self._db) != self._epoch:
            return [Conflict("another writer has opened the log") for _ in batch]
        ends = _ends(self._db, {item.book for item in batch})
        answers: list[Exception | None] = []
        rows: list[str | int | bytes] = []
        for item in batch:
            last = ends.get(item.book, 0)
            if last != item.prev:
                answers.append(Conflict(f"{item.book} ends with line {last}, not {item.prev}"))
                continue
            for seq, line in enumerate(item.lines, last + 1):
                rows += (item.book, seq, line)
            ends[item.book] = last + len(item.lines)
            answers.append(None)
        for start in range(0, len(rows), 3 * ROWS):
            some = rows[start : start + 3 * ROWS]
            self._db.execute("INSERT INTO lines VALUES " + ",".join(["(?, ?, ?)"] * (len(some) // 3)), some)
        return answers

    def _do(self, job: _Job) -> None:
        try:
            answer = job.deed(self._db)
        except apsw.Error as error:
            _resolve([(job, self._failed(error), None)])
        else:
            _resolve([(job, None, answer)])

    def _failed(self, error: Exception) -> Unwritten:
        """Undoes what is open.  A full or busy disk may recover; after any other error nothing more is written.

        (After a failed sync the operating system may hold pages that it calls clean and that are
        not on the disk, so that trying again would only seem to succeed.)
        """
        if not self._db.get_autocommit():
            self._db.execute("ROLLBACK")
        if not isinstance(error, (apsw.FullError, apsw.BusyError, Unwritten)):
            self.broken = f"{type(error).__name__}: {error}"
        return Unwritten(str(error))


def opened(path: str) -> apsw.Connection:
    """A connection to the log in this file, which is made if it is not there.  Raises Unwritten, apsw.Error."""
    db = apsw.Connection(path)
    db.set_busy_timeout(5000)
    (version,) = next(iter(db.execute("PRAGMA user_version")))
    if version > SCHEMA:
        db.close()
        raise Unwritten(f"{path} was written by a newer version (schema {version}, this one knows {SCHEMA})")
    for pragma in ("journal_mode = WAL", "synchronous = FULL"):
        db.execute(f"PRAGMA {pragma}").fetchall()
    db.execute(_TABLES).fetchall()
    return db


def _take_over(db: apsw.Connection) -> int:
    return _number(db, "UPDATE writer SET epoch = epoch + 1 RETURNING epoch")


def _epoch(db: apsw.Connection) -> int:
    return _number(db, "SELECT epoch FROM writer")


def _number(db: apsw.Connection, query: str) -> int:
    ((number,),) = db.execute(query).fetchall()
    assert isinstance(number, int)
    return number


def _ends(db: apsw.Connection, books: set[str]) -> dict[str, int]:
    """The numbers of the last lines of those books that exist."""
    asked = "SELECT value, (SELECT max(seq) FROM lines WHERE book = value) FROM json_each(?)"
    rows = db.execute(asked, (json.dumps(sorted(books)),)).fetchall()
    return {str(book): last for book, last in rows if isinstance(last, int)}


def _resolve(answered: list[tuple[_Append | _Job, Exception | None, Any]]) -> None:
    """Answers waiting coroutines from the thread; one that was cancelled or whose loop is gone hears nothing."""

    def tell(some: list[tuple[_Append | _Job, Exception | None, Any]]) -> None:
        for item, error, value in some:
            if item.done.done():
                continue
            if error is not None:
                item.done.set_exception(error)
            else:
                item.done.set_result(value)

    for loop in {item.loop for item, _, _ in answered}:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(tell, [one for one in answered if one[0].loop is loop])
