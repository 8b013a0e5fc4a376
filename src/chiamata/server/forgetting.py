"""Closes the pages of those who are forgotten, at whichever node they asked for it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress

from chiamata.server import guests
from chiamata.server.log import Store, Unwritten
from chiamata.server.page import RESTARTING, Page

KEPT = 1_000
"""So many forgotten guests are known to a node: a page whose cookie was looked up just before comes just after."""


class Presence:
    """The open pages of a node, of all tables."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pages: set[Page] = set()
        self._forgotten: OrderedDict[str, None] = OrderedDict()
        self._look: asyncio.Task[None] | None = None

    def enter(self, page: Page) -> None:
        """It opens."""
        self._pages.add(page)
        if page.who in self._forgotten:
            page.close(RESTARTING)

    def leave(self, page: Page) -> None:
        """It has closed."""
        self._pages.discard(page)

    def forget(self, who: str) -> None:
        """Closes this guest's pages at once; those who come back come as strangers."""
        self._forgotten[who] = None
        if len(self._forgotten) > KEPT:
            self._forgotten.popitem(last=False)
        for page in self._pages:
            if page.who == who:
                page.close(RESTARTING)

    def heed(self) -> None:
        """Forgets from now on whom other nodes forget."""
        loop = asyncio.get_running_loop()

        def tell(key: str) -> None:
            with suppress(RuntimeError):  # the house has ended
                loop.call_soon_threadsafe(self._hear, key)

        self._store.heed(tell)

    def _hear(self, key: str) -> None:
        """The key of a note that is empty now; '' where one may have been missed."""
        if not key:
            self._look = asyncio.create_task(self._look_around())
        elif key.startswith(guests.key_of("")):
            self.forget(key.removeprefix(guests.key_of("")))

    async def _look_around(self) -> None:
        """Looks up everybody who is here."""
        try:
            for who in {page.who for page in self._pages} - {""}:
                if not await self._store.get(guests.key_of(who)):
                    self.forget(who)
        except Unwritten:
            return  # out of reach again: what comes after the next connection is another look
