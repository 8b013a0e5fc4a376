"""The players that are no levels: greedy, ISMCTS and the open-card solver play legally, repeatably, and honestly."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from chiamata.racer.mind import available
from chiamata.rules.cards import SEAT_NAMES
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Malformed
from chiamata.rules.moves import from_text, to_text
from chiamata.study.cheats import Solver
from chiamata.study.deals import hands_of, neutral_contract, play_on, position_of
from chiamata.study.players import Company, known, player
from tests.bots.positions import read_positions
from tests.kit import hands_with

POSITIONS = read_positions(Path(__file__).parent.parent / "bots" / "positions.txt")
needs_core = pytest.mark.skipif(not available(), reason="no compiled racer here")


@needs_core
@pytest.mark.parametrize("rules", names())
def test_everybody_plays_every_rule_set(rules: str) -> None:
    deal = neutral_contract(load(rules), f"players {rules}")
    with Company(1.0) as company:
        bots = [
            company.seated(name, deal) for name in ("greedy", "ismcts-4", "clairvoyant-solve", "random", "ismcts-4")
        ]
        while deal.public.phase != "done":
            seat = deal.public.turn
            dice = f"{rules} {len(deal.public.words)}"
            move = bots[seat].choose(deal.view(seat), random.Random(dice))
            assert move == bots[seat].choose(deal.view(seat), random.Random(dice))
            deal = deal.apply(move)


@pytest.mark.parametrize(
    ("said", "card"),
    [
        ("A:2H B:4H C:5H D:6C", "4D"),  # nothing on the table: the cheapest card, trumps last
        ("A:JH B:4H C:5H D:6C", "2S"),  # two points: taken as cheaply as can be
        ("A:JH B:3H C:5H D:QS", "AS"),  # only the ace beats what lies there
    ],
)
def test_greedy_by_hand(said: str, card: str) -> None:
    rules = load("classic")
    deal = Deal.start(rules, 4, hands_with({"E": "AS 2S 4D 3C KD QD JD 7D"}, rules.ranks))
    for word in ["A:K", "B:pass", "C:pass", "D:pass", "E:pass", "A:call KS"]:
        deal = deal.follow(from_text(word, rules.ranks))
    for word in said.split():
        deal = deal.follow(from_text(word, rules.ranks))
    view = deal.view(4)
    assert player("greedy").choose(view, random.Random(1)) == from_text(f"{SEAT_NAMES[4]}:{card}", rules.ranks)


@needs_core
def test_ismcts_finds_what_is_plain() -> None:
    """Of the positions that a player by rules of thumb must get right; random cards get 2 of 14."""

    def solved(name: str) -> int:
        answers = [(one, player(name).choose(one.view, random.Random(1))) for one in POSITIONS]
        said = [(one, to_text(move, one.view.public.rules.ranks).partition(":")[2]) for one, move in answers]
        return sum(text not in one.avoids and (not one.plays or text in one.plays) for one, text in said)

    assert solved("random") < 5
    assert solved("ismcts-1000") >= 10


@needs_core
def test_the_solver_leaves_what_the_racer_says() -> None:
    """Five that see all cards and solve the last five tricks get exactly the value of the position."""
    for number in range(3):
        deal = neutral_contract(load("classic"), f"solved {number}")
        bots = [player("simple")] * 5
        while len(deal.public.tricks) < 4:
            seat = deal.public.turn
            deal = deal.follow(bots[seat].choose(deal.view(seat), random.Random(number)))
        solver = Solver(deal)
        value = solver.core.solve(*position_of(deal)).low
        done = play_on(deal, [solver] * 5, "solved")
        assert done.public.result is not None
        assert done.public.result.points == value


def test_a_search_without_worlds_to_search_bids_as_simple_does() -> None:
    view = Deal.start(load("classic"), 4, hands_of("bid")).view(0)
    assert len({player(name).choose(view, random.Random(1)) for name in ("simple", "greedy", "ismcts-5")}) == 1


@pytest.mark.parametrize(
    "name", ["ismcts-0", "ismcts-x", "perfect", "clairvoyant-40", "oracle-search", "determinized-"]
)
def test_who_is_not_honest_or_not_there_is_refused(name: str) -> None:
    with pytest.raises(Malformed, match=name):
        player(name)
    assert "clairvoyant-solve" in known()
