"""A win test takes turns between ways to an answer; with small rounds every one of them gets its turn."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from chiamata.racer import build
from chiamata.racer.binding import Core
from chiamata.racer.examples import classic
from tests.racer.variants import position

FIRST_ROUND = 2
"""Cards of a first round in place of four million."""
FINE_FROM = 16 * FIRST_ROUND
"""Cards of the first round in which the fine no takes part."""
POSITIONS = 800

pytestmark = pytest.mark.skipif("ziglang" in build.compiler(), reason="no C compiler on the path")


@pytest.fixture
def hasty(library: Path) -> Core:
    """The same racer with short rounds."""
    subprocess.run([*build.command(library), "-O1", f"-DRACER_FIRST_BUDGET={FIRST_ROUND}"], check=True)
    return Core()


def test_whatever_way_arrives_first_is_right(hasty: Core) -> None:
    random, rules = Random(1), classic(2)
    long = 0
    for number in range(POSITIONS):
        where = position(random, rules, 4, random.randrange(5))
        value = hasty.solve(rules, where)
        assert value.low == value.high
        for target in range(value.low - 1, value.low + 3):
            answer = hasty.win_test(rules, where, target)
            assert answer.reaches(target) == (value.low >= target), (number, target)
            long += answer.nodes > 4 * FINE_FROM and value.low < target
    assert long >= POSITIONS, "too few questions went as far as the fine no"
