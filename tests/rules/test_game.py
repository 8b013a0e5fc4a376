"""Games: dealers and sitters, the sheet, the end of each kind, rankings, and the log."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from chiamata.rules.catalogue import load
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.game import Game, Row, header_of, open_log, read_log, replay, seats_for, to_lines
from chiamata.rules.moves import Bid, Dealt, End, Pass
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Result
from chiamata.rules.view import Standing
from tests.kit import five, game_words, hands_with, random_hands, with_options

change = msgspec.structs.replace


def changed(name: str, **options: object) -> RuleSet:
    return RuleSet.from_mapping(
        with_options(load(name).to_mapping(), {f"session.{key}": options[key] for key in options})
    )


def played(game: Game, deals: int, seed: int = 1) -> Game:
    """The game after so many more deals, redeals among them."""
    aim = len(game.rows) + deals
    rng = random.Random(seed)
    for _, after in game_words(game, rng, most=10**9):
        game = after
        if len(game.rows) == aim:
            return game
    return game


def settled(game: Game, *payoff: int, kind: Any = "scored") -> Game:
    """The game after a deal with these payoffs, without playing it."""
    game = game.apply(Dealt(hands_with({})))
    assert game.deal is not None
    five = (*payoff, *(0,) * (5 - len(payoff)))
    result = Result(kind, made=True, partner=1, payoff=five, next_dealer=(game.dealer_seat + 1) % 5)  # type: ignore[arg-type]
    deal = change(game.deal, public=change(game.deal.public, phase="done", turn=-1, caller=0, result=result))
    return change(game, deal=deal)._settle(deal, result)


# --- who sits where -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "dealer", "seats"),
    [
        (5, 3, (0, 1, 2, 3, 4)),
        (6, 0, (0, 1, 2, 3, 4)),
        (6, 5, (0, 1, 2, 3, 5)),
        (9, 0, (0, 1, 2, 3, 4)),
        (9, 7, (0, 1, 2, 7, 8)),
    ],
)
def test_the_dealer_and_the_four_after_him_play(people: int, dealer: int, seats: tuple[int, ...]) -> None:
    assert seats_for(people, dealer) == seats


@pytest.mark.parametrize("sitters", [0, 1, 2, 3, 4])
def test_everybody_deals_and_sits_out_in_turn(sitters: int) -> None:
    people = 5 + sitters
    game = Game.start(changed("open-classic", sitters=sitters), 2)
    sat_out = [0] * people
    for number in range(2 * people):
        dealer = (2 + number) % people
        assert (game.dealer, game.people) == (dealer, people)
        before = game.dealer_seat
        game = game.apply(Dealt(hands_with({})))
        assert game.dealer_seat == before
        assert game.deal is not None
        assert game.seats[game.deal.public.dealer] == dealer
        assert game.seats == seats_for(people, dealer)
        for person in range(people):
            sat_out[person] += game.seat(person) < 0
            view = game.view(person)
            assert view is not None
            assert (view.seat < 0) == (person not in game.seats)
        game = settled(change(game, deal=None), 2, 1, -1, -1, -1)
    assert len(set(sat_out)) == 1
    assert sum(game.scores) == 0


def test_who_plays_is_known_on_the_sheet() -> None:
    game = settled(Game.start(changed("open-classic", sitters=4), 7), 2, 1, -1, -1, -1)
    row = game.rows[0]
    assert row.payoff == (2, 1, -1, 0, 0, 0, 0, -1, -1)
    assert (row.dealer, row.caller, row.partner) == (7, 0, 1)
    assert game.scores == row.payoff
    assert game.dealer == 8


def test_nobody_called_in_a_redeal() -> None:
    game = Game.start(load("classic"), 4).apply(Dealt(hands_with({})))
    for seat in range(5):
        game = game.apply(Pass(seat))
    row = game.rows[0]
    assert (row.caller, row.partner, row.called, row.target, row.payoff) == (-1, -1, -1, 0, (0,) * 5)


@pytest.mark.parametrize("dealer", [-1, 5, True, None, 1.0])
def test_a_first_dealer_who_is_not_there(dealer: Any) -> None:
    with pytest.raises(Malformed) as caught:
        Game.start(load("classic"), dealer)
    assert caught.value.code == "BAD_DEALER"


# --- what may be said when ------------------------------------------------------------------------


def test_words_at_the_wrong_time() -> None:
    assert Game.start(load("classic")).dealer == 0
    game = Game.start(load("classic"), 4)
    assert game.needs_deal
    assert game.view(0) is None
    with pytest.raises(Illegal) as caught:
        game.apply(Pass(0))
    assert caught.value.code == "WRONG_PHASE"
    dealt = game.apply(Dealt(hands_with({})))
    assert not dealt.needs_deal
    with pytest.raises(Illegal) as caught:
        dealt.apply(Dealt(hands_with({})))
    assert caught.value.code == "WRONG_PHASE"
    with pytest.raises(Illegal) as caught:
        dealt.apply(End())
    assert caught.value.code == "END_NOT_IN_RULESET"
    done = played(game, 1)
    with pytest.raises(Illegal) as caught:
        done.apply(Pass(0))
    assert caught.value.code == "WRONG_PHASE"


def test_no_word_after_the_end() -> None:
    over = played(Game.start(load("quick")), 100)
    assert (over.over, over.needs_deal) == (True, False)
    for word in (Dealt(hands_with({})), Pass(0), End(), Bid(1, 0)):
        with pytest.raises(Illegal):
            over.apply(word)


# --- how games end --------------------------------------------------------------------------------


def test_a_game_of_deals_counts_the_scored_ones() -> None:
    game = Game.start(changed("classic", deals=2))
    for kind in ("all_pass", "scored", "claim", "draw"):
        game = settled(game, kind=kind)
        assert not game.over
    assert game.scored == 1
    assert settled(game).over


def test_a_game_to_points() -> None:
    game = change(Game.start(changed("classic", kind="points", deals=None, target=10)), scores=(8, 0, 0, 0, 0))
    assert not settled(game, 1).over
    assert settled(game, 2).over
    assert not settled(change(game, scores=(12, 0, 0, 0, 0)), kind="draw").over, "tested after scored deals only"


@pytest.mark.parametrize("kind", ["open", "time"])
def test_a_game_that_the_people_end(kind: str) -> None:
    rules = changed("classic", kind=kind, deals=None, minutes=60 if kind == "time" else None)
    before = Game.start(rules)
    assert before.apply(End()).over, "before the first deal"
    running = before.apply(Dealt(hands_with({})))
    ending = running.apply(End())
    assert (ending.ending, ending.over) == (True, False)
    assert ending.apply(End()) == ending
    assert played(ending, 1).over
    between = settled(before)
    assert not between.over
    assert between.apply(End()).over


def test_an_ended_game_ends_with_a_redeal_too() -> None:
    game = Game.start(load("brisk"), 4).apply(Dealt(hands_with({}))).apply(End())
    for seat in range(5):
        game = game.apply(Pass(seat))
    assert game.over


def test_playing_on_while_the_first_are_level() -> None:
    rules = changed("classic", kind="open", deals=None, tie="play_on")
    game = settled(Game.start(rules), 2, 2)
    ending = game.apply(End())
    assert (ending.over, ending.ending) == (False, True)
    assert not settled(ending, 1, 1).over
    assert settled(ending, 1, 0).over
    deals = settled(Game.start(changed("classic", deals=1, tie="play_on")), 1, 1)
    assert not deals.over
    assert settled(deals, 0, 1).over


# --- the ranking ----------------------------------------------------------------------------------


def row(caller: int, made: bool, *payoff: int) -> Row:
    return Row(0, caller, (caller + 1) % 5, 0, 61, Result("scored", made=made), payoff)


def ranked(tiebreaks: list[str], *rows: Row) -> tuple[tuple[int, ...], ...]:
    game = Game.start(changed("classic", tie="tiebreak", tiebreaks=tiebreaks))
    scores = tuple(sum(one.payoff[person] for one in rows) for person in range(5))
    return change(game, rows=rows, scores=scores).ranking()


def test_tie_breaks() -> None:
    rows = (
        row(0, True, 3, 1, -1, -1, -2),
        row(1, False, 0, 1, -1, 0, 0),
        row(1, True, 0, 1, -1, -2, 2),
    )  # scores 3 3 -3 -3 0
    assert ranked(["deals_won"], *rows) == ((1,), (0,), (4,), (2, 3))
    assert ranked(["calls_made"], *rows) == ((0, 1), (4,), (2, 3))
    assert ranked(["peak_score"], *rows) == ((0, 1), (4,), (2, 3))
    assert ranked(["countback"], *rows) == ((1,), (0,), (4,), (2,), (3,))
    assert ranked(["calls_made", "deals_won"], *rows) == ((1,), (0,), (4,), (2, 3))


def test_countback_goes_back_deal_by_deal() -> None:
    rows = (row(0, True, 0, 1, -1, 0, 0), row(0, True, 2, 1, -3, 0, 0), row(0, True, 1, 1, -2, 0, 0))
    assert ranked(["countback"], *rows)[:2] == ((0,), (1,))


def test_the_peak_is_the_highest_score_ever_reached() -> None:
    rows = (row(0, True, 5, 0, 0, 0, 0), row(0, False, -4, 1, 0, 0, 0))
    assert ranked(["peak_score"], *rows) == ((0,), (1,), (2, 3, 4))


def test_redeals_break_no_tie() -> None:
    redeal = Row(0, -1, -1, -1, 0, Result("all_pass"), (0,) * 5)
    assert ranked(["deals_won", "calls_made", "peak_score", "countback"], redeal) == ((0, 1, 2, 3, 4),)
    assert ranked(["peak_score"]) == ((0, 1, 2, 3, 4),)


def test_without_tie_breaks_equal_scores_are_level() -> None:
    rows = (row(0, True, 3, 1, -1, -1, -2), row(1, True, 0, 2, -1, -1, 0))
    game = change(Game.start(load("classic")), rows=rows, scores=(3, 3, -2, -2, -2))
    assert game.ranking() == ((0, 1), (2, 3, 4))
    assert game.winners() == (0, 1)


# --- the log --------------------------------------------------------------------------------------


def a_log() -> list[str]:
    game = Game.start(load("scighera"), 3)
    return to_lines(game, [word for word, _ in game_words(game, random.Random(4), most=2)])


def test_a_log_is_read_back() -> None:
    lines = a_log()
    game, words = read_log(lines)
    assert to_lines(game, words) == lines
    assert header_of(game) == json.loads(lines[0])
    assert read_log([line.encode() for line in lines]) == (game, words)
    assert replay(game, words).over


@pytest.mark.parametrize(
    ("number", "line", "code", "where"),
    [
        (1, "[]", "NOT_A_LOG", "line 1"),
        (1, "{}", "NOT_A_LOG", "line 1"),
        (1, '{"chiamata": 2}', "NOT_A_LOG", "line 1"),
        (1, '{"chiamata": 1, "rule": {}}', "UNKNOWN_KEY", "line 1: rule"),
        (1, '{"chiamata": 1}', "WRONG_TYPE", ""),
        (1, '{"chiamata": 1, "rules": {"auction": 3}}', "WRONG_TYPE", "auction"),
        (1, '{"chiamata": 1, "rules": {}, "dealer": 5}', "BAD_DEALER", "dealer"),
        (2, "", "NOT_JSON", "line 2"),
        (3, '{"do": "pass"', "NOT_JSON", "line 3"),
        (3, '{"do": "pass", "seat": 9}', "UNKNOWN_SEAT", "line 3: seat"),
        (3, "[" * 10_000, "NOT_JSON", "line 3"),
        (3, "\ud800", "NOT_JSON", "line 3"),
    ],
    ids=lambda value: str(value)[:20].encode("ascii", "replace").decode(),
)
def test_a_broken_log_names_the_line(number: int, line: str, code: str, where: str) -> None:
    lines = a_log()
    lines[number - 1] = line
    with pytest.raises(Malformed) as caught:
        read_log(lines)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_an_empty_log() -> None:
    with pytest.raises(Malformed) as caught:
        read_log([])
    assert caught.value.code == "NOT_A_LOG"


def test_a_header_without_a_dealer_begins_with_the_first_person() -> None:
    assert open_log({"chiamata": 1, "rules": {}}).dealer == 0


def test_a_view_tells_where_the_game_stood_as_the_deal_began() -> None:
    game = settled(Game.start(changed("classic", sitters=1)), 2, 1, -1, -1, -1)
    view = game.view(2)
    assert view is not None
    assert view.standing == Standing((0, 0, 0, 0, 0), (0,))
    game = game.apply(Dealt(hands_with({})))
    told = [view.standing for person in range(6) if (view := game.view(person)) is not None]
    scores = five([game.scores[person] for person in game.seats])
    assert told == [Standing(scores, tuple(game.scores[one] for one in range(6) if one not in game.seats), 1)] * 6


def test_a_view_tells_that_the_game_ends_with_this_deal() -> None:
    game = Game.start(changed("classic", kind="open", deals=None)).apply(Dealt(hands_with({}))).apply(End())
    view = game.view(0)
    assert view is not None
    assert view.standing == Standing((0, 0, 0, 0, 0), ending=True)


def test_a_redeal_is_not_counted_in_the_standing() -> None:
    game = settled(Game.start(changed("classic")), 0, 0, 0, 0, 0, kind="all_pass")
    for _ in range(2):
        view = game.view(0)
        assert view is not None
        assert view.standing == Standing((0, 0, 0, 0, 0))
        game = game.apply(Dealt(hands_with({}))) if game.needs_deal else game


def test_people_outside_are_watchers() -> None:
    game = Game.start(load("classic")).apply(Dealt(random_hands(random.Random(1))))
    assert [game.seat(person) for person in (0, 4, 5, -1)] == [0, 4, -1, -1]
    view = game.view(17)
    assert view is not None
    assert (view.seat, view.dealt) == (-1, 0)
