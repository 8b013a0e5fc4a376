"""Which node serves which table: leases that run out, each with an epoch that every append carries.

A table is served by one node.  A node holds its tables as long as it renews its
own lease; once that has run out, whoever is asked for one of them takes it,
and the former owner's appends are refused by their epoch, however late they come.
A table that sleeps is held by nobody.
"""

from __future__ import annotations

import re
from typing import Protocol

import msgspec

LEASE = 6.0
"""Seconds that a node holds its tables after it last renewed; a dead node's tables are taken over after that."""
RENEW = 2.0
"""Seconds between two renewals: two may fail."""
LATE = 3.0
"""Seconds after a renewal from which a node is likely dead: nobody is sent there; they wait until its lease is over."""
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
"""What a node may be called: it stands in an address (``/at/NAME/ws/CODE``) and in the reason of a closed socket."""


class Owner(msgspec.Struct, frozen=True):
    """Another node that has the table.

    Args:
        node: its name; '' where it changed at this very moment.
        late: it should have renewed its lease by now.
    """

    node: str
    late: bool


class Orders(msgspec.Struct, frozen=True):
    """What a node learns when it renews its lease.

    Args:
        leaving: it shall hand its tables over and stop.
        others: names of the nodes that take tables, in order.
        moves: of its tables, those that shall go to another node: code to name.
    """

    leaving: bool = False
    others: tuple[str, ...] = ()
    moves: dict[str, str] = {}


class Leases(Protocol):
    """What a node asks about who serves what."""

    async def take(self, book: str) -> Owner | None:
        """Becomes the owner of a table, or stays it; None if so, else who has it.  Raises Unwritten."""

    def holds(self, book: str) -> bool:
        """Whether the lease stands for certain, by this machine's clock: without it nothing may be told."""

    async def confirm(self, book: str) -> bool:
        """The same; where the clock says that the lease is over it asks, since nobody may have wanted the table yet."""

    async def owner(self, book: str) -> str:
        """The other node that serves this table now; '' for none.  Raises Unwritten."""

    async def release(self, book: str) -> None:
        """Lets a table go; what is asked afterwards comes after.  Raises Unwritten."""

    async def renew(self) -> Orders:
        """Holds on to all tables for another LEASE.  Raises Unwritten."""

    async def leave(self) -> None:
        """Lets the others know that this node takes no table any more.  Raises Unwritten."""


class Alone:
    """The leases of a house that has no other beside it: it has them all."""

    async def take(self, book: str) -> Owner | None:
        return None

    def holds(self, book: str) -> bool:
        return True

    async def confirm(self, book: str) -> bool:
        return True

    async def owner(self, book: str) -> str:
        return ""

    async def release(self, book: str) -> None:
        return

    async def renew(self) -> Orders:
        return Orders()

    async def leave(self) -> None:
        return
