"""``leases.Leases`` in the PostgreSQL database that the log is in: a row for each node, and for each table awake."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Protocol

from chiamata.server.leases import LATE, LEASE, Orders, Owner
from chiamata.server.log import Unwritten
from chiamata.server.postgres_schema import Connection


class Ask(Protocol):
    """Has something done with the connection, before all else that waits if it is urgent.  Raises Unwritten."""

    def __call__(self, deed: Callable[[Connection], Awaitable[Any]], urgent: bool = ..., /) -> Awaitable[Any]: ...


_LEASE, _SPARE = timedelta(seconds=LEASE), timedelta(seconds=LEASE - LATE)
_OTHERS = """
SELECT name FROM chiamata.nodes WHERE session <> $1 AND NOT leaving AND expires > clock_timestamp() ORDER BY name
"""


class DatabaseLeases:
    """The leases of one node, which is what one process is from its start to its end."""

    def __init__(self, name: str, ask: Ask, give_up: Callable[[str], None]) -> None:
        """``ask``: has something done with the connection.  ``give_up``: another process has this node's name now."""
        self.name = name
        self.session = 0
        """Of this process; 0 before it has begun."""
        self._next = 0
        """The session that it is about to begin; 0 for none."""
        self._ask, self._give_up = ask, give_up
        self._epochs: dict[str, int] = {}
        self._until = 0.0

    async def begin(self, db: Connection) -> None:
        """In the transaction that opens the log: whoever had the name before has lost its tables."""
        await db.execute("DELETE FROM chiamata.nodes WHERE name = $1", self.name)
        await self._register(db, self.session)

    async def end(self, db: Connection) -> None:
        """Lets go of every table and of the name."""
        await db.execute("DELETE FROM chiamata.nodes WHERE session = $1", self.session)

    def epoch(self, book: str) -> int:
        """The epoch for appends to this book; 0, which is no epoch, if it is not held."""
        return self._epochs.get(book, 0)

    async def take(self, book: str) -> Owner | None:
        if time.monotonic() >= self._until:
            await self._extend()
        mine = self.session
        found = await self._ask(lambda db: db.fetchrow("SELECT * FROM chiamata.take($1, $2, $3)", book, mine, _SPARE))
        if found["holder"] == mine == self.session:
            self._epochs[book] = found["epoch"]
            return None
        return Owner(found["node"] or "", found["late"] is not False)

    def holds(self, book: str) -> bool:
        return book in self._epochs and time.monotonic() < self._until

    async def confirm(self, book: str) -> bool:
        if book in self._epochs and not self.holds(book):
            try:
                await self._extend()
            except Unwritten:
                return False
        return self.holds(book)

    async def owner(self, book: str) -> str:
        query = """SELECT name FROM chiamata.leases JOIN chiamata.nodes USING (session)
            WHERE book = $1 AND session <> $2 AND expires > clock_timestamp()"""
        return await self._ask(lambda db: db.fetchval(query, book, self.session)) or ""

    async def release(self, book: str) -> None:
        epoch = self._epochs.pop(book, None)
        if epoch is not None:
            gone = "DELETE FROM chiamata.leases WHERE book = $1 AND epoch = $2"
            await self._ask(lambda db: db.execute(gone, book, epoch))

    async def renew(self) -> Orders:
        leaving = await self._extend()

        async def read(db: Connection) -> Orders:
            wishes = "SELECT book, wanted FROM chiamata.leases WHERE session = $1 AND wanted <> ''"
            others = await db.fetch(_OTHERS, self.session)
            return Orders(leaving, tuple(row[0] for row in others), dict(await db.fetch(wishes, self.session)))

        orders: Orders = await self._ask(read)
        return orders

    async def leave(self) -> None:
        leave = "UPDATE chiamata.nodes SET leaving = true WHERE session = $1"
        await self._ask(lambda db: db.execute(leave, self.session))

    async def _extend(self) -> bool:
        """Renews the lease and returns whether the node shall leave; begins anew, with no table, if it was taken."""
        begun = time.monotonic()  # the database's clock starts the lease after this moment, so it ends after ours
        more = "UPDATE chiamata.nodes SET expires = clock_timestamp() + $2 WHERE session = $1 RETURNING leaving"
        mine = self.session
        leaving = await self._ask(lambda db: db.fetchval(more, mine, _LEASE), True)
        if leaving is None:
            if self.session == mine:
                self._epochs.clear()
            await self._ask(lambda db: self._register(db, mine), True)
        self._until = begun + LEASE
        return bool(leaving)

    async def _register(self, db: Connection, over: int) -> None:
        """Begins a session where the one of this number is over, unless this process has done so meanwhile.

        Its own number is drawn first: where the answer is lost, the row is known for this process's.
        """
        if self.session != over:
            return
        begun = time.monotonic()
        self._next = self._next or await db.fetchval("SELECT nextval('chiamata.epochs')")
        new = """INSERT INTO chiamata.nodes (session, name, expires) VALUES ($1, $2, clock_timestamp() + $3)
            ON CONFLICT (name) DO UPDATE SET expires = excluded.expires WHERE nodes.session = excluded.session
            RETURNING session"""
        session = await db.fetchval(new, self._next, self.name, _LEASE)
        if session is None:
            reason = f"another process is the node {self.name} now"
            self._give_up(reason)
            raise Unwritten(reason)
        self.session, self._next, self._until = session, 0, begun + LEASE
