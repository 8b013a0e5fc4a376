"""A pack of one's own: from a zip or a folder, kept in the browser, sent to nobody; what is wrong is said by file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator

from tests.e2e.kit import Person
from tests.e2e.test_page import axe_faults, layout_faults
from tools.deck.__main__ import FOLDER

Arrive = Callable[..., Person]
CARDS = [f"{rank}{suit}" for suit in "DHSC" for rank in ("A", "3", "K", "Q", "J", "7", "6", "5", "4", "2")]
DRAWN = """() => document.querySelector('.hand img') && [...document.querySelectorAll('.hand img')]
  .every((img, at, all) => all.length > 0 && img.src.startsWith('blob:') && img.complete && img.naturalWidth > 0)"""


def picture(card: str) -> bytes:
    """Some picture of a card: a face of ours."""
    return (FOLDER / "nord" / f"{card}.svg").read_bytes()


def pack(*without: str, **more: bytes) -> bytes:
    """A zip of forty pictures, less or more."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for card in CARDS:
            if card not in without:
                archive.writestr(f"carte/{card}.svg", picture(card))
        for name, content in more.items():
            archive.writestr(f"{name}.png", content)
    return packed.getvalue()


def open_sheet(person: Person) -> Locator:
    """From the first page to the sheet of the own pack."""
    person.open()
    person.button(person.word("settings")).click()
    person.button(person.word("pack_open")).click()
    sheet = person.page.get_by_role("dialog", name=person.word("pack_title"))
    sheet.wait_for()
    return sheet


def choose(person: Person, sheet: Locator, content: bytes) -> None:
    """Hand over a zip."""
    chooser = sheet.get_by_label(person.word("pack_zip"))
    chooser.set_input_files({"name": "carte.zip", "mimeType": "application/zip", "buffer": content})


def test_a_pack_from_a_zip_is_drawn_kept_and_never_sent(arrive: Arrive) -> None:
    person = arrive("it")
    asked: list[str] = []
    sheet = open_sheet(person)
    faults = axe_faults(person, "own pack") + layout_faults(person, "own pack")
    person.page.on("request", lambda request: asked.append(request.url))
    choose(person, sheet, pack())
    sheet.get_by_text(person.word("pack_kept")).wait_for()
    assert not [url for url in asked if not url.startswith("blob:")], "nothing leaves the browser"
    person.play_now()
    person.page.wait_for_function(DRAWN)
    faults += axe_faults(person, "table with an own pack") + layout_faults(person, "table with an own pack")
    person.page.reload()
    person.page.wait_for_function(DRAWN)
    sheet = open_sheet(person)
    sheet.get_by_role("button", name=person.word("pack_remove")).click()
    sheet.get_by_role("button", name=person.word("pack_remove")).wait_for(state="hidden")
    person.play_now()
    person.page.wait_for_function("() => document.querySelector('.hand img')?.src.includes('/classica/')")
    assert not faults, "\n".join(faults)


def test_a_pack_from_a_folder(arrive: Arrive, tmp_path: Path) -> None:
    person = arrive("en")
    for card in CARDS:
        (tmp_path / f"{card.lower()}.svg").write_bytes(picture(card))
    sheet = open_sheet(person)
    sheet.get_by_label(person.word("pack_folder")).set_input_files(tmp_path)
    sheet.get_by_text(person.word("pack_kept")).wait_for()


def test_what_is_wrong_with_a_pack_is_said_by_file_and_the_deck_stays(arrive: Arrive) -> None:
    person = arrive("it")
    sheet = open_sheet(person)
    choose(person, sheet, pack("3H", tre=b"\x89PNG\r\n\x1a\n"))
    sheet.get_by_text(person.word("pack_missing", cards="3H", file="3H.png")).wait_for()
    sheet.get_by_text(person.word("pack_unknown", file="tre.png")).wait_for()
    choose(person, sheet, pack("3H", **{"3H": b"\x89PNG\r\n\x1a\n, and no picture after that"}))
    sheet.get_by_text(person.word("pack_broken", file="3H.png")).wait_for()
    wide = b'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"/>'
    choose(person, sheet, pack("AD", AD=wide))
    sheet.get_by_text(person.word("pack_ratio", file="AD.png", size="300 × 200")).wait_for()
    evil = b'<svg xmlns="http://www.w3.org/2000/svg" width="112" height="208"><script>window.cracked=1</script></svg>'
    choose(person, sheet, pack("AD", AD=evil))
    sheet.get_by_text(person.word("pack_kept")).wait_for()
    person.play_now()
    person.page.wait_for_function(DRAWN)
    assert not person.page.evaluate("'cracked' in window")
