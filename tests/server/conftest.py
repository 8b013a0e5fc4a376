"""What several files share: a house of each file's own, a guest in it, and one PostgreSQL with a database each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.house import Guest, House, house_in
from tests.server.postgres import Database, running


@pytest.fixture(scope="session")
def database() -> Iterator[Database]:
    """A server that runs until the last test of this worker."""
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose bots answer at once, as a process of its own."""
    with house_in(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def anna(house: House) -> Iterator[Guest]:
    """Somebody who has said a name."""
    guest = Guest(house, "Anna")
    yield guest
    guest.leave()
