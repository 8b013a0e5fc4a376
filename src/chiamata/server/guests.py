"""Guests: a name and a secret cookie.  The house keeps the cookie's hash only."""

from __future__ import annotations

import hashlib
import secrets

import msgspec

from chiamata.rules.errors import Malformed
from chiamata.server import plain
from chiamata.server.log import Store

COOKIE = "chiamata"
LONGEST = 20
"""Signs that a name may have; a letter with its accents counts as one."""


class Guest(msgspec.Struct, frozen=True):
    """Who: 32 hex digits, the first half of the hash of the cookie.  Pages never see another guest's."""

    who: str
    name: str


NOBODY = Guest("", "")
"""A page without a cookie: it may watch."""


def clean_name(text: str) -> str:
    """The name as it is shown: composed, without controls, marks of direction and surplus spaces, at most 20 signs.

    Raises:
        Malformed: BAD_NAME if nothing is left.
    """
    name = plain.cut(plain.composed(text), LONGEST)
    if not name:
        raise Malformed("BAD_NAME", "name", text[:40], f"Write a name of 1 to {LONGEST} letters.")
    return name


def key_of(who: str) -> str:
    """Of the note that holds a guest's name; it is empty for one who was forgotten."""
    return f"guest/{who}"


def who_of(cookie: str) -> str:
    """The guest that a cookie belongs to, whether it was ever handed out or not."""
    return hashlib.sha256(cookie.encode("utf-8", "surrogateescape")).hexdigest()[:32]


async def find(store: Store, cookie: str | None) -> Guest:
    """The guest with this cookie; NOBODY for none, for one that was not handed out here and for a forgotten one."""
    if not cookie or len(cookie) > 100:
        return NOBODY
    who = who_of(cookie)
    name = await store.get(key_of(who))
    return Guest(who, name.decode()) if name else NOBODY


async def forget(store: Store, cookie: str | None) -> Guest:
    """Lets nobody in by this cookie from now on; returns whose it was.  Raises Unwritten."""
    guest = await find(store, cookie)
    if guest != NOBODY:
        await store.put(key_of(guest.who), b"")
    return guest


async def enter(store: Store, cookie: str | None, name: str) -> tuple[Guest, str]:
    """A guest with this name and the cookie to hand out: the one they had, or a new one.  Raises Unwritten."""
    if cookie is None or (await find(store, cookie)) == NOBODY:
        cookie = secrets.token_urlsafe(32)
    guest = Guest(who_of(cookie), name)
    await store.put(key_of(guest.who), name.encode())
    return guest, cookie
