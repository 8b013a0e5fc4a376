"""Nonsense over HTTP and WebSocket: the sender hears a refusal or is cut off, and no other table notices."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.e2e.house import Guest, House, house_in

GOOD = {"do": "play", "card": "3H", "v": 1, "id": "fuzz"}
NONSENSE: dict[str, str | bytes] = {
    "empty": "",
    "null": "null",
    "true": "true",
    "number": "17",
    "text": '"play"',
    "list": "[]",
    "list of commands": json.dumps([GOOD, GOOD]),
    "no fields": "{}",
    "not JSON": "{do: play}",
    "half": json.dumps(GOOD)[:-5],
    "NaN": '{"do":"play","card":"3H","id":"n","v":NaN}',
    "Infinity": '{"do":"play","card":"3H","id":"n","v":Infinity}',
    "1e309": '{"do":"play","card":"3H","id":"n","v":1e309}',
    "1e309 alone": "1e309",
    "a half version": json.dumps(GOOD | {"v": 1.5}),
    "a version below nothing": json.dumps(GOOD | {"v": -1}),
    "a version too large": json.dumps(GOOD | {"v": 2**64}),
    "a thousand digits": '{"do":"play","card":"3H","id":"n","v":' + "9" * 1000 + "}",
    "no id": json.dumps({k: v for k, v in GOOD.items() if k != "id"}),
    "a null id": json.dumps(GOOD | {"id": None}),
    "a long id": json.dumps(GOOD | {"id": "x" * 5000}),
    "an unknown deed": json.dumps(GOOD | {"do": "win"}),
    "a field too many": json.dumps(GOOD | {"seat": 2}),
    "a list for a card": json.dumps(GOOD | {"card": ["3H"]}),
    "no such card": json.dumps(GOOD | {"card": "9Z"}),
    "a lone surrogate": '{"do":"play","card":"\\ud800","v":1,"id":"s"}',
    "a zero byte": '{"do":"play","card":"3H\\u0000","v":1,"id":"z"}',
    "no such chair": json.dumps({"do": "sit", "chair": 9, "v": 1, "id": "c"}),
    "deep": "[" * 100_000,
    "deep and closed": '{"do":' * 5000 + "1" + "}" * 5000,
    "bytes": b"\x00\xff\xfe\x80",
    "good JSON in bytes": json.dumps(GOOD).encode(),
    "free text of a list": json.dumps({"do": "write", "text": ["ciao"], "v": 1, "id": "w"}),
    "free text of nothing": json.dumps({"do": "write", "text": "", "v": 1, "id": "w"}),
    "free text without end": json.dumps({"do": "write", "text": "a" * 1500, "v": 1, "id": "w"}),
    "free text that turns": json.dumps({"do": "write", "text": "\u202eciao\u0000", "v": 1, "id": "w"}),
    "a lone half in free text": '{"do":"write","text":"\\udfff","v":1,"id":"w"}',
    "manners of nobody": json.dumps({"do": "allow", "manners": None, "v": 1, "id": "a"}),
    "a way of watching that is none": json.dumps({"do": "allow", "manners": {"watch": "open"}, "v": 1, "id": "a"}),
    "manners too many": json.dumps({"do": "allow", "manners": {"watch": "off", "hands": 1}, "v": 1, "id": "a"}),
    "20 MB of text": '{"do":"play","card":"' + "A" * 20_000_000 + '"}',
    "20 MB of bytes": b"\x7b" * 20_000_000,
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house_in(tmp_path_factory.mktemp("fuzz")) as running:
        yield running


@pytest.fixture(scope="module")
def bystander(house: House) -> Iterator[Guest]:
    """Somebody in the middle of an undisturbed game at a table of their own."""
    guest = seated(house, "Bystander")
    yield guest
    guest.leave()


def seated(house: House, name: str, code: str = "") -> Guest:
    """A guest at a table whose game has begun, with bots in the other chairs."""
    guest = Guest(house, name)
    guest.enter(code or guest.table())
    guest.until("scene")
    if "sit" in guest.scene["table"]["may"]:
        guest.say(do="sit", chair=-1)
        accepted(guest)
    while "start" not in guest.scene["table"]["may"]:
        guest.until("scene")
    guest.say(do="start")
    accepted(guest)
    wait_for_turn(guest)
    return guest


def accepted(guest: Guest) -> dict[str, Any]:
    """The answer to the last command, once its scene has come as well."""
    answer = guest.until("ack", within=5)
    while guest.scene["v"] < answer["v"]:
        guest.until("scene")
    return answer


def wait_for_turn(guest: Guest) -> None:
    """Until the guest may do something."""
    while not moves(guest.scene) and "next" not in guest.scene["table"].get("may", []):
        guest.until("scene")


def moves(scene: dict[str, Any]) -> list[dict[str, Any]]:
    """The commands that the scene's viewer may give, the quietest first."""
    may = scene.get("deal", {}).get("options", {})
    found = [{"do": "pass"}] if may.get("may_pass") else []
    found += [{"do": "bid", "say": bid["say"]} for bid in may.get("bids", [])]
    found += [{"do": "call", "card": call["card"]} for call in may.get("calls", [])]
    found += [{"do": "play", "card": card} for card in may.get("plays", [])]
    return found + [{"do": "trump", "suit": suit} for suit in may.get("trumps", [])]


