"""How well a partner can be known at all: the true model of a player, and the table that ``ceiling`` prints."""

from __future__ import annotations

import random

import pytest

from chiamata.bots.determinized import Determinized
from chiamata.racer.mind import Choice, available
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Play
from chiamata.study.ceiling import Judge, frequency, main
from chiamata.study.company import first_lead, follow, sitting
from chiamata.study.deals import is_choice, neutral_contract

pytestmark = pytest.mark.skipif(not available(), reason="no compiled racer here")


def some_choice(seed: int, cards: int) -> Deal:
    """The first decision after so many cards of a deal played by the plain player."""
    deal, bot = neutral_contract(load("classic"), f"ceiling {seed}"), Determinized(40)
    while sum(len(trick.cards) for trick in deal.public.tricks) + len(deal.public.trick) < cards or not is_choice(deal):
        deal = deal.follow(bot.choose(deal.view(deal.public.turn), random.Random(seed)))
    return deal


@pytest.mark.parametrize("seed", range(3))
def test_the_true_model_is_how_often_the_player_does_it(seed: int) -> None:
    deal = some_choice(seed, 7)
    view, bot = deal.view(deal.public.turn), Determinized(40)
    played = [bot.choose(view, random.Random(number)) for number in range(80)]
    judge = Judge(400)
    for move in view.legal():
        assert isinstance(move, Play)
        truth = judge.truth(view, move.card, random.Random(1))
        assert truth == pytest.approx(played.count(move) / 80, abs=0.25)


def test_cards_as_good_as_each_other_share_and_a_better_one_takes_all() -> None:
    dice = random.Random(2)
    even = (Choice(0, 0.5, 0.0, 100), Choice(1, 0.5, 0.1, 100))
    assert frequency(even, 0, 100, dice) == pytest.approx(0.5, abs=0.15)
    apart = (Choice(0, 0.5, 0.0, 100), Choice(1, -0.5, 0.01, 100))
    assert frequency(apart, 0, 100, dice) == 1.0
    assert 0 < frequency(apart, 1, 100, dice) < 0.01


def test_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--deals", "2", "--after", "0", "1", "--worlds", "12", "--asked", "20"]) == 0
    assert "\n| 0 | 2 | " in capsys.readouterr().out


def test_a_company_sits_as_its_number_says() -> None:
    assert sitting(0) == ("plain",) * 5
    assert sitting(8) == ("rules",) * 5
    assert sitting(18) == ("greedy",) * 5
    assert set(sitting(9)) <= {"plain", "search", "rules", "greedy"}
    assert {first_lead(number).public.rules.id for number in range(0, 80, 10)} >= {"classic", "bastarda"}
    deal = first_lead(3)
    (card, *_) = [move.card for move in deal.legal(deal.public.turn) if isinstance(move, Play)]
    assert follow(deal, card).public.trick == (card,)
