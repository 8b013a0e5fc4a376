"""Names, cookies, origins and limits, without a server."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import HTTPConnection

from chiamata.rules.errors import Malformed
from chiamata.server import guests
from chiamata.server.limits import ADDRESSES, Bucket, Gate, Limits
from chiamata.server.web import Origins
from tests.server.simulated import MemoryLog

# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_", "shown"),
    [
        ("  Anna  ", "Anna"),
        ("Anna\tMaria\n", "AnnaMaria"),
        ("Anna  \u00a0 Maria", "Anna Maria"),
        ("ﬁnocchio", "finocchio"),
        ("evil\u202etxt.exe", "eviltxt.exe"),
        ("a\u200bb\u2066c\u0000d\x1b[31me", "abcd[31me"),
        ("x" * 30, "x" * 20),
        ("e\u0301" * 25, "é" * 20),
        ("Z" + "\u0338" * 50, "Z" + "\u0338" * 3),
        ("\u0301Anna", "Anna"),
        ("<b>Anna</b>", "<b>Anna</b>"),
        ("小明 🂡", "小明 🂡"),
        ("x" * 19 + " y", "x" * 19),
    ],
)
def test_names_as_they_are_shown(given_: str, shown: str) -> None:
    assert guests.clean_name(given_) == shown


@pytest.mark.parametrize("name", ["", " ", "\u202e\u200b", "\x00", "\u0301"])
def test_names_of_nothing(name: str) -> None:
    with pytest.raises(Malformed) as error:
        guests.clean_name(name)
    assert (error.value.code, error.value.where) == ("BAD_NAME", "name")


@given(st.text(max_size=200))
def test_any_text_is_a_safe_name_or_none(text: str) -> None:
    try:
        name = guests.clean_name(text)
    except Malformed:
        return
    assert 1 <= len(name) <= 20 * 4
    assert name == guests.clean_name(name)
    assert name.isprintable()


def test_letters_and_marks_that_meet_are_one_sign_at_once() -> None:
    """Found by ``make fuzz``: with what stood between them gone, they were put together at the next cleaning only."""
    assert guests.clean_name("H\x00\u0308a") == "\u1e26a"


# --- cookies --------------------------------------------------------------------------------------


def test_a_guest_keeps_the_cookie_and_the_house_keeps_its_hash() -> None:
    async def deed() -> None:
        store = MemoryLog()
        anna, cookie = await guests.enter(store, None, "Anna")
        assert len(cookie) >= 43  # 32 bytes
        assert cookie not in repr(store.notes)
        assert await guests.find(store, cookie) == anna
        again, same = await guests.enter(store, cookie, "Annetta")
        assert (again.who, same) == (anna.who, cookie)
        assert (await guests.find(store, cookie)).name == "Annetta"
        for wrong in (None, "", anna.who, cookie[:-1], "x" * 101, "\udc80"):
            assert await guests.find(store, wrong) == guests.NOBODY
        _, other = await guests.enter(store, "made up", "Eva")
        assert other != "made up"

    asyncio.run(deed())


# --- origins --------------------------------------------------------------------------------------


def asked(host: str | None, origin: str | None, site: str | None = None) -> HTTPConnection:
    pairs = (("host", host), ("origin", origin), ("sec-fetch-site", site))
    headers = [(name.encode(), value.encode()) for name, value in pairs if value is not None]
    return HTTPConnection({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("host", "origin", "site", "allowed"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000", None, True),
        ("127.0.0.1:8000", "https://127.0.0.1:8000", "same-origin", True),
        ("localhost:8000", "http://localhost:8000", "same-origin", True),
        ("[::1]:8000", "http://[::1]:8000", None, True),
        ("192.168.1.5", "http://192.168.1.5", None, True),
        ("cards.example.org", "https://cards.example.org", "same-origin", True),
        ("127.0.0.1:8000", "https://cards.example.org", "same-origin", True),
        ("127.0.0.1:8000", None, None, False),
        ("127.0.0.1:8000", "null", None, False),
        ("127.0.0.1:8000", "", None, False),
        ("127.0.0.1:8000", "http://127.0.0.1:8001", None, False),
        ("127.0.0.1:8000", "http://127.0.0.1", None, False),
        ("127.0.0.1:8000", "http://127.0.0.1:8000.evil.example", None, False),
        ("127.0.0.1:8000", "http://evil.example", None, False),
        ("127.0.0.1:8000", "http://127.0.0.1:8000@evil.example", None, False),
        ("127.0.0.1:8000", "HTTP://127.0.0.1:8000", None, False),
        ("127.0.0.1:8000", "http://127.0.0.1:8000/", None, False),
        ("127.0.0.1:8000", "http://localhost:8000", None, False),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", "cross-site", False),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", "same-site", False),
        ("evil.example:8000", "http://evil.example:8000", "same-origin", False),
        ("cards.example.org", "http://evil.cards.example.org", None, False),
        ("cards.example.org.evil.example", "https://cards.example.org.evil.example", None, False),
        (None, "http://127.0.0.1:8000", None, False),
    ],
)
def test_which_pages_may_act(host: str | None, origin: str | None, site: str | None, allowed: bool) -> None:
    assert Origins(["https://cards.example.org/"]).allows(asked(host, origin, site)) is allowed


def test_two_origins_are_none() -> None:
    twice = [(b"host", b"127.0.0.1"), (b"origin", b"http://127.0.0.1"), (b"origin", b"http://127.0.0.1")]
    assert not Origins().allows(HTTPConnection({"type": "http", "headers": twice}))


# --- limits ---------------------------------------------------------------------------------------


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    bucket = Bucket(rate=5, burst=20)
    assert [bucket.take(100.0) for _ in range(21)] == [True] * 20 + [False]
    assert not bucket.take(100.1)
    assert bucket.take(100.2)
    assert not bucket.take(100.2)
    assert sum(bucket.take(200.0) for _ in range(30)) == 20


def test_an_address_has_its_own_changes_and_old_ones_are_forgotten() -> None:
    now = [0.0]
    gate = Gate(Limits(requests=1, requests_burst=2), lambda: now[0])
    assert [gate.may_change("a") for _ in range(3)] == [True, True, False]
    assert gate.may_change("b")
    now[0] = 1.0
    assert gate.may_change("a")
    for number in range(ADDRESSES):
        gate.may_change(str(number))
    assert len(gate._requests) == ADDRESSES


def test_an_address_that_has_guessed_too_often_waits() -> None:
    now = [0.0]
    gate = Gate(Limits(guesses=0.1, guesses_burst=2), lambda: now[0])
    for allowed in (True, True, False):
        assert gate.may_guess("a") is allowed
        gate.guessed("a")
    assert gate.may_guess("b")
    now[0] = 9.0
    assert not gate.may_guess("a")
    now[0] = 10.0
    assert gate.may_guess("a")


def test_pages_are_counted_by_guest_by_address_and_in_all() -> None:
    gate = Gate(Limits(pages_of_guest=2, pages_of_address=3, pages=4), lambda: 0.0)
    assert [gate.enter("a", "anna") for _ in range(3)] == [True, True, False]
    assert [gate.enter("a", "") for _ in range(2)] == [True, False]
    assert [gate.enter("b", "bruno") for _ in range(2)] == [True, False]
    gate.leave("a", "anna")
    assert gate.enter("a", "anna")
    for who, address in (("anna", "a"), ("anna", "a"), ("", "a"), ("bruno", "b")):
        gate.leave(address, who)
    assert not gate._pages
