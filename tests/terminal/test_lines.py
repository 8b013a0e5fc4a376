"""The ways to a table: a house in this process, and a real one on the net that is killed and comes back."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from chiamata.doors.cli import main
from chiamata.doors.terminal.changes import Change
from chiamata.doors.terminal.choices import all_of
from chiamata.doors.terminal.kept import Cookies
from chiamata.doors.terminal.lines import Away, at_home, there
from chiamata.doors.terminal.session import Finding, Session
from chiamata.rules import catalogue
from chiamata.rules.errors import Malformed
from chiamata.server import wire
from tests.e2e.house import Guest, house_in

NAMES = ["Ada", "Bruno", "Cesira", "Dante", "Elvira", "Fosco"]
WITHIN = 60
"""Seconds that a loaded machine may take over a deal."""


class Watched:
    """A session whose next news can be waited for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.refused: list[str] = []
        self.findings: list[Finding] = []
        self._news = asyncio.Event()
        session.screen = self

    def on_scene(self, happened: list[Change]) -> None:
        self._news.set()

    def on_no(self, code: str) -> None:
        self.refused.append(code)

    def on_fair(self, finding: Finding) -> None:
        self.findings.append(finding)
        self._news.set()

    def on_state(self) -> None:
        self._news.set()

    @property
    def scene(self) -> wire.Scene:
        assert self.session.scene is not None
        return self.session.scene

    def deal(self) -> wire.DealScene:
        assert self.scene.deal is not None
        return self.scene.deal

    async def until(self, wanted: Callable[[], object]) -> None:
        """Wait until this holds; the first legal move is made wherever one is asked for."""
        async with asyncio.timeout(WITHIN):
            while not wanted():
                self._news.clear()
                if moves := all_of(self.session.may):
                    self.session.act(moves[-1] if moves[-1].kind == "play" else moves[0])
                await self._news.wait()


async def running(watched: Watched, deed: Awaitable[None]) -> None:
    """This, while the session hears its house."""
    task = asyncio.ensure_future(watched.session.run())
    try:
        await deed
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_a_deal_at_home() -> None:
    async def deed() -> None:
        async with at_home(catalogue.load("quick"), "simple", "Anna", pace=0) as line:
            watched = Watched(Session(line, NAMES))

            async def play() -> None:
                await watched.until(lambda: watched.session.scene)
                assert watched.scene.table.state != "lobby"  # nobody need see the chairs fill
                await watched.until(lambda: watched.scene.deal and watched.deal().phase == "done")
                assert [chair.name for chair in watched.scene.chairs] == ["Anna", *NAMES[1:5]]
                assert {chair.level for chair in watched.scene.chairs[1:]} == {"simple"}
                await watched.until(lambda: watched.findings)
                assert watched.findings == ["fine"]
                told = (await line.hub.transcripts(line.code))[0]
                assert [bool(share) for share in told.shares] == [seat.startswith("person:") for seat in told.seats]
                assert told.cutter == told.chairs.index(0)

            await running(watched, play())
        assert watched.refused == []

    asyncio.run(deed())


def test_a_real_house_is_killed_and_comes_back(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        host = Guest(house, "Host")
        code = host.table("classic")
        host.enter(code)
        host.until("scene")
        host.say(do="stand")
        host.until("ack")
        host.leave()

        async def play(watched: Watched) -> None:
            await watched.until(lambda: watched.session.scene)
            assert watched.scene.table.you is None
            watched.session.send(wire.DoSit)
            await watched.until(lambda: watched.scene.table.you is not None)
            for chair in range(1, 5):
                watched.session.send(wire.DoBot, chair=chair, level="simple")
            watched.session.send(wire.DoStart)
            await watched.until(lambda: watched.scene.deal and watched.deal().tricks_done == 3)
            before = watched.deal().auction
            await asyncio.to_thread(house.kill)
            await watched.until(lambda: watched.session.state == "lost")
            assert all_of(watched.session.may) == []
            await asyncio.to_thread(house.start)
            await watched.until(lambda: watched.session.state == "open")
            assert watched.deal().auction == before
            await watched.until(lambda: watched.deal().tricks_done == 5)
            assert watched.scene.chairs[0].name == "Bea"
            assert watched.refused == []

        cookies = Cookies(tmp_path / "state" / "guests.json")

        async def deed() -> None:
            async with there(Away.from_text(f"{house.url}/t/{code.lower()}"), "Bea", cookies) as line:
                watched = Watched(Session(line, NAMES, lambda attempt: 0.02))
                await running(watched, play(watched))
            async with there(Away(house.url, code), "Bea again", cookies) as line:
                watched = Watched(Session(line, NAMES))
                await running(watched, watched.until(lambda: watched.session.scene and watched.scene.table.you == 0))

        asyncio.run(deed())
        assert stat.S_IMODE(cookies.path.stat().st_mode) == 0o600


def test_cookies_that_cannot_be_read_or_kept_are_none(tmp_path: Path) -> None:
    for content in ("", "[]", "{"):
        (tmp_path / "guests.json").write_text(content)
        assert Cookies(tmp_path / "guests.json").get("https://x") == ""
    nowhere = Cookies(tmp_path / "guests.json" / "below a file")
    nowhere.put("https://x", "chiamata=1")
    assert nowhere.get("https://x") == ""


@pytest.mark.parametrize("text", ["", "ABCDE", "https://cards.example.org/", "ftp://x/t/ABCDE", "https://x/t/ABCD"])
def test_what_is_no_address_of_a_table(text: str) -> None:
    with pytest.raises(Malformed, match="NOT_A_TABLE"):
        Away.from_text(text)


def test_what_cannot_be_played_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with house_in(tmp_path) as house:
        assert main(["--language", "en", "play", "--plain", "--at", f"{house.url}/t/AAAAA"]) == 1
        assert "There is no such table" in capsys.readouterr().err
        gone = house.url
    for words, answer in (
        (["--at", f"{gone}/t/AAAAA"], "Nobody answers at"),
        (["--at", "AAAAA"], "Write it as https://cards.example.org/t/ABCDE."),
        (["--level", "wizard"], "--level wants one of"),
        (["--name", "\u202e"], "--name wants 1 to 20 letters"),
        (["--rules", "nosuch"], "nosuch"),
    ):
        assert main(["--language", "en", "play", "--plain", *words]) == 1
        assert answer in capsys.readouterr().err
