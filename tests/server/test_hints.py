"""Hints: for one person alone among bots, in words that are there, from what that person sees and nothing else."""

from __future__ import annotations

import asyncio
import random
import string
import threading

import msgspec
import pytest

from chiamata.bots import roster
from chiamata.bots.advice import Advice, Weighed
from chiamata.bots.reasons import Reason, reasons_of
from chiamata.rules import catalogue
from chiamata.rules.cards import Seat
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Dealt, Pass, Play, to_json
from chiamata.rules.shuffle import hands_from
from chiamata.server import coach, hints, paper, table
from chiamata.server import lines as say
from chiamata.server.coach import Coach, Desk
from chiamata.server.seating import Refused
from chiamata.server.texts import languages, words
from tests.server.driver import Driver
from tests.worlds import Plan, make_plan, other_world


def alone() -> Driver:
    """Anna among bots, at her turn in the auction."""
    house = Driver()
    house.sit_and_start("anna")
    house.to_turn_of(0)
    return house


def refused(house: Driver, who: str = "anna", v: int | None = None) -> str:
    with pytest.raises(Refused) as found:
        hints.question(house.state, who, house.state.v if v is None else v)
    return found.value.code


def hint(state: table.State, who: str = "anna") -> paper.Hint:
    desk = Desk()
    try:
        return asyncio.run(Coach(desk).hint(state, who, state.v))
    finally:
        desk.close()


def test_the_best_level_advises() -> None:
    assert roster.levels()[-1] == hints.LEVEL


# --- who may ask ----------------------------------------------------------------------------------


def test_a_hint_names_legal_moves_and_says_why() -> None:
    house = alone()
    found = hint(house.state)
    game = house.state.game
    assert game is not None
    view = game.view(0)
    assert view is not None
    legal = {
        " ".join(str(value) for key, value in to_json(move, house.rules.ranks).items() if key != "seat")
        for move in view.legal()
    }
    assert {one.move for one in found.moves} <= legal
    assert found.turn == house.state.turn
    assert found.reasons
    assert found == hint(house.state), "the same question gets the same answer"


def test_nobody_is_advised_at_a_table_with_other_people() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    house.to_turn_of(0)
    assert refused(house) == "HINT_WITH_PEOPLE"
    assert "hint" not in house.scene("anna").table.may
    house.do(say.Leave("bruno"))
    assert refused(house) == "HINT_WITH_PEOPLE", "one who is away may come back and sees a played hand"


def test_only_the_one_whose_turn_it_is_may_ask_about_the_present() -> None:
    house = alone()
    assert refused(house, "walter") == "NOT_SEATED"
    assert refused(house, "") == "NOT_SEATED"
    assert refused(house, v=house.state.turn - 1) == "STALE"
    house.must("anna", "pass")
    assert refused(house) == "NOT_YOUR_TURN"
    assert refused(Driver(), "host") == "NOT_SEATED"
    house.play_deal()
    assert refused(house) == "WRONG_PHASE"
    assert "hint" not in house.scene("anna").table.may


def test_the_scene_offers_hints_to_those_who_may_ask() -> None:
    house = alone()
    assert "hint" in house.scene("anna").table.may
    assert "hint" not in house.scene("walter").table.may


def test_one_question_at_a_time_and_the_loop_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def slow(ask: say.AskBot) -> Advice:
        assert go.wait(30)
        return Advice((Weighed(ask.view.legal()[0], 0.0, 0.0),))

    monkeypatch.setattr(coach, "advise", slow)
    monkeypatch.setattr(coach, "WAITING", 2)
    house, other, third = alone(), alone(), alone()

    async def ask() -> None:
        desk = Desk()
        adviser = Coach(desk)
        first = asyncio.create_task(adviser.hint(house.state, "anna", house.state.v))
        await asyncio.sleep(0)  # the loop is free while the coach thinks
        with pytest.raises(Refused, match="HINT_BUSY"):
            await adviser.hint(other.state, "anna", other.state.v)
        adviser._asking.add("bruno")
        third.state = msgspec.structs.replace(
            third.state, places=(msgspec.structs.replace(third.state.places[0], who="carla"), *third.state.places[1:])
        )
        with pytest.raises(Refused, match="HINT_BUSY"):
            await adviser.hint(third.state, "carla", third.state.v)
        go.set()
        assert (await first).moves
        assert adviser._asking == {"bruno"}
        desk.close()

    asyncio.run(ask())


