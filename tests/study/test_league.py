"""Rounds are played by everybody in every chair, ratings follow who wins, and pictures and progress tell it."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from chiamata.doors import cli
from chiamata.rules.errors import Malformed
from chiamata.study.executors import Here, Processes
from chiamata.study.league import League, Round, mean_payoffs, play_round, play_rounds
from chiamata.study.plot import Point, marks, svg
from chiamata.study.progress import SELDOM, Progress
from chiamata.study.ratings import points, rate

FIVE = League(("simple", "random", "random", "greedy", "random"))


def test_five_that_play_alike_are_paid_alike() -> None:
    """Each of the five hands is held once by each: what they are paid in a round is the same for all."""
    for number in range(6):
        assert len(set(play_round(League(("simple",) * 5), number).payoffs)) == 1


def test_a_league_goes_on_and_is_the_same_over_processes(tmp_path: Path) -> None:
    play_rounds(FIVE, 3, Here(), tmp_path / "kept")
    whole = play_rounds(FIVE, 6, Here(), tmp_path / "kept")
    assert whole == play_rounds(FIVE, 6, Processes(2))
    assert all(sum(one.payoffs) == 0 for one in whole)
    assert {one.entrants for one in play_rounds(League((*FIVE.entrants, "greedy")), 8, Here())} != {(0, 1, 2, 3, 4)}


@pytest.mark.parametrize("entrants", [("random",) * 4, ("random",) * 4 + ("perfect",)])
def test_a_league_that_cannot_be_is_refused(entrants: tuple[str, ...]) -> None:
    with pytest.raises(Malformed):
        play_rounds(League(entrants), 1, Here())


def test_who_wins_is_rated_higher() -> None:
    league = League(("a", "b", "c", "d", "e"))
    rounds = [Round((4, 3, 2, 1, 0), (-2.0, 0.0, 0.0, 0.0, 2.0))] * 30
    ratings = rate(league, rounds)
    assert (ratings[0].name, ratings[-1].name) == ("a", "e")
    assert ratings[0].mean > 25 > ratings[-1].mean
    assert ratings[1].mean == pytest.approx(ratings[3].mean, abs=0.5)  # they share a place in every round
    assert ratings[0].deviation < 25 / 3
    assert (ratings[0].payoff, ratings[0].rounds) == (0.4, 30)
    assert mean_payoffs(league, []) == [0.0] * 5
    assert points(ratings)[0].value == ratings[0].mean - 25


def test_the_command_prints_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "league.svg"
    words = ["arena", "--league", *FIVE.entrants, "--deals", "4", "--plot", str(picture)]
    assert cli.main(words) == 0
    told = capsys.readouterr().out
    assert told.startswith("| player | rating | rounds | payoff a deal |")
    assert told.count("| random |") == 3
    assert ET.parse(picture).getroot().tag.endswith("svg")
    assert cli.main(["arena", "--league", "random"]) == 1
    assert "Name five players or more." in capsys.readouterr().err


def test_a_picture_says_in_words_what_its_marks_say() -> None:
    drawn = svg("A & B", [Point("x<y", 0.5, 0.25), Point("z", -1.0, 0.0)])
    texts = [element.text for element in ET.fromstring(drawn).iter() if element.tag.endswith("text")]
    assert {"A & B", "x<y", "z", "+0.500 ± 0.250", "-1.000 ± 0.000", "0"} <= {text for text in texts if text}
    assert svg("nothing", [Point("same", 0.0, 0.0)]).count("<circle") == 1


@pytest.mark.parametrize(("low", "high"), [(-1.05, 1.05), (-0.003, 0.02), (0.0, 70.0), (-9.0, 0.0)])
def test_marks_are_round_and_few(low: float, high: float) -> None:
    found = marks(low, high)
    assert 3 <= len(found) <= 11
    assert all(low <= mark <= high for mark in found)


class Screen(io.StringIO):
    """A terminal that keeps what is written."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "lines"), [(Screen(), 1), (io.StringIO(), 2)])
def test_progress_on_a_screen_and_in_a_file(stream: io.StringIO, lines: int) -> None:
    """A bar that changes in place on a terminal; elsewhere a line when half a minute has gone, and at the end."""
    clock = iter([0.0, *[SELDOM * 0.6 * step for step in range(1, 5)]])
    progress = Progress("deals", 4, stream, lambda: next(clock))
    for _ in range(4):
        progress.step()
    told = stream.getvalue()
    assert told.count("\n") == lines
    assert ("[########################]" in told) == stream.isatty()
    assert "deals: " in told
    assert "4/4" in told


def test_progress_that_stops_early_ends_its_line() -> None:
    screen = Screen()
    progress = Progress("deals", 4, screen, iter([0.0, 1.0]).__next__)
    progress.step()
    progress.end()
    assert screen.getvalue().endswith("0:03 left  \n")
