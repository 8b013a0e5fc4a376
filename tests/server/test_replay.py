"""Deals of the past: what was shown live is shown again, and nothing before a deal has ended."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from chiamata.rules.cards import cards_in
from chiamata.rules.game import read_log, replay
from chiamata.rules.text import read_text
from chiamata.server import picture
from chiamata.server import replay as past_deals
from chiamata.server.replay import Past
from tests.server.driver import Driver, Pass, rules_with


def found(house: Driver, number: int) -> Past:
    past = past_deals.find(house.log, number)
    assert past is not None
    return past


def shown(scene: Any) -> Any:
    """A scene but for what a page may do about the table, which hangs on lines that are no words of the deal."""
    data = msgspec.to_builtins(scene)
    data["table"].pop("may", None)
    data.pop("v")
    return data


@pytest.mark.parametrize("rules", ["classic", "first-trick-blind", "fifteen"])
def test_a_replay_is_what_was_shown_live(rules: str) -> None:
    house = Driver(rules, seed=4)
    house.sit_and_start("anna")
    watched, own = [shown(house.scene())], [shown(house.scene("anna"))]
    while house.stage == "playing":
        assert past_deals.find(house.log, 1) is None, "told before its end"
        house.move()
        watched.append(shown(house.scene()))
        own.append(shown(house.scene("anna")))
    past = found(house, 1)
    assert [shown(step.scene) for step in past_deals.show(past, None, []).steps] == watched
    assert [shown(step.scene) for step in past_deals.show(past, 0, []).steps] == own


def test_open_cards_and_one_seat_s_view() -> None:
    house = Driver()
    house.sit_and_start("anna")
    dealt = [[house.rules.card_name(card) for card in cards_in(house.view(chair).dealt)] for chair in range(5)]
    house.play_to("play")
    house.play_deal()
    past = found(house, 1)
    opened, seen = past_deals.show(past, None, []), past_deals.show(past, 2, [])
    assert [sorted(hand) for hand in opened.steps[0].hands] == [sorted(hand) for hand in dealt]
    assert opened.steps[-1].hands == [[]] * 5
    assert seen.steps[0].hands[2] == opened.steps[0].hands[2]
    assert seen.steps[0].hands[3] == []
    assert (opened.steps[0].scene.table.you, seen.steps[0].scene.table.you) == (None, 2)
    deal = seen.steps[0].scene.deal
    assert deal is not None
    assert deal.hand == opened.steps[0].hands[2]


def test_deals_count_on_through_redeals_and_rematches() -> None:
    house = Driver(rules_with("classic", session={"deals": 5, "allowed": None}), seed=2)
    house.sit_and_start("anna")
    for _ in range(5):
        house.move(Pass(house.turn))
    if house.stage == "between":
        house.must("anna", "next")
    house.play_game()
    state = house.state
    assert state.game is not None
    first = len(state.game.rows)
    house.must("anna", "next")
    house.play_deal()
    assert past_deals.find(house.log, first + 2) is None
    row = house.scene().sheet[0]
    assert (row.deal, row.number) == (1, first + 1)
    past = found(house, first + 1)
    assert past.steps[-1].games == 2
    assert past.steps[-1].game is not None
    assert list(past.steps[-1].game.rows[-1].payoff) == row.payoff
    games = past_deals.games(house.log)
    assert [len(game.sheet) for game in games.games] == [first, 1]
    assert all(game.deal is None for game in games.games)
    assert games.games[0].table.winners


@pytest.mark.parametrize("rules", ["classic", "gingo", "first-trick-blind"])
def test_text_and_lines_tell_the_same_deal(rules: str) -> None:
    house = Driver(rules)
    house.sit_and_start("anna")
    house.play_deal()
    house.must("anna", "next")
    house.play_deal()
    assert house.state.game is not None
    for number, row in enumerate(house.state.game.rows, 1):
        past = found(house, number)
        script = read_text(past_deals.as_text(past))
        game, words = read_log(past_deals.as_lines(past).splitlines())
        for told in (replay(script.game, script.words), replay(game, words)):
            assert told.rows[-1].payoff == row.payoff
            assert told.rows[-1].result == row.result
        assert past_deals.as_text(past).startswith(f"# ABCDE {number}: A Anna, B bot random")


def test_a_multiplier_is_carried_into_the_text() -> None:
    rules = rules_with("classic", auction={"all_pass": "redeal_next_dealer", "all_pass_multiplier": 2})
    house = Driver(rules, seed=1)
    house.sit_and_start("anna")
    for _ in range(5):
        house.move(Pass(house.turn))
    house.must("anna", "next")
    house.play_deal()
    past = found(house, 2)
    script = read_text(past_deals.as_text(past))
    told = replay(script.game, script.words)
    assert house.state.game is not None
    assert [row.result for row in told.rows] == [row.result for row in house.state.game.rows]
    assert told.rows[-1].result.multiplier == 2
    assert len(past.steps) < len(past.words)


def test_sitters_are_no_seats() -> None:
    house = Driver(rules_with("classic", session={"sitters": 1}))
    house.sit_and_start("anna")
    house.play_deal()
    past = found(house, 1)
    out = [
        chair for chair, seen in enumerate(past_deals.show(past, None, []).steps[0].scene.chairs) if not seen.playing
    ]
    assert len(out) == 1
    assert past_deals.show(past, None, []).steps[0].hands[out[0]] == []
    watched = [shown(step.scene) for step in past_deals.show(past, picture.WATCHER, []).steps]
    sitting = past_deals.show(past, out[0], []).steps
    assert [shown(step.scene)["deal"] for step in sitting] == [step["deal"] for step in watched]
    assert read_text(past_deals.as_text(past)).game.dealer == past.start.dealer
