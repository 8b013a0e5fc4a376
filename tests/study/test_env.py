"""The environment for learning programs: PettingZoo's own test, the rules' own moves, and nobody's hidden cards."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Pass
from chiamata.study.deals import hands_of
from chiamata.study.env import ACTIONS, AGENTS, SIZE, ChiamataEnv, action_of, features_of, mask_of
from tests.kit import five, run


def choice(mask: Any, dice: random.Random) -> int:
    """An allowed action."""
    return int(dice.choice(np.flatnonzero(mask).tolist()))


@pytest.mark.parametrize("rules", ["classic", "family-blind", "buio"])
def test_passes_pettingzoos_own_test(rules: str) -> None:
    """It warns of what is so by design: observations with a mask, no picture, nothing else."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        api_test(ChiamataEnv(rules), num_cycles=200)
    allowed = ("Observation space for each agent probably", "Observation is not a NumPy array", "Environment has not")
    assert [str(one.message) for one in told if not str(one.message).startswith(allowed)] == []


def test_the_same_seed_the_same_deal() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seed_test(ChiamataEnv, num_cycles=100)
    env = ChiamataEnv()
    env.reset(seed=3)
    first = env.view("seat_0")
    env.reset()
    assert env.view("seat_0") != first
    env.reset(seed=3)
    assert env.view("seat_0") == first


@pytest.mark.parametrize("rules", names())
def test_a_deal_of_every_rule_set(rules: str) -> None:
    """Each legal move has a number of its own, each observation its place, and the rewards are the payoffs."""
    env, dice = ChiamataEnv(rules), random.Random(rules)
    for seed in range(3):
        env.reset(seed=seed)
        paid = {}
        for agent in env.agent_iter():
            seen, reward, ended, _, _ = env.last()
            assert env.observation_space(agent).contains(seen)
            if ended:
                paid[agent] = reward
                env.step(None)
                continue
            legal = env.view(agent).legal()
            assert len({action_of(move) for move in legal}) == len(legal) == seen["action_mask"].sum()
            assert seen["observation"].shape == (SIZE,)
            env.step(choice(seen["action_mask"], dice))
        assert env.agents == []
        result = env.view(AGENTS[0]).public.result
        assert result is not None
        assert [paid[agent] for agent in AGENTS] == list(result.payoff)


def test_what_is_not_allowed_is_refused_and_changes_nothing() -> None:
    env = ChiamataEnv()
    env.reset(seed=1)
    before = env.view("seat_1")
    for action in (2, ACTIONS, -1, None):
        with pytest.raises(ValueError, match="may not do"):
            env.step(action)
    assert env.view("seat_1") == before
    waiting = AGENTS[(AGENTS.index(env.agent_selection) + 1) % 5]
    assert env.observe(waiting)["action_mask"].sum() == 0
    env.step(action_of(Pass(0)))
    assert env.agent_selection == waiting


@pytest.mark.parametrize("rules", ["classic", "family-blind", "open-points"])
def test_hidden_cards_are_not_in_it(rules: str) -> None:
    """Two deals that one seat cannot tell apart look the same to it, number by number."""
    one = Deal.start(load(rules), 4, hands_of("a"))
    two = Deal.start(load(rules), 4, five([one.dealt[0], one.dealt[2], one.dealt[1], one.dealt[4], one.dealt[3]]))
    assert (features_of(one.view(0)) == features_of(two.view(0))).all()
    assert (features_of(one.view(1)) != features_of(two.view(1))).any()


def test_all_that_a_seat_knows_is_in_it() -> None:
    """Views that differ in what matters give other numbers: checked along whole deals."""
    for seed in range(3):
        start = Deal.start(load("classic"), seed, hands_of(f"{seed}"))
        rows = [deal for _, deal in run(start, random.Random(seed))]
        told = {features_of(deal.view(2)).tobytes() for deal in rows}
        assert len(told) == len(rows)
        assert all(mask_of(deal.view(2)).sum() == len(deal.view(2).legal()) for deal in rows)
