"""The solver against plain minimax, in every variant and from everywhere inside a trick."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from chiamata.racer import binding
from chiamata.racer.binding import Core
from chiamata.racer.examples import classic, example
from chiamata.racer.jobs import Limits, Position, Unsound, Variant
from chiamata.racer.mirror import Mirror, Play
from chiamata.rules.cards import card_of, card_set
from tests.racer.variants import all_variants, position, variant
from tools.train_ordering import nodes_in

pytestmark = pytest.mark.skipif(not binding.available(), reason=binding.why_not())

KINDS = tuple(all_variants(Random(0)))
SMALL, FOUR = 1100, 60
"""Positions a kind with one to three tricks left, and with four: 14 x 1160 = 16,240 in all."""


def check(core: Core, rules: Variant, where: Position, random: Random) -> None:
    """Value, win test and every card agree with plain minimax."""
    value = binding.plain(rules, where)
    bounds = core.solve(rules, where)
    assert (bounds.low, bounds.high) == (value, value), where
    target = random.choice((value, value + 1, random.randrange(1, 130)))
    test = core.win_test(rules, where, target)
    assert test.reaches(target) == (value >= target), (where, target)
    assert test.low <= value <= test.high, (where, target)
    cards = core.all_cards(rules, where)
    assert [one.card for one in cards] == Play.start(rules, where).moves()
    assert all(one.low == one.high for one in cards)
    best = max if where.side >> where.turn & 1 else min
    assert best(one.low for one in cards) == value, where


@pytest.mark.parametrize("kind", KINDS)
def test_three_tricks_and_less_agree_with_plain_minimax(kind: str) -> None:
    random, core = Random(kind), Core()
    for _ in range(SMALL):
        rules = all_variants(random)[kind]
        check(core, rules, position(random, rules, random.randint(1, 3), random.randrange(5)), random)


@pytest.mark.parametrize("kind", KINDS)
def test_four_tricks_agree_with_plain_minimax(kind: str) -> None:
    random, core = Random(kind), Core()
    for _ in range(FOUR):
        rules = all_variants(random)[kind]
        check(core, rules, position(random, rules, 4, random.randrange(5)), random)


@pytest.mark.parametrize("kind", KINDS)
def test_plain_minimax_and_the_mirror_agree(kind: str) -> None:
    random, mirror = Random(kind), Mirror()
    for _ in range(25):
        rules = all_variants(random)[kind]
        where = position(random, rules, random.randint(1, 2), random.randrange(5))
        bounds = mirror.solve(rules, where)
        assert bounds.low == bounds.high == binding.plain(rules, where)
        cards = mirror.all_cards(rules, where)
        best = max if where.side >> where.turn & 1 else min
        assert best(one.low for one in cards) == bounds.low


@pytest.mark.parametrize("seed", [0, 2, 4])
def test_with_six_tricks_left_the_ways_to_ask_agree(seed: int) -> None:
    """Too long for plain minimax: value, both win tests beside it, and the best card by a target."""
    core = Core()
    rules, where = example(seed, 6)
    value = core.solve(rules, where)
    assert value.low == value.high
    assert core.win_test(rules, where, value.low).reaches(value.low) is True
    assert core.win_test(rules, where, value.low + 1).reaches(value.low + 1) is False
    cards = [one.reaches(value.low) for one in core.all_cards(rules, where, value.low)]
    assert any(cards) if where.side >> where.turn & 1 else all(cards)
    if value.low > 0:
        limited = core.solve(rules, where, Limits(nodes=value.nodes // 2))
        assert limited.low <= value.low <= limited.high


def test_a_whole_deal_under_a_limit_has_bounds_on_both_sides() -> None:
    rules, where = example(3, 8)
    bounds = Core(20).solve(rules, where, Limits(nodes=3_000_000))
    assert (bounds.low, bounds.high) != (0, 120)


def test_cards_valued_for_a_target_tell_who_reaches_it() -> None:
    random, core = Random(5), Core()
    for seed in range(60):
        rules, where = example(seed, 4)
        values = core.all_cards(rules, where)
        target = random.choice(values).low
        for value, test in zip(values, core.all_cards(rules, where, target), strict=True):
            assert value.card == test.card
            assert test.reaches(target) == (value.low >= target)


def test_a_first_trick_without_trumps_is_taken_by_the_led_suit() -> None:
    """C leads the fante of coppe and A ruffs with the ace; B's seven then ends the trick, whose taker is A or C."""
    table = tuple(card_of(name) for name in ("JH", "6H", "5H", "AS"))
    seven = card_of("7D")
    rest = [card for card in range(40) if card not in (*table, seven)]
    hands = [card_set(rest[7 * seat : 7 * seat + 7]) for seat in range(5)]
    hands[1] |= 1 << seven
    five = (hands[0], hands[1], hands[2], hands[3], hands[4])
    for plain, taker in ((False, 0), (True, 2)):
        rules = variant(3, first_plain=plain)
        for seat in range(5):
            where = Position(five, 1 << seat, 2, table)
            gain = 2 + 11 if seat == taker else 0
            assert Play.start(rules, where).after(seven).taken == gain
            answers = {one.card: one for one in Core(14).all_cards(rules, where, 121, Limits(nodes=1))}
            assert (answers[seven].low, answers[seven].high) == (gain, gain + 120 - 13)


