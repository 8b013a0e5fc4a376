"""The server as its own process: routes, headers, cookies, refused origins, hostile frames, kill -9, an orderly end."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import socket
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import apsw
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from chiamata.server.app import Routes
from chiamata.server.web import HEADERS
from tests.e2e.house import Answer, Guest, House, house_in


def header(answer: Answer, name: str) -> str:
    return {key.lower(): value for key, value in answer.headers.items()}.get(name, "")


def faults(answer: Answer) -> list[dict[str, str]]:
    return list(answer.json()["faults"])


def lines_in(house: House) -> int:
    db = apsw.Connection(str(house.folder / "house.db"), flags=apsw.SQLITE_OPEN_READONLY)
    ((number,),) = db.execute("SELECT count(*) FROM lines").fetchall()
    db.close()
    assert isinstance(number, int)
    return number


# --- the routes -----------------------------------------------------------------------------------

WALK: dict[str, list[tuple[str, str, Any, int]]] = {
    "health": [("GET", "/health", None, 200)],
    "ready": [("GET", "/ready", None, 200)],
    "menu": [("GET", "/api/rules", None, 200)],
    "hint": [("POST", "/api/tables/AAAAA/hint", {"v": 0}, 404), ("POST", "/api/tables/AAAAA/hint", {}, 400)],
    "lessons": [("GET", "/api/lessons", None, 200)],
    "rules": [("GET", "/api/rules/classic", None, 200), ("GET", "/api/rules/nonsense", None, 404)],
    "example": [("GET", "/api/rules/quick/example", None, 200), ("GET", "/api/rules/x/example", None, 404)],
    "schema": [("GET", "/api/rules/schema", None, 200)],
    "check": [("POST", "/api/rules/check", {"rules": {}}, 200), ("POST", "/api/rules/check", {}, 400)],
    "payoffs": [
        ("POST", "/api/rules/payoffs", {"rules": {}}, 200),
        ("POST", "/api/rules/payoffs", {"rules": {"auction": {"raise_step": 0}}}, 400),
    ],
    "table_rules": [("GET", "/api/tables/AAAAA/rules", None, 404)],
    "me": [("GET", "/api/me", None, 200)],
    "enter": [("POST", "/api/me", {"name": "Zoe"}, 200), ("POST", "/api/me", {"name": ""}, 400)],
    "forget": [("DELETE", "/api/me", None, 200)],
    "create": [("POST", "/api/tables", {"rules": "classic"}, 401)],
    "table": [("GET", "/api/tables/AAAAA", None, 404), ("GET", "/api/tables/x", None, 404)],
    "games": [("GET", "/api/tables/AAAAA/games", None, 404), ("GET", "/api/tables/x/games", None, 404)],
    "deal": [
        *[("GET", f"/api/tables/AAAAA/deals/{name}", None, 404) for name in ("1", "0", "-1", "x", "1.exe", "1.txt")],
        ("GET", "/api/tables/AAAAA/deals/1?chair=-1", None, 404),
    ],
    "transcript": [
        *[("GET", f"/api/tables/{code}/deals/1/transcript", None, 404) for code in ("AAAAA", "x")],
        ("GET", "/api/tables/AAAAA/deals/x/transcript", None, 404),
    ],
    "transcripts": [("GET", "/api/tables/AAAAA/transcripts", None, 404)],
    "notes": [("GET", "/api/tables/AAAAA/notes", None, 404)],
    "jot": [
        ("POST", "/api/tables/AAAAA/notes", {"deal": 1, "marks": []}, 404),
        ("POST", "/api/tables/AAAAA/notes", {"deal": 1, "marks": [4]}, 400),
    ],
    "nothing": [("GET", "/api/else", None, 404), ("DELETE", "/api/you", None, 404), ("PUT", "/api/x", {}, 404)],
    "page": [("GET", "/none.js", None, 404), ("HEAD", "/nowhere", None, 404), ("POST", "/", None, 405)],
    "table_page": [
        (method, path, None, 404) for path in ("/t/AAAAA", "/t/AAAAA/", "/t/x") for method in ("GET", "HEAD")
    ],
    "sheets_page": [
        (method, path, None, 404) for path in ("/g/AAAAA", "/g/AAAAA/", "/g/x") for method in ("GET", "HEAD")
    ],
    "rules_page": [
        *[(method, f"/rules/none{end}", None, 404) for end in ("", "/", "/example") for method in ("GET", "HEAD")],
        *[(method, f"/rules/quick{end}", None, 200) for end in ("", "/", "/example") for method in ("GET", "HEAD")],
    ],
    "deal_page": [("GET", path, None, 404) for path in ("/r/AAAAA/1", "/r/AAAAA/0", "/r/x/x")],
    "framed_page": [
        *[("GET", path, None, 404) for path in ("/e/AAAAA/0", "/e/AAAA/1")],
        ("GET", "/e/AAAAA/1/", None, 200),
    ],
    "socket": [("GET", "/ws/AAAAA", None, 404)],  # without an upgrade it is a page's address, and names none
}
"""Every route with what it answers to a stranger."""


def test_every_route_is_walked() -> None:
    handlers = {name for name in vars(Routes) if not name.startswith("_")} - {"no_table"}
    assert handlers == set(WALK)


@pytest.mark.parametrize(("method", "path", "body", "status"), [case for cases in WALK.values() for case in cases])
def test_a_stranger_gets(house: House, method: str, path: str, body: Any, status: int) -> None:
    before = lines_in(house)
    answer = house.ask(method, path, body)
    if answer.status != 503 or not path.startswith(
        ("/ws/", "/no", "/t/", "/r", "/e/", "/g/")
    ):  # 503: the client has not been built
        assert answer.status == status
    for name, value in HEADERS.items():
        assert header(answer, name) == value
    assert "script-src 'self'" in header(answer, "content-security-policy")
    if path.startswith("/api"):
        kept = answer.status == 200 and method == "GET" and path.startswith(("/api/rules", "/api/lessons"))
        assert header(answer, "cache-control") == ("private, no-cache" if kept else "no-store")
        assert header(answer, "content-type") == "application/json"
    assert "Traceback" not in answer.body.decode()
    assert lines_in(house) == before


def test_faults_name_the_field_the_value_and_the_fix(house: House, anna: Guest) -> None:
    cookie = {"Cookie": anna.cookie}
    (fault,) = faults(house.ask("POST", "/api/tables", {"rules": "clasic"}, cookie))
    assert fault["code"] == "UNKNOWN_RULESET"
    assert "classic" in fault["fix"]
    broken = {"id": "x", "auction": {"kind": "points", "raise_step": 0}, "colour": 1}
    answer = house.ask("POST", "/api/tables", {"rules": broken}, cookie)
    assert answer.status == 400
    assert len(faults(answer)) > 1
    assert all(set(fault) == {"code", "where", "value", "fix"} for fault in faults(answer))
    (fault,) = faults(house.ask("POST", "/api/me", {"name": 7}))
    assert (fault["code"], fault["where"]) == ("UNREADABLE", "name")
    (fault,) = faults(house.ask("POST", "/api/tables", {"rules": "quick", "clock": {"bank": 1}}, cookie))
    assert fault["where"] == "clock.bank"


@pytest.mark.parametrize(
    "body", ["", "null", "[]", "NaN", "1e309", '{"name":1e309}', "[" * 5000, '"\\ud800"', '{"name":"x"']
)
def test_bodies_that_are_none(house: House, anna: Guest, body: str) -> None:
    for path in ("/api/me", "/api/tables"):
        answer = raw(house, path, body.encode(), {"Cookie": anna.cookie})
        assert answer.status == 400
        assert faults(answer)[0]["code"] == "UNREADABLE"


def raw(house: House, path: str, body: bytes, headers: dict[str, str]) -> Answer:
    line = HTTPConnection("127.0.0.1", house.port, timeout=10)
    line.request("POST", path, body, {"Content-Type": "application/json", "Origin": house.url} | headers)
    response = line.getresponse()
    answer = Answer(response.status, dict(response.getheaders()), response.read())
    line.close()
    return answer


def test_a_body_that_is_too_long(house: House, anna: Guest) -> None:
    answer = raw(house, "/api/tables", b'{"rules":"' + b"x" * 100_000 + b'"}', {"Cookie": anna.cookie})
    assert answer.status == 413


# --- who is asking --------------------------------------------------------------------------------


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(house: House) -> None:
    set_cookie = header(house.ask("POST", "/api/me", {"name": " Anna  Maria "}), "set-cookie")
    assert re.match(r"chiamata=[\w-]{43}; HttpOnly; Max-Age=\d+; Path=/; SameSite=strict$", set_cookie)
    cookie = {"Cookie": set_cookie.split(";")[0]}
    assert house.ask("GET", "/api/me", None, cookie).json() == {"name": "Anna Maria"}
    again = house.ask("POST", "/api/me", {"name": "Annetta"}, cookie)
    assert header(again, "set-cookie").split(";")[0] == cookie["Cookie"]
    assert house.ask("GET", "/api/me", None, {"Cookie": "chiamata=made-up"}).json() == {"name": ""}
    token = cookie["Cookie"].partition("=")[2].encode()
    assert all(token not in path.read_bytes() for path in house.folder.glob("house.db*"))


FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Host": "evil.example"},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_another_sites_page_may_change_nothing(house: House, anna: Guest, headers: dict[str, str]) -> None:
    for path, body in (("/api/me", {"name": "Eva"}), ("/api/tables", {"rules": "classic"})):
        answer = house.ask("POST", path, body, {"Cookie": anna.cookie} | headers)
        assert answer.status == 403, path


def test_a_form_of_another_site_sends_no_json(house: House, anna: Guest) -> None:
    answer = house.ask("POST", "/api/me", {"name": "Eva"}, {"Cookie": anna.cookie, "Content-Type": "text/plain"})
    assert answer.status == 415


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", "https://localhost"])
def test_another_sites_page_gets_no_socket(house: House, anna: Guest, origin: str) -> None:
    code = anna.table()
    with pytest.raises(InvalidStatus) as refused:
        anna.enter(code, origin=origin)
    assert refused.value.response.status_code == 403


def test_without_a_cookie_one_watches(house: House, anna: Guest) -> None:
    code = anna.table("quick")
    anna.enter(code)
    anna.until("scene")
    anna.say(do="start")
    walter = Guest(house, "Walter")
    for headers in ({}, {"Cookie": "chiamata=made-up"}):
        walter.enter(code, headers=headers)
        scene = walter.until("scene")
        assert "you" not in scene["table"]
        assert "hand" not in scene.get("deal", {})
        walter.say(do="sit")
        assert walter.until("no")["code"] == "NAME_NEEDED"
        walter.leave()
    facts = house.ask("GET", f"/api/tables/{code}").json()
    assert facts["names"] == ["Anna"]
    assert facts["free"] == 4


# --- what is said ---------------------------------------------------------------------------------

UNREADABLE: list[str | bytes] = [
    "null",
    "[]",
    "7",
    '""',
    "NaN",
    "1e309",
    "{}",
    '{"do":null}',
    '{"do":"play"}',
    '{"do":"play","id":"x","v":1}',
    '{"do":"play","id":1,"v":1,"card":"3H"}',
    '{"do":"play","id":"","v":1,"card":"3H"}',
    '{"do":"play","id":"x","v":-1,"card":"3H"}',
    '{"do":"play","id":"x","v":1e309,"card":"3H"}',
    '{"do":"play","id":"x","v":1.5,"card":"3H"}',
    '{"do":"play","id":"x","v":99999999999999999999,"card":"3H"}',
    '{"do":"play","id":"x","v":1,"card":["3H"]}',
    '{"do":"play","id":"x","v":1,"card":"3H","seat":2}',
    '{"do":"play","id":"x","v":1,"card":"' + "3" * 50 + '"}',
    '{"do":"play","id":"' + "x" * 41 + '","v":1,"card":"3H"}',
    '{"do":"sit","id":"x","v":1,"chair":99}',
    '{"do":"sit","id":"x","v":1,"chair":true}',
    '{"do":"__proto__","id":"x","v":1}',
    '{"do":"dealt","id":"x","v":1,"hands":[]}',
    '{"do":"play","id":"\\ud800","v":1,"card":"3H"}',
    "[" * 2000,
    b"\x00\x01\x02",
    b"\xff\xfe",
    "x" * 2048,
]


def test_what_cannot_be_read_is_answered_and_disturbs_nobody(house: House, anna: Guest) -> None:
    code = anna.table("quick")
    other = Guest(house, "Bruno")
    other.enter(other.table("quick"))
    other.until("scene")
    anna.enter(code)
    anna.until("scene")
    for text in UNREADABLE:
        anna.throw(text)
        answer = anna.until("no")
        assert (answer["id"], answer["code"]) == ("", "UNREADABLE"), text
    anna.throw('{"do":"ping"}')
    anna.until("pong")
    anna.say(do="start")
    anna.until("ack")
    assert other.hear(within=0.2) is None
    other.leave()


@pytest.mark.parametrize("size", [2049, 20_000_000])
def test_a_frame_that_is_too_long_closes_its_own_socket(house: House, anna: Guest, size: int) -> None:
    code = anna.table("quick")
    other = Guest(house, "Bruno")
    other.enter(code)
    anna.enter(code)
    anna.until("scene")
    with contextlib.suppress(ConnectionClosed):
        anna.throw("x" * size)
        assert anna.is_cut_off()
    assert anna.line is not None
    assert anna.line.close_code in (1009, 1006)
    other.until("scene")
    other.throw('{"do":"ping"}')
    other.until("pong")
    other.leave()


def test_bytes_that_are_no_frame(house: House) -> None:
    for first in (b"\x00" * 100, b"GET / HTTP/1.1\r\n" + b"x: " + b"y" * 100_000, b"\x16\x03\x01\x02\x00"):
        with socket.create_connection(("127.0.0.1", house.port), timeout=5) as line:
            line.sendall(first)
            line.settimeout(0.3)
            with contextlib.suppress(TimeoutError, ConnectionError):
                line.recv(100)
    assert house.ask("GET", "/api/rules").status == 200


def test_a_connection_that_does_not_ask_is_closed(house: House, anna: Guest) -> None:
    anna.enter(anna.table())
    with socket.create_connection(("127.0.0.1", house.port), timeout=30) as line:
        line.sendall(b"GET /api/rules HTTP/1.1\r\nHost: x")
        began = time.monotonic()
        assert line.recv(100) == b""
        assert time.monotonic() - began > 3
    anna.throw('{"do":"ping"}')  # a socket is not taken for one
    anna.until("pong")


def test_no_such_table(house: House, anna: Guest) -> None:
    anna.enter("AAAAA")
    assert anna.is_cut_off()
    assert anna.line is not None
    assert anna.line.close_code == 4003


def test_one_guest_has_so_many_pages(house: House, anna: Guest) -> None:
    code = anna.table()
    pages = [Guest(house, "Anna") for _ in range(21)]
    for page in pages:
        page.cookie = anna.cookie
        page.enter(code)
    for page in pages[:20]:
        page.until("scene")
    assert pages[20].is_cut_off()
    assert pages[20].line is not None
    assert pages[20].line.close_code == 4029
    for page in pages:
        page.leave()


def test_people_have_a_limit_that_programs_meet(tmp_path: Path) -> None:
    with house_in(tmp_path, "--pace", "1") as house:
        anna = Guest(house, "Anna")
        anna.enter(anna.table())
        for _ in range(25):
            anna.throw('{"do":"ping"}')
        assert anna.is_cut_off()
        assert anna.line is not None
        assert anna.line.close_code == 4009
        statuses = [house.ask("POST", "/api/me", {"name": "x"}).status for _ in range(70)]
        assert statuses[0] == 200
        assert statuses[-1] == 429
        anna.leave()


def test_codes_cannot_be_tried_out(tmp_path: Path) -> None:
    with house_in(tmp_path, "--pace", "1") as house:
        anna = Guest(house, "Anna")
        code = anna.table()
        assert house.ask("GET", f"/api/tables/{code}").status == 200
        statuses = [house.ask("GET", f"/api/tables/BC{a}{b}D").status for a in "FGHJKLMN" for b in "FGHJKLMN"]
        assert statuses == [404] * 60 + [429] * 4
        assert house.ask("GET", f"/api/tables/{code}").status == 429
        anna.enter(code)
        assert anna.is_cut_off()
        anna.leave()


# --- beginnings and ends --------------------------------------------------------------------------


def test_ready_soon(tmp_path: Path) -> None:
    """In time of the processor: what else the machine does meanwhile is not the house's fault."""
    house = House(tmp_path)
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    house.start()
    house.stop()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime < 5  # about 0.6


