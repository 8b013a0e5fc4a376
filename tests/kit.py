"""Hypothesis strategies and builders for tests of rules, bots and house; public, to be used anywhere."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

from chiamata.rules.cards import ALL_CARDS, ITALIAN_RANKS, SEAT_NAMES, SEATS, CardSet, card_of, card_set, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.deal import Deal, Hands
from chiamata.rules.game import Game
from chiamata.rules.moves import Claim, Dealt, End, Move, Play, Word, from_text
from chiamata.rules.ruleset import RuleSet

FRENCH_RANKS = ("A", "10", "K", "Q", "J", "6", "5", "4", "3", "2")


def with_options(mapping: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """A copy of a nested mapping with these dotted keys set: ``{"auction.kind": "points"}``."""
    changed = copy.deepcopy(mapping)
    for key, value in options.items():
        *sections, last = key.split(".")
        place = changed
        for section in sections:
            place = place.setdefault(section, {})
        place[last] = copy.deepcopy(value)
    return changed


# --- rule sets ------------------------------------------------------------------------------------


def junk() -> st.SearchStrategy[Any]:
    """Anything that JSON, TOML or a careless caller could bring."""
    leaves = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=20)
        | st.sampled_from(["none", "rank", "points", "A", 10**400, float("nan"), "\ud800", b"bytes"])
    )
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    )


def _increasing(low: int, high: int, most: int = 6) -> st.SearchStrategy[list[int]]:
    """One to ``most`` different numbers from low to high, rising."""
    return st.lists(st.integers(low, high), min_size=1, max_size=most, unique=True).map(sorted)


def _chance(value: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | value


@st.composite
def _decks(draw: st.DrawFn) -> dict[str, Any]:
    ranks = draw(st.sampled_from([ITALIAN_RANKS, ITALIAN_RANKS, FRENCH_RANKS]))
    points = draw(
        st.sampled_from(
            [(11, 10, 4, 3, 2, 0, 0, 0, 0, 0), (10, 9, 5, 3, 1, 1, 1, 0, 0, 0), (9, 8, 4, 3, 1, 0, 0, 0, 0, 0)]
        )
    )
    deck: dict[str, Any] = {"ranks": list(ranks), "card_points": dict(zip(ranks, points, strict=True))}
    for order in ("trick_order", "auction_order"):
        deck[order] = list(draw(st.just(ranks) | st.permutations(ranks)))
    return deck


@st.composite
def _auctions(draw: st.DrawFn, base: int, most: int) -> dict[str, Any]:
    flag = st.booleans()
    in_ranks = draw(st.sampled_from([True, True, False]))
    raises = in_ranks and draw(flag)
    jump = raises and draw(flag)
    last = draw(st.sampled_from(["free", "free", "forced", "auto_min"]))
    least = draw(st.integers(1, most - 1))
    all_pass = (
        st.sampled_from(["redeal_same_dealer", "redeal_next_dealer"]) if last == "free" else st.just("impossible")
    )
    return {
        "opener": draw(st.sampled_from(["forehand", "dealer"])),
        "kind": "rank" if in_ranks else "points",
        "open_lowest_only": in_ranks and draw(flag),
        "pass_is_final": draw(st.sampled_from([True, True, True, False])),
        "points_after_lowest": raises,
        "direct_points_jump": jump,
        "first_raise": draw(st.integers(base + 1, base + 10)),
        "raise_mode": draw(st.sampled_from(["min_step", "exact_step", "ladder"])),
        "raise_step": draw(st.integers(1, 15)),
        "ladder": draw(_increasing(base + 1 if in_ranks else least, most)),
        "min_points": least,
        "max_points": most,
        "last_bidder": last,
        "all_pass": draw(all_pass),
        "all_pass_multiplier": draw(st.integers(1, 3)),
        "lone_bidder_min": draw(_chance(st.integers(1, most))) if jump and last == "free" else None,
        "bid_requirements": _requirements(draw, base, most) if raises else None,
    }


def _requirements(draw: st.DrawFn, base: int, most: int) -> list[list[int]] | None:
    if draw(st.sampled_from([True, True, False])):
        return None
    starts = draw(_increasing(base + 1, most, 4))
    return [[start, draw(st.integers(1, 30))] for start in starts]


@st.composite
def _calls(draw: st.DrawFn, auction: dict[str, Any]) -> dict[str, Any]:
    ranks = ["bid_rank", "bid_rank", "bid_rank_or_higher"] if auction["kind"] == "rank" else []
    allowed = draw(st.sampled_from([*ranks, "any", "highest_missing"]))
    stuck = auction["last_bidder"] != "free" and auction["open_lowest_only"] and allowed == "bid_rank"
    may_forbid = auction["bid_requirements"] is None and not stuck
    own = draw(st.sampled_from(["allowed", "allowed", "forbidden"])) if may_forbid else "allowed"
    exception = allowed == "bid_rank" and own == "allowed" and draw(st.booleans())
    return {
        "allowed": allowed,
        "own_card": own,
        "lowest_exception": "lowest_missing" if exception else "none",
        "timing": draw(st.sampled_from(["before_first_trick", "suit_after_first_trick_cards", "after_first_trick"])),
        "cover_called_rank": draw(st.booleans()),
    }


def _plays() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "first_leader": st.sampled_from(["forehand", "caller", "dealer"]),
            "follow_suit": st.sampled_from(["none", "always", "last_n"]),
            "follow_last_n": st.integers(1, 8),
            "trump_change": st.sampled_from(["none", "none", "on_reveal"]),
        }
    )


@st.composite
def _scorings(draw: st.DrawFn, lowest: int, most: int) -> dict[str, Any]:
    zero_sum = draw(st.booleans())
    payoff = st.integers(-4, 4)
    table: dict[str, dict[str, int]] = {}
    for name in ("win", "loss", "solo_win", "solo_loss"):
        each = {"defender": draw(payoff)} | ({} if name.startswith("solo") else {"partner": draw(payoff)})
        rest = each["defender"] * (4 if name.startswith("solo") else 3) + each.get("partner", 0)
        table[name] = {"caller": -rest if zero_sum else draw(payoff), **each}
    if not any(value > 0 for each in table.values() for value in each.values()):
        table["win"] = {"caller": 2, "partner": 1, "defender": -1}
    starts = [draw(st.integers(1, lowest)), *draw(_increasing(lowest + 1, most, 4) if lowest < most else st.just([]))]
    capot = st.fixed_dictionaries(
        {
            "basis": st.sampled_from(["tricks", "points"]),
            "side": st.sampled_from(["either", "caller", "defenders"]),
            "op": st.sampled_from(["multiply", "add_units", "replace_unit"]),
            "value": st.integers(1, 4),
        }
    )
    kind = draw(st.sampled_from(["roles", "roles", "roles", "gingo"]))
    return table | {
        "kind": kind,
        "unit_by_target": [[start, draw(st.integers(1, 6))] for start in starts],
        "margin_bonus": draw(_chance(_increasing(1, most, 3).map(lambda each: [[one, 1] for one in each]))),
        "capot": draw(_chance(capot)),
        "draw_multiplier": draw(st.integers(1, 3)),
        "require_zero_sum": zero_sum and kind == "roles",
    }


def _hand_claims() -> st.SearchStrategy[dict[str, Any]]:
    return st.booleans().flatmap(
        lambda mandatory: st.fixed_dictionaries(
            {
                "max_points": st.integers(0, 5 if mandatory else 10),
                "four_lowest": st.booleans(),
                "when": st.sampled_from(["auction_any_time", "own_turn", "before_auction"]),
                "mandatory": st.just(mandatory),
                "same_dealer": st.booleans(),
                "multiplier": st.integers(1, 3),
            }
        )
    )


@st.composite
def _sessions(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["deals", "points", "time", "open"]))
    deals = draw(st.integers(1, 10))
    rules = st.lists(st.sampled_from(["deals_won", "calls_made", "peak_score", "countback"]), min_size=1, unique=True)
    return {
        "kind": kind,
        "deals": deals if kind == "deals" else None,
        "allowed": draw(st.sampled_from([None, [deals], sorted({deals, 5})])),
        "target": draw(st.integers(1, 20)) if kind == "points" else None,
        "minutes": draw(st.integers(1, 120)) if kind == "time" else None,
        "tie": draw(st.sampled_from(["shared", "play_on", "tiebreak"])),
        "tiebreaks": draw(rules),
        "sitters": draw(st.sampled_from([0, 0, 1, 2, 3, 4])),
    }


@st.composite
def rule_set_mappings(draw: st.DrawFn) -> dict[str, Any]:
    """A complete valid configuration in which every option takes any value that the others leave it."""
    deck = draw(_decks())
    most = 4 * sum(deck["card_points"].values())
    base = draw(st.sampled_from([61, 61, 61, 60, most // 2 + 3]))
    auction = draw(_auctions(base, most))
    tie = draw(st.sampled_from(["defenders", "caller", "draw"])) if base == 61 else "defenders"
    return {
        "id": "random",
        "title": draw(st.sampled_from(["", "Random"])),
        "source": "",
        "version": draw(st.integers(1, 3)),
        "direction": draw(st.sampled_from(["ccw", "cw"])),
        "deck": deck,
        "deal": {
            "packets": draw(st.sampled_from([[4, 4], [8], [3, 2, 3], [2, 2, 2, 2], [1] * 8])),
            "dealer_rotation": draw(st.sampled_from(["next", "same"])),
        },
        "auction": auction,
        "call": draw(_calls(auction)),
        "play": draw(_plays()),
        "contract": {"base_target": base, "tie_60": tie},
        "scoring": draw(_scorings(base if auction["kind"] == "rank" else auction["min_points"], most)),
        "hand_claim": draw(_chance(_hand_claims())),
        "session": draw(_sessions()),
        "conduct": {"chat": draw(st.sampled_from(["off", "canned", "free"]))},
    }


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Any valid rule set; shrinks towards the defaults."""
    return rule_set_mappings().map(RuleSet.from_mapping)


