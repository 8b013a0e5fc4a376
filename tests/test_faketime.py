"""A house whose calendar is set back and forth under it, by libfaketime: ``make clocks``.

``tests/test_clocks.py`` shows under simulated time that no decision asks the calendar; this is one game on a house of
its own process, so that nothing that it is built on asks it either.  Skipped where Debian's ``libfaketime``
is not there; CHIAMATA_FAKETIME may name the library.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from chiamata.server import boxes, vault
from chiamata.server.archive import FileArchive
from chiamata.server.archive import check as check_log
from tests.e2e.house import Guest, House
from tests.server.test_past_routes import first_move

FOUND = [os.environ.get("CHIAMATA_FAKETIME", ""), *map(str, Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))]
LIBRARY = next((path for path in FOUND if path and Path(path).exists()), "")
pytestmark = pytest.mark.skipif(not LIBRARY, reason="no libfaketime here (Debian: apt-get install libfaketime)")
JUMPS = ("+4500d", "-9000d", "+1", "-1", "+1h", "-1h", "+1d", "-1d", "+0")
"""From now, one after the other: past 2038, before 2003, a second, an hour, a day, and right."""
FAR = 2
"""So many of them lead into another year."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """The monotonic clock is left as it is: nothing can set that one."""
    running = House(tmp_path)
    running.variables = {
        "LD_PRELOAD": LIBRARY,
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_TIMESTAMP_FILE": str(tmp_path / "calendar"),
    }
    (tmp_path / "calendar").write_text("+0")
    running.start()
    yield running
    running.stop()


def follows(house: House, away: bool) -> None:
    """Waits until the house's answers are dated in another year than ours, or in ours; it looks once a second."""
    end = time.monotonic() + 10
    while (parsedate_to_datetime(house.ask("GET", "/health").headers["date"]).year != time.gmtime().tm_year) != away:
        assert time.monotonic() < end, "the calendar was not set"
        time.sleep(0.1)


def test_a_game_on_a_house_whose_calendar_jumps(house: House) -> None:
    anna, begun = Guest(house, "Anna"), time.monotonic()
    rules = {"id": "custom", "session": {"kind": "deals", "deals": 1, "allowed": None}}
    asked = {"rules": rules, "clock": {"bank": 60, "increment": 5}}
    code = house.ask("POST", "/api/tables", asked, {"Cookie": anna.cookie}).json()["code"]
    anna.enter(code)
    anna.until("scene")
    anna.say(do="start")
    moves, done = 0, -1
    while anna.scene["table"]["state"] != "over":
        scene = anna.until("scene", within=30)
        options = scene.get("deal", {}).get("options", {})
        if scene["v"] <= done or not options:
            continue
        done = scene["v"]
        assert not any(chair.get("stand_in") for chair in scene["chairs"]), "a bot plays for somebody who is here"
        (house.folder / "calendar").write_text(JUMPS[moves % len(JUMPS)])
        if moves <= FAR:
            follows(house, moves < FAR)
        moves += 1
        anna.say(**first_move(options))
        anna.until("ack")
        if moves == FAR:  # taken up again in another year
            house.kill()
            anna.leave()
            house.start()
            anna.enter(code)
    anna.leave()
    assert moves >= len(JUMPS)
    stored = [line for _, line in FileArchive(house.folder / "house.db").lines(code)]
    log = [json.loads(line) for line in boxes.read(code, stored, vault.read(house.folder / "house.db.key")).lines]
    times = [line["at"] for line in log]
    assert times == sorted(times)
    assert times[-1] <= 1_000 * (time.monotonic() - begun), "the table's own time is that of the monotonic clock"
    assert len({line["wall"] for line in log if "wall" in line}) > 1
    assert not any(line["do"] == "stand-in" for line in log)
    assert [one.trouble for one in check_log(FileArchive(house.folder / "house.db"))] == [""]
    assert (house.folder / "errors.txt").read_text("utf-8") == ""
