"""What lets somebody act for a seat, and what does not: the cookie of who sits there, until it is forgotten."""

from __future__ import annotations

import contextlib
import socket
import sqlite3
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from chiamata.server import sockets, wire
from chiamata.server.hub import Hub
from chiamata.server.limits import Bucket
from chiamata.server.page import RESTARTING, Page
from tests.e2e.house import Guest, House, house_in
from tests.server.simulated import MemoryLog, house_on, simulate


def playing(house: House, name: str) -> Guest:
    """A guest in chair 0 of a table whose deal runs."""
    guest = Guest(house, name)
    guest.enter(guest.table())
    guest.until("scene")
    guest.say(do="start")
    while "hand" not in guest.scene.get("deal", {}):
        guest.until("scene")
    return guest


def knows(house: House, cookie: str) -> str:
    """The name that the house has for this cookie."""
    return str(house.ask("GET", "/api/me", None, {"Cookie": cookie}).json()["name"])


def test_who_is_forgotten_has_no_page_left_and_no_way_back(house: House) -> None:
    anna = playing(house, "Anna")
    code, cookie = anna.scene["table"]["code"], anna.cookie
    second = Guest(house, "Anna", cookie)
    second.cookie = cookie
    second.enter(code)
    second.until("scene")
    bruno = playing(house, "Bruno")
    answer = house.ask("DELETE", "/api/me", None, {"Cookie": cookie})
    assert answer.status == 200
    (set_cookie,) = [value for name, value in answer.headers.items() if name.lower() == "set-cookie"]
    assert 'chiamata=""' in set_cookie
    assert "Max-Age=0" in set_cookie
    for page in (anna, second):
        assert page.is_cut_off()
        assert page.line is not None
        assert page.line.close_code == RESTARTING
    assert knows(house, cookie) == ""
    anna.enter(code, {"Cookie": cookie})
    scene = anna.until("scene")
    assert "you" not in scene["table"]
    assert "hand" not in scene.get("deal", {})
    anna.say(do="sit")
    assert anna.until("no")["code"] == "NAME_NEEDED"
    assert house.ask("POST", f"/api/tables/{code}/notes", {"deal": 1, "marks": []}, {"Cookie": cookie}).status == 409
    new = house.ask("POST", "/api/me", {"name": "Anna"}, {"Cookie": cookie}).headers
    assert cookie not in str(new), "the old secret is not handed out again"
    bruno.throw('{"do":"ping"}')
    bruno.until("pong")
    assert knows(house, bruno.cookie) == "Bruno"
    for page in (anna, second, bruno):
        page.leave()


def test_another_site_forgets_nobody(house: House) -> None:
    anna = Guest(house, "Anna")
    for headers in ({"Origin": "http://evil.example"}, {"Origin": ""}, {"Sec-Fetch-Site": "cross-site"}):
        assert house.ask("DELETE", "/api/me", None, {"Cookie": anna.cookie} | headers).status == 403
    assert knows(house, anna.cookie) == "Anna"


def test_a_page_that_was_closed_is_not_heard_any_more() -> None:
    """Between the house's last word and the end of the line its owner may go on writing."""

    async def deed() -> None:
        hub = Hub(house_on(MemoryLog()))
        heard: list[wire.Command] = []
        hub.wish = lambda code, page, do: heard.append(do)  # type: ignore[method-assign]
        page = Page("anna", "Anna")
        for text in ('{"do":"stand","id":"a","v":1}', '{"do":"ping"}', "rubbish"):
            page.close(RESTARTING)
            sockets._heard(hub, "ABCDE", page, text, Bucket(5, 20))
        assert heard == []

    simulate(deed())


def test_who_has_left_a_chair_acts_no_more_for_it(house: House) -> None:
    anna = playing(house, "Anna")
    code, hand = anna.scene["table"]["code"], anna.scene["deal"]["hand"]
    anna.say(do="stand")
    anna.until("ack")
    while "you" in anna.scene["table"]:
        anna.until("scene")
    assert "hand" not in anna.scene.get("deal", {})
    for words in ({"do": "pass"}, {"do": "bid", "say": "A"}, *({"do": "play", "card": card} for card in hand)):
        anna.say(**words)
        assert anna.until("no")["code"] == "NOT_SEATED"
    cookie = {"Cookie": anna.cookie}
    assert house.ask("POST", f"/api/tables/{code}/notes", {"deal": 1, "marks": []}, cookie).status == 409
    assert house.ask("POST", f"/api/tables/{code}/hint", {"v": anna.scene["v"]}, cookie).status == 409
    anna.leave()