# --- the words ------------------------------------------------------------------------------------


def places(text: str) -> set[str]:
    return {place for _, place, _, _ in string.Formatter().parse(text) if place}


def fits(reason: Reason) -> None:
    """There are words, and they need nothing that the reason does not give."""
    given = {"chair" if name == "seat" else name for name in reason.args}
    for language in languages():
        assert places(words(language)[f"hints.{reason.key}"]) <= given, reason


def test_every_reason_that_comes_up_has_its_words_and_nearly_all_come_up() -> None:
    seen: set[str] = set()
    for number, name in enumerate(("trattoria", "family-blind", "gingo")):
        rules = catalogue.load(name)
        deal = Deal.start(rules, 4, hands_from(bytes([number]) * 32, 4))
        while deal.public.phase != "done":
            view = deal.view(deal.public.turn)
            advice = roster.advise("friend", view, random.Random(number))
            for reason in reasons_of(view, advice):
                fits(reason)
                seen.add(reason.key)
            deal = deal.apply(advice.best)
    written = {key.split(".")[1] for key in words("en") if key.startswith("hints.")} - {"title"}
    assert seen <= written
    assert written - seen <= {"claim", "pass", "call_own", "shows_alone", "trump", "blind"}


def test_rare_reasons_have_their_words_too() -> None:
    rules = catalogue.load("brisk")
    start = Deal.start(rules, 4, hands_from(bytes(32), 4))
    view = start.view(0)
    for move in view.legal():
        for reason in reasons_of(view, Advice((Weighed(move, 0.0, 0.0),))):
            fits(reason)
    assert reasons_of(view, Advice((Weighed(Pass(0), 0.0, 0.0),))) == (Reason("pass"),)


# --- secrecy --------------------------------------------------------------------------------------


def state_of(plan: Plan) -> table.State:
    """The table after the plan's moves: the viewer alone among bots."""
    secret = f"{plan.seed:064x}"
    log: list[say.Line] = [say.Made(0, code="ABCDE", rules=plan.rules.to_mapping(), secret=secret)]
    log += [say.Sat(0, "anna", chair=plan.viewer), say.Came(0, "anna")]
    log += [say.BotSat(0, chair=chair, level="simple") for chair in range(5) if chair != plan.viewer]
    log += [say.Began(0, dealer=plan.dealer), say.Spoken(0, word=to_json(Dealt(plan.hands), plan.rules.ranks))]
    log += [say.Spoken(0, word=to_json(move, plan.rules.ranks)) for move in plan.moves]
    return table.fold([say.encode(line) for line in log])


def at_turn(plan: Plan, seat: Seat) -> bool:
    """Cut the plan off where this seat last had a choice; False if it never had."""
    deal, last = Deal.start(plan.rules, plan.dealer, plan.hands), -1
    for number, move in enumerate(plan.moves):
        if deal.public.turn == seat and len(deal.view(seat).legal()) > 1:
            last = number
        deal = deal.apply(move)
    plan.moves = plan.moves[:last] if last >= 0 else plan.moves
    return last >= 0


def pairs(wanted: int) -> list[tuple[table.State, table.State]]:
    """Tables whose unseen cards differ, in auction and in play."""
    found: list[tuple[table.State, table.State]] = []
    for seed in range(400):
        plan = make_plan(catalogue.load(("classic", "family", "fifteen")[seed % 3]), seed)
        if plan.viewer < 0 or not at_turn(plan, plan.viewer) or not any(isinstance(move, Play) for move in plan.moves):
            continue
        other = other_world(plan)
        if other is not None:
            found.append((state_of(plan), state_of(other)))
        if len(found) == wanted:
            return found
    raise AssertionError("chance found too few pairs of worlds")


def test_a_hint_does_not_depend_on_cards_that_its_player_cannot_see() -> None:
    for one, other in pairs(12):
        assert one.game != other.game
        assert msgspec.json.encode(hint(one)) == msgspec.json.encode(hint(other))


def test_a_leak_of_the_hands_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dice that follow from all hands: the sort of slip that the test above is there for."""
    whole = hints.question

    def leaking(state: table.State, who: str, v: int) -> say.AskBot:
        ask = whole(state, who, v)
        assert state.game is not None
        assert state.game.deal is not None
        return msgspec.structs.replace(ask, dice=f"{ask.dice}{state.game.deal.dealt}")

    monkeypatch.setattr(hints, "question", leaking)
    assert any(hint(one) != hint(other) for one, other in pairs(6))
