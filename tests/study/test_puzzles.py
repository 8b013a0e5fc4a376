"""The puzzles can be read, teach what they say, and are solved by each level as often as before."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from chiamata.bots.chance import Chance
from chiamata.bots.roster import make
from chiamata.doors import cli
from chiamata.racer.mind import available
from chiamata.rules.catalogue import names
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import Bid, Move, Pass, Play
from chiamata.rules.view import View
from chiamata.rules.view_json import view_of_json
from chiamata.study import mine
from chiamata.study.puzzles import PATH, THEMES, Puzzle, Score, answer, check, of_line, shipped, to_line

needs_core = pytest.mark.skipif(not available(), reason="no compiled racer here")
LINES = PATH.read_text(encoding="utf-8").splitlines()
FLOORS = {"simple": 0.6, "friend": 0.7, "club": 0.85}
"""The least share of all puzzles that a level solves; chance solves a third."""


def test_there_are_enough_of_each() -> None:
    count = Counter(puzzle.theme for puzzle in shipped())
    assert len(shipped()) >= 60
    assert set(count) == set(THEMES)
    assert min(count.values()) >= 8
    assert len({puzzle.rules_name for puzzle in shipped()}) >= 4
    assert {puzzle.rules_name for puzzle in shipped()} <= set(names())


@pytest.mark.parametrize("line", LINES, ids=lambda line: json.loads(line)["seed"])
def test_each_can_be_read_and_is_clear(line: str) -> None:
    puzzle = of_line(line)
    assert to_line(puzzle) == line
    assert puzzle.margin >= max(mine.CLEAR, mine.ERRORS * puzzle.error)
    assert puzzle.view.public.turn == puzzle.view.seat
    assert len(puzzle.best) < len(puzzle.view.legal())
    kinds = {"calling": "call", "raising": "auction", "passing": "auction"}
    assert puzzle.view.public.phase == kinds.get(puzzle.theme, "play")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"theme": "winning"}, "theme"),
        ({"best": []}, "best"),
        ({"best": [{"do": "pass", "seat": 0}]}, "best"),
        ({"view": None}, "view"),
    ],
)
def test_what_is_no_puzzle_is_refused(change: dict[str, object], where: str) -> None:
    with pytest.raises(Malformed) as caught:
        of_line(json.dumps(json.loads(LINES[0]) | change))
    assert caught.value.where == where
    with pytest.raises(Malformed, match="margin"):
        of_line(json.dumps({key: value for key, value in json.loads(LINES[0]).items() if key != "margin"}))


@needs_core
@pytest.mark.parametrize("level", FLOORS)
def test_a_level_solves_as_many_as_before(level: str) -> None:
    scores = check(make(level), shipped())
    assert sum(score.solved for score in scores) >= FLOORS[level] * len(shipped())
    assert [score.theme for score in scores] == list(THEMES)


@needs_core
def test_master_solves_a_sample() -> None:
    sample = shipped()[::6]
    assert sum(score.solved for score in check(make("master"), sample)) >= 0.85 * len(sample)


def test_chance_does_not_solve_them() -> None:
    assert sum(score.solved for score in check(Chance(), shipped())) < 0.4 * len(shipped())


def test_any_bid_goes_on_bidding() -> None:
    puzzle = next(puzzle for puzzle in shipped() if puzzle.theme == "raising")
    dear = [move for move in puzzle.view.legal() if isinstance(move, Bid)][-1]
    assert dear not in puzzle.best
    assert puzzle.solved_by(dear)
    assert not puzzle.solved_by(Pass(puzzle.view.seat))
    assert check(make("simple"), [puzzle])[0].of == 1


class Knows:
    """Answers every puzzle rightly."""

    name = "knows"

    def choose(self, view: View, rng: random.Random) -> Move:
        return next(puzzle.best[0] for puzzle in shipped() if puzzle.view == view)


def test_right_answers_count() -> None:
    scores = check(Knows(), shipped())
    assert all(score.solved == score.of for score in scores)
    assert answer(Knows(), shipped()[0]) == shipped()[0].best[0]
    assert check(Knows(), []) == ()
    assert Score("leading", 1, 2).of == 2


# --- mining ---------------------------------------------------------------------------------------


@needs_core
def test_mining_finds_what_was_found() -> None:
    puzzle = max((one for one in shipped() if one.theme == "feeding"), key=lambda one: one.margin / one.error)
    again = mine.puzzle_of(puzzle.view, puzzle.seed, {"feeding"})
    assert again is not None
    assert again.best == puzzle.best
    assert mine.puzzle_of(puzzle.view, puzzle.seed, {"leading"}) is None


@needs_core
def test_a_deal_is_looked_through_in_order() -> None:
    views = mine.positions("classic", "puzzle 0")
    assert views == mine.positions("classic", "puzzle 0")
    assert {view.public.phase for view in views} == {"auction", "call", "play"}
    assert all(mine.candidates(view) for view in views)


def test_a_margin_that_is_noise_is_no_answer() -> None:
    one, two, three = Play(0, 1), Play(0, 2), Play(0, 3)
    clear = mine.Weighing(({one: 1.0, two: 0.5, three: 0.1}, {one: 1.1, two: 0.6, three: 0.0}), ())
    best = clear.answer()
    assert best is not None
    moves, margin, error = best
    assert moves == (one,)
    assert margin == pytest.approx(0.5)
    assert error == pytest.approx(0.0, abs=1e-9)
    noise = mine.Weighing(({one: 1.0, two: 0.1, three: 0.0}, {one: 0.2, two: 0.9, three: 0.0}), ())
    assert noise.answer() is None
    pair = mine.Weighing(({one: 1.0, two: 1.0, three: 0.0}, {one: 1.1, two: 1.0, three: 0.0}), ())
    both = pair.answer()
    assert both is not None
    assert set(both[0]) == {one, two}


# --- the command ----------------------------------------------------------------------------------


def test_lists_shows_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["puzzles", "list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(shipped())
    for number in range(1, len(shipped()) + 1):
        assert cli.main(["puzzles", "show", str(number), "--answer"]) == 0
        told = capsys.readouterr().out
        assert told.count("  ") >= 4
        assert "Answer: " in told
    assert cli.main(["--language", "it", "puzzles", "show", "1"]) == 0
    told = capsys.readouterr().out
    assert "Problema 1" in told
    assert "Soluzione" not in told
    assert cli.main(["puzzles", "show", "1", "--json"]) == 0
    assert view_of_json(json.loads(capsys.readouterr().out)) == shipped()[0].view
    assert cli.main(["puzzles", "check", "--level", "random"]) == 0
    assert f" of {len(shipped())}" in capsys.readouterr().out


@pytest.mark.parametrize("number", ["0", "1000"])
def test_there_is_no_such_puzzle(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["puzzles", "show", number]) == 1
    assert str(len(shipped())) in capsys.readouterr().err


def test_a_trick_stands_on_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = next(one for one in shipped() if one.theme == "feeding")
    assert isinstance(puzzle, Puzzle)
    cli.main(["puzzles", "show", str(shipped().index(puzzle) + 1)])
    lines = capsys.readouterr().out.splitlines()
    public = puzzle.view.public
    rows = [line for line in lines if line.startswith("  ")]
    assert len(rows) == 2 + len(public.tricks) + bool(public.trick)
    assert lines[-1].startswith("What does ")
