"""Positions with known answers: what a player by rules of thumb must not get wrong."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from chiamata.bots.simple import Simple
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import to_text
from tests.bots.positions import Position, read_positions

POSITIONS = read_positions(Path(__file__).with_name("positions.txt"))


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.title)
def test_answers_well(position: Position) -> None:
    for seed in range(5):
        move = Simple().choose(position.view, random.Random(seed))
        said = to_text(move, position.view.public.rules.ranks).partition(":")[2]
        assert said not in position.avoids
        assert not position.plays or said in position.plays


def test_every_position_asks_for_something() -> None:
    assert len(POSITIONS) >= 14
    for position in POSITIONS:
        legal = {to_text(move, position.view.public.rules.ranks).partition(":")[2] for move in position.view.legal()}
        assert position.plays | position.avoids <= legal
        assert position.plays != legal
        assert position.plays or position.avoids


@pytest.mark.parametrize(
    "text",
    [
        "title: not its turn\nseat: B\nhand: AS 3S KS QS JS 7S 6S 5S",
        "title: seven cards\nseat: A\nhand: AS 3S KS QS JS 7S 6S",
        "title: not held\nseat: A\nhand: AS 3S KS QS JS 7S 6S 5S\nA:K B:pass C:pass D:pass E:pass\nA:call KS A:2H",
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "positions.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Malformed):
        read_positions(path)
