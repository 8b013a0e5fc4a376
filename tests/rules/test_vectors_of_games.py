"""The acceptance cases told in words about whole games: hands thrown in, dealers, scores and ends."""

from __future__ import annotations

import random

import msgspec
import pytest

from chiamata.rules.cards import SEATS
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Hands
from chiamata.rules.errors import Illegal
from chiamata.rules.game import Game, Row
from chiamata.rules.moves import Bid, Call, Claim, Dealt, Move, Pass
from chiamata.rules.ruleset import problems
from chiamata.rules.scoring import Result
from tests.kit import five, hands_with, moved, random_hands, start_of, with_options

change = msgspec.structs.replace


# --- hands thrown in ------------------------------------------------------------------------------


def test_h01_four_points_at_any_time_of_the_auction() -> None:
    deal = start_of("scighera", {"C": "KS 7S 6S 5H 4H 2D 4C 5C"})
    for said in ("", "A:A", "A:A B:3 C:K", "A:A B:3 C:pass", "A:A B:3 C:pass D:pass"):
        result = moved(deal, *([said] if said else []), "C:claim").public.result
        assert result is not None
        assert (result.kind, result.next_dealer, result.next_multiplier) == ("claim", 4, 2)
        assert result.payoff == (0, 0, 0, 0, 0)


def test_h02_five_points_are_too_many() -> None:
    deal = start_of("scighera", {"A": "QS JH 7S 6S 5H 4H 2D 4C"})
    assert deal.why_not(Claim(0)) == "HAND_CLAIM_NOT_ALLOWED"


def test_h03_two_points_in_brisk() -> None:
    allowed = start_of("brisk", {"A": "JS 7S 6S 5H 4H 2D 4C 2C"})
    result = moved(allowed, "A:claim").public.result
    assert result is not None
    assert (result.next_dealer, result.next_multiplier) == (4, 2)
    assert start_of("brisk", {"A": "QS 7S 6S 5H 4H 2D 4C 2C"}).why_not(Claim(0)) == "HAND_CLAIM_NOT_ALLOWED"


def test_h04_four_twos_at_the_first_turn_only() -> None:
    deal = start_of("buio", {"A": "2S 2H 2D 2C AS 3S KS QS"})
    assert deal.why_not(Claim(0)) is None
    for said in ("A:A", "A:pass"):
        assert moved(deal, said).why_not(Claim(0)) == "HAND_CLAIM_TOO_LATE"
    later = moved(deal, "A:A B:3 C:pass D:pass E:pass")
    assert later.public.turn == 0
    assert later.why_not(Claim(0)) == "HAND_CLAIM_TOO_LATE"


def test_h05_five_points_at_the_first_turn() -> None:
    assert start_of("buio", {"A": "QS JH 7S 6S 5H 4H 2D 4C"}).why_not(Claim(0)) is None
    six = start_of("buio", {"A": "KS JH 7S 6S 5H 4H 2D 4C"})
    assert six.why_not(Claim(0)) == "HAND_CLAIM_NOT_ALLOWED"
    assert start_of("buio", {"B": "QS JH 7S 6S 5H 4H 2D 4C"}).why_not(Claim(1)) == "NOT_YOUR_TURN"


def test_h06_no_points_and_no_multiplier() -> None:
    result = moved(start_of("straight-to-two", {"B": "7S 6S 5H 4H 2D 4C 2C 6C"}), "B:claim").public.result
    assert result is not None
    assert (result.kind, result.next_dealer, result.next_multiplier) == ("claim", 4, 1)


def test_h07_multipliers_gather_until_a_deal_is_scored() -> None:
    game = Game.start(load("brisk"), 4)
    game = passed_out(game)
    assert (game.dealer, game.multiplier) == (0, 2)
    game = game.apply(Dealt(hands_with({"C": "JS 7S 6S 5H 4H 2D 4C 2C"}))).apply(Claim(2))
    assert (game.dealer, game.multiplier) == (0, 4)
    game = scored(game, caller=0, points=61, tricks=4)
    assert (game.scores, game.multiplier) == ((8, 4, -4, -4, -4), 1)
    assert [row.dealer for row in game.rows] == [4, 0, 0]


def test_h08_no_claims_in_classic() -> None:
    deal = start_of("classic", {"A": "7S 6S 5H 4H 2D 4C 2C 6C"})
    assert [deal.why_not(Claim(seat)) for seat in SEATS] == ["HAND_CLAIM_NOT_IN_RULESET"] * 5


def test_h09_five_passes_count_for_nothing() -> None:
    game = passed_out(Game.start(load("classic"), 4))
    assert (game.scores, game.scored, game.dealer, game.multiplier) == ((0,) * 5, 0, 4, 1)


# --- games ----------------------------------------------------------------------------------------


def passed_out(game: Game) -> Game:
    game = game.apply(Dealt(random_hands(random.Random(1))))
    forehand = (game.dealer_seat + 1) % 5
    for right in range(5):
        game = game.apply(Pass((forehand + right) % 5))
    return game


def scored(game: Game, caller: int, made: bool = True, points: int | None = None, tricks: int | None = None) -> Game:
    """The game after a deal without a cappotto, found by trying: this seat calls 2S and the next one holds it."""
    two = game.rules.card_of("2S")
    for seed in range(10_000):
        rng = random.Random(seed)
        hands = list(random_hands(rng))
        holder = next(seat for seat in SEATS if hands[seat] >> two & 1)
        partner = (caller + 1) % 5
        hands[holder], hands[partner] = hands[partner], hands[holder]
        after = whole_deal(game, five(hands), caller, rng)
        result = after.rows[-1].result
        if (
            result.made == made
            and points in (None, result.points)
            and tricks in (None, result.tricks)
            and (result.unit, result.factor) == (1, 1)
        ):
            return after
    raise AssertionError("no such deal")