def to_a_turn(guest: Guest) -> None:
    """Until the guest must play a card, or call."""
    while guest.scene.get("deal", {}).get("turn") != guest.scene["table"]["you"]:
        guest.until("scene")


def test_kill_9_and_on(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        anna = Guest(house, "Anna")
        code = anna.table("quick")
        anna.enter(code)
        anna.until("scene")
        anna.say(do="start")
        anna.until("ack")
        for _ in range(3):
            to_a_turn(anna)
            before = anna.scene
            house.kill()
            anna.leave()
            house.start()
            anna.enter(code)
            after = anna.until("scene")
            assert after["v"] > before["v"]
            assert after["deal"] == before["deal"]
            assert after["table"] == before["table"]
            options = after["deal"]["options"]
            if options.get("may_pass"):
                anna.say(do="pass")
            elif "bids" in options:
                anna.say(do="bid", say=options["bids"][0]["say"])
            elif "calls" in options:
                anna.say(do="call", card=options["calls"][0]["card"])
            else:
                anna.say(do="play", card=options["plays"][0])
            done = anna.until("ack")["v"]
            while anna.scene["v"] < done:
                anna.until("scene")
        anna.leave()


def test_an_orderly_end(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        anna = Guest(house, "Anna")
        code = anna.table("quick")
        anna.enter(code)
        anna.until("scene")
        anna.say(do="start")
        assert house.process is not None
        house.process.send_signal(signal.SIGTERM)
        assert anna.is_cut_off()
        assert anna.line is not None
        assert anna.line.close_code == 4012
        assert any(message["is"] == "ack" for message in anna.heard)
        assert house.process.wait(timeout=10) == 0
        anna.leave()
        house.close()
        assert not os.path.getsize(house.folder / "errors.txt")
        house.start()
        anna.enter(code)
        assert anna.until("scene")["deal"]["number"] == 1
        anna.leave()


def test_a_port_that_is_taken_and_a_log_that_is_none(house: House, tmp_path: Path) -> None:
    taken = House(tmp_path, port=house.port)
    with pytest.raises(AssertionError, match="cannot be used"):
        taken.start()
    taken.stop()
    (tmp_path / "house.db").write_bytes(b"x" * 5_000)
    broken = House(tmp_path)
    with pytest.raises(AssertionError, match="cannot be opened"):
        broken.start()
    broken.stop()
