"""Who sits at a table, who is away, and whose clock runs."""

from __future__ import annotations

from pathlib import Path

from chiamata.rules.moves import Pass
from chiamata.server import lines as say
from chiamata.server import pace, picture, table, wire
from tests.server.driver import Driver, with_bot_in_turn

# --- sitting down -----------------------------------------------------------------------------------


def test_the_first_empty_chair_then_a_bots() -> None:
    house = Driver()
    house.must("anna", "sit")
    house.must("anna", "bot", chair=1)
    house.must("bruno", "sit")
    assert [place.who for place in house.state.places] == ["anna", "", "bruno", "", ""]
    for who in ("carla", "dario"):
        house.must(who, "sit")
    house.must("elena", "sit")
    assert house.state.places[1].who == "elena"
    assert house.refusal("franco", "sit") == "TABLE_FULL"
    assert house.scene("franco").table.may == []


def test_a_chair_that_is_asked_for() -> None:
    house = Driver()
    house.must("anna", "sit", chair=3)
    assert house.scene("anna").table.you == 3
    assert house.refusal("bruno", "sit", chair=3) == "CHAIR_TAKEN"
    assert house.refusal("bruno", "sit", chair=7) == "NO_SUCH_CHAIR"
    assert house.refusal("anna", "sit", chair=1) == "SEATED_ALREADY"
    assert house.refusal("", "sit") == "NAME_NEEDED"
    assert house.scene("").table.may == ["sit"]


def test_a_bots_chair_is_taken_between_deals_only() -> None:
    house = Driver()
    house.sit_and_start("anna")
    assert house.refusal("bruno", "sit") == "NOT_BETWEEN_DEALS"
    assert house.refusal("bruno", "sit", chair=2) == "NOT_BETWEEN_DEALS"
    assert house.scene("bruno").table.may == []
    house.play_deal()
    score = house.scene().chairs[2].score
    house.must("bruno", "sit", chair=2)
    assert house.scene("bruno").chairs[2].name == "Bruno"
    assert house.scene("bruno").chairs[2].score == score


def test_in_the_lobby_an_absent_guests_chair_is_free() -> None:
    house = Driver()
    house.must("anna", "sit")
    house.do(say.Leave("anna"))
    house.must("bruno", "sit", chair=0)
    assert house.state.places[0].who == "bruno"


def test_who_leaves_during_a_deal_leaves_a_bot() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    house.must("bruno", "stand")
    assert house.scene().chairs[1].kind == "bot"
    house.play_deal()
    house.must("anna", "stand")
    assert house.scene().chairs[0].level == "random"


def test_who_leaves_the_lobby_leaves_an_empty_chair() -> None:
    house = Driver()
    house.must("anna", "sit")
    assert house.scene("anna").table.may == ["stand", "bot", "start", "say"]
    house.must("anna", "stand")
    assert house.scene().chairs[0].kind == "empty"
    assert house.refusal("anna", "stand") == "NOT_SEATED"


def test_bots_are_seated_by_anybody_who_sits() -> None:
    house = Driver()
    assert house.refusal("anna", "bot", chair=1) == "NOT_SEATED"
    house.must("anna", "sit")
    assert house.refusal("anna", "bot", chair=0) == "CHAIR_TAKEN"
    assert house.refusal("anna", "bot", chair=5) == "NO_SUCH_CHAIR"
    assert house.refusal("anna", "bot", chair=-1) == "NO_SUCH_CHAIR"
    house.must("anna", "bot", chair=1, level="simple")
    assert house.scene().chairs[1].level == "simple"
    house.must("anna", "start")
    assert house.refusal("anna", "bot", chair=1) == "NOT_BETWEEN_DEALS"
    assert [chair.level for chair in house.scene().chairs] == ["", "simple", "random", "random", "random"]


def test_anybody_seated_starts_the_game_even_without_the_host() -> None:
    house = Driver()
    assert house.refusal("anna", "start") == "NOT_SEATED"
    house.must("host", "sit")
    house.must("anna", "sit")
    assert [chair.host for chair in house.scene().chairs] == [True, False, False, False, False]
    house.do(say.Leave("host"))
    house.must("anna", "start")
    assert house.refusal("anna", "start") == "ALREADY_STARTED"
    assert house.deal().number == 1


