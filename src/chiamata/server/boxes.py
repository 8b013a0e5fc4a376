"""What is stored of a deal that is not over: its secret and its words, each in a box that needs a key.

A box is a line, sealed with AES-256-GCM for its place in its book.  Two kinds of key:
the *house's*, which does not lie in the log, seals a deal's secret; a *deal's*, which follows
from that secret, seals the words from the cards to the last.  Once a deal is over its
secret stands in the log in clear (``lines.Unsealed``), and with it all of the deal can be
read by everybody who has the log.  So the house's key is needed for running deals alone.

The sums are over what is stored: they hold, or do not, for readers without any key too.
"""

from __future__ import annotations

import binascii
import hashlib
import hmac
import os
import re
from collections.abc import Sequence

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from chiamata.rules.errors import Malformed
from chiamata.server import lines as say
from chiamata.server.lines import Line

KEY_BYTES = 32
_NONCE = 12
"""Bytes, as NIST SP 800-38D wants them; random ones are good for 2^32 boxes of one key, a deal each."""
_PADDED = 192
"""Boxes are filled with blanks to a multiple of so many bytes.  A played card with guest and id takes at most 165, so
that all are of one length: a ten that lies face down is not told by its two digits."""
_SECRET = re.compile(r"[0-9a-f]{64}")
_WORDS = b"chiamata/words/v1"
_NAME = b"chiamata/key/v1"
_TABLE = b"chiamata/table/v1/"


class Keys:
    """The house's keys: the first seals, and each opens what it sealed.  None at all opens nothing."""

    def __init__(self, keys: Sequence[bytes] = ()) -> None:
        """``keys``: 32 bytes each."""
        self._keys = {_digest(key, _NAME).hex()[:8]: key for key in keys}
        self.names = tuple(self._keys)
        """By which a box says what it was sealed with: 8 hex digits that tell nothing of the key."""

    def __repr__(self) -> str:
        return f"Keys({', '.join(self.names)})"

    def seal(self, plain: bytes, place: str) -> str:
        """The box for these bytes at this place, which begins with the key's name and a dot."""
        name = self.names[0]
        return f"{name}.{_seal(self._keys[name], plain, place)}"

    def open(self, box: str, place: str) -> bytes | None:
        """What is in the box; None where its key is not here.  Malformed if it is damaged or from another place."""
        name, _, text = box.partition(".")
        return _open(self._keys[name], text, place) if name in self._keys else None

    def instead(self, book: str) -> str:
        """A table's own secret where the key that sealed it is lost: always the same, of the first key here."""
        return _digest(self._keys[self.names[0]], _TABLE + book.encode()).hex() if self.names else ""


class End(msgspec.Struct, frozen=True):
    """Where a book ends, as the next lines must know it.

    Args:
        v: the number of its last line, 0 for none.
        sum: of that line.
        secret: of the deal on its way or running; empty for none.
    """

    v: int = 0
    sum: str = ""
    secret: bytes = b""

    def __repr__(self) -> str:
        return f"End({self.v})"


class Book(msgspec.Struct, frozen=True):
    """A book that was read.

    Args:
        lines: as the table wrote them, without sums.
        end: of what is stored.
        closed: its last deal is sealed with a key that is not here; ``lines`` end before it.
    """

    lines: list[bytes]
    end: End
    closed: bool = False


def seal(book: str, end: End, lines: Sequence[bytes], keys: Keys) -> tuple[list[bytes], End]:
    """These lines as they are stored after the end of a book, and where it ends then."""
    stored: list[Line] = []
    secret = end.secret
    for v, data in enumerate(lines, end.v + 1):
        line, place = say.decode(data), _place(book, v)
        match line:
            case say.Made():
                line = msgspec.structs.replace(line, secret=keys.seal(line.secret.encode(), place))
            case say.Sealed():
                secret = bytes.fromhex(line.secret)
                line = say.Boxed(line.at, box=keys.seal(data, place))
            case say.Spoken() if secret:
                line = say.Boxed(line.at, box="." + _seal(_digest(secret, _WORDS), data, place))
            case say.Unsealed():
                secret = b""
        stored.append(line)
    written = say.chain(stored, end.sum)
    return written, End(end.v + len(written), say.sum_in(written[-1]) if written else end.sum, secret)