def whole_deal(game: Game, hands: Hands, caller: int, rng: random.Random) -> Game:
    game = game.apply(Dealt(hands))
    deal = game.deal
    assert deal is not None
    words: list[Move] = []
    while deal.public.phase != "done":
        turn = deal.public.turn
        choice: Move = Pass(turn)
        if deal.public.phase == "call":
            choice = Call(turn, game.rules.card_of("2S"))
        elif deal.public.phase != "auction":
            choice = rng.choice(deal.legal(turn))
        elif turn == caller and deal.public.standing is None:
            choice = (
                Bid(turn, -1, 61) if game.rules.auction.kind == "points" else Bid(turn, game.rules.ranks.index("2"))
            )
        deal = deal.apply(choice)
        words.append(choice)
    for word in words:
        game = game.apply(word)
    return game


def test_e01_ten_scored_deals() -> None:
    game = Game.start(load("classic"))
    for number in range(12):
        assert not game.over
        game = passed_out(game) if number in (3, 7) else scored(game, caller=number % 5)
    assert (game.over, len(game.rows), game.scored) == (True, 12, 10)
    with pytest.raises(Illegal):
        game.apply(Dealt(random_hands(random.Random(1))))


def ended(name: str, scores: list[int]) -> Game:
    """A game of this rule set with these final scores."""
    return change(Game.start(load(name)), scores=tuple(scores), over=True)


def test_e02_equal_scores_share_the_first_place() -> None:
    game = ended("classic", [7, 7, -3, -5, -6])
    assert game.winners() == (0, 1)
    assert game.ranking() == ((0, 1), (2,), (3,), (4,))


def test_e03_five_deals_or_ten() -> None:
    def asked(deals: int) -> list[tuple[str, str]]:
        found = problems(with_options(load("quick").to_mapping(), {"session.deals": deals}))
        return [(problem.code, problem.key) for problem in found]

    assert asked(7) == [("SESSION_DEALS_NOT_ALLOWED", "session.deals")]
    assert asked(5) == asked(10) == []


def test_e04_the_highest_score_wins() -> None:
    assert ended("quick", [6, -2, 1, -3, -2]).ranking() == ((0,), (2,), (1, 4), (3,))


def test_e05_family_shares_too() -> None:
    assert ended("family", [4, 4, 3, 2, 1]).winners() == (0, 1)


def fifteen(*scores: int, dealer: int = 4) -> Game:
    return change(Game.start(load("fifteen"), dealer), scores=scores)


def test_e06_exactly_fifteen_ends_it() -> None:
    game = scored(fifteen(13, 11, -7, -8, -9), caller=0)
    assert (game.scores, game.over, game.winners()) == ((15, 12, -8, -9, -10), True, (0,))


def test_e07_fourteen_does_not() -> None:
    game = scored(fifteen(12, 11, -7, -8, -8), caller=0)
    assert (game.scores, game.over) == ((14, 12, -8, -9, -9), False)
    assert game.needs_deal


def test_e08_they_play_on_while_level() -> None:
    game = scored(fifteen(13, 14, -9, -9, -9), caller=0)
    assert (game.scores, game.over) == ((15, 15, -10, -10, -10), False)
    game = scored(game, caller=2, made=False)
    assert (game.scores, game.over) == ((16, 16, -12, -11, -9), False)
    # The case says: B calls, A is the partner, and they make it.
    result = Result("scored", made=True, partner=0, payoff=(1, 2, -1, -1, -1))
    game = settled(game, result)
    assert (game.scores, game.over, game.winners()) == ((17, 18, -13, -12, -10), True, (1,))


def settled(game: Game, result: Result) -> Game:
    """The game after a deal that ended so, without playing it: the last card falls on a prepared table."""
    game = game.apply(Dealt(random_hands(random.Random(3))))
    assert game.deal is not None
    deal = change(game.deal, public=change(game.deal.public, phase="done", turn=-1, result=result))
    return change(game, deal=deal)._settle(deal, result)


def test_e09_the_higher_of_two_over_fifteen_wins() -> None:
    result = Result("scored", made=True, partner=0, payoff=(1, 2, -1, -1, -1))
    game = settled(fifteen(14, 14, -9, -9, -10), result)
    assert (game.scores, game.over, game.winners()) == ((15, 16, -10, -10, -11), True, (1,))


def test_e10_a_defender_can_get_there() -> None:
    game = scored(fifteen(14, 2, -5, -5, -6), caller=2, made=False)
    assert (game.scores, game.over, game.winners()) == ((15, 3, -7, -6, -5), True, (0,))


def test_e11_who_deals_after_five_passes() -> None:
    assert passed_out(Game.start(load("classic"), 4)).dealer == 4
    assert passed_out(Game.start(load("brisk"), 4)).dealer == 0


def row(caller: int, made: bool, *payoff: int) -> Row:
    return Row(0, caller, (caller + 1) % 5, 0, 61, Result("scored", made=made), payoff)


def test_e12_deals_won_break_a_tie() -> None:
    won_six = [row(4, True, 1, 0, 0, 0, -1)] * 6
    won_five = [row(4, True, 0, 1, 0, 0, -1)] * 4 + [row(4, True, 0, 2, 0, 0, -2)]
    game = change(ended("buio", [6, 6, 0, 0, -12]), rows=tuple(won_six + won_five))
    assert game.ranking() == ((0,), (1,), (2, 3), (4,))
