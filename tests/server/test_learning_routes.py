"""Rules in words, lessons and hints over HTTP, from a house of its own."""

from __future__ import annotations

import gzip

from tests.e2e.house import Answer, Guest, House
from tests.server.test_app import faults, header


def test_lessons_come_packed_to_those_who_unpack(house: House) -> None:
    plain, packed = (
        house.ask("GET", "/api/lessons"),
        house.ask("GET", "/api/lessons", None, {"Accept-Encoding": "gzip"}),
    )
    assert gzip.decompress(packed.body) == plain.body
    assert header(packed, "content-encoding") == "gzip"
    assert header(packed, "vary") == header(plain, "vary") == "accept-encoding"
    assert len(plain.json()["lessons"]) == 10


def hint_for(house: House, guest: Guest, code: str) -> Answer:
    return house.ask("POST", f"/api/tables/{code}/hint", {"v": guest.scene["v"]}, {"Cookie": guest.cookie})


def start(host: Guest, code: str) -> None:
    """Deal, and hear of it until a person is to speak: bots do at once."""
    host.say(do="start")
    while (host.scene.get("deal") or {}).get("turn") not in (0, 1):
        host.until("scene")


def test_one_alone_with_bots_gets_a_hint(house: House, anna: Guest) -> None:
    code = anna.table("trattoria")
    anna.enter(code)
    anna.until("scene")
    start(anna, code)
    while anna.scene["deal"]["turn"] != 0:
        anna.until("scene")
    answer = hint_for(house, anna, code)
    assert answer.status == 200
    assert {*answer.json()} == {"turn", "moves", "reasons", "partner"}
    stranger = house.ask("POST", f"/api/tables/{code}/hint", {"v": 10**6})
    assert (stranger.status, faults(stranger)[0]["code"]) == (409, "NOT_SEATED")


def test_with_another_person_at_the_table_nobody_does(house: House, anna: Guest) -> None:
    bruno, code = Guest(house, "Bruno"), anna.table("trattoria")
    anna.enter(code)
    anna.until("scene")
    bruno.enter(code)
    bruno.until("scene")
    bruno.say(do="sit", chair=1)
    bruno.until("ack")
    start(anna, code)
    for person in (anna, bruno):
        answer = hint_for(house, person, code)
        assert (answer.status, faults(answer)[0]["code"]) == (409, "HINT_WITH_PEOPLE")
    bruno.leave()


def test_a_rule_set_with_its_words(house: House) -> None:
    page = house.ask("GET", "/api/rules/quick").json()
    assert page["rules"]["auction"]["last_bidder"] == "forced"
    assert {"option", "key", "args", "applies"} == set(page["words"][0])
    assert [entry["id"] for entry in house.ask("GET", "/api/rules").json()][:2] == ["classic", "quick"]
