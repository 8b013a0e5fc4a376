"""The games kept in tests/playthroughs are played as they were, and read back as text."""

from __future__ import annotations

from difflib import unified_diff

import pytest

from chiamata.rules.catalogue import names
from chiamata.rules.game import replay
from chiamata.rules.text import read_text
from tests.playthroughs.record import FOLDER, SEEDS, record


@pytest.mark.parametrize("name", names())
def test_the_game_goes_as_it_went(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    now = record(name, SEEDS.get(name, 0))
    changes = list(unified_diff(kept.splitlines(), now.splitlines(), "kept", "now", lineterm=""))
    assert not changes, "make playthroughs writes these anew; read the difference first\n" + "\n".join(changes[:40])


@pytest.mark.parametrize("name", names())
def test_the_text_reads_back_as_the_same_game(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    script = read_text(text)
    game = replay(script.game, script.words)
    assert game.over
    last = f"scores {' '.join(map(str, game.scores))}"
    assert [line for line in text.splitlines() if "; scores " in line][-1].endswith(last)


def test_no_file_is_left_over() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(names())
