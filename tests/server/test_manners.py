"""What a table allows: who may watch, and whether its people may write to each other."""

from __future__ import annotations

import msgspec
import pytest

from chiamata.rules.errors import Malformed
from chiamata.server import plain, replay, table, wire
from tests.server.driver import Driver, rules_with

OFF, DELAYED, CLOSED = wire.Manners("off"), wire.Manners("delayed"), wire.Manners()
CHAT = wire.Manners(chat=True)


def with_manners(manners: wire.Manners, **conduct: str) -> Driver:
    """A table of this kind; the maker and Bruno sit, nothing is dealt yet."""
    house = Driver(rules_with("classic", **({"conduct": conduct} if conduct else {})))
    for who in ("host", "bruno"):
        house.must(who, "sit")
    if manners != CLOSED:
        house.must("host", "allow", manners=manners)
    return house


def next_deal(house: Driver) -> None:
    house.play_deal()
    house.wait(20_000)
    assert house.stage == "playing" or house.state.opening is not None
    while house.stage != "playing":
        house.wait(10_000)


# --- watching ---------------------------------------------------------------------------------------


def test_hands_are_closed_to_watchers_unless_the_maker_chooses_otherwise() -> None:
    house = with_manners(CLOSED)
    house.must("host", "start")
    assert house.deal("walter").hand == []
    assert house.scene("walter").table.manners == CLOSED


@pytest.mark.parametrize("manners", [OFF, DELAYED])
def test_nothing_of_a_running_deal_is_shown_outside(manners: wire.Manners) -> None:
    house = with_manners(manners)
    house.must("host", "start")
    first = house.scene("walter")
    house.must("bruno", "say", phrase="luck")
    house.play_to("play")
    now = house.scene("walter")
    assert now == first, "not even that somebody moved or spoke"
    assert now.deal is None
    assert now.fair is None
    assert now.table.manners == manners
    assert house.scene("bruno").deal is not None
    assert house.deal("bruno").hand != []
    house.play_deal()
    assert house.scene("walter").deal is None
    assert len(house.scene("walter").sheet) == 1
    assert house.scene("walter").table.may == ["sit"]


def test_no_deal_is_shown_to_more_people_than_when_it_began() -> None:
    house = with_manners(OFF)
    house.must("host", "start")
    house.must("host", "allow", manners=CLOSED)
    assert house.scene("walter").table.manners == CLOSED
    assert house.scene("walter").deal is None
    house.play_deal()
    assert house.scene("walter").deal is None, "the end of it is not shown either"
    assert not table.may_look(house.state, 1, "walter")
    assert table.may_look(house.state, 1, "bruno")
    next_deal(house)
    assert house.scene("walter").deal is not None
    house.play_deal()
    assert table.may_look(house.state, 2, "walter")
    assert not table.may_look(house.state, 1, "walter")


def test_a_running_deal_is_hidden_at_once_and_stays_so() -> None:
    house = with_manners(CLOSED)
    house.must("host", "start")
    house.play_to("play")
    seen = house.scene("walter").v
    house.must("host", "allow", manners=OFF)
    assert house.scene("walter").deal is None
    assert house.scene("walter").v > seen, "a page takes it for newer"
    house.must("host", "allow", manners=CLOSED)
    assert house.scene("walter").deal is None
    assert house.state.kinds == ("off",)


def test_what_nobody_may_watch_is_open_once_the_game_is_over() -> None:
    house = Driver(rules_with("quick", session={"deals": 1, "allowed": None}))
    for who in ("host", "bruno"):
        house.must(who, "sit")
    house.must("host", "allow", manners=OFF)
    house.must("host", "start")
    house.play_deal()
    assert house.stage == "over"
    assert table.may_look(house.state, 1, "walter")
    past = replay.find(house.log, 1)
    assert past is not None
    assert replay.is_closed(past)


