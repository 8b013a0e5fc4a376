"""One table, without a house: games, moves, bots, ends, idempotence; the fold is the live state."""

from __future__ import annotations

import pytest

from chiamata.rules import catalogue
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import Bid, Call, Pass, Play
from chiamata.server import lines as say
from chiamata.server import pace, seating, table, wire
from tests.server.driver import Driver, rules_with, with_bot_in_turn

# --- whole games ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", catalogue.names())
def test_a_whole_game_of_every_rule_set(name: str) -> None:
    house = Driver(name, seed=5)
    house.sit_and_start("anna", "bruno")
    for _ in range(3):
        house.play_deal()
        if house.stage == "over":
            break
        assert house.scene().table.next_in is not None
        house.wait(pace.NEXT_DEAL)
    if house.stage != "over" and house.rules.session.kind in ("open", "time"):
        house.must("anna", "end")
        house.must("bruno", "end")
    house.play_game()
    scene = house.scene("anna")
    assert scene.table.state == "over"
    best = max(chair.score for chair in scene.chairs)
    assert {scene.chairs[chair].score for chair in scene.table.winners} == {best}
    assert [sum(row.payoff[chair] for row in scene.sheet) for chair in range(len(scene.chairs))] == [
        chair.score for chair in scene.chairs
    ]


def test_a_rematch_needs_everybody_who_is_here() -> None:
    house = Driver("quick")
    house.sit_and_start("anna", "bruno")
    house.play_game()
    first = house.state.game
    house.must("anna", "next")
    assert house.stage == "over"
    assert "next" not in house.scene("anna").table.may
    house.must("bruno", "next")
    assert house.stage == "playing"
    assert house.scene().table.game == 2
    assert house.state.game is not first
    assert all(chair.score == 0 for chair in house.scene().chairs)


# --- between deals ----------------------------------------------------------------------------------


def test_the_next_deal_comes_when_everybody_present_asks() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno", "carla")
    assert house.refusal("anna", "next") == "NOT_BETWEEN_DEALS"
    house.play_deal()
    house.do(say.Leave("carla"))
    house.must("anna", "next")
    assert house.scene().chairs[0].ready
    answer = house.ask("anna", "next")
    assert answer == wire.Ack(answer.id, house.state.v)
    assert house.stage == "between"
    house.must("bruno", "next")
    assert house.stage == "playing"
    assert house.ask("anna", "next", v=answer.v, ident=answer.id) == answer
    assert house.refusal("dario", "next") == "NOT_SEATED"
    assert house.refusal("dario", "next", v=answer.v) == "NOT_SEATED"


def test_the_next_deal_comes_by_itself() -> None:
    house = Driver()
    house.sit_and_start("anna")
    house.play_deal()
    ended = house.now
    assert house.last.wake == ended + pace.NEXT_DEAL
    assert house.scene().table.next_in == pace.NEXT_DEAL
    house.wait(pace.NEXT_DEAL - 1)
    assert house.stage == "between"
    house.wait(1)
    assert house.deal().number == 2


def test_after_a_redeal_the_wait_is_short() -> None:
    house = Driver()
    house.sit_and_start("anna")
    while house.stage == "playing":
        house.move(Pass(house.turn))
    assert house.last.wake == house.now + pace.REDEAL
    result = house.deal().result
    assert result is not None
    assert result.kind == "all_pass"
    assert house.scene().sheet[0].caller is None


def test_dealing_is_refused_where_it_is_not_due() -> None:
    house = Driver()
    house.sit_and_start("anna")
    before = house.state
    house.do(say.DealNow(bytes(32)))
    assert house.state == before


# --- moves ------------------------------------------------------------------------------------------


def test_a_move_is_answered_once() -> None:
    house = Driver()
    house.sit_and_start("anna")
    house.to_turn_of(0)
    v = house.state.v
    first = house.must("anna", "pass", ident="same")
    assert first.v == v + 1
    log = list(house.log)
    assert house.must("anna", "pass", ident="same", v=v) == first
    assert house.log == log
    house.state = table.fold(house.log)
    assert house.must("anna", "pass", ident="same", v=v) == first


def test_ids_of_different_people_are_different() -> None:
    house = Driver()
    house.must("anna", "sit", ident="x")
    house.must("bruno", "sit", ident="x")
    assert house.scene("bruno").table.you == 1


def test_old_answers_are_forgotten_in_the_end() -> None:
    house = Driver()
    house.must("anna", "sit")
    for _ in range(table.KEPT_ANSWERS + 5):
        house.must("anna", "bot", chair=1)
    assert len(house.state.answers) == table.KEPT_ANSWERS


