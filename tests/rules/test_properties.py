"""What holds in every deal of every rule set, the named ones and random ones alike."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chiamata.rules import deal as deal_module
from chiamata.rules import game as game_module
from chiamata.rules import moves as moves_module
from chiamata.rules import public as public_module
from chiamata.rules import ruleset as ruleset_module
from chiamata.rules import scoring as scoring_module
from chiamata.rules import view as view_module
from chiamata.rules.cards import SEATS, card_set, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Illegal
from chiamata.rules.game import Game, read_log, replay, to_lines
from chiamata.rules.moves import (
    Bid,
    Call,
    Claim,
    Dealt,
    End,
    Move,
    Pass,
    Play,
    Trump,
    from_json,
    from_text,
    to_json,
    to_text,
)
from chiamata.rules.ruleset import RuleSet
from tests.kit import any_rule_sets, game_words, random_hands, run, runs, states

Steps = list[tuple[Move | None, Deal]]
NAMES = {
    name: value
    for module in (
        ruleset_module,
        scoring_module,
        moves_module,
        public_module,
        view_module,
        deal_module,
        game_module,
    )
    for name, value in vars(module).items()
}
"""Every name with which a value of the rules floor prints."""


def named(test: Any) -> Any:
    """Run a test on each of the named rule sets as well."""
    return pytest.mark.parametrize("name", names())(test)


# --- forty cards ----------------------------------------------------------------------------------


def cards_of(deal: Deal) -> list[int]:
    """Every card of the deal where it is now: in a hand, on the table (covered ones turned over), in a pile."""
    hidden = [card for _, card in deal.covered]
    held = [card for seat in SEATS for card in cards_in(deal.view(seat).hand)]
    table = [card if card >= 0 else hidden.pop(0) for card in deal.public.trick]
    return [*held, *table, *(card for trick in deal.public.tricks for card in trick.cards)]


@given(runs())
def test_forty_cards_each_in_one_place(steps: Steps) -> None:
    for _, deal in steps:
        assert sorted(cards_of(deal)) == list(range(40))
        assert deal.public.played == card_set(
            card
            for cards in (deal.public.trick, *(trick.cards for trick in deal.public.tricks))
            for card in cards
            if card >= 0
        )


@given(runs())
def test_a_deal_is_played_to_the_end_or_not_at_all(steps: Steps) -> None:
    deal = steps[-1][1]
    public, result, rules = deal.public, deal.public.result, deal.public.rules
    assert (public.phase, public.turn) == ("done", -1)
    assert result is not None
    if result.kind in ("claim", "all_pass"):
        assert (public.tricks, public.points, public.called) == ((), (0,) * 5, -1)
        assert result.payoff == (0,) * 5
        return
    assert len(public.tricks) == sum(public.taken) == 8
    assert sum(public.points) == sum(trick.points for trick in public.tricks) == rules.auction.max_points
    allies = {public.caller, public.partner}
    assert result.points == sum(public.points[seat] for seat in allies)
    assert result.tricks == sum(public.taken[seat] for seat in allies)
    assert deal.dealt[public.partner] >> public.called & 1


def sums_to_zero(rules: RuleSet) -> bool:
    scoring = rules.scoring
    tables = (scoring.win, scoring.loss)
    alone = (scoring.solo_win, scoring.solo_loss)
    return (
        scoring.kind == "roles"
        and all(table.caller + table.partner + 3 * table.defender == 0 for table in tables)
        and all(table.caller + 4 * table.defender == 0 for table in alone)
    )


@given(runs())
def test_payoffs_sum_to_zero_where_the_tables_do(steps: Steps) -> None:
    result = steps[-1][1].public.result
    assert result is not None
    if sums_to_zero(steps[0][1].public.rules):
        assert sum(result.payoff) == 0
    if result.kind != "scored":
        assert result.payoff == (0,) * 5
    else:
        assert result.next_multiplier == 1


def test_most_named_rule_sets_are_zero_sum() -> None:
    others = {"trattoria-equal", "family", "family-cards", "family-blind", "gingo"}
    assert {name for name in names() if not sums_to_zero(load(name))} >= others
    assert sums_to_zero(load("classic"))


# --- what is legal --------------------------------------------------------------------------------


def _moves_of(seat: int) -> tuple[Move, ...]:
    return (
        Pass(seat),
        Claim(seat),
        *(Bid(seat, rank, points) for rank in range(-1, 10) for points in range(126)),
        *(Call(seat, card) for card in range(40)),
        *(Play(seat, card) for card in range(-10, 40)),
        *(Trump(seat, suit) for suit in range(4)),
    )


UNIVERSE = tuple(move for seat in SEATS for move in _moves_of(seat))
"""Every move that anybody could think of."""


def check_legal(deal: Deal) -> None:
    allowed = [move for move in UNIVERSE if deal.why_not(move) is None]
    listed = [move for seat in SEATS for move in deal.legal(seat)]
    assert sorted(map(repr, allowed)) == sorted(map(repr, listed))
    for seat in SEATS:
        view = deal.view(seat)
        assert view.legal() == deal.legal(seat)
        assert all(view.why_not(move) is None for move in view.legal())


@given(states())
def test_legal_is_what_has_no_why_not(deal: Deal) -> None:
    check_legal(deal)


@named
def test_legal_is_what_has_no_why_not_in_each_named_set(name: str) -> None:
    rng = random.Random(name)
    deal = Deal.start(load(name), rng.randrange(5), random_hands(rng))
    steps = [deal, *(after for _, after in run(deal, rng))]
    for state in [*steps[:4], *rng.sample(steps, min(4, len(steps))), steps[-1]]:
        check_legal(state)


@given(runs())
def test_somebody_can_always_go_on(steps: Steps) -> None:
    for _, deal in steps:
        assert (deal.public.phase == "done") == (deal.public.turn == -1)
        if deal.public.phase != "done":
            moves = deal.legal(deal.public.turn)
            assert moves
            assert len(moves) == len(set(moves))
            assert all(not isinstance(move, Claim) or move == moves[-1] for move in moves)


@given(runs())
def test_a_refused_move_is_illegal_with_its_code(steps: Steps) -> None:
    rng = random.Random(len(steps))
    for _, deal in steps:
        move = rng.choice(UNIVERSE)
        code = deal.why_not(move)
        if code is None:
            assert isinstance(deal.apply(move), Deal)
        else:
            with pytest.raises(Illegal) as caught:
                deal.apply(move)
            assert caught.value.code == code


# --- text, log and print --------------------------------------------------------------------------


def test_every_value_is_frozen() -> None:
    shapes = [value for value in NAMES.values() if isinstance(value, type) and issubclass(value, msgspec.Struct)]
    assert len(shapes) > 20
    assert [shape for shape in shapes if not shape.__struct_config__.frozen and shape is not msgspec.Struct] == []


@given(states())
def test_every_value_prints_as_the_text_that_rebuilds_it(deal: Deal) -> None:
    values: list[Any] = [deal, deal.public, *deal.public.words, *(deal.view(seat) for seat in (-1, *SEATS))]
    for value in values:
        again = eval(repr(value), dict(NAMES))
        assert type(again) is type(value)
        assert again == value


@given(runs())
def test_words_read_back_from_json_and_text(steps: Steps) -> None:
    rules = steps[0][1].public.rules
    in_points = rules.auction.kind == "points"
    start = Dealt(steps[0][1].dealt)
    for word in (start, End(), *(move for move, _ in steps[1:] if move), *steps[-1][1].public.words):
        line = json.loads(json.dumps(to_json(word, rules.ranks)))
        assert from_json(line, rules.ranks, in_points) == word
        text = to_text(word, rules.ranks)
        if not isinstance(word, Dealt | End):
            bare = Claim(word.seat) if isinstance(word, Claim) else word
            bare = Call(word.seat, word.card) if isinstance(word, Call) else bare
            assert from_text(text, rules.ranks, in_points) == bare


@st.composite
def games(draw: st.DrawFn) -> list[Any]:
    """A game before its first word, then each word with the game after it."""
    rules = draw(any_rule_sets())
    game = Game.start(rules, draw(st.integers(0, 4 + rules.session.sitters)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    return [game, *game_words(game, rng, most=draw(st.integers(1, 4)))]


@given(games())
def test_the_log_rebuilds_every_state(steps: list[Any]) -> None:
    game, *told = steps
    words = [word for word, _ in told]
    lines = to_lines(game, words)
    begun, read = read_log(lines)
    assert (begun, read) == (game, words)
    for word, after in told:
        begun = begun.apply(word)
        assert begun == after
    assert replay(game, words) == (told[-1][1] if told else game)
    assert eval(repr(begun), dict(NAMES)) == begun


@given(games())
def test_scores_are_the_sum_of_the_sheet(steps: list[Any]) -> None:
    game = steps[-1][1] if len(steps) > 1 else steps[0]
    for person in range(game.people):
        assert game.scores[person] == sum(row.payoff[person] for row in game.rows)
    assert sorted(person for group in game.ranking() for person in group) == list(range(game.people))
    for _, after in steps[1:]:
        assert after.dealer in range(after.people)
        assert len(set(after.seats)) == 5
        if after.deal is not None and not after.needs_deal and not after.over:
            assert after.seats[after.deal.public.dealer] == after.dealer
