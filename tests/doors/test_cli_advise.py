"""``chiamata advise`` and ``chiamata arena``: what they print, and the status they end with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chiamata.bots.advice import Advice, Tell, Weighed
from chiamata.bots.roster import levels
from chiamata.doors import cli
from chiamata.doors.cli_advise import in_words
from chiamata.racer.mind import available
from chiamata.rules.cards import card_of
from chiamata.rules.moves import Call, Play
from chiamata.rules.view_json import view_of_json
from chiamata.server.texts import Texts

AUCTION = [{"do": "bid", "seat": 0, "say": "A"}, *({"do": "pass", "seat": seat} for seat in (1, 2, 3, 4))]
CALL = {"do": "call", "seat": 0, "card": "AS"}
TRICK = [
    {"do": "play", "seat": seat, "card": card} for seat, card in ((0, "2C"), (1, "4C"), (2, "AC"), (3, "2D"), (4, "6C"))
]
VIEW: dict[str, Any] = {
    "rules": "classic",
    "dealer": 4,
    "seat": 1,
    "hand": "AD 3D KD 7S 5C 4C 2H JH",
    "words": [*AUCTION, CALL, *TRICK, {"do": "play", "seat": 2, "card": "KC"}, {"do": "play", "seat": 3, "card": "3H"},
              {"do": "play", "seat": 4, "card": "5D"}, {"do": "play", "seat": 0, "card": "2S"}],
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "view.json"
    path.write_text(json.dumps(VIEW), encoding="utf-8")
    return path


@pytest.mark.skipif(not available(), reason="no compiled racer here")
@pytest.mark.parametrize(("language", "words"), [("en", "Who is the partner: "), ("it", "Chi è il socio: ")])
def test_says_what_and_why(file: Path, capsys: pytest.CaptureFixture[str], language: str, words: str) -> None:
    assert cli.main(["--language", language, "advise", str(file), "--level", "club"]) == 0
    told = capsys.readouterr().out
    assert words in told
    assert told.count("  B:") == 7
    assert "±" in told


WHY = {
    "en": ("Why B:2H, as one would tell B:", "A is winning this trick, and the card costs you nothing.",
           "C is probably the partner: 80 %.", "What told most: the AC from C in trick 1."),
    "it": ("Perché B:2H, come lo si direbbe a B:", "Sta prendendo A, e questa carta non ti costa nulla.",
           "Il socio probabilmente è C: 80 %.", "L'indizio più forte: AC di C, presa 1."),
}  # fmt: skip


@pytest.mark.parametrize("language", WHY)
def test_says_why_in_sentences(language: str) -> None:
    """Those of a hint at the table, the card that told of the partner among them, in lines of their own."""
    view = view_of_json(VIEW)
    moves = tuple(Weighed(Play(1, card_of(name)), value, 0.1) for name, value in (("2H", 0.5), ("AD", -0.5)))
    tell = Tell(2, card_of("AC"), 1, 1.5)
    lines = in_words(view, Advice(moves, (0.1, 0.0, 0.8, 0.05, 0.05), (tell,)), Texts(language))
    assert [line.strip() for line in lines if line.strip() in WHY[language]] == [*WHY[language]]


@pytest.mark.parametrize(("language", "suit"), [("en", "coins"), ("it", "denari")])
def test_suits_of_a_reason_are_named(language: str, suit: str) -> None:
    view = view_of_json(VIEW | {"seat": 0, "hand": "3S KS 2S 7D 6D 2C 7C QC", "words": AUCTION})
    said = "\n".join(in_words(view, Advice((Weighed(Call(0, card_of("AD")), 0.5, 0.0),)), Texts(language)))
    assert suit in said


@pytest.mark.skipif(not available(), reason="no compiled racer here")
def test_says_it_in_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["advise", str(file), "--level", "club", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {one["move"]["card"] for one in told["moves"]} == {*["AD", "3D", "KD", "7S", "5C", "2H", "JH"]}
    assert [one["value"] for one in told["moves"]] == sorted((one["value"] for one in told["moves"]), reverse=True)
    assert sum(told["partner"]) == pytest.approx(1.0, abs=1e-3)
    assert told["partner"][1] == 0.0
    assert told["reasons"][0] == {"key": "takes_last", "args": {"points": 14}}


@pytest.mark.parametrize("level", levels())
def test_every_level_advises_in_an_auction(level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "view.json"
    path.write_text(json.dumps(VIEW | {"words": AUCTION[:1]}), encoding="utf-8")
    assert cli.main(["--language", "en", "advise", str(path), "--level", level]) == 0
    assert "one of five bidders" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "cannot be read"),
        ("[]", "NOT_AN_OBJECT"),
        (json.dumps(VIEW | {"words": [CALL]}), "WRONG_PHASE"),
        (json.dumps(VIEW | {"words": []}), "nothing to do"),
    ],
)
def test_a_bad_file_ends_with_one(text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "view.json"
    path.write_text(text, encoding="utf-8")
    assert cli.main(["--language", "en", "advise", str(path)]) == 1
    assert words in capsys.readouterr().err


def test_arena_plays_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "kept.jsonl"
    words = ["arena", "--subject", "simple", "--field", "random", "--chairs", "game", "--deals", "3"]
    assert cli.main([*words, "--kept", str(kept)]) == 0
    first = capsys.readouterr().out
    assert "| simple | game | random | classic | 3 |" in first
    assert len(kept.read_text().splitlines()) == 3
    assert cli.main([*words, "--kept", str(kept)]) == 0
    assert capsys.readouterr().out == first
    assert cli.main(["arena", "--subject", "perfect"]) == 1
