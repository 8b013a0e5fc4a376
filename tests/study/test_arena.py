"""The arena: a field differs from itself by nothing; results are kept, and the same for a seed; good players win."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from chiamata.racer.mind import available
from chiamata.rules.catalogue import load, names
from chiamata.rules.errors import Malformed
from chiamata.study.arena import CHAIRS, Arena, Match, Outcome, Pair, chairs_of, play_deal, seatings_of, summed
from chiamata.study.deals import hands_of, neutral_contract, practice_contract
from chiamata.study.executors import Processes
from chiamata.study.ladder import matches
from chiamata.study.players import player

needs_core = pytest.mark.skipif(not available(), reason="no compiled racer here")


@pytest.mark.parametrize("chairs", CHAIRS)
def test_a_field_differs_from_itself_by_nothing(chairs: str) -> None:
    row = Arena().play(Match("simple", "simple", chairs), 5)
    assert row.difference == row.within == Outcome(0.0, 0.0, 0.0, 0.0)


@needs_core
def test_a_search_differs_from_itself_by_nothing() -> None:
    row = Arena().play(Match("determinized-8", "determinized-8", "defenders"), 3)
    assert row.difference == Outcome(0.0, 0.0, 0.0, 0.0)


@needs_core
def test_the_bidding_is_measured_apart_from_the_cards() -> None:
    """Two that bid alike and play otherwise: no difference in the auction, some at the table."""
    bids = Arena().play(Match("greedy", "determinized-4", "bidding"), 6)
    assert bids.difference == bids.within == Outcome(0.0, 0.0, 0.0, 0.0)
    assert Arena().play(Match("greedy", "determinized-4", "game"), 6).difference.points != 0
    assert Arena().play(Match("random", "simple", "bidding"), 6).difference.points != 0


def test_the_chairs_in_turn() -> None:
    deal = neutral_contract(load("classic"), "turns")
    assert [seatings_of(deal, chairs) for chairs in ("play", "bidding", "game")] == [[{0}, {1}, {2}, {3}, {4}]] * 3
    assert seatings_of(deal, "pairs") == [{0, 2}, {1, 3}, {2, 4}, {0, 3}, {1, 4}]
    assert seatings_of(deal, "side") == [{deal.public.caller} | chairs_of(deal, "partner")]


def test_the_contract_is_fixed_where_the_play_is_measured() -> None:
    """No deal is passed out or thrown in there; of whole games among players by chance some are."""
    assert Arena().play(Match("simple", "simple", "play"), 3).base.scored == 1
    assert Arena().play(Match("random", "random", "game"), 20).base.scored < 1


def test_rules_of_thumb_beat_chance() -> None:
    row = Arena().play(Match("simple", "random", "game"), 30)
    assert row.difference.payoff > row.within.payoff


@needs_core
@pytest.mark.parametrize("subject", ["club", "clairvoyant-20"])
def test_better_defenders_leave_the_caller_fewer_points(subject: str) -> None:
    row = Arena().play(Match(subject, "determinized-20", "defenders"), 20)
    assert row.difference.points < 0
    assert msgspec.json.decode(msgspec.json.encode(row)) is not None


def test_goes_on_after_a_kill(tmp_path: Path) -> None:
    match = Match("simple", "random", "caller")
    whole = Arena(tmp_path / "whole").play(match, 6)
    part = tmp_path / "part"
    Arena(part).play(match, 4)
    assert Arena(part).play(match, 6) == whole == Arena(executor=Processes(2)).play(match, 6)
    assert sorted(part.read_text().splitlines()) == sorted((tmp_path / "whole").read_text().splitlines())


@pytest.mark.parametrize("name", names())
def test_contracts_of_every_rule_set_can_be_played(name: str) -> None:
    for seed in ("1", "2", "3"):
        for make in (neutral_contract, practice_contract):
            deal = make(load(name), seed)
            assert (deal.public.phase, deal.public.turn) == ("play", deal.public.leader)
            assert deal == make(load(name), seed)
    deal = neutral_contract(load(name), "1")
    sides = [chairs_of(deal, chairs) for chairs in ("side", "defenders")]
    assert sorted(map(len, sides)) == [2, 3]


def test_numbers_by_hand() -> None:
    pairs = [Pair(Outcome(1.0, 70.0, 2.0, 1.0), Outcome(made, 60.0, 0.0, 1.0)) for made in (1.0, 0.0)]
    row = summed(Match("simple", "random", "caller"), pairs)
    assert (row.difference.made, row.difference.points, row.difference.payoff) == (-0.5, -10.0, -2.0)
    assert row.within.made == pytest.approx(1.96 * 0.5)


def test_the_ladder_names_players_that_there_are() -> None:
    for match, deals in matches(8):
        assert deals >= 1
        assert match.chairs in CHAIRS
        assert player(match.field).name == match.field
    with pytest.raises(Malformed):
        player("perfect")
    assert hands_of("a") != hands_of("b")
    assert play_deal(Match("random", "random", "side"), 0).faults == ()
