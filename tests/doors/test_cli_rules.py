"""``chiamata rules``: list, show, diff, check."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from chiamata.doors import cli_rules
from chiamata.rules import catalogue
from chiamata.rules.ruleset import RuleSet
from chiamata.server.texts import Texts
from tests.kit import with_options

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "config.json").read_text())


def run(*words: str, language: str = "en") -> int:
    parser = argparse.ArgumentParser()
    cli_rules.add_to(parser)
    asked = parser.parse_args(words)
    asked.texts = Texts(language)
    status: int = asked.run(asked)
    return status


def test_list_names_every_rule_set_once_the_seeds_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]
    assert tuple(named) == catalogue.names()
    assert lines.index("More rule sets") > lines.index("Rule sets")


@pytest.mark.parametrize("name", catalogue.names())
@pytest.mark.parametrize("language", ["en", "it"])
def test_show_tells_every_rule_set(name: str, language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", name, "--all", language=language) == 0
    told = capsys.readouterr().out
    assert catalogue.load(name).fingerprint in told
    assert all(source in " ".join(told.split()) for source in catalogue.about(name).sources)
    assert all(f"{decision}:" in told for decision in catalogue.about(name).decisions)
    assert max(len(line) for line in told.splitlines()) <= 100
    assert Texts(language).say("options.no_effect") in told


def test_show_leaves_out_what_has_no_effect(capsys: pytest.CaptureFixture[str]) -> None:
    run("show", "classic")
    assert "There are no fixed numbers to bid." not in capsys.readouterr().out
    run("show", "classic", "--all")
    assert "There are no fixed numbers to bid." in capsys.readouterr().out


def test_show_as_json_reads_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "brisk", "--json") == 0
    assert RuleSet.from_mapping(json.loads(capsys.readouterr().out)) == catalogue.load("brisk")


def test_show_takes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "Our Rules.toml"
    file.write_text('title = "Ours"\n[session]\ndeals = 7\n')
    assert run("show", str(file)) == 0
    told = capsys.readouterr().out
    assert told.startswith("Ours\n")
    assert "It lasts 7 scored deals" in told
    assert "warning" in told
    file.write_text("[session]\ndeals = 0\n")
    assert run("show", str(file)) == 1
    assert "SESSION_DEALS_NOT_ALLOWED" in capsys.readouterr().out


@pytest.mark.parametrize("verb", [("show", "clasic"), ("diff", "classic", "clasic"), ("diff", "clasic", "classic")])
def test_an_unknown_name_is_told_with_the_nearest(verb: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*verb) == 1
    assert "Did you mean classic?" in capsys.readouterr().err


def test_diff_shows_what_differs_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("diff", "brisk", "brisk-draw") == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "contract.tie_60",
        '  brisk: "defenders"',
        '  brisk-draw: "draw"',
        "scoring.draw_multiplier",
        "  brisk: 1",
        "  brisk-draw: 2",
    ]
    assert run("diff", "classic", "classic") == 0
    assert capsys.readouterr().out == "classic and classic play alike.\n"


def test_diff_of_a_section_that_one_of_them_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    run("diff", "classic", "straight-to-two")
    told = capsys.readouterr().out
    assert "hand_claim.max_points\n  classic: none\n  straight-to-two: 0\n" in told


def test_check_without_a_file_accepts_all_27(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check") == 0
    fine = [line for line in capsys.readouterr().out.splitlines() if line.endswith(": fine.")]
    assert fine == [f"{name}: fine." for name in catalogue.names()]


@pytest.mark.parametrize("vector", [one for one in VECTORS if "expect" in one], ids=lambda one: str(one["id"]))
def test_check_refuses_each_broken_configuration(vector: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    base = catalogue.load(vector["base"]).to_mapping() if "base" in vector else {}
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(with_options(base, vector["set"])))
    assert run("check", str(file)) == 1
    told = capsys.readouterr().out
    code, key, _ = vector["expect"]
    assert f"{file}: problem {code} {key}\n" in told
    assert vector.get("nearest", "") in told
    assert "fix: " in told


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.toml", "kind = ", "NOT_TOML"),
        ("a.json", "{", "NOT_JSON"),
        ("a.json", "[" * 100_000, "NOT_JSON"),
        ("a.json", "[]", "WRONG_TYPE"),
        ("a.toml", "sources = 5", "UNKNOWN_VALUE"),
        ("missing.toml", None, "NOT_A_FILE"),
    ],
)
def test_check_of_what_cannot_be_read(name: str, text: str | None, code: str, tmp_path: Path, capsys: Any) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    assert run("check", str(tmp_path / name)) == 1
    assert f"problem {code}" in capsys.readouterr().out


def test_check_takes_several_files_and_one_bad_one_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.toml").write_text("[session]\ndeals = 7\n")
    (tmp_path / "bad.toml").write_text('[auction]\nopener = "me"\n')
    assert run("check", str(tmp_path / "good.toml")) == 0
    told = capsys.readouterr().out
    assert "warning UNEQUAL_DEALING session.deals\n  Not everybody will deal equally often.\n  value: 7\n" in told
    assert "fix:" not in told
    assert run("check", str(tmp_path / "bad.toml"), str(tmp_path / "good.toml")) == 1
    assert run("check", "--all", str(tmp_path / "good.toml")) == 0


def test_check_accepts_the_files_of_the_house(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", *(str(path) for path in sorted(catalogue.FOLDER.glob("*.toml")))) == 0
    assert "problem" not in capsys.readouterr().out


def test_it_speaks_italian(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mio.toml").write_text("[session]\ndeals = 0\n")
    assert run("check", str(tmp_path / "mio.toml"), language="it") == 1
    assert "Questo numero di smazzate non è ammesso." in capsys.readouterr().out
