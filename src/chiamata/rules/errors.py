"""The three errors of the house: Malformed, Illegal, Bug.

Malformed: it cannot be read.  Illegal: it was read and is not allowed now.
Bug: ours.  No other exception leaves the rules floor, whatever comes in.
"""

from __future__ import annotations

from chiamata.rules.problem import showable


class Malformed(ValueError):
    """Something that cannot be read: a file, a line, a message, a rule set.

    Attributes:
        code: a stable name in capitals, such as ``UNKNOWN_KEY``.
        where: the field, or ``line:column`` in a text.
        value: the offending value as it was given.
        fix: what to write instead, in plain English.
    """

    def __init__(self, code: str, where: str, value: object, fix: str) -> None:
        super().__init__(f"{code} at {where}: {showable(value)!r}. {fix}")
        self.code = code
        self.where = where
        self.value = value
        self.fix = fix

    def __reduce__(self) -> tuple[type[Malformed], tuple[str, str, object, str]]:
        return type(self), (self.code, self.where, self.value, self.fix)


class Illegal(Exception):
    """A move that was read but is not allowed now; ``code`` is a refusal of SPEC 3.3."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Bug(RuntimeError):
    """A state that the house itself must never reach."""
