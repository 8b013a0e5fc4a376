"""Signs for terminals that have no others than those of ASCII."""

from __future__ import annotations

import unicodedata

_ASCII = str.maketrans("▶◀▸◂▮●▒┌┐└┘─│♦♥♠♣·…×−–’“”«»↑↓", '><><#*x++++-|    -.x--\'""""+-')


def to_ascii(text: str) -> str:
    """The same text in as many ASCII signs: accents fall away, what has no likeness becomes ``?``."""
    bare = [unicodedata.normalize("NFKD", sign)[0] for sign in text.translate(_ASCII)]
    return "".join(sign if sign.isascii() else "?" for sign in bare)


def is_ascii(encoding: str | None) -> bool:
    """Whether a terminal of this encoding cannot show the signs that the table is drawn with."""
    try:
        "♥▶─è".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
