"""Training: seeded, goes on where it was, and leaves numbers that a bot can play by; the calibration counts right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chiamata.bots.policy import HABITS, POLICY, numbers_of, write_numbers
from chiamata.racer.mind import KINDS, STAGES, Mind, Thought, available
from chiamata.study import train
from chiamata.study.calibration import measure, table
from chiamata.study.train import Harvest, evidence, main, softmax

pytestmark = pytest.mark.skipif(not available(), reason="no compiled racer here")


def test_trains_the_same_twice_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "PASSES", 2)
    monkeypatch.setattr(train, "DEEP_PASSES", 2)
    first, second = tmp_path / "a", tmp_path / "b"
    words = ["--deals", "2", "--generations", "1", "--company", "11"]
    assert main([str(first), *words]) == 0
    assert main([str(second), "--deals", "2", "--generations", "0", "--company", "0"]) == 0
    (second / "policy-habits.txt").unlink()
    half = (first / "company.jsonl").read_bytes().splitlines(keepends=True)[:5]
    (second / "company.jsonl").write_bytes(b"".join(half) + b'["company", 5, [1')
    assert main([str(second), *words]) == 0
    for name in ("policy-0.txt", "policy-1.txt", "policy-habits.txt"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    curve = [json.loads(line) for line in (first / "curve.jsonl").read_text().splitlines()]
    assert [line["generation"] for line in curve] == ["0", "1", "habits"]
    assert all(line["decisions"] > 20 for line in curve)
    assert any(numbers_of(first / "policy-1.txt"))
    Mind(numbers_of(first / "policy-1.txt"))
    assert (first / "company.jsonl").read_bytes() == (second / "company.jsonl").read_bytes()
    assert main([str(tmp_path / "c"), "--company", "11", "--policy", str(first / "policy-1.txt"), "--jobs", "2"]) == 0
    assert (tmp_path / "c/policy-habits.txt").read_bytes() == (first / "policy-habits.txt").read_bytes()


@pytest.mark.parametrize("path", [POLICY, HABITS])
def test_shipped_numbers_come_back(path: Path, tmp_path: Path) -> None:
    numbers = numbers_of(path)
    write_numbers(tmp_path / "again", numbers)
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert path.stat().st_size < 250_000


def test_evidence_is_the_odds_of_what_was_counted() -> None:
    harvest = Harvest()
    harvest.kinds[True][3], harvest.kinds[True][4] = 3000, 1000
    harvest.kinds[False][3], harvest.kinds[False][4] = 3000, 9000
    told = evidence(harvest.kinds)
    assert len(told) == KINDS * STAGES
    assert told[3] == pytest.approx(64 * 1.0986, abs=1.5)  # ln 3: 3 of 4 against 3 of 12
    assert told[4] < 0
    assert told[5] == 0


def test_shares_by_value() -> None:
    assert softmax([1.0, 1.0], 0.1) == [0.5, 0.5]
    better, worse = softmax([0.1, 0.0], 0.1)
    assert better / worse == pytest.approx(2.71828, abs=1e-3)


def test_calibration_counts_and_beats_guessing() -> None:
    tallies = measure("determinized-8", 25, Thought(1, worlds=64, playouts=0))
    assert [tally.deals for tally in tallies] == [25] * 8
    assert tallies[0].hidden == 25
    assert tallies[0].guesses == 75
    later = tallies[2:6]
    named, guesses = sum(tally.named for tally in later), sum(tally.guesses for tally in later)
    assert named / guesses > 0.42  # one of three by guessing
    assert "| after trick |" in table(tallies)
