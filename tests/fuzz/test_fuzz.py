"""A few seconds of the search, the same each time; and the search finds what it is to find."""

from __future__ import annotations

import pytest

from tests.fuzz.__main__ import sample, without_coverage
from tests.fuzz.targets import TARGETS, Target


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_the_promised_errors_comes_out(name: str) -> None:
    for data in sample(TARGETS[name], seed=1, count=100):
        TARGETS[name].feed(data)


def test_the_search_finds_a_decoder_that_breaks_its_promise() -> None:
    def careless(data: bytes) -> None:
        if b'"seat":5' in data.replace(b" ", b""):
            raise KeyError(5)

    tried, found = without_coverage(Target("", careless, lambda: [b'{"do":"pass","seat":3}']), 30, 1)
    assert found is not None
    assert tried > 1