def named_rule_sets() -> st.SearchStrategy[RuleSet]:
    """One of the rule sets of the catalogue; shrinks towards the first of the menu."""
    return st.sampled_from(names()).map(load)


def any_rule_sets() -> st.SearchStrategy[RuleSet]:
    """A named rule set or a random one, each about half of the time."""
    return named_rule_sets() | rule_sets()


# --- deals ----------------------------------------------------------------------------------------


def card_set_of(text: str, ranks: tuple[str, ...] = ITALIAN_RANKS) -> CardSet:
    """``card_set_of("AS 3H")``: the set of these cards."""
    return card_set(card_of(name, ranks) for name in text.split())


def hands_with(held: dict[str, str], ranks: tuple[str, ...] = ITALIAN_RANKS) -> Hands:
    """Five hands in which these seats hold these cards, ``{"A": "AS 3H"}``; the rest is filled up in order."""
    hands = [card_set_of(held.get(seat, ""), ranks) for seat in SEAT_NAMES]
    left = list(cards_in(ALL_CARDS & ~(hands[0] | hands[1] | hands[2] | hands[3] | hands[4])))
    for seat in range(5):
        while hands[seat].bit_count() < 8:
            hands[seat] |= 1 << left.pop(0)
    return five(hands)


def five(hands: Sequence[CardSet]) -> Hands:
    """A sequence of five as the tuple that a deal wants."""
    a, b, c, d, e = hands
    return a, b, c, d, e


