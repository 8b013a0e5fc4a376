"""An ended deal goes on: as a picture, in a frame of another page, below a link; and trick by trick with the notes."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from chiamata.server.web import HEADERS
from tests.e2e.house import House
from tests.e2e.kit import DESKTOP, Person
from tests.e2e.test_page import axe_faults, layout_faults
from tests.e2e.test_replay import through_a_deal

Arrive = Callable[..., Person]
Diary = tuple[str, dict[str, str]]


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height of a PNG, from its first chunk."""
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", head[16:24])
    return wide, high


@pytest.fixture(scope="module")
def diary() -> Iterator[Diary]:
    """Somebody else's site on this machine: its address, and the pages that it has."""
    pages: dict[str, str] = {}

    class Diary(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages.get(self.path, "").encode())

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Site(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A browser that has gone before it has read everything is no fault."""

    with Site(("127.0.0.1", 0), Diary) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", pages
        server.shutdown()
        thread.join()


def downloaded(person: Person, folder: Path) -> Path:
    """The picture that the page draws."""
    with person.page.expect_download() as kept:
        person.page.locator(".btn:visible", has_text=person.word("as_picture")).first.click()
    picture = folder / kept.value.suggested_filename
    kept.value.save_as(picture)
    return picture


def test_a_deal_as_a_picture_a_frame_and_trick_by_trick(
    arrive: Arrive, house: House, diary: Diary, tmp_path: Path
) -> None:
    anna = arrive("it")
    anna.play_now()
    code = through_a_deal(anna)
    anna.open(f"/r/{code}/1")
    anna.button(anna.word("timeline")).click()
    dialog = anna.page.get_by_role("dialog", name=anna.word("timeline"))
    faults = axe_faults(anna, "timeline") + layout_faults(anna, "timeline")
    dialog.get_by_role("button", name=anna.word("timeline_trick", n=3)).click()
    expect(dialog.get_by_role("row")).to_have_count(9)
    expect(dialog.get_by_role("row").nth(3).get_by_role("cell")).to_have_count(5)
    dialog.get_by_role("button", name=anna.word("close")).click()
    expect(anna.page.locator("input[type=range]")).not_to_have_value("0")
    anna.press(anna.word("menu"))
    deal = downloaded(anna, tmp_path)
    assert deal.name == f"chiamata-{code}-1.png"
    assert size_of(deal)[0] == 1080
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    anna.button(anna.word("copy_embed")).click()
    anna.page.get_by_text(anna.word("copied"), exact=True).first.wait_for()
    embed = str(anna.page.evaluate("navigator.clipboard.readText()"))
    assert f'src="{house.url}/e/{code}/1"' in embed
    anna.open(f"/g/{code}")
    anna.page.get_by_role("link", name=anna.word("watch_deal", n=1)).wait_for()
    assert size_of(downloaded(anna, tmp_path))[0] == 1080
    friend = arrive("en", DESKTOP)
    address, pages = diary
    pages["/deal"] = embed
    friend.page.goto(address + "/deal")
    frame = friend.page.frame_locator("iframe")
    frame.get_by_role("list", name=friend.word("open_cards")).get_by_role("listitem").nth(4).wait_for()
    away = frame.get_by_role("link")
    expect(away).to_have_count(1)
    expect(away).to_have_attribute("target", "_blank")
    friend.page.goto(f"{house.url}/e/{code}/1")
    friend.page.get_by_role("list", name=friend.word("open_cards")).wait_for()
    faults += axe_faults(friend, "frame") + layout_faults(friend, "frame")
    assert not faults


SHARE_SHEET = """() => {
  window.shared = [];
  const set = (name, value) => Object.defineProperty(navigator, name, { value, configurable: true });
  set('canShare', ({ files }) => !files || window.mood !== 'texts');
  set('share', async ({ files = [], text }) => {
    shared.push([files.map(file => [file.name, file.type, file.size > 10000]), text]);
    if (window.mood === 'shut') throw new DOMException('', 'AbortError');
    if (window.mood === 'late') throw new DOMException('', 'NotAllowedError');
  });
}"""
"""A phone's share sheet: it takes files, or texts alone; people shut it; it refuses what comes long after the tap."""


def test_a_picture_goes_to_the_share_sheet_as_a_file_and_is_kept_where_there_is_none(arrive: Arrive) -> None:
    anna = arrive("it")
    anna.play_now()
    code = through_a_deal(anna)
    anna.page.add_init_script(f"({SHARE_SHEET})()")
    anna.open(f"/g/{code}")
    kept: list[str] = []
    anna.page.on("download", lambda download: kept.append(download.suggested_filename))
    draw = anna.page.locator(".btn:visible", has_text=anna.word("as_picture"))
    name, link = f"chiamata-{code}-1.png", f"{anna.house.url}/g/{code}"
    handed = [[[name, "image/png", True]], link]
    for times, mood in enumerate(("takes", "shut"), 1):
        anna.page.evaluate("mood => { window.mood = mood }", mood)
        draw.click()
        anna.page.wait_for_function("times => shared.length === times", arg=times)
    for mood in ("late", "texts"):
        anna.page.evaluate("mood => { window.mood = mood }", mood)
        with anna.page.expect_download():
            draw.click()
    assert anna.page.evaluate("shared") == [handed] * 3, "each tap once, and never what it does not take"
    assert kept == [name] * 2, "nothing is kept that was handed over, or that nobody wants"
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    anna.page.evaluate("mood => { window.mood = mood }", "late")
    anna.button(anna.word("share")).first.click()
    anna.page.get_by_text(anna.word("copied"), exact=True).wait_for()
    assert link in anna.page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize(
    "path", ["/", "/t/{code}", "/r/{code}/1", "/g/{code}", "/e/{code}", "/e/{code}/0", "/e/{code}/1/"]
)
def test_no_other_page_can_be_framed(arrive: Arrive, house: House, diary: Diary, path: str) -> None:
    walter = arrive("en")
    address, pages = diary
    pages["/else"] = f'<iframe src="{house.url}{path.format(code="ABCDE")}"></iframe>'
    walter.page.goto(address + "/else")
    assert not walter.page.frames[1].url.startswith(house.url)
    assert any("frame-ancestors" in fault for fault in walter.faults)
    walter.faults.clear()


def test_a_replay_alone_may_be_framed(house: House) -> None:
    """One form of address, and what it answers differs in nothing else."""
    policy = house.ask("GET", "/e/AAAAA/1").headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert policy.replace("frame-ancestors *", "frame-ancestors 'none'") == HEADERS["content-security-policy"]


def previewed(house: House, path: str, language: str = "it") -> dict[str, str]:
    """What a chat reads below a link."""
    page = house.ask("GET", path, headers={"Accept-Language": f"{language},en;q=0.5"}).body.decode()
    return dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)"', page))


def test_a_link_says_what_it_leads_to_and_nothing_of_a_running_deal(arrive: Arrive, house: House) -> None:
    anna = arrive("it")
    anna.play_now()
    code = str(anna.scene["table"]["code"])
    table = previewed(house, f"/t/{code}")
    assert table["og:title"] == anna.word("preview.table", code=code)
    assert table["og:url"] == f"{house.url}/t/{code}"
    assert house.ask("GET", table["og:image"].removeprefix(house.url)).headers["content-type"] == "image/png"
    assert previewed(house, f"/r/{code}/1") == {}
    through_a_deal(anna)
    assert previewed(house, f"/t/{code}") == table, "play changes nothing of it"
    deal = previewed(house, f"/r/{code}/1")
    assert deal["og:title"] == anna.word("preview.deal", n=1, code=code)
    assert deal["og:description"]
    assert previewed(house, f"/r/{code}/1", "en")["og:title"].startswith("Deal 1")
    assert previewed(house, "/t/ZZZZZ") == previewed(house, f"/r/{code}/2") == previewed(house, f"/r/{code}/x") == {}
