"""What a chat shows below a link: words of both languages, no tag of anybody's making, nothing of a running deal."""

from __future__ import annotations

import msgspec
import pytest

from chiamata.rules.moves import Pass
from chiamata.server import picture, preview, replay
from chiamata.server.texts import Texts
from chiamata.server.web import Origins
from tests.server.driver import Driver

PAGE = b"<html><head><title>Chiamata</title></head><body></body></html>"


def test_a_table_tells_its_rules_and_whether_there_is_room() -> None:
    house = Driver("quick")
    first = preview.of_table(picture.facts(house.state), Texts("it"))
    assert first == preview.Preview("Tavolo ABCDE · Briscola Chiamata", "Rapida. Apri il link e siediti.")
    for who in ("anna", "bruno", "carla", "dario", "elena"):
        house.must(who, "sit")
    assert preview.of_table(picture.facts(house.state), Texts("en")).line == "Quick. Every chair is taken."
    house.must("anna", "start")
    playing = preview.of_table(picture.facts(house.state), Texts("en"))
    house.play_to("play")
    assert preview.of_table(picture.facts(house.state), Texts("en")) == playing


def test_a_table_of_rules_of_its_own() -> None:
    facts = picture.facts(Driver().state)
    own = msgspec.structs.replace(facts, rules=msgspec.structs.replace(facts.rules, id="custom"))
    assert preview.of_table(own, Texts("en")).line.startswith("Rules of your own.")


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_deal_tells_its_end_in_every_case(language: str) -> None:
    """Forty random deals: made and lost, with a partner and alone; and one where all pass."""
    lines = set()
    for seed in range(40):
        house = Driver("classic", seed=seed)
        house.sit_and_start("anna")
        house.play_deal()
        past = replay.find(house.log, 1)
        assert past is not None
        shown = preview.of_deal(past, Texts(language))
        assert "{" not in shown.line
        lines.add(shown.line)
        if house.scene().sheet[0].caller == 0:
            assert "Anna" in shown.line
    assert len(lines) > 20
    house = Driver("classic")
    house.sit_and_start("anna")
    while house.stage == "playing":
        house.move(Pass(house.turn))
    past = replay.find(house.log, 1)
    assert past is not None
    assert preview.of_deal(past, Texts(language)).line == Texts(language).say("preview.void")


def test_names_cannot_become_tags() -> None:
    rude = preview.Preview('"><script>', "<img>&'")
    page = preview.into(PAGE, rude, "http://127.0.0.1", '/t/"><b>')
    assert b"<script>" not in page
    assert b"<img>" not in page
    assert b"<b>" not in page
    assert page.count(b"</head>") == 1
    assert b'content="http://127.0.0.1/preview.png"' in page


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("cards.example.org", "https://cards.example.org"),
        ("CARDS.example.org", "https://cards.example.org"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("evil.example", ""),
        ("", ""),
    ],
)
def test_addresses_are_told_as_people_reach_them(host: str, origin: str) -> None:
    assert Origins(["https://cards.example.org"]).of_host(host) == origin
