"""One PostgreSQL for all tests that need one; each takes a database of its own in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.postgres import Database, running


@pytest.fixture(scope="session")
def database() -> Iterator[Database]:
    """A server that runs until the last test of this worker."""
    with running() as server:
        yield server