def hands_of(pack: Sequence[int]) -> Hands:
    """Eight cards after eight to each seat."""
    return five([card_set(pack[8 * seat : 8 * seat + 8]) for seat in range(5)])


def random_hands(rng: random.Random) -> Hands:
    """Any deal, each as likely as another."""
    return hands_of(rng.sample(range(40), 40))


def hands() -> st.SearchStrategy[Hands]:
    """Any deal; shrinks towards the pack in order."""
    return st.permutations(range(40)).map(hands_of)


def moved(deal: Deal, *said: str) -> Deal:
    """The deal after these moves in text: ``moved(deal, "A:K", "B:pass C:pass D:pass E:pass", "A:call KS")``."""
    for text in said:
        for one in re.split(r"\s+(?=[A-E]:)", text.strip()):
            deal = deal.apply(from_text(one, deal.public.rules.ranks, deal.public.rules.auction.kind == "points"))
    return deal


def start_of(name: str, held: dict[str, str], dealer: str = "E") -> Deal:
    """A deal of a named rule set in which these seats hold these cards."""
    rules = load(name)
    return Deal.start(rules, SEAT_NAMES.index(dealer), hands_with(held, rules.ranks))


def cheapest_contract(rules: RuleSet) -> str:
    """The bid of the lowest rank without points, or of the least points."""
    return str(rules.auction.min_points) if rules.auction.kind == "points" else rules.ranks[rules.auction_ranks[-1]]


