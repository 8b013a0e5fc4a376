"""Every language has every text, with the same places, and what is asked for is said or is our fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import chiamata.study.review
from chiamata.rules.errors import Bug
from chiamata.server.texts import FIRST, Texts, language_of, languages, words

PLACE = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("language", languages())
def test_every_language_has_every_text_with_its_places(language: str) -> None:
    first, own = words(FIRST), words(language)
    assert sorted(first.keys() - own.keys()) == []
    assert sorted(own.keys() - first.keys()) == []
    assert [key for key, text in own.items() if not str(text).strip()] == []
    assert [key for key in first if {*PLACE.findall(first[key])} != {*PLACE.findall(own[key])}] == []


def test_every_line_of_a_telling_has_words() -> None:
    source = Path(chiamata.study.review.__file__).read_text(encoding="utf-8")
    keys = {*re.findall(r'Told\("(\w+)"', source), "made", "failed", "draw", "all_pass", "thrown_in"}
    assert keys == {key.removeprefix("replay.") for key in words(FIRST) if key.startswith("replay.")} - {
        "broken",
        "unreadable",
    }


@pytest.mark.parametrize(
    ("wish", "language"),
    [("it", "it"), ("it_IT.UTF-8", "it"), ("IT", "it"), ("", "en"), ("C.UTF-8", "en"), ("de", "en")],
)
def test_the_language_for_a_wish(wish: str, language: str) -> None:
    assert language_of(wish) == language


def test_places_are_filled() -> None:
    assert Texts("it").say("replay.bid", seat="A", bid="2@65") == "  A chiama 2@65"


def test_a_text_that_nobody_wrote_is_our_fault() -> None:
    assert not Texts("it").has("replay.sing")
    with pytest.raises(Bug):
        Texts("it").say("replay.sing")
    with pytest.raises(Bug, match="bid"):
        Texts("it").say("replay.bid", seat="A")
