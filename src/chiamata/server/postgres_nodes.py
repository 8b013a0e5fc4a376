"""The nodes of a log on PostgreSQL, seen and directed by those who run them; a node obeys when it next renews."""

from __future__ import annotations

import msgspec

from chiamata.server.postgres_archive import on_database

_ALIVE = "expires > clock_timestamp()"


class Node(msgspec.Struct, frozen=True):
    """A node whose lease stands."""

    name: str
    leaving: bool
    tables: int


class Nodes:
    """Who serves what; each deed has a connection of its own and raises Unwritten if the database does."""

    def __init__(self, address: str) -> None:
        self._address = address

    def all(self) -> list[Node]:
        """The living, in order."""
        query = f"""SELECT name, leaving, count(book) FROM chiamata.nodes LEFT JOIN chiamata.leases USING (session)
            WHERE {_ALIVE} GROUP BY session ORDER BY name"""
        return [Node(*row) for row in on_database(self._address, lambda db: db.fetch(query))]

    def owners(self) -> dict[str, str]:
        """The node of each table that is awake."""
        query = f"SELECT book, name FROM chiamata.leases JOIN chiamata.nodes USING (session) WHERE {_ALIVE}"
        return dict(on_database(self._address, lambda db: db.fetch(query)))

    def drain(self, node: str) -> bool:
        """Has a node hand its tables over and stop; False if there is none of this name."""
        query = f"UPDATE chiamata.nodes SET leaving = true WHERE name = $1 AND {_ALIVE} RETURNING true"
        return bool(on_database(self._address, lambda db: db.fetchval(query, node)))

    def migrate(self, book: str, node: str) -> bool:
        """Has a table go to another node; False if it sleeps or there is no such node."""
        query = f"""UPDATE chiamata.leases SET wanted = $2 WHERE book = $1
            AND EXISTS (SELECT FROM chiamata.nodes WHERE name = $2 AND NOT leaving AND {_ALIVE}) RETURNING true"""
        return bool(on_database(self._address, lambda db: db.fetchval(query, book, node)))
