"""Plain text as people type it: names and lines of chat, without what would turn, hide or pile up other text.  Pure."""

from __future__ import annotations

import unicodedata

from chiamata.rules.errors import Malformed

LINE = 200
"""Signs that a line of chat may have; a letter with its accents counts as one."""
MARKS = 3
"""So many marks may stand on a letter: enough for every script, not for a tower."""


def composed(text: str) -> str:
    """The text in composed form, without controls, marks of direction and surplus spaces."""
    signs: list[str] = []
    for sign in unicodedata.normalize("NFKC", text):
        kind = unicodedata.category(sign)
        if kind.startswith("M"):
            if signs and signs[-1] != " " and len(signs[-1]) <= MARKS:
                signs[-1] += sign
        elif kind == "Zs":
            signs.append(" ")
        elif not kind.startswith(("C", "Z")):
            signs.append(sign)
    return unicodedata.normalize("NFKC", " ".join("".join(signs).split()))  # what stood apart may have met


def size(text: str) -> int:
    """How many signs a text has."""
    return sum(not unicodedata.category(sign).startswith("M") for sign in text)


def cut(text: str, most: int) -> str:
    """The beginning of a text, of at most so many signs."""
    while size(text) > most:
        text = text[:-1].rstrip()
    return text


def line(text: str) -> str:
    """A line of chat as it is kept.

    Raises:
        Malformed: BAD_TEXT for controls, line ends, marks of direction and signs that are none, for more than
            ``LINE`` signs and for a line of nothing.
    """
    if any(unicodedata.category(sign)[0] == "C" or unicodedata.category(sign) in ("Zl", "Zp") for sign in text):
        raise Malformed("BAD_TEXT", "text", text[:40], "Write plain letters, without controls or marks of direction.")
    kept = composed(text)
    if not 1 <= size(kept) <= LINE:
        raise Malformed("BAD_TEXT", "text", text[:40], f"Write a line of 1 to {LINE} signs.")
    return kept