def test_a_move_for_an_older_decision_is_stale() -> None:
    house = Driver()
    house.sit_and_start("anna")
    house.to_turn_of(0)
    assert house.refusal("anna", "pass", v=house.state.turn - 1) == "STALE"
    assert house.refusal("anna", "pass", v=house.state.v + 1) == "STALE"
    house.do(say.Leave("bruno"))
    house.must("anna", "pass", v=house.state.turn)


def test_presence_does_not_make_a_move_stale() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    house.to_turn_of(0)
    v = house.state.v
    house.do(say.Leave("bruno"))
    assert house.state.v == v + 1
    house.must("anna", "pass", v=v)


def test_refusals_name_their_reason() -> None:
    house = Driver()
    house.must("anna", "sit")
    assert house.refusal("anna", "pass") == "WRONG_PHASE"
    house.must("anna", "start")
    assert house.refusal("bruno", "pass") == "NOT_SEATED"
    while house.turn == 0:
        house.move()
    assert house.refusal("anna", "pass") in ("NOT_YOUR_TURN", "ALREADY_PASSED")
    assert house.refusal("anna", "bid", say="?") == "UNKNOWN_BID"
    assert house.refusal("anna", "play", card="3?") == "WRONG_PHASE"
    assert house.refusal("anna", "call", card="XX") == "UNKNOWN_CARD"
    assert house.refusal("anna", "trump", suit="C") == "WRONG_PHASE"
    assert house.refusal("anna", "claim") == "HAND_CLAIM_NOT_IN_RULESET"
    answer = house.ask("anna", "bid", say="?")
    assert isinstance(answer, wire.No)
    assert answer.where == "say"


def test_a_claim_out_of_turn_is_measured_from_the_deal() -> None:
    house = Driver("brisk")
    house.sit_and_start("anna")
    poor = "6C 5C 4C 2C 7C 6H 5H 4H"
    house.play_deal()
    assert house.stage == "between"
    rest = [card for card in range(40) if house.rules.card_name(card) not in poor.split()]
    others = [" ".join(house.rules.card_name(card) for card in rest[8 * n : 8 * n + 8]) for n in range(4)]
    house.hands(poor, *others)
    v = house.state.v
    if house.turn == 0:
        house.move(Bid(0, house.rules.auction_ranks[0]))
    house.move()
    house.must("anna", "claim", v=v)
    result = house.deal().result
    assert result is not None
    assert result.kind == "claim"
    assert sorted(result.shown) == sorted(poor.split())


def test_who_sits_out_does_not_play() -> None:
    house = Driver(rules_with("classic", session={"sitters": 2}))
    people = ["anna", "bruno", "carla", "dario", "elena", "franca", "gino"]
    house.sit_and_start(*people)
    scene = house.scene("anna")
    idle = [chair for chair, one in enumerate(scene.chairs) if not one.playing]
    assert len(idle) == 2
    assert house.refusal(people[idle[0]], "pass") == "SITS_OUT"
    watching = house.deal(people[idle[0]])
    assert watching.hand == []
    assert watching.options == wire.Options()
    house.play_game()
    assert len(house.scene().sheet[0].payoff) == 7


# --- bots -------------------------------------------------------------------------------------------


def test_a_bot_is_asked_with_its_own_view_and_a_pause_that_is_public() -> None:
    house = with_bot_in_turn()
    ask = house.last.ask_bot
    assert ask is not None
    assert ask.view == house.view(house.turn)
    assert ask.level == "random"
    assert pace.PAUSE_LEAST <= ask.pause <= pace.PAUSE_MOST
    again = house.do(say.Tick()).ask_bot
    assert again == ask


@pytest.mark.parametrize("move", [None, Play(1, 0), Pass(9)])
def test_a_bot_that_fails_plays_the_default(move: Play | Pass | None) -> None:
    house = with_bot_in_turn()
    ask = house.last.ask_bot
    assert ask is not None
    house.do(say.BotSays(ask.turn, move))
    assert house.deal().auction[-1].say == "pass"


def test_an_old_answer_of_a_bot_is_dropped() -> None:
    house = with_bot_in_turn()
    ask = house.last.ask_bot
    assert ask is not None
    before = house.state
    house.do(say.BotSays(ask.turn - 1, None))
    assert house.state == before
    while house.turn != 0:
        house.move()
    before = house.state
    house.do(say.BotSays(house.state.turn, None))
    assert house.state == before


