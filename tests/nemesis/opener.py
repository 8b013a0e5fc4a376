"""A second writing of how a log is read, from docs/fair.md: JSON, a hash and a cipher, none of the server's code.

It believes no sum and no box: a line that does not hold ends the reading with ValueError.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import b64decode
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Rows = list[tuple[int, bytes]]
GIVEN_UP = ("boxed", "committed", "cut", "share-now", "shared")
"""What does not count any more of a deal that was given up."""


def keys_in(file: Path) -> list[bytes]:
    """The keys of a house; none where there is no file."""
    return [bytes.fromhex(line) for line in file.read_text("ascii").split()] if file.exists() else []


def opened(rows: Rows, code: str, keys: list[bytes]) -> Rows:
    """The lines as the table wrote them, without sums."""
    named = {_digest(key, b"chiamata/key/v1").hex()[:8]: key for key in keys}
    lines = _summed(rows)
    told = [line["secret"] for line in lines if line["do"] == "unsealed"]
    spans = [range(line["since"], seq) for (seq, _), line in zip(rows, lines, strict=True) if line["do"] == "voided"]
    found: Rows = []
    secret = b""
    for (seq, _), stored in zip(rows, lines, strict=True):
        line = stored
        place = f"{code}/{seq}".encode()
        if line["do"] in GIVEN_UP and any(seq in span for span in spans):
            line = {"do": "lost", "at": line["at"]}
        if line["do"] == "made" and "." in line.get("secret", ""):
            line["secret"] = _open(named, line["secret"], place).decode()
        if line["do"] == "boxed":
            name = line["box"].split(".")[0]
            words = {"": _digest(secret, b"chiamata/words/v1")}
            line = json.loads(_open(named if name else words, line["box"], place))
        if line["do"] == "sealed":
            secret = bytes.fromhex(line["secret"])
            if told and told.pop(0) != line["secret"]:
                raise ValueError(f"{code}: line {seq} was opened as another secret")
        found.append((seq, json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode()))
    return found


def _summed(rows: Rows) -> list[dict[str, Any]]:
    before, lines = "", []
    for seq, data in rows:
        line = json.loads(data)
        found = line.pop("sum", "")
        bare = data[: -len(f',"sum":"{found}"}}')] + b"}" if found else data
        before = hashlib.blake2b(before.encode() + bare, digest_size=8).hexdigest()
        if found and found != before:
            raise ValueError(f"line {seq} is not as it was written")
        lines.append(line)
    return lines


def _digest(key: bytes, text: bytes) -> bytes:
    return hmac.digest(key, text, "sha256")


def _open(keys: dict[str, bytes], box: str, place: bytes) -> bytes:
    name, _, text = box.partition(".")
    data = b64decode(text, validate=True)
    try:
        return AESGCM(keys[name]).decrypt(data[:12], data[12:], place).rstrip(b" ")
    except (InvalidTag, KeyError):
        raise ValueError(f"the box at {place.decode()} does not open") from None
