"""``python3 -m tools.deck`` writes web/decks; with ``--check`` it only says which files are stale."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from tools.deck.faces import CLASSICA, GRANDE, Deck
from tools.deck.francese import FRANCESE
from tools.deck.nord import NORD

DECKS = (CLASSICA, NORD, FRANCESE, GRANDE)
"""All decks in menu order."""
FOLDER = Path(__file__).parents[2] / "web" / "decks"
LICENCE = """The pictures in this folder are made by tools/deck and dedicated to the public domain
under the Creative Commons CC0 1.0 Universal dedication.

SPDX-License-Identifier: CC0-1.0
https://creativecommons.org/publicdomain/zero/1.0/
"""


def entry(deck: Deck) -> dict[str, object]:
    """The manifest entry of a deck."""
    return {
        "id": deck.name,
        "licence": "CC0-1.0",
        "suits": deck.suits,
        "width": deck.size[0],
        "height": deck.size[1],
        "ranks": list(deck.ranks),
        "corners": [asdict(corner) for corner in deck.corners],
        "letter": deck.letter and asdict(deck.letter),
        "ink": deck.ink,
    }


def files() -> dict[str, str]:
    """Every generated file: its path inside web/decks and its text."""
    made = {"decks.json": json.dumps({"decks": [entry(deck) for deck in DECKS]}, indent=2) + "\n"}
    for deck in DECKS:
        made[f"{deck.name}/LICENSE"] = LICENCE
        made[f"{deck.name}/back.svg"] = deck.back()
        for name in deck.cards():
            made[f"{deck.name}/{name}.svg"] = deck.face(name[:-1], name[-1])
    return made


def stale(made: dict[str, str]) -> list[str]:
    """The files that are missing, differ, or are in a deck's folder and not drawn here."""
    wrong = [name for name, text in made.items() if read(FOLDER / name) != text]
    for deck in DECKS:
        found = {f"{deck.name}/{path.name}" for path in (FOLDER / deck.name).glob("*")}
        wrong += sorted(found - made.keys())
    return wrong


def read(path: Path) -> str:
    """The text of a file, or nothing if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main(words: list[str]) -> int:
    """Write the files, or with --check list the stale ones; 1 if any is stale."""
    made = files()
    if "--check" in words:
        wrong = stale(made)
        for name in wrong:
            print(f"stale: web/decks/{name}")
        return 1 if wrong else 0
    for name, text in made.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
