"""The append-only log on PostgreSQL: the same promises as ``log.Log``, kept by the database.

The database itself refuses a line that does not follow its book's last one and
a line of a node that does not hold the book (a trigger, whoever inserts). All
appends that arrive while a commit is under way go out as one statement, which
is one round trip and one sync. A connection that is lost is made anew; what
was under way then has an unknown end, and the table reads its book again.

One thread with an event loop of its own owns the connection. It needs
``pip install 'chiamata[postgresql]'``.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any

import asyncpg

from chiamata.server.log import BATCH, Conflict, Unwritten
from chiamata.server.postgres_leases import DatabaseLeases
from chiamata.server.postgres_schema import Connection, make_tables

Deed = Callable[[Connection], Awaitable[Any]]

PATIENCE = 10.0
"""Seconds for a connection, and for a statement; then the connection is given up."""
CHANNEL = "chiamata"
"""Where nodes tell each other the keys of notes that they have emptied."""
PUT = "INSERT INTO chiamata.notes VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
EMPTY = f"WITH emptied AS ({PUT} RETURNING key) SELECT pg_notify('{CHANNEL}', key) FROM emptied"
"""One statement: either nobody hears of it and the note stands, or both."""


class _Append:
    """One append that waits for its commit."""

    __slots__ = ("book", "done", "epoch", "lines", "prev")

    def __init__(self, book: str, prev: int, lines: list[bytes], epoch: int) -> None:
        self.book, self.prev, self.lines, self.epoch = book, prev, lines, epoch
        self.done: Future[Any] = Future()


class _Job:
    """Anything else that is done with the connection."""

    __slots__ = ("deed", "done")

    def __init__(self, deed: Deed) -> None:
        self.deed = deed
        self.done: Future[Any] = Future()


class PostgresLog:
    """The store on a PostgreSQL database (``synchronous_commit`` on)."""

    def __init__(self, address: str, node: str = "house") -> None:
        """Makes the tables where there are none; a process that had the node's name before is refused from now on.

        Args:
            address: ``postgresql://user@host:port/database``; a password may come from ``~/.pgpass``.
            node: the name under which others know this process; see ``leases.NAME``.

        Raises:
            Unwritten: the database cannot be reached or its log is not of this version.
        """
        self.broken = ""
        """Only set once another process has the node's name: a database that comes back can be written again."""
        self.leases = DatabaseLeases(node, self.ask, self._give_up)
        self._address = address
        self._db: Connection = None
        self._deed: Callable[[str], None] = lambda key: None
        self._queue: asyncio.PriorityQueue[tuple[int, int, _Append | _Job | None]] = asyncio.PriorityQueue()
        self._numbers = itertools.count()
        self._loop = asyncio.new_event_loop()
        opened: Future[None] = Future()
        self._thread = threading.Thread(target=self._live, args=(opened,), name="log", daemon=True)
        self._thread.start()
        opened.result()

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        await self._put(_Append(book, prev, lines, self.leases.epoch(book)))

    async def read(self, book: str) -> list[bytes]:
        query = "SELECT line FROM chiamata.lines WHERE book = $1 ORDER BY seq"
        return [bytes(row[0]) for row in await self.ask(lambda db: db.fetch(query, book))]

    async def last(self, book: str) -> int:
        return int(await self.ask(lambda db: db.fetchval("SELECT chiamata.last($1)", book)))

    async def put(self, key: str, value: bytes) -> None:
        await self.ask(lambda db: db.execute(PUT if value else EMPTY, key, value))

    async def get(self, key: str) -> bytes | None:
        value = await self.ask(lambda db: db.fetchval("SELECT value FROM chiamata.notes WHERE key = $1", key))
        return None if value is None else bytes(value)

    def heed(self, deed: Callable[[str], None]) -> None:
        self._deed = deed

    async def ask(self, deed: Deed, urgent: bool = False) -> Any:
        """Has this done with the connection, after what was asked before; Unwritten if the database fails.

        Args:
            urgent: before all else that waits.  A lease must not run out because a hundred tables are being read.
        """
        return await self._put(_Job(deed), 0 if urgent else 1)

    def close(self) -> None:
        self._hand_in(None, 2)
        self._thread.join()

    async def _put(self, item: _Append | _Job, rank: int = 1) -> Any:
        self._hand_in(item, rank)
        return await asyncio.shield(asyncio.wrap_future(item.done))

    def _hand_in(self, item: _Append | _Job | None, rank: int) -> None:
        """``rank``: the lowest comes first, and of one rank what was handed in first."""
        self._loop.call_soon_threadsafe(self._queue.put_nowait, (rank, next(self._numbers), item))

    # --- in the thread ---------------------------------------------------------------------------

    def _live(self, opened: Future[None]) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                runner.run(self._open())
            except Exception as error:
                runner.run(self._part())
                opened.set_exception(error if isinstance(error, Unwritten) else Unwritten(_reason(error)))
                return
            opened.set_result(None)
            runner.run(self._run())

    async def _open(self) -> None:
        db = await self._connected()
        async with db.transaction():
            await make_tables(db)
            await self.leases.begin(db)

    async def _connected(self) -> Connection:
        """The connection; a new one where it was lost."""
        if self._db is None or self._db.is_closed():
            settings = {"synchronous_commit": "on", "application_name": "chiamata"}
            self._db = await asyncpg.connect(
                self._address, timeout=PATIENCE, command_timeout=PATIENCE, server_settings=settings
            )
            await self._db.add_listener(CHANNEL, lambda db, pid, channel, key: self._deed(key))
            self._deed("")
        return self._db

    async def _run(self) -> None:
        while (item := (await self._queue.get())[2]) is not None:
            ended = False
            while isinstance(item, _Append):
                batch = [item]
                item, ended = self._collect(batch)
                await self._write(batch)
            if isinstance(item, _Job):
                await self._do(item)
            if ended:
                break
        await self._part()

    async def _part(self) -> None:
        """Takes leave of the database, if it is there: every table is free at once."""
        if self._db is None or self._db.is_closed():
            return
        with contextlib.suppress(asyncpg.PostgresError, OSError, TimeoutError):  # the lease runs out by itself
            await self.leases.end(self._db)
        await self._db.close(timeout=PATIENCE)

    def _collect(self, batch: list[_Append]) -> tuple[_Job | None, bool]:
        """Fills the batch with what is waiting; returns the job that ended it, and whether the log was closed."""
        while len(batch) < BATCH and not self._queue.empty():
            item = self._queue.get_nowait()[2]
            if not isinstance(item, _Append):
                return item, item is None
            batch.append(item)
        return None, False

    async def _write(self, batch: list[_Append]) -> None:
        """One statement, one commit; an append in conflict leaves the others of its batch alone."""
        try:
            db = await self._connected()
            lasts = await db.fetchval(
                "SELECT chiamata.append($1, $2, $3, $4, $5, $6)",
                self.leases.session,
                [item.epoch for item in batch],
                [item.book for item in batch],
                [item.prev for item in batch],
                [len(item.lines) for item in batch],
                [line for item in batch for line in item.lines],
            )
        except Exception as error:  # whatever the driver raises: the thread must live
            failed = self._failed(error)
            for item in batch:
                item.done.set_exception(failed)
            return
        for place, item in enumerate(batch):
            if lasts[place] == -1:
                item.done.set_exception(Conflict(f"{item.book} is not held by this node"))
            elif lasts[place] != item.prev:
                item.done.set_exception(Conflict(f"{item.book} ends with line {lasts[place]}, not {item.prev}"))
            else:
                item.done.set_result(None)

    async def _do(self, job: _Job) -> None:
        try:
            answer = await job.deed(await self._connected())
        except Exception as error:
            job.done.set_exception(self._failed(error))
        else:
            job.done.set_result(answer)

    def _give_up(self, reason: str) -> None:
        self.broken = reason

    def _failed(self, error: Exception) -> Unwritten:
        """A connection that may still hold something under way is given up: its end is unknown."""
        if self._db is not None and not isinstance(error, asyncpg.PostgresError):
            self._db.terminate()
            self._db = None
        return Unwritten(_reason(error))


def _reason(error: Exception) -> str:
    """What went wrong, without the address, which may hold a password."""
    if isinstance(error, Unwritten):
        return str(error)
    told = isinstance(error, asyncpg.PostgresError | OSError)
    return f"{type(error).__name__}: {error}" if told else type(error).__name__