def won_by(deal: Deal, seat: str, bid: str = "") -> Deal:
    """The deal after an auction that this seat has won with this bid, all the others passing."""
    while deal.public.phase == "auction":
        turn = SEAT_NAMES[deal.public.turn]
        speaks = turn == seat and deal.public.standing is None
        deal = moved(deal, f"{turn}:{(bid or cheapest_contract(deal.public.rules)) if speaks else 'pass'}")
    assert deal.public.caller == SEAT_NAMES.index(seat)
    return deal


def play_on(deal: Deal, tricks: int, keep: str = "") -> Deal:
    """The deal when so many tricks are done, each seat playing its first legal card; cards to keep come last."""
    kept = card_set_of(keep, deal.public.rules.ranks)
    while len(deal.public.tricks) < tricks:
        moves = deal.legal(deal.public.turn)
        others = [move for move in moves if not (isinstance(move, Play) and kept >> move.card & 1)]
        deal = deal.apply((others or list(moves))[0])
    return deal


# --- runs -----------------------------------------------------------------------------------------


def legal_of_all(deal: Deal) -> list[Move]:
    """Every legal move of every seat."""
    return [move for seat in SEATS for move in deal.legal(seat)]


def random_move(deal: Deal, rng: random.Random) -> Move:
    """A legal move by anybody; claims are rare, so that most deals are played."""
    moves = legal_of_all(deal)
    others = [move for move in moves if not isinstance(move, Claim)]
    return rng.choice(others if others and rng.random() < 0.95 else moves)


def run(deal: Deal, rng: random.Random) -> Iterator[tuple[Move, Deal]]:
    """Random legal moves to the end of a deal, each with the deal after it."""
    while deal.public.phase != "done":
        move = random_move(deal, rng)
        deal = deal.apply(move)
        yield move, deal


@st.composite
def runs(draw: st.DrawFn, rules: st.SearchStrategy[RuleSet] | None = None) -> list[tuple[Move | None, Deal]]:
    """A whole deal of random legal moves: first (None, the deal before them), then each move with the deal after it.

    Shrinks the rule set and the cards; the moves follow from a seed.
    """
    which = draw(any_rule_sets() if rules is None else rules)
    deal = Deal.start(which, draw(st.integers(0, 4)), draw(hands()), draw(st.sampled_from([1, 1, 2])))
    return [(None, deal), *run(deal, random.Random(draw(st.integers(0, 2**32))))]


@st.composite
def states(draw: st.DrawFn, rules: st.SearchStrategy[RuleSet] | None = None) -> Deal:
    """A deal at any step of such a run."""
    steps = draw(runs(rules))
    return steps[draw(st.integers(0, len(steps) - 1))][1]


def game_words(game: Game, rng: random.Random, most: int = 3) -> Iterator[tuple[Word, Game]]:
    """Random words from here on, each with the game after it, to the game's end.

    A game that has had ``most`` deals is ended by the people where its rules let them, and left as it is elsewhere.
    """
    while not game.over:
        if game.needs_deal and len(game.rows) >= most:
            if game.rules.session.kind not in ("open", "time") or game.ending:
                return
            word: Word = End()
        elif game.deal is None or game.needs_deal:
            word = Dealt(random_hands(rng))
        else:
            word = random_move(game.deal, rng)
        game = game.apply(word)
        yield word, game
