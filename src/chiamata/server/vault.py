"""The store that a house writes to, with everything of a running deal in boxes, and where the house's key lies.

``Vault`` stands between the tables and the store below: it seals what is
appended and opens what is read, so that neither knows of the other.  The key
is a file beside the log, or wherever the house's people put it; it is never in
the log, nor in a copy of it.
"""

from __future__ import annotations

import os
import re
import secrets
from collections import OrderedDict
from pathlib import Path

from chiamata.rules.errors import Malformed
from chiamata.server import boxes
from chiamata.server.boxes import KEY_BYTES, End, Keys
from chiamata.server.log import Around, Store

NOTE = "vault/key"
"""The note in the log that names the key with which it is sealed."""
KEPT_ENDS = 10_000
"""So many books' ends are at hand; that of another is read anew when something is appended to it."""
_LINE = re.compile(r"[0-9a-f]{64}")


class BadKey(Exception):
    """The key's file is missing, is none, or is not the log's; the text names it and says what to do."""


class Vault(Around):
    """A store whose running deals cannot be read without the house's key."""

    def __init__(self, store: Store, keys: Keys) -> None:
        super().__init__(store)
        self._keys = keys
        self._ends: OrderedDict[str, End] = OrderedDict()

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        """As ``Store.append``; also Malformed where the book cannot be read."""
        end = self._ends.get(book, End())
        if end.v != prev:
            end = (await self._read(book)).end
        stored, after = boxes.seal(book, end, lines, self._keys)
        await self._store.append(book, prev, stored)
        self._keep(book, after)

    async def read(self, book: str) -> list[bytes]:
        """As ``Store.read``, as the table wrote it.  Malformed if it cannot be read with the keys that are here."""
        return (await self._read(book)).lines

    async def _read(self, book: str) -> boxes.Book:
        found = boxes.read(book, await self._store.read(book), self._keys)
        if found.closed:
            fix = "Give the key that it was sealed with; if that is lost, `chiamata admin void` gives the deal up."
            raise Malformed("NO_KEY", f"line {found.end.v + 1}", "", fix)
        self._keep(book, found.end)
        return found

    def _keep(self, book: str, end: End) -> None:
        self._ends[book] = end
        self._ends.move_to_end(book)
        if len(self._ends) > KEPT_ENDS:
            self._ends.popitem(last=False)


# --- the key's file -------------------------------------------------------------------------------


def beside(db: Path) -> Path:
    """Where the key of a log in a file lies unless another place is given."""
    return db.with_name(db.name + ".key")


def place_of(key: Path | None, in_database: bool, db: Path) -> Path | None:
    """The file of the key: the one that was given, or else beside a log in a file; None for a log in a database."""
    return key or (None if in_database else beside(db))


async def keys_for(store: Store, file: Path) -> Keys:
    """The keys in this file, made where it is not there and the log has none yet; the log then names the first.

    Raises:
        BadKey: it is not there, or not the log's.
        Unwritten: the log cannot be read or written.
    """
    wanted = (await store.get(NOTE) or b"").decode()
    lost = "If it is lost for good, `chiamata admin newkey` makes another: the deals that run now stay closed then."
    if not file.exists():
        if wanted:
            raise BadKey(f"{file} is not there, and the log is sealed with the key {wanted}. Put it back. {lost}")
        make(file)
    keys = read(file)
    if wanted and wanted not in keys.names:
        held = ", ".join(keys.names)
        raise BadKey(f"{file} holds the key {held}, and the log is sealed with {wanted}. Give that one's file. {lost}")
    if wanted != keys.names[0]:
        await store.put(NOTE, keys.names[0].encode())
    return keys


def read(file: Path) -> Keys:
    """The keys in this file: 64 hex digits a line, the newest first.  Raises BadKey."""
    try:
        lines = file.read_text("ascii").split()
    except (OSError, UnicodeError) as error:
        raise BadKey(f"{file} cannot be read: {error}. Put back the file as it was.") from None
    if not lines or not all(map(_LINE.fullmatch, lines)):
        raise BadKey(f"{file} is no key: it holds 64 hex digits a line. Put back the file as it was.")
    return Keys([bytes.fromhex(line) for line in lines])


def make(file: Path) -> None:
    """A file with a new key, above those that are there already; whole or not at all, and on disk before it is used.

    Two that make the first key at once end with the same one.  Raises BadKey.
    """
    try:
        old = file.read_text("ascii") if file.exists() else ""
        new = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as writing:
            writing.write(f"{secrets.token_hex(KEY_BYTES)}\n{old}")
            writing.flush()
            os.fsync(writing.fileno())
        if old:
            new.replace(file)
        else:
            _put(new, file)
        _sync(file.parent)
    except OSError as error:
        raise BadKey(f"{file} cannot be written: {error}") from None


def _put(new: Path, file: Path) -> None:
    """Gives the new file its name, unless somebody was quicker."""
    try:
        os.link(new, file)
    except OSError:  # it is there, or this file system has no second names
        if not file.exists():
            new.replace(file)
            return
    new.unlink()


def _sync(folder: Path) -> None:
    """That a file is in its folder is on disk."""
    if os.name == "nt":  # where folders cannot be opened
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