def test_a_full_trick_stays_before_a_bot_leads() -> None:
    """So does the called card that falls: a pause of either is longer than any other."""
    house = Driver()
    house.sit_and_start("anna")
    house.play_to("play")
    pauses, hidden = set(), True
    while house.stage == "playing":
        deal = house.deal()
        shown, hidden = hidden and deal.partner is not None, deal.partner is None
        if house.last.ask_bot is not None:
            waits = shown or (deal.trick is not None and len(deal.trick.cards) == 5)
            pauses.add((waits, house.last.ask_bot.pause))
        house.move()
    assert {waits for waits, _ in pauses} == {False, True}
    assert all(waits == (pause > pace.PAUSE_MOST) for waits, pause in pauses)


def test_default_moves() -> None:
    house = Driver("quick")
    house.sit_and_start("anna")
    while house.deal().phase == "auction":
        chair = house.turn
        move = pace.default_move(house.view(chair))
        assert move in house.view(chair).legal()
        house.move(move)
    caller = house.deal().caller
    assert caller is not None
    assert [word.say for word in house.deal().auction[:4]] == ["pass"] * 4  # the fifth must bid
    call = pace.default_move(house.view(caller))
    assert isinstance(call, Call)
    assert not house.view(caller).dealt >> call.card & 1
    house.move(call)
    play = pace.default_move(house.view(house.turn))
    assert isinstance(play, Play)
    points = house.rules.points
    assert points[play.card] == min(points[one.card] for one in house.view(house.turn).legal() if isinstance(one, Play))


# --- ends -------------------------------------------------------------------------------------------


def test_an_open_game_ends_when_all_who_are_here_ask() -> None:
    house = Driver("open-classic")
    house.must("anna", "sit")
    assert house.refusal("anna", "end") == "NOT_STARTED"
    for who in ("bruno", "carla"):
        house.must(who, "sit")
    house.must("anna", "start")
    assert "end" in house.scene("anna").table.may
    house.must("anna", "end")
    assert house.scene().chairs[0].wants_end
    assert "end" not in house.scene("anna").table.may
    answer = house.must("anna", "end")
    house.must("bruno", "end")
    assert not house.is_ending()
    house.do(say.Leave("carla"))  # one who is away holds nobody up
    assert house.is_ending()
    house.play_deal()
    assert house.scene().table.state == "over"
    assert house.scene().table.winners
    assert house.ask("anna", "end", v=answer.v, ident=answer.id) == answer  # sent again, since the answer was lost
    assert house.refusal("anna", "end") == "NOT_STARTED"


def test_an_open_game_ends_between_deals_at_once_and_old_wishes_are_gone() -> None:
    house = Driver("open-classic")
    house.sit_and_start("anna", "bruno")
    house.play_deal()
    house.must("bruno", "next")
    house.must("anna", "end")
    house.must("bruno", "end")
    assert house.scene().table.state == "over"
    house.must("anna", "next")
    assert house.scene().table.state == "over"
    house.must("bruno", "next")
    assert house.scene().table.state == "playing"
    assert not any(chair.wants_end for chair in house.scene().chairs)


def test_a_game_of_ten_deals_cannot_be_ended() -> None:
    house = Driver()
    house.sit_and_start("anna")
    assert house.refusal("anna", "end") == "END_NOT_IN_RULESET"
    assert "end" not in house.scene("anna").table.may


def test_a_timed_game_ends_after_the_running_deal() -> None:
    house = Driver("scighera")
    house.sit_and_start("anna")
    assert house.last.wake == house.rules.session.minutes * 60_000  # type: ignore[operator]
    house.wait(60 * 60_000 - 1)
    assert not house.is_ending()
    assert house.wait(1).wake is None
    assert house.is_ending()
    assert house.scene().table.state == "playing"
    house.play_deal()
    assert house.scene().table.state == "over"


def test_the_moment_of_a_table() -> None:
    house = Driver()
    assert table.moment(house.state) == (0, 0)
    house.sit_and_start("anna")
    assert table.moment(house.state) == (1, 0)
    house.play_to("play")
    tricks = [table.moment(house.state)[1]]
    while house.stage == "playing":
        tricks.append(table.moment(house.state)[1])
        house.move()
    assert sorted(set(tricks)) == list(range(8))
    assert table.moment(house.state) == (0, 0)


# --- the log ----------------------------------------------------------------------------------------


