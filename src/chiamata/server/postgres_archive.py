"""``archive.Archive`` of a log on PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import asyncpg

from chiamata.server import vault
from chiamata.server.archive import FileArchive, NotEmpty, new_file
from chiamata.server.log import Unwritten
from chiamata.server.postgres import PATIENCE, PUT, Deed
from chiamata.server.postgres_schema import Connection, make_tables

_LINES = "SELECT book, seq, line FROM chiamata.lines ORDER BY book, seq"
_RESTORER = "INSERT INTO chiamata.nodes (name, expires) VALUES ('', clock_timestamp()) RETURNING session"
_HOLD = """
INSERT INTO chiamata.leases (book, session, epoch) VALUES ($1, $2, $2) ON CONFLICT DO NOTHING RETURNING true
"""
_NOTES = "SELECT key, value FROM chiamata.notes ORDER BY key"


class DatabaseArchive:
    """A log in a PostgreSQL database; each deed has a connection of its own."""

    def __init__(self, address: str) -> None:
        self._address = address

    def books(self) -> list[str]:
        query = "SELECT DISTINCT book FROM chiamata.lines ORDER BY book"
        return [row[0] for row in self._do(lambda db: db.fetch(query))]

    def lines(self, book: str) -> list[tuple[int, bytes]]:
        query = "SELECT seq, line FROM chiamata.lines WHERE book = $1 ORDER BY seq"
        return [(row[0], bytes(row[1])) for row in self._do(lambda db: db.fetch(query, book))]

    def note(self, key: str, value: bytes) -> None:
        self._do(lambda db: db.execute(PUT, key, value))

    def append(self, book: str, prev: int, line: bytes) -> None:
        async def write(db: Connection) -> None:
            async with db.transaction():
                await db.execute("DELETE FROM chiamata.nodes WHERE expires < clock_timestamp()")
                mine = await db.fetchval(_RESTORER)
                if not await db.fetchval(_HOLD, book, mine):
                    raise Unwritten(f"{book} is served by a node")
                # The trigger refuses a line that does not follow.
                await db.execute("INSERT INTO chiamata.lines VALUES ($1, $2, $3, $4)", book, prev + 1, line, mine)
                await db.execute("DELETE FROM chiamata.nodes WHERE session = $1", mine)

        self._do(write)

    def save(self, file: Path) -> int:
        async def read(db: Connection) -> tuple[list[Any], list[Any]]:
            async with db.transaction(isolation="repeatable_read", readonly=True):
                return await db.fetch(_LINES), await db.fetch(_NOTES)

        rows, notes = self._do(read)
        return new_file(file, map(tuple, rows), map(tuple, notes))

    def load(self, file: Path) -> int:
        copy = FileArchive(file)
        rows, notes = list(copy.rows()), list(copy.notes())
        copy.close()

        async def write(db: Connection) -> None:
            async with db.transaction():
                await make_tables(db)
                await db.execute("DELETE FROM chiamata.nodes")  # whoever writes here is refused from now on
                await db.execute("DELETE FROM chiamata.notes WHERE key = $1", vault.NOTE)
                for name in ("lines", "notes"):
                    if await db.fetchval(f"SELECT count(*) FROM chiamata.{name}"):
                        raise NotEmpty(name)
                mine = await db.fetchval(_RESTORER)
                books = [(book, mine, mine) for book in sorted({row[0] for row in rows})]
                columns = ("book", "session", "epoch")
                await db.copy_records_to_table("leases", schema_name="chiamata", records=books, columns=columns)
                # COPY goes through the trigger: a gap in the copy is refused here too.
                await db.copy_records_to_table("lines", schema_name="chiamata", records=[(*row, mine) for row in rows])
                await db.copy_records_to_table("notes", schema_name="chiamata", records=notes)
                await db.execute("DELETE FROM chiamata.nodes")

        self._do(write)
        return len(rows)

    def close(self) -> None:
        """Nothing is held."""

    def _do(self, deed: Deed) -> Any:
        return on_database(self._address, deed)


def on_database(address: str, deed: Deed) -> Any:
    """Has this done on a connection of its own.  Raises Unwritten."""

    async def whole() -> Any:
        db = await asyncpg.connect(address, timeout=PATIENCE)
        try:
            return await deed(db)
        finally:
            await db.close(timeout=PATIENCE)

    try:
        return asyncio.run(whole())
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise Unwritten(f"{type(error).__name__}: {error}") from error
