"""How deals came about, over HTTP: nothing before a deal has ended, for anybody, and then all of it."""

from __future__ import annotations

import json
from pathlib import Path

from chiamata.rules import fair
from tests.e2e.house import Guest, House, house_in


def refusals(house: House, code: str, cookie: str) -> set[bytes]:
    """What the host and a stranger get of the running deal, and of one that there is not."""
    paths = [f"/api/tables/{code}/deals/{number}/transcript" for number in (1, 2, 99)]
    answers = [house.ask("GET", path, None, headers) for path in paths for headers in ({"Cookie": cookie}, {})]
    assert {answer.status for answer in answers} == {404}
    return {answer.body for answer in answers}


def choose(options: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    """A pass where one may, else the first move."""
    if options.get("may_pass"):
        return {"do": "pass"}
    if "bids" in options:
        return {"do": "bid", "say": options["bids"][0]["say"]}
    if "calls" in options:
        return {"do": "call", "card": options["calls"][0]["card"]}
    return {"do": "play", "card": str(options["plays"][0])}


def test_a_transcript_is_told_when_its_deal_has_ended(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        anna = Guest(house, "Anna")
        code = anna.table("quick")
        anna.enter(code)
        anna.until("scene")
        anna.say(do="start")
        while anna.scene.get("fair", {}).get("step") != "ended":
            options = anna.scene.get("deal", {}).get("options")
            if options:  # the house waits for her
                if len(anna.scene["deal"]["hand"]) in (8, 1):
                    assert len(refusals(house, code, anna.cookie)) == 1
                    assert house.ask("GET", f"/api/tables/{code}/transcripts").json() == {"deals": []}
                assert "secret" not in anna.scene["fair"]
                anna.say(**choose(options))
            anna.until("scene")
        answer = house.ask("GET", f"/api/tables/{code}/deals/1/transcript")
        (told,) = fair.read(answer.body)
        assert all(fair.check(told).values())
        assert told.secret == anna.scene["fair"]["secret"]
        assert json.loads(house.ask("GET", f"/api/tables/{code}/transcripts").body)["deals"] == [answer.json()]
        anna.leave()
        house.kill()
        house.start()  # of a table that is not being served, too
        assert house.ask("GET", f"/api/tables/{code}/deals/1/transcript").body == answer.body
