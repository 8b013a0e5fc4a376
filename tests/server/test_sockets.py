"""A page's socket where the house cannot serve it."""

from __future__ import annotations

import pytest

from chiamata.server.hub import Hub
from chiamata.server.log import Unwritten
from tests.server.simulated import MemoryLog, house_on, simulate
from tests.surfaces import application, talk


@pytest.mark.parametrize("cookie", ["", "anna"])
def test_a_page_that_comes_while_the_database_is_away_is_asked_to_come_back(cookie: str) -> None:
    """Whether its guest cannot be found or its table: it hears a goodbye, and nothing breaks."""

    class Away(MemoryLog):
        async def get(self, key: str) -> bytes | None:
            raise Unwritten("away")

        async def last(self, book: str) -> int:
            raise Unwritten("away")

    async def deed() -> None:
        hub = Hub(house_on(Away()))
        said = await talk(application(hub), "ABCDE", cookie)
        assert [b"accept" in said[0], b"'code': 4012" in said[1], len(said)] == [True, True, 2]
        await hub.close()

    simulate(deed())