def test_cappotto_is_the_value_of_counted_tricks() -> None:
    """With the four best trumps the caller's side takes all; without a fifth card it does not."""
    hands = ("AS 3S KS QS", "2C 4C 5C 6C", "2D 4D 5D 6D", "2H 4H 5H 6H", "7C 7D 7H JH")
    a, b, c, d, e = (card_set(card_of(name) for name in hand.split()) for hand in hands)
    rules = classic(3).counting_tricks()
    assert Core().win_test(rules, Position((a, b, c, d, e), 1, 0), 4).reaches(4)
    f, g = a ^ 1 << card_of("AS") ^ 1 << card_of("7C"), e ^ 1 << card_of("7C") ^ 1 << card_of("AS")
    bounds = Core().win_test(rules, Position((f, b, c, d, g), 1, 0), 4)
    assert bounds.reaches(4) is False


def test_only_cards_that_were_tried_are_labelled() -> None:
    """These deals are decided while the strict side is held to its two best cards."""
    by_mode, states_of_a_card, mode_block = 2700, 100, 5
    strict = 0
    for seed in (17, 33):
        rules, where = example(seed, 8)
        for labels, rows in nodes_in(Core(20).samples(rules, where, 61, 20)):
            if (rows[0][mode_block] - by_mode) // states_of_a_card == 1:
                strict += 1
                assert len(labels) == 2
    assert strict > 0


def test_samples_stay_within_their_room() -> None:
    """A node is written after the nodes below it, which take room too."""
    for seed in (16, 22):
        rules, where = example(seed, 8)
        numbers = Core(20).samples(rules, where, 61, 1)
        assert binding.SAMPLE_ROOM - 1000 < len(numbers) <= binding.SAMPLE_ROOM


LAST_TRICKS = 1000
"""The last two tricks are searched without a look at the limits."""


@pytest.mark.parametrize("nodes", [1, 100, 1000, 20_000, 300_000])
def test_a_limit_leaves_bounds_that_hold(nodes: int) -> None:
    core = Core()
    for seed in range(6):
        rules, where = example(seed, 5)
        whole = core.solve(rules, where)
        value = whole.low
        bounds = core.solve(rules, where, Limits(nodes=nodes))
        assert bounds.low <= value <= bounds.high
        assert bounds.nodes <= nodes + LAST_TRICKS
        assert bounds.low < bounds.high or whole.nodes <= nodes + LAST_TRICKS
        test = core.win_test(rules, where, value, Limits(nodes=nodes))
        assert test.reaches(value) is not False
        assert core.win_test(rules, where, value + 1, Limits(nodes=nodes)).reaches(value + 1) is not True
        for one in core.all_cards(rules, where, 0, Limits(nodes=nodes)):
            assert one.low <= one.high


