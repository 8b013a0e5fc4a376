"""Results kept in a file of JSON lines, one appended as soon as it is there, so that a run that was killed goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from chiamata.rules.errors import Malformed

What = TypeVar("What")
Got = TypeVar("Got")


class Kept(Generic[What, Got]):
    """Results by what was played and the number of the deal.

    Args:
        path: the file; None keeps nothing beyond this process.
        line: the type of a line, ``tuple[What, int, Got]``.
    """

    def __init__(self, path: Path | None, line: type[tuple[What, int, Got]]) -> None:
        self._path = path
        self._done: dict[tuple[What, int], Got] = {}
        if path is not None and path.exists():
            self._read(path, line)

    def _read(self, path: Path, line: type[tuple[What, int, Got]]) -> None:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            for text in whole.splitlines():
                what, number, got = msgspec.json.decode(text, type=line)
                self._done[what, number] = got
        except (msgspec.DecodeError, UnicodeError) as error:
            fix = f"Name a file that holds such results ({error})."
            raise Malformed("NOT_RESULTS", "kept", str(path), fix) from None
        if whole != data:  # the line under way when the run was killed; what is appended must not join it
            with path.open("r+b") as file:
                file.truncate(len(whole))

    def __contains__(self, key: tuple[What, int]) -> bool:
        return key in self._done

    def __getitem__(self, key: tuple[What, int]) -> Got:
        return self._done[key]

    def keep(self, what: What, number: int, got: Got) -> None:
        """Adds a result."""
        self._done[what, number] = got
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode((what, number, got)) + b"\n")