def one_move(guest: Guest) -> None:
    """Do one thing and hear it acknowledged, with nothing strange in between."""
    wait_for_turn(guest)
    guest.say(**(moves(guest.scene) or [{"do": "next"}])[0])
    before = len(guest.heard)
    accepted(guest)
    wait_for_turn(guest)
    assert {message["is"] for message in guest.heard[before:]} <= {"ack", "scene"}


def look(guest: Guest, code: str, origin: str | None = None) -> None:
    """Open a table's line and wait for its scene."""
    guest.enter(code, origin=origin)
    guest.until("scene", within=2)


def survives(house: House) -> None:
    """The house answers as ever."""
    assert house.ask("GET", "/api/rules").status == 200
    assert house.process
    assert house.process.poll() is None


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_is_refused_and_the_other_table_goes_on(house: House, bystander: Guest, what: str) -> None:
    mallory = seated(house, "Mallory")
    before = mallory.scene
    try:
        mallory.throw(NONSENSE[what])
        answer = mallory.until("no", within=5)
        assert answer["code"]
    except ConnectionClosed:
        assert mallory.line
        # The refusals of RFC 6455; in the middle of sending 20 MB the line may just break.
        assert mallory.line.close_code in (1003, 1007, 1008, 1009) or what.startswith("20 MB")
    one_move(bystander)
    survives(house)
    mallory.leave()
    back = Guest(house, "Mallory", mallory.cookie)
    back.cookie = mallory.cookie
    back.enter(before["table"]["code"])
    assert back.until("scene")["deal"] == before["deal"], "her own table is as it was"
    back.leave()


def test_a_storm_of_mutated_commands(house: House, bystander: Guest) -> None:
    mallory = seated(house, "Mallory")
    rng = random.Random(7)
    texts = [json.dumps(GOOD | {"id": f"m{n}"}) for n in range(150)]
    for text in texts:
        letters = list(text)
        for _ in range(rng.randint(1, 6)):
            letters[rng.randrange(len(letters))] = rng.choice('{}[]",:0e9-nul\\\x7fé')
        try:
            mallory.throw("".join(letters))
        except ConnectionClosed:
            mallory.enter(mallory.scene["table"]["code"])
    one_move(bystander)
    survives(house)
    mallory.leave()


def test_out_of_turn_stale_and_foreign_moves_are_refused(house: House) -> None:
    guest = seated(house, "Hasty")
    scene = guest.scene
    card = scene["deal"]["hand"][0]
    foreign = next(rank + "S" for rank in "A3KQJ7654" if rank + "S" not in scene["deal"]["hand"])
    for words in ({"do": "play", "card": card}, {"do": "play", "card": foreign}, {"do": "call", "card": foreign}):
        identity = guest.say(**words)
        refusal = guest.until("no")
        assert (refusal["id"], bool(refusal["code"])) == (identity, True)
    identity = guest.say(do="pass", v=max(0, scene["v"] - 1))
    assert guest.until("no")["id"] == identity
    assert guest.scene["deal"] == scene["deal"]
    guest.leave()