def test_a_limit_in_seconds_ends_a_whole_deal() -> None:
    rules, where = example(3, 8)
    begun = time.thread_time()
    bounds = Core(18).solve(rules, where, Limits(seconds=0.2))
    assert time.thread_time() - begun < 2
    assert bounds.low < bounds.high


NODES = {3: 7_296, 4: 182_407, 5: 1_831_295, "whole deal": 460_599, "whole deal for wider searches": 23_432}
"""Cards played for the values of the first deals by tricks left, and for win tests of whole deals."""


def test_the_same_question_costs_the_same_cards() -> None:
    """Node counts are exact: a change here is a change of the search, for better or for worse."""
    used = Core()
    counts: dict[int | str, int] = {}
    for tricks, deals in ((3, 20), (4, 20), (5, 6)):
        jobs = [example(seed, tricks) for seed in range(deals)]
        nodes = [Core().solve(rules, where).nodes for rules, where in jobs]
        twice = [(used.solve(*job).nodes, used.solve(*job).nodes) for job in jobs]
        assert twice == [(one, one) for one in nodes], "what an earlier job left behind was used"
        counts[tricks] = sum(nodes)
    for name, seed in (("whole deal", 4), ("whole deal for wider searches", 19)):
        rules, where = example(seed, 8)
        counts[name] = Core(20).win_test(rules, where, 61).nodes
    assert counts == NODES


def test_cores_on_threads_do_not_meet() -> None:
    jobs = [example(seed, 4) for seed in range(80)]
    core = Core()
    alone = [core.solve(*job).low for job in jobs]

    def work(share: int) -> list[int]:
        mine = Core()
        return [mine.solve(*job).low for job in jobs[share::4]]

    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(work, range(4)))
    assert [shares[i % 4][i // 4] for i in range(80)] == alone


BROKEN = {
    "a card twice": Position((1, 1, 2, 4, 8), 1, 0),
    "unequal hands": Position((3, 4, 8, 16, 32), 1, 0),
    "no cards": Position((0, 0, 0, 0, 0), 1, 0),
    "nobody calls": Position((1, 2, 4, 8, 16), 0, 0),
    "a sixth seat": Position((1, 2, 4, 8, 16), 1, 5),
    "a card beyond the pack": Position((1, 2, 4, 8, 1 << 40), 1, 0),
    "a card on table and in hand": Position((0, 2, 4, 8, 16), 1, 0, (1,)),
    "five on the table": Position((1, 2, 4, 8, 16), 1, 0, (5, 6, 7, 8, 9)),
}


@pytest.mark.parametrize("what", BROKEN)
def test_positions_that_cannot_be_are_refused(what: str) -> None:
    for answer in (Core(12).solve, Mirror().solve):
        with pytest.raises(Unsound):
            answer(classic(0), BROKEN[what])


@pytest.mark.parametrize(
    "rules",
    [
        Variant((1,) * 40, tuple(range(9, -1, -1)) * 4, 4),
        Variant((1,) * 39 + (2,), tuple(range(9, -1, -1)) * 4, 0),
        Variant((7,) * 40, tuple(range(9, -1, -1)) * 4, 0),
        Variant((1,) * 40, (0,) * 40, 0),
        Variant((1,) * 3, (0,) * 40, 0),
        Variant((1,) * 40, tuple(range(9, -1, -1)) * 4, 0, follow_last=9),
    ],
)
def test_variants_that_cannot_be_are_refused(rules: Variant) -> None:
    for answer in (Core(12).solve, Mirror().solve):
        with pytest.raises(Unsound):
            answer(rules, Position((1, 2, 4, 8, 16), 1, 0))