def test_a_full_table_of_people_has_no_bots_to_change() -> None:
    house = Driver()
    for who in ("anna", "bruno", "carla", "dario", "elena"):
        house.must(who, "sit")
    assert house.scene("anna").table.may == ["stand", "start", "say"]
    facts = picture.facts(house.state)
    assert facts.names == ["Anna", "Bruno", "Carla", "Dario", "Elena"]
    assert facts.free == 0


# --- absence ----------------------------------------------------------------------------------------


def test_an_absent_players_chair_is_played_after_a_while_and_given_back() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    while house.turn != 1:
        house.move()
    assert house.do(say.Leave("bruno")).ask_bot is None
    assert house.last.wake == house.now + pace.AWAY
    house.wait(pace.AWAY - 1)
    assert not house.scene().chairs[1].stand_in
    house.wait(1)
    assert house.scene().chairs[1].stand_in
    assert house.last.ask_bot is not None
    assert house.last.ask_bot.level == ""
    house.move()
    assert house.scene().chairs[1].stand_in
    house.do(say.Arrive("bruno", "Bruno"))
    assert not house.scene().chairs[1].stand_in
    while house.turn != 1:
        house.move()
    assert house.last.ask_bot is None


def test_the_only_person_left_is_not_replaced_but_waited_for() -> None:
    house = Driver()
    house.sit_and_start("anna")
    while house.turn != 0:
        house.move()
    house.do(say.Leave("anna"))
    assert house.scene().table.state == "asleep"
    assert house.last.wake is None
    house.wait(10 * pace.AWAY)
    assert not house.scene().chairs[0].stand_in
    house.do(say.Arrive("anna", "Anna"))
    assert house.scene().table.state == "playing"
    assert not house.scene().chairs[0].stand_in


def test_a_sleeping_table_asks_no_bot() -> None:
    house = with_bot_in_turn()
    ask = house.last.ask_bot
    assert ask is not None
    house.do(say.Leave("anna"))
    assert house.last.ask_bot is None
    before = house.state
    house.do(say.BotSays(ask.turn, None))
    assert house.state == before


def test_a_table_that_all_have_left_for_good_plays_its_deal_out() -> None:
    house = with_bot_in_turn()
    house.must("anna", "stand")
    assert house.scene().table.state == "playing"
    house.play_deal()
    assert house.scene().table.state == "asleep"
    assert house.last.wake is None
    house.must("bruno", "sit")
    assert house.scene().table.state == "between"
    house.must("bruno", "next")
    assert house.deal().number == 2


def test_people_without_a_chair_come_and_go_unnoticed() -> None:
    house = Driver()
    v = house.state.v
    house.do(say.Arrive("walter", "Walter"))
    house.do(say.Leave("walter"))
    house.do(say.Arrive("", ""))
    house.do(say.Leave(""))
    assert house.state.v == v


def test_a_second_page_changes_nothing_and_a_new_name_is_taken() -> None:
    house = Driver()
    house.must("anna", "sit")
    v = house.state.v
    house.do(say.Arrive("anna", "Anna"))
    assert house.state.v == v
    house.do(say.Arrive("anna", "Annetta"))
    assert house.scene().chairs[0].name == "Annetta"
    house.do(say.Leave("anna"))
    v = house.state.v
    house.do(say.Leave("anna"))
    assert house.state.v == v


def test_an_absent_person_is_played_from_the_first_turn_of_the_next_deal() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    house.play_deal()
    house.do(say.Leave("bruno"))
    house.wait(pace.AWAY)
    assert house.scene().chairs[1].stand_in
    house.play_deal()
    assert len(house.scene().sheet) == 2


def test_a_restart_finds_nobody_here() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    house.now += 5_000
    house.do(say.Open(99))
    assert house.state.at == 0
    assert house.scene().table.state == "asleep"
    house.do(say.Arrive("anna", "Anna"))
    assert house.scene().table.state == "playing"


# --- clocks -----------------------------------------------------------------------------------------


