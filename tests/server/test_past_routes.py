"""A running deal is closed at every address; once it has ended it is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from starlette.routing import Route

from chiamata.server.app import Routes, routes_of
from chiamata.server.openapi import SAID
from tests.e2e.house import Guest, house_in


def test_an_ended_deal_is_told_and_a_running_one_is_not(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        anna = Guest(house, "Anna")
        through_a_deal(anna)
        anna.leave()


def through_a_deal(anna: Guest) -> None:
    """Try every address before each of her moves, and after the last one."""
    house = anna.house
    code = anna.table({"id": "custom", "session": {"kind": "deals", "deals": 5, "allowed": None}})
    anna.enter(code)
    anna.until("scene")
    anna.say(do="start")
    deals = f"/api/tables/{code}/deals"
    closed = ("1", "1.txt", "1.jsonl", "1?chair=0", "2")
    notes = {"deal": 1, "marks": [0, 1]}
    done = -1
    while not anna.scene.get("sheet"):
        scene = anna.until("scene")
        options = scene.get("deal", {}).get("options", {})
        if scene["v"] <= done or not options:
            continue
        done = scene["v"]
        assert [house.ask("GET", f"{deals}/{name}").status for name in closed] == [404] * len(closed)
        assert house.ask("GET", f"/api/tables/{code}/games").headers["cache-control"] == "no-store"
        assert house.ask("POST", f"/api/tables/{code}/notes", notes, {"Cookie": anna.cookie}).status == 200
        assert house.ask("POST", f"/api/tables/{code}/notes", notes).status == 409, "a stranger's"
        assert house.ask("GET", f"/api/tables/{code}/notes").json()["notes"] == []
        anna.say(**first_move(options))
    answers = [house.ask("GET", path) for path in (f"{deals}/1", f"/api/tables/{code}/games")]
    assert {answer.headers["cache-control"] for answer in answers} == {"private, no-cache"}  # may be kept, both
    told = answers[0].json()
    assert [len(hand) for hand in told["steps"][0]["hands"]] == [8] * 5
    assert told["notes"][0]["chair"] == 0
    assert house.ask("GET", f"{deals}/1.txt").body.decode().startswith(f"# {code} 1: A Anna, B bot")
    assert house.ask("GET", f"{deals}/1.jsonl").body.count(b"\n") > 6
    assert house.ask("GET", f"{deals}/1?chair=7").status == 404
    assert house.ask("GET", f"{deals}/2").status == 404
    assert len(house.ask("GET", f"/api/tables/{code}/games").json()["games"][0]["sheet"]) == 1
    assert house.ask("GET", f"/api/tables/{code}/rules").json()["nearest"] == "classic"
    every_answer_is_as_described(anna, code)


def every_answer_is_as_described(anna: Guest, code: str) -> None:
    """What docs/openapi.json says that there is to be had of a table with an ended deal, and of no table."""
    places = {"code": code, "number": "1", "name": "1", "id": "quick"}
    asked = [route for route in routes_of(Routes) if isinstance(route, Route) and route.path.startswith("/api")]
    for route in asked:
        if "GET" in (route.methods or ()) and ":path" not in route.path:
            answer = anna.house.ask("GET", route.path.format(**places), None, {"Cookie": anna.cookie})
            assert answer.status == 200, route.path
            msgspec.json.decode(answer.body, type=SAID[f"Routes.{route.name}"].gives)


def first_move(options: dict[str, Any]) -> dict[str, Any]:
    """Pass where one may, else the first card or call."""
    if options.get("may_pass"):
        return {"do": "pass"}
    if options.get("plays"):
        return {"do": "play", "card": options["plays"][0]}
    if options.get("calls"):
        return {"do": "call", "card": options["calls"][0]["card"]}
    return {"do": "bid", "say": options["bids"][0]["say"]}
