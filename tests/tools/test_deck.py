"""The decks: every face there is, fresh from the generator, small, legible and licensed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chiamata.rules import catalogue
from chiamata.rules.cards import SUITS
from chiamata.server.texts import languages, words
from tools.deck import __main__ as deck_maker
from tools.deck.ink import PAPER

ROOT = Path(__file__).parents[2]
DECKS = ROOT / "web" / "decks"
MANIFEST = json.loads((DECKS / "decks.json").read_text(encoding="utf-8"))["decks"]
NAMES = [deck["id"] for deck in MANIFEST]
MEDIA = {".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".ico", ".mp3", ".ogg", ".wav", ".woff", ".woff2", ".ttf"}
MOST_BYTES = 3_700
"""No face is larger: a whole hand of eight is then below 30 KB, before compression."""


def assets() -> list[Path]:
    """Every picture, sound and font that git knows of or would take."""
    if not shutil.which("git"):
        pytest.skip("no git on the path, to tell what is built from what is kept")
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "web", "docs", "src"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    return [Path(name) for name in listed if Path(name).suffix in MEDIA]


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb``, 0 to 1 (WCAG 2.2)."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_files_are_what_the_generator_draws() -> None:
    assert deck_maker.stale(deck_maker.files()) == []


def test_a_changed_file_is_found() -> None:
    made = deck_maker.files()
    made["classica/AS.svg"] += " "
    assert deck_maker.stale(made) == ["classica/AS.svg"]


@pytest.mark.parametrize("deck", MANIFEST, ids=NAMES)
def test_all_faces_exist_and_no_others(deck: dict[str, object]) -> None:
    ranks = deck["ranks"]
    assert isinstance(ranks, list)
    wanted = {f"{rank}{suit}.svg" for rank in ranks for suit in SUITS} | {"back.svg"}
    assert {path.name for path in (DECKS / str(deck["id"])).glob("*.svg")} == wanted


@pytest.mark.parametrize("name", catalogue.names())
def test_each_rule_set_has_a_deck(name: str) -> None:
    ranks = set(catalogue.load(name).ranks)
    assert any(ranks <= set(deck["ranks"]) for deck in MANIFEST)


@pytest.mark.parametrize("path", sorted(DECKS.glob("*/*.svg")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_face_is_small_plain_svg_without_letters(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) <= MOST_BYTES
    deck = next(entry for entry in MANIFEST if entry["id"] == path.parent.name)
    assert ElementTree.fromstring(text).get("viewBox") == f"0 0 {deck['width']} {deck['height']}"
    assert not re.search(r"<text|<script|<image|https?://(?!www\.w3\.org/2000/svg)", text)


def test_no_two_faces_of_a_deck_look_alike_except_in_grande() -> None:
    for name in ("classica", "nord", "francese"):
        faces = [path.read_text(encoding="utf-8") for path in (DECKS / name).glob("*.svg")]
        assert len(faces) == len(set(faces))


@pytest.mark.parametrize("deck", MANIFEST, ids=NAMES)
def test_letters_can_be_read_on_the_paper(deck: dict[str, dict[str, str]]) -> None:
    for suit in SUITS:
        assert (luminance(PAPER) + 0.05) / (luminance(deck["ink"][suit]) + 0.05) >= 4.5


def test_suits_differ_by_colour_by_shape_and_by_letter() -> None:
    """Never by colour alone: Italian suits have letters, French ones marks that everybody knows."""
    for deck in MANIFEST:
        assert len({deck["ink"][suit] for suit in SUITS}) == 4
        assert (deck["letter"] is None) == (deck["suits"] == "french")
    for language in languages():
        assert len({words(language)[f"cards.suit_letter_{suit}"] for suit in SUITS}) == 4


@pytest.mark.parametrize("deck", MANIFEST, ids=NAMES)
def test_letters_are_legible_at_44_pixels(deck: dict[str, list[dict[str, int]]]) -> None:
    """The least width of a card on a phone; half as high as wide would be read without glasses."""
    width = int(str(deck["width"]))
    assert all(corner["size"] * 44 / width >= 12 for corner in deck["corners"])


@pytest.mark.parametrize("deck", MANIFEST, ids=NAMES)
def test_corners_lie_on_the_card(deck: dict[str, object]) -> None:
    corners, width, height = deck["corners"], deck["width"], deck["height"]
    assert isinstance(corners, list)
    assert isinstance(width, int)
    assert isinstance(height, int)
    for corner in [*corners, deck["letter"]] if deck["letter"] else corners:
        half = corner["size"] / 2
        assert half - 2 <= corner["x"] <= width - half + 2
        assert half <= corner["y"] <= height - half


def test_every_asset_has_a_licence_line() -> None:
    table = re.findall(r"^\| `([^`]+)` \|.*\| ([A-Za-z0-9.-]+) \|$", (ROOT / "CREDITS.md").read_text("utf-8"), re.M)
    licences = dict(table)
    for path in assets():
        home = next((str(folder) for folder in [path, *path.parents] if str(folder) in licences), None)
        assert home, f"{path}: no line in CREDITS.md"
    assert all(licence in {"CC0-1.0", "MIT", "OFL-1.1"} for licence in licences.values())
    for deck in MANIFEST:
        assert deck["licence"] == licences[f"web/decks/{deck['id']}"]
        assert f"SPDX-License-Identifier: {deck['licence']}" in (DECKS / deck["id"] / "LICENSE").read_text("utf-8")