def read(book: str, log: list[bytes], keys: Keys) -> Book:
    """A book as the table wrote it.  Older ones, with secrets in clear, are read as they are.

    Raises:
        Malformed: a line is not as it was written, or a box does not open with the key that it names.
    """
    stored, secret, lines = say.unchain(log), b"", list[bytes]()
    told, void = _told(stored), _void(book, stored)
    for v, (line, data) in enumerate(zip(stored, log, strict=True), 1):
        place, plain = _place(book, v), say.bare(data)
        match line:
            case say.Boxed() | say.Committed() | say.Cut() | say.ShareNow() | say.Shared() if v in void:
                plain = say.encode(say.Lost(line.at))
            case say.Made() if "." in line.secret:
                own = keys.open(line.secret, place)
                clear = keys.instead(book) if own is None else own.decode()
                plain = say.encode(msgspec.structs.replace(line, secret=clear))
            case say.Sealed():
                secret = _secret_in(line, place)
            case say.Unsealed():
                secret = b""
            case say.Boxed() if line.box.startswith("."):
                plain = _open(_digest(secret, _WORDS), line.box[1:], place)
            case say.Boxed():
                found = say.encode(say.Sealed(line.at, secret=told[v])) if v in told else keys.open(line.box, place)
                if found is None:
                    return Book(lines, End(v - 1), closed=True)
                plain, secret = found, _secret_in(say.decode(found), place)
        lines.append(plain)
    return Book(lines, End(len(log), _last_sum(stored, log), secret))


def _last_sum(lines: Sequence[Line], log: list[bytes]) -> str:
    """The sum of the last line, also where it was written without one."""
    found = say.sum_in(log[-1]) if log else ""
    for line in () if found else lines:
        found = say.sum_after(found, line)
    return found


def _told(lines: Sequence[Line]) -> dict[int, str]:
    """The number of each line that sealed a secret which is open by now, and that secret."""
    told, secret = {}, ""
    for v, line in zip(range(len(lines), 0, -1), reversed(lines), strict=True):
        if isinstance(line, say.Unsealed):
            secret = line.secret
        elif secret and isinstance(line, say.Boxed) and not line.box.startswith("."):
            told[v], secret = secret, ""
    return told


def _void(book: str, lines: Sequence[Line]) -> set[int]:
    """The numbers of the lines from a secret that was given up to the line that says so, which no key opens again.

    Malformed where such a line means anything but the last secret that was sealed before it, still closed.
    """
    void, sealed = set[int](), 0
    for v, line in enumerate(lines, 1):
        match line:
            case say.Boxed() if not line.box.startswith("."):
                sealed = v
            case say.Unsealed():
                sealed = 0
            case say.Voided(since=since):
                if since != sealed or not sealed:
                    fix = "Only a deal that is still sealed can be given up: go back to a copy of the log."
                    raise Malformed("WRONG_VOID", _place(book, v), since, fix)
                void |= {*range(since, v)}
                sealed = 0
    return void


def _secret_in(line: Line, place: str) -> bytes:
    if not isinstance(line, say.Sealed) or not _SECRET.fullmatch(line.secret):
        raise Malformed("WRONG_BOX", place, "", "A box of the house's key holds a deal's secret of 64 hex digits.")
    return bytes.fromhex(line.secret)


def _place(book: str, v: int) -> str:
    return f"{book}/{v}"


def _digest(key: bytes, text: bytes) -> bytes:
    return hmac.digest(key, text, hashlib.sha256)


def _seal(key: bytes, plain: bytes, place: str) -> str:
    nonce, padded = os.urandom(_NONCE), plain + b" " * (-len(plain) % _PADDED)
    return binascii.b2a_base64(nonce + AESGCM(key).encrypt(nonce, padded, place.encode()), newline=False).decode()


def _open(key: bytes, text: str, place: str) -> bytes:
    try:
        data = binascii.a2b_base64(text, strict_mode=True)
        return AESGCM(key).decrypt(data[:_NONCE], data[_NONCE:], place.encode()).rstrip()
    except (InvalidTag, ValueError):  # ValueError: no base64 (binascii.Error), or too short
        raise Malformed("WRONG_BOX", place, text[:20], "It is not as it was sealed: go back to a copy.") from None