def test_a_log_that_is_none() -> None:
    with pytest.raises(Malformed):
        table.fold([b"{"])
    with pytest.raises(Malformed):
        table.fold([say.encode(say.Gone(0, "x"))])
    newer = say.Made(0, code="ABCDE", rules=catalogue.load("classic").to_mapping(), version=say.VERSION + 1)
    with pytest.raises(Malformed):
        table.fold([say.encode(newer)])
    house = Driver()
    with pytest.raises(Malformed) as error:
        table.fold([*house.log, say.encode(say.Boxed(1, box=".AAAA"))])
    assert error.value.code == "SEALED_LINE"
    first = [say.encode(say.decode(data)) for data in house.log]
    house.sit_and_start("anna")
    running = [say.encode(say.decode(data)) for data in house.log]
    for log, line, code in (
        (first, say.Spoken(1, word={"do": "pass", "seat": 0}), "IMPOSSIBLE_LINE"),
        (first, say.Cut(1, seat=0, cut=3), "IMPOSSIBLE_LINE"),
        (running, say.Spoken(1, word={"do": "win", "seat": 0}), "UNKNOWN_WORD"),
        (running, say.Spoken(1, word={"do": "trump", "seat": 0, "suit": "S"}), "WRONG_PHASE"),
        (running, say.Sat(1, "x", chair=17), "IMPOSSIBLE_LINE"),
        (running, say.Sealed(1, secret="?"), "IMPOSSIBLE_LINE"),
    ):
        with pytest.raises(Malformed) as error:
            table.fold([*log, say.encode(line)])
        assert (error.value.code, error.value.where) == (code, f"line {len(log) + 1}")


def test_every_line_reads_back() -> None:
    house = Driver("brisk")
    house.sit_and_start("anna")
    house.play_deal()
    assert [say.encode(say.decode(data)) for data in house.log] == house.log
    assert [say.bare(data) for data in summed(house)] == house.log


def summed(house: Driver) -> list[bytes]:
    return say.chain([say.decode(data) for data in house.log])


def test_a_log_that_was_changed_anywhere_is_found_out() -> None:
    house = Driver("quick")
    house.sit_and_start("anna")
    house.move()
    whole = summed(house)
    for place, data in enumerate(whole[1:], 1):
        for byte in range(len(data)):
            bad = data[:byte] + bytes([data[byte] ^ 1]) + data[byte + 1 :]
            with pytest.raises(Malformed):
                table.fold([*whole[:place], bad, *whole[place + 1 :]])
    kept = whole[:3]
    for log in (kept[:1] + kept[2:], [kept[0], kept[2], kept[1]], [*kept, kept[2]]):
        with pytest.raises(Malformed) as error:
            table.fold(log)
        assert error.value.code == "WRONG_SUM"


def test_lines_without_a_sum_may_stand_before_the_first_with_one() -> None:
    house = Driver("quick")
    house.must("anna", "sit")
    new = summed(house)
    assert table.fold(house.log) == house.state
    assert table.fold([*house.log[:-1], new[-1]]) == house.state
    with pytest.raises(Malformed):
        table.fold([*new[:-1], house.log[-1]])


def test_chairs_do_not_hear_of_words() -> None:
    places = (seating.Place(),) * 5
    assert seating.follow(places, say.Began(1)) == places


def test_time_does_not_run_backwards() -> None:
    house = Driver()
    house.must("anna", "sit")
    house.now = 500
    house.must("anna", "bot", chair=1)
    house.now = 100
    house.must("anna", "bot", chair=2)
    assert house.state.at == 500


# --- manners --------------------------------------------------------------------------------------


def test_sentences_are_told_to_all_and_not_too_often() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    turn = house.state.turn
    v = house.must("anna", "say", phrase="hello").v
    assert house.scene("").table.said == [wire.PhraseScene(v, 0, "hello")]
    assert house.refusal("anna", "say", phrase="luck") == "TOO_OFTEN"
    house.must("bruno", "say", phrase="luck")
    assert house.refusal("walter", "say", phrase="luck") == "NOT_SEATED"
    house.wait(3_000)
    house.must("anna", "say", phrase="sorry")
    assert [one.phrase for one in house.scene("").table.said] == ["hello", "luck", "sorry"]
    assert house.state.turn == turn, "a sentence is no decision"
    for _ in range(10):
        house.wait(3_000)
        house.must("bruno", "say", phrase="bravo")
    assert len(house.scene("").table.said) == 12


def test_a_silent_table_is_silent_while_cards_are_out() -> None:
    house = Driver(rules_with("classic", conduct={"chat": "off"}))
    house.must("anna", "sit")
    house.must("anna", "say", phrase="hello")
    house.must("anna", "start")
    assert "say" not in house.scene("anna").table.may
    assert house.refusal("anna", "say", phrase="luck") == "SILENT_TABLE"
    house.play_deal()
    assert "say" in house.scene("anna").table.may
    house.wait(1)
    house.now += 3_000
    house.must("anna", "say", phrase="bravo")
