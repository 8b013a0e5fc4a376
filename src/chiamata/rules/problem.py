"""Problem: one thing that is wrong, or surprising, in a configuration."""

from __future__ import annotations

import msgspec

_LONGEST = 200
_WIDEST = 1 << 63


class Problem(msgspec.Struct, frozen=True):
    """A finding.  ``code`` has its words in the locales; ``message`` says in English what to write instead."""

    code: str
    key: str
    """Dotted, such as ``auction.raise_mode``; empty for the whole."""
    value: object
    """What stood there, cut short where it is long or nested deep."""
    message: str
    nearest: str = ""
    """The known name nearest to an unknown one."""

    def __str__(self) -> str:
        return f"{self.code} at {self.key or 'the top'}: {self.value!r}. {self.message}"


def showable(value: object, depth: int = 3) -> object:
    """The value if it is plain, short and shallow; a short picture of it otherwise.

    Hostile input may be a number of a million digits or a list nested ten
    thousand deep, which Python itself cannot print.
    """
    if value is None or isinstance(value, (bool, float)):
        return value
    if isinstance(value, int):
        return value if -_WIDEST <= value < _WIDEST else f"a number of {value.bit_length()} bits"
    if isinstance(value, str):
        return value if len(value) <= _LONGEST else value[:_LONGEST] + "…"
    if depth == 0:
        return "…"
    if isinstance(value, (list, tuple)):
        return [showable(one, depth - 1) for one in value[:40]] + (["…"] if len(value) > 40 else [])
    if isinstance(value, dict):
        return {str(showable(key, 0)): showable(value[key], depth - 1) for key in list(value)[:20]}
    return type(value).__name__
