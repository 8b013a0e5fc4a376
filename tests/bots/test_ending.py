"""The end of a game: a share of the win where a deal may decide it, and nothing else anywhere."""

from __future__ import annotations

import random

import msgspec
import pytest

from chiamata.bots import ending
from chiamata.bots.contracts import Trial, rows_of
from chiamata.bots.ending import decides, share
from chiamata.bots.search import Searcher
from chiamata.bots.worth import DEFENDER, payoffs_for, payoffs_of
from chiamata.racer.mind import available
from chiamata.rules.cards import SEATS
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.moves import Bid, Move, Pass
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import Standing, View
from chiamata.study.deals import hands_of, neutral_contract
from tests.bots.test_blindness import Choose, asked_twice
from tests.bots.test_every_level import quick
from tests.kit import with_options

EVEN = (0, 0, 0, 0, 0)
MADE = (2, 1, -1, -1, -1)
"""A caller in seat 0 and a partner in seat 1 are paid."""
NINE = Standing(EVEN, scored=9)
"""Of the ten deals of ``classic`` the last one is played."""


def ruled(**session: object) -> RuleSet:
    options = {f"session.{key}": value for key, value in session.items()}
    return RuleSet.from_mapping(with_options(load("classic").to_mapping(), options))


def view_of(standing: Standing | None, rules: RuleSet | None = None) -> View:
    deal = neutral_contract(rules or load("classic"), "ending")
    return msgspec.structs.replace(deal.view(deal.public.turn), standing=standing)


@pytest.mark.parametrize(
    ("standing", "payoff", "shares"),
    [
        (NINE, MADE, (1, 0, 0, 0, 0)),
        (Standing((0, 0, 3, 0, 0), scored=9), MADE, (0.5, 0, 0.5, 0, 0)),
        (Standing((0, 1, 3, 3, 0), scored=9), MADE, (1 / 4, 1 / 4, 1 / 4, 1 / 4, 0)),
        (Standing(EVEN, (7,), 9), MADE, (0, 0, 0, 0, 0)),
        (Standing(EVEN, (2,), 9), MADE, (0.5, 0, 0, 0, 0)),
    ],
)
def test_the_win_is_shared_by_the_first(standing: Standing, payoff: tuple[int, ...], shares: tuple[float, ...]) -> None:
    assert [share(load("classic"), standing, payoff, seat) for seat in SEATS] == pytest.approx(shares)


def test_a_draw_ends_nothing() -> None:
    """It is played again: the shares are those of the scores, which a clear lead does not make certain."""
    shares = [share(load("classic"), Standing((3, 0, 0, 0, 0), scored=9), EVEN, seat) for seat in SEATS]
    assert sum(shares) == pytest.approx(1)
    assert shares[1] == shares[4] < shares[0] < 0.6
    ended = Standing((3, 0, 0, 0, 0), scored=9, ending=True)
    assert share(load("classic"), ended, EVEN, 0) == 1


def test_points_end_a_game_where_they_are_reached() -> None:
    rules = ruled(kind="points", target=11, deals=None)
    near = Standing((9, 8, 0, 0, 0))
    assert [share(rules, near, MADE, seat) for seat in SEATS] == [1, 0, 0, 0, 0]
    lost = [share(rules, near, (-2, -1, 1, 1, 1), seat) for seat in SEATS]
    assert sum(lost) == pytest.approx(1)
    assert min(lost) > 0
    assert decides(view_of(near, rules), 61)
    assert not decides(view_of(Standing((5, 6, 0, 0, 0)), rules), 61)


def test_which_deal_may_be_the_last() -> None:
    assert not decides(view_of(None), 61)
    assert not decides(view_of(Standing(EVEN, scored=8)), 61)
    assert decides(view_of(NINE), 61)
    assert decides(view_of(Standing(EVEN, scored=3, ending=True)), 61)
    assert not decides(view_of(Standing(EVEN, scored=50), ruled(kind="open", deals=None)), 61)


def test_any_other_deal_is_played_for_its_payoff() -> None:
    view = view_of(Standing((5, -5, 0, 0, 0), scored=3))
    assert payoffs_for(view) is payoffs_for(view_of(None))
    trial = Trial(view, 1, 10)
    assert trial._rows(0, 61) is rows_of(load("classic"), 61)


def test_a_defender_thinks_of_each_who_may_be_the_partner() -> None:
    """Two points behind one of the other four, it wins alone by a failed contract unless that one defends with it."""
    deal = neutral_contract(load("classic"), "ending")
    caller = deal.public.caller
    seat = next(one for one in SEATS if one != caller and not deal.dealt[one] >> deal.public.called & 1)
    rival = next(one for one in SEATS if one not in (seat, caller))
    scores = [0, 0, 0, 0, 0]
    scores[rival] = 1
    a, b, c, d, e = scores
    view = msgspec.structs.replace(deal.view(seat), standing=Standing((a, b, c, d, e), scored=9))
    failed = payoffs_for(view).rows[0][0]
    # With the rival for a partner (one world of three) three defenders share; else the rival is first alone.
    assert failed == pytest.approx(1 / 9 + ending.EVEN)
    assert payoffs_of(load("classic"), 61, DEFENDER).rows[0][0] == pytest.approx(1.0)


@pytest.mark.skipif(not available(), reason="no compiled racer here")
def test_who_is_behind_bids_and_who_leads_passes() -> None:
    """The same hand, in the last deal: passing cannot win for one that is far behind, and is enough for the leader."""
    bids = {True: 0, False: 0}
    for number in range(8):
        deal = Deal.start(load("classic"), 4, hands_of(f"ending {number}"))
        for leads in bids:
            scores = (4, 1, 0, -2, -3) if leads else (-2, 0, 0, 0, 2)
            view = msgspec.structs.replace(deal.view(0), standing=Standing(scores, scored=9))
            move = quick("friend").choose(view, random.Random(number))
            assert isinstance(move, Bid | Pass)
            bids[leads] += isinstance(move, Bid)
    assert bids[True] < bids[False]


@pytest.mark.skipif(not available(), reason="no compiled racer here")
def test_cards_are_weighed_by_the_win() -> None:
    """Whoever cannot win any more has next to nothing to choose between."""
    bot = quick("friend")
    assert isinstance(bot, Searcher)
    for standing, hopeless in ((None, False), (Standing((-90, -90, -90, -90, -90), (90,), 9), True)):
        values = [one.value for one in bot.advise(view_of(standing), random.Random(1)).moves]
        assert (max(map(abs, values)) < 0.2) == hopeless


@pytest.mark.parametrize("level", ["friend", "master"])
def test_the_score_tells_nothing_of_hidden_cards(level: str) -> None:
    """With the end of the game in sight too, what a bot cannot see does not move it."""
    bot, standing = quick(level), Standing((3, 1, 0, -1, -3), scored=9)

    def choose(deal: Deal) -> Choose:
        def last(view: View, rng: random.Random) -> Move:
            return bot.choose(msgspec.structs.replace(view, standing=standing), rng)

        return last

    seen, moved = asked_twice("classic", choose)
    assert moved == []
    assert set(seen) == {"auction", "call", "play"}
