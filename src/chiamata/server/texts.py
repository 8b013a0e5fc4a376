"""The words people read, in their language, from locales/*.toml."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from chiamata.rules.errors import Bug

FOLDER = Path(__file__).parent.parent / "locales"
FIRST = "en"
"""The language that has every word; another one's gaps are filled from it."""
_PLACE = re.compile(r"\{(\w+)\}")


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, ``en`` first."""
    return tuple(sorted((path.stem for path in FOLDER.glob("*.toml")), key=lambda name: (name != FIRST, name)))


@cache
def words(language: str) -> dict[str, str]:
    """Every text of a language by its dotted key: ``refusals.MUST_BID``."""
    return _flat(tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8")), "")


def _flat(table: dict[str, Any], prefix: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in table.items():
        found |= _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key: value}
    return found


def language_of(wish: str) -> str:
    """The language for a wish such as ``it``, ``it_IT.UTF-8`` or nothing."""
    name = re.split(r"[_.@-]", wish.lower())[0]
    return name if name in languages() else FIRST


class Texts:
    """Says things in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def has(self, key: str) -> bool:
        return key in words(self.language) or key in words(FIRST)

    def say(self, key: str, **facts: object) -> str:
        """The text of this key with its places filled; Bug if nobody wrote it or a fact is missing."""
        text = words(self.language).get(key) or words(FIRST).get(key)
        if text is None:
            raise Bug(f"no words for {key}")
        missing = {*_PLACE.findall(text)} - {*facts}
        if missing:
            raise Bug(f"{key} needs {', '.join(sorted(missing))}")
        return _PLACE.sub(lambda place: str(facts[place[1]]), text)