def test_the_maker_alone_chooses() -> None:
    house = with_manners(CLOSED)
    assert "allow" in house.scene("host").table.may
    assert "allow" not in house.scene("bruno").table.may
    assert house.refusal("bruno", "allow", manners=OFF) == "NOT_HOST"
    assert house.refusal("walter", "allow", manners=OFF) == "NOT_SEATED"
    v = house.state.v
    house.must("host", "allow", manners=CLOSED)
    assert house.state.v == v, "what is so already has no line"
    house.must("host", "stand")
    assert house.refusal("host", "allow", manners=OFF) == "NOT_SEATED"


def test_the_sheet_of_a_running_game_tells_nothing_of_its_deal() -> None:
    house = with_manners(OFF)
    house.must("host", "start")
    (before,) = replay.games(house.log).games
    house.play_to("play")
    assert replay.games(house.log).games == [before]


# --- free text --------------------------------------------------------------------------------------


def test_people_write_where_the_table_allows_it() -> None:
    house = with_manners(CLOSED)
    assert "write" not in house.scene("bruno").table.may
    assert house.refusal("bruno", "write", text="ciao") == "NO_CHAT"
    house.must("host", "allow", manners=CHAT)
    assert "write" in house.scene("bruno").table.may
    v = house.must("bruno", "write", text="  ciao a  tutti ").v
    told = [wire.WrittenScene(v, 1, "ciao a tutti")]
    assert house.scene("host").table.written == house.scene("walter").table.written == told
    assert house.refusal("bruno", "write", text="e poi") == "TOO_OFTEN"
    assert house.refusal("bruno", "say", phrase="hello") == "TOO_OFTEN"
    assert house.refusal("walter", "write", text="guarda") == "NOT_SEATED"


@pytest.mark.parametrize("talk", ["off", "canned", "free"])
def test_rules_that_forbid_talk_forbid_writing(talk: str) -> None:
    house = with_manners(CHAT, chat=talk)
    house.must("host", "start")
    allowed = ["free", "canned"]
    for phase in ("auction", "play"):
        house.play_to(phase)
        assert ("write" in house.scene("bruno").table.may) == (talk in allowed)
        house.now += 3_000
        if talk in allowed:
            house.must("bruno", "write", text="eh!")
        else:
            assert house.refusal("bruno", "write", text="eh!") == "SILENT_TABLE"
        allowed = ["free"]
    house.play_deal()
    assert "write" in house.scene("bruno").table.may


def test_what_was_written_is_told_to_no_replay_and_to_nobody_outside() -> None:
    house = with_manners(wire.Manners("delayed", chat=True))
    house.must("host", "start")
    house.must("bruno", "write", text="coppe!")
    house.play_deal()
    assert house.scene("walter").table.written == []
    past = replay.find(house.log, 1)
    assert past is not None
    assert b"coppe!" not in msgspec.json.encode(replay.show(past, None, []))
    assert b"coppe!" not in msgspec.json.encode(replay.games(house.log))


BAD = [
    "",
    "   ",
    "a\nb",
    "a\tb",
    "a\u202eb",
    "\u2066a",
    "a\u200fb",
    "\u2028",
    "\x00",
    "a\x7f",
    "\ud800",
    "a\u200b",
    "x" * 201,
]


@pytest.mark.parametrize("text", BAD)
def test_a_line_with_what_cannot_be_seen_is_refused(text: str) -> None:
    house = with_manners(CHAT)
    with pytest.raises(Malformed):
        plain.line(text)
    assert house.refusal("bruno", "write", text=text) == "BAD_TEXT"
    house.must("bruno", "write", text="<b>http://example.org</b>")
    assert house.scene("host").table.written[0].text == "<b>http://example.org</b>", (
        "as it is: no page makes more of it"
    )


def test_a_tower_of_marks_is_cut_and_what_is_composed_counts_as_one() -> None:
    assert plain.line("e" + "\u0301" * 40) == "é" + "\u0301" * 3
    assert plain.line("e\u0301" * 200) == "é" * 200
    assert plain.line("\uff21sso") == "Asso"
