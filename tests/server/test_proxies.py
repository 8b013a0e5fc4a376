"""Whose address counts: the proxy's word is believed where the proxy was named, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chiamata.server.limits import Limits
from tests.e2e.house import House

BURST = Limits().requests_burst


@pytest.fixture(params=["named", "not named"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    named = ("--proxy", "127.0.0.1") if request.param == "named" else ()
    running = House(tmp_path, options=("--pace", "1", *named))
    running.start()
    yield running
    running.stop()


def asked_by(house: House, forwarded: str) -> int:
    """What a change gets that a proxy hands on for this address."""
    return house.ask("POST", "/api/rules/check", {"rules": {}}, {"X-Forwarded-For": forwarded}).status


def test_each_address_has_its_own_allowance_only_behind_a_proxy_that_was_named(house: House) -> None:
    believed = "--proxy" in house.options
    while asked_by(house, "203.0.113.1") == 200:
        pass
    assert asked_by(house, "203.0.113.1") == 429
    assert asked_by(house, "198.51.100.7, 203.0.113.1") == 429, "what the asker put before it counts for nothing"
    assert asked_by(house, "203.0.113.2") == (200 if believed else 429)
    assert asked_by(house, "203.0.113.1, 203.0.113.2") == (200 if believed else 429)