def test_nothing_that_others_can_know_lets_anybody_in(house: House) -> None:
    anna = playing(house, "Anna")
    code, secret = anna.scene["table"]["code"], anna.cookie.partition("=")[2]
    with contextlib.closing(sqlite3.connect(house.folder / "house.db")) as db:
        kept = [key.partition("/")[2] for (key,) in db.execute("SELECT key FROM notes WHERE key LIKE 'guest/%'")]
    assert kept
    for guess in (*kept, code, "Anna", "0", secret[:-1], secret + "A", secret.swapcase()):
        assert knows(house, f"chiamata={guess}") == "", guess
        eva = Guest(house, "Eva")
        eva.enter(code, {"Cookie": f"chiamata={guess}"})
        assert "you" not in eva.until("scene")["table"]
        eva.leave()
    assert knows(house, anna.cookie) == "Anna"
    anna.leave()


@pytest.mark.parametrize("origin", ["null", "http://evil.example", "file://"])
def test_a_line_that_was_not_let_in_hears_nothing(house: House, origin: str) -> None:
    """Not even when the seat's own page comes: a cookie without the page's origin is no key."""
    anna = playing(house, "Anna")
    eva = Guest(house, "Anna", anna.cookie)
    with pytest.raises((InvalidStatus, ConnectionClosed)) as refused:
        eva.enter(anna.scene["table"]["code"], {"Cookie": anna.cookie}, origin=origin)
    assert not isinstance(refused.value, InvalidStatus) or refused.value.response.status_code == 403
    assert eva.heard == []
    anna.leave()


OWN = b"Origin: http://127.0.0.1:%d"


@pytest.mark.parametrize(
    ("origins", "status"),
    [
        ([OWN], 101),
        ([], 403),
        ([b"Origin:"], 403),
        ([b"Origin: "], 403),
        ([b"Origin: null"], 403),
        ([b"Origin: NULL"], 403),
        ([OWN, OWN], 400),
        ([OWN, b"Origin: null"], 400),
        ([b"Origin:", OWN], 400),
        ([OWN + b", null"], 403),
        ([OWN + b"/"], 403),
        ([OWN + b".evil.example"], 403),
        ([b"Origin: http://evil.example@127.0.0.1:%d"], 403),
    ],
)
def test_a_socket_wants_exactly_one_origin_on_the_wire(house: House, origins: list[bytes], status: int) -> None:
    """Byte for byte, since clients' libraries leave an empty header out; with the cookie of somebody who may come in.

    400: more than one is no request at all.
    """
    anna = Guest(house, "Anna")
    lines = [origin.replace(b"%d", b"%d" % house.port) for origin in origins]
    lines += [b"Host: 127.0.0.1:%d" % house.port, b"Upgrade: websocket", b"Connection: Upgrade"]
    lines += [
        b"Sec-WebSocket-Version: 13",
        b"Sec-WebSocket-Key: " + b"A" * 22 + b"==",
        b"Cookie: " + anna.cookie.encode(),
    ]
    with socket.create_connection(("127.0.0.1", house.port), timeout=10) as line:
        line.sendall(b"\r\n".join([b"GET /ws/%s HTTP/1.1" % anna.table().encode(), *lines]) + b"\r\n\r\n")
        assert line.recv(1000).startswith(b"HTTP/1.1 %d " % status)


@pytest.mark.parametrize(
    ("method", "path", "status"), [("POST", "/api/me", 200), ("POST", "/api/tables", 201), ("DELETE", "/api/me", 200)]
)
def test_a_change_wants_exactly_one_origin_on_the_wire(house: House, method: str, path: str, status: int) -> None:
    anna = Guest(house, "Anna")
    body = b'{"name":"Anna"}' if path == "/api/me" else b'{"rules":"quick"}'
    own = OWN % house.port
    for origins, wanted in (
        ([], 403),
        ([b"Origin:"], 403),
        ([b"Origin: null"], 403),
        ([own, b"Origin: null"], 403),
        ([own], status),
    ):
        lines = [b"%s %s HTTP/1.1" % (method.encode(), path.encode()), b"Host: 127.0.0.1:%d" % house.port, *origins]
        lines += [b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
        lines += [b"Cookie: " + anna.cookie.encode(), b"Connection: close"]
        with socket.create_connection(("127.0.0.1", house.port), timeout=10) as line:
            line.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
            assert line.recv(1000).startswith(b"HTTP/1.1 %d " % wanted), origins


def test_no_secret_is_in_what_the_house_writes(tmp_path: Path) -> None:
    """Neither in its log of troubles, nor in the database, nor in an address."""
    with house_in(tmp_path) as house:
        anna = playing(house, "Anna")
        secret = anna.cookie.partition("=")[2]
        assert len(secret) == 43, "32 bytes"
        house.ask("POST", "/api/tables", {"rules": "nonesuch"}, {"Cookie": anna.cookie})
        house.ask("GET", f"/api/{secret}", None, {"Cookie": anna.cookie})
        anna.throw("rubbish")
        anna.until("no")
        anna.leave()
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 1
    assert all(secret.encode() not in data for data in written)