def test_the_same_command_twice_counts_once(house: House) -> None:
    guest = seated(house, "Twice")
    command = {"id": "once", "v": guest.scene["v"], **moves(guest.scene)[0]}
    guest.throw(json.dumps(command))
    first = accepted(guest)
    wait_for_turn(guest)
    before = guest.scene
    guest.throw(json.dumps(command))
    assert guest.until("ack") == first
    assert guest.hear(within=0.2) is None
    assert guest.scene == before
    guest.leave()


@pytest.mark.parametrize("cookie", ["", "me=forged", "me=" + "A" * 4000, "me=%00", "nonsense"])
def test_a_forged_cookie_sees_no_hand(house: House, bystander: Guest, cookie: str) -> None:
    code = bystander.scene["table"]["code"]
    name = bystander.cookie.split("=")[0]
    mallory = Guest(house, "Mallory")
    try:
        mallory.enter(code, {"Cookie": cookie.replace("me=", f"{name}=")} if cookie else {})
        scene = mallory.until("scene")
    except (InvalidHandshake, ConnectionClosed):
        return
    assert "you" not in scene["table"]
    assert "hand" not in scene["deal"]
    mallory.leave()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1.evil.example"])
def test_a_page_from_elsewhere_is_not_let_in(house: House, bystander: Guest, origin: str) -> None:
    mallory = Guest(house, "Mallory")
    with pytest.raises((InvalidHandshake, ConnectionClosed)):
        look(mallory, bystander.scene["table"]["code"], origin)
    foreign = {"Origin": origin, "Cookie": bystander.cookie}
    assert house.ask("POST", "/api/tables", {"rules": "classic"}, foreign).status == 403


BODIES: dict[str, Any] = {
    "null": None,
    "list": [],
    "no such rules": {"rules": "nonesuch"},
    "a list of rules": {"rules": ["classic"]},
    "a mapping of nonsense": {"rules": {"deck": 1, "auction": []}},
    "a clock of lists": {"rules": "classic", "clock": []},
    "a clock without end": {"rules": "classic", "clock": {"bank": 10**30}},
    "a field too many": {"rules": "classic", "admin": True},
    "no such way of watching": {"rules": "classic", "manners": {"watch": "open"}},
    "20 MB": {"rules": "x" * 20_000_000},
}


@pytest.mark.parametrize("what", BODIES)
def test_tables_are_not_made_of_nonsense(house: House, what: str) -> None:
    guest = Guest(house, "Maker")
    try:
        answer = house.ask("POST", "/api/tables", BODIES[what], {"Cookie": guest.cookie})
    except (BrokenPipeError, ConnectionResetError):
        assert what == "20 MB"
    else:
        assert 400 <= answer.status < 500, answer
        assert what == "20 MB" or answer.json()["faults"][0]["code"]
    survives(house)


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/decks/..%2f..%2f..%2fetc/passwd"])
def test_no_file_beside_the_page_is_served(house: House, path: str) -> None:
    answer = house.ask("GET", path)
    assert b"root:" not in answer.body


@pytest.mark.parametrize("code", ["ZZZZZ", "A", "x" * 5000, "%00", "'; drop table words; --".replace(" ", "%20")])
def test_a_table_that_is_not_there(house: House, code: str) -> None:
    assert house.ask("GET", f"/api/tables/{code}").status == 404
    lost = Guest(house, "Lost")
    with pytest.raises((InvalidHandshake, ConnectionClosed)):
        look(lost, code)


def test_the_log_of_the_house_is_quiet(house: House) -> None:
    """Runs last in this file: nonsense is no reason for a traceback."""
    assert "Traceback" not in (Path(house.folder) / "errors.txt").read_text(encoding="utf-8")