def test_the_bank_pays_for_thinking_and_grows_with_each_move() -> None:
    house = Driver(clock=wire.ClockTag(bank=60, increment=2))
    house.sit_and_start("anna")
    assert house.scene().chairs[0].clock == 60_000
    assert house.scene().chairs[1].clock is None
    house.to_turn_of(0)
    house.now += 10_000
    assert house.scene().chairs[0].clock == 50_000
    house.say("anna", Pass(0))
    assert house.scene().chairs[0].clock == 52_000


def test_a_fallen_flag_lets_a_bot_decide_once() -> None:
    house = Driver(clock=wire.ClockTag(bank=10))
    house.sit_and_start("anna", "bruno")
    house.to_turn_of(0)
    assert house.last.wake == house.now + 10_000
    house.wait(10_000)
    assert house.scene().chairs[0].stand_in
    assert house.last.ask_bot is not None
    house.do(say.BotSays(house.last.ask_bot.turn, Pass(0)))
    assert not house.scene().chairs[0].stand_in
    assert house.scene().chairs[0].clock == 0


def test_a_player_may_still_decide_before_the_stand_in() -> None:
    house = Driver(clock=wire.ClockTag(bank=10))
    house.sit_and_start("anna")
    house.to_turn_of(0)
    house.wait(10_000)
    house.say("anna", Pass(0))
    assert not house.scene().chairs[0].stand_in


def test_each_deal_fills_the_banks() -> None:
    house = Driver(clock=wire.ClockTag(bank=10))
    house.sit_and_start("anna")
    house.to_turn_of(0)
    house.now += 4_000
    house.say("anna", Pass(0))
    house.play_deal()
    house.wait(pace.NEXT_DEAL)
    assert house.scene().chairs[0].clock == 10_000


def to_the_reveal(house: Driver) -> None:
    """Random legal moves until the called card has fallen."""
    while house.deal().phase != "play" or house.deal().partner is None:
        house.move()


def test_no_clock_runs_while_the_called_card_falls() -> None:
    house = Driver(clock=wire.ClockTag(bank=60))
    house.sit_and_start("anna", "bruno", "carla", "dario", "elena")
    to_the_reveal(house)
    chair = house.turn
    assert house.last.wake == house.now + pace.REVEAL + 60_000
    house.now += pace.REVEAL
    assert house.scene().chairs[chair].clock == 60_000
    house.now += 5_000
    assert house.scene().chairs[chair].clock == 55_000
    house.move()
    assert house.scene().chairs[chair].clock == 55_000


def test_the_page_and_the_house_let_the_clocks_stand_still_equally_long() -> None:
    page = (Path(__file__).parents[2] / "web" / "src" / "changes.ts").read_text("utf-8")
    assert f"export const STILL = {pace.REVEAL:_};" in page


def test_who_plays_while_the_called_card_falls_gains_no_time() -> None:
    house = Driver(clock=wire.ClockTag(bank=60))
    house.sit_and_start("anna", "bruno", "carla", "dario", "elena")
    to_the_reveal(house)
    chair = house.turn
    house.move()
    assert house.scene().chairs[chair].clock == 60_000


def test_a_bot_waits_until_the_called_card_has_fallen() -> None:
    house = Driver()
    house.sit_and_start("anna")
    stood_still = 0
    while table.stage_of(house.state) == "playing":
        hidden = house.deal().partner is None
        house.move()
        shown = hidden and house.deal().partner is not None
        ask = house.last.ask_bot
        if ask:
            assert house.state.turn_at - house.state.at == (pace.REVEAL if shown else 0)
            assert ask.pause == pace.bot_pause(ask.view.public, ask.dice, pace.REVEAL if shown else 0)
            assert ask.pause >= pace.PAUSE_LEAST + (pace.REVEAL if shown else 0)
            stood_still += shown
    assert stood_still == 1


def test_an_outage_is_not_charged() -> None:
    house = Driver(clock=wire.ClockTag(bank=60))
    house.sit_and_start("anna")
    house.to_turn_of(0)
    left = house.scene().chairs[0].clock
    house.state = table.fold(house.log)
    house.now = house.state.at  # the house's clock goes on from the last line
    house.do(say.Open(5))
    house.do(say.Arrive("anna", "Anna"))
    assert house.scene().chairs[0].clock == left
