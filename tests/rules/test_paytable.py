"""The table of payoffs says what the engine says, in every place; so does the page that looks things up in it."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given

from chiamata.rules import catalogue
from chiamata.rules.game import Game, replay
from chiamata.rules.paytable import LEVEL, PayTable, Piece, table_of
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Side, score
from chiamata.rules.text import read_text
from tests.kit import game_words, rule_sets, with_options
from tests.test_verifiers import NODE
from tools.docs import payoffs

ROOT = Path(__file__).parents[2]
PLAYED = ROOT / "tests" / "playthroughs"
KINDS = ("", "none", "whole")
"""Tricks of the caller's side: some, none, all eight."""
PAGE = """
const { priceOf } = await import("./src/score/prices.ts");
const { tables } = await import("./src/score/tables.ts");
for (const table of tables) {
  const said = [];
  for (const target of table.targets)
    for (const [points, tricks] of JSON.parse(process.argv[1])) said.push(priceOf(table, target, { points, tricks }));
  console.log(JSON.stringify([table.id, said]));
}
"""
CASES = [*((points, "") for points in range(121)), (0, "none"), (120, "whole")]
"""What the caller's side may have taken."""


def engine(rules: RuleSet, target: int, points: int, tricks: str) -> tuple[str, list[int]]:
    """How a deal ends and what it pays by role, as the engine says."""
    number = {"": 4, "none": 0, "whole": 8}[tricks]
    two = score(rules, Side(0, 1, target, points, number), 1, 0)
    alone = score(rules, Side(0, 0, target, points, number), 1, 0)
    ended = "draw" if two.kind == "draw" else "win" if two.made else "loss"
    return ended, [*two.payoff[:3], *alone.payoff[:2]]


def table(told: PayTable, target: int, points: int, tricks: str) -> tuple[str, list[int]]:
    """The same, looked up."""
    at = told.targets.index(target)
    prices = told.prices[told.rows[at]]
    if points == told.drawn[at]:
        return "draw", [0] * 5
    ended = "win" if points >= told.won[at] else "loss"
    whole = {"whole": prices.whole, "none": prices.none, "": None}[tricks]
    if whole is not None:
        return ended, [*whole]
    pieces: tuple[Piece, ...] = prices.made if ended == "win" else prices.lost
    piece = [one for one in pieces if one.start <= points][-1]
    return ended, [a + (points - piece.start) * b for a, b in zip(piece.pay, piece.step or LEVEL, strict=True)]


def test_the_page_looks_up_what_the_engine_says() -> None:
    """Every rule set, target, number of points and cappotto: the engine is asked, and the page."""
    words = [str(NODE), "--input-type=module", "--eval", PAGE, json.dumps(CASES)]
    told = subprocess.run(words, cwd=ROOT / "web", capture_output=True, text=True, check=True).stdout
    said: dict[str, Any] = dict(json.loads(line) for line in told.splitlines())
    assert list(said) == list(catalogue.names())
    for name, answers in said.items():
        rules = catalogue.load(name)
        wanted = [engine(rules, target, *case) for target, case in product(table_of(rules).targets, CASES)]
        assert [(one["ended"], one["pay"]) for one in answers] == wanted, name


@given(rule_sets())
def test_the_table_says_what_the_engine_says(rules: RuleSet) -> None:
    told = table_of(rules)
    assert told.targets[0] >= 1
    for target in {told.targets[0], told.targets[len(told.targets) // 2], told.targets[-1]}:
        for case in CASES:
            assert table(told, target, *case) == engine(rules, target, *case)


@pytest.mark.parametrize(
    ("name", "count", "last"), [("trattoria", 1, 61), ("quick", 13, 120), ("straight-to-two", 61, 120)]
)
def test_the_contracts_are_those_that_an_auction_reaches(name: str, count: int, last: int) -> None:
    targets = table_of(catalogue.load(name)).targets
    assert (len(targets), targets[-1]) == (count, last)


def test_what_a_sheet_asks_for() -> None:
    told = {name: table_of(catalogue.load(name)) for name in catalogue.names()}
    assert [name for name, one in told.items() if not one.solo] == ["gingo", "caller-leads"]
    assert [name for name, one in told.items() if one.all_pass is None] == ["quick", "caller-leads"]
    assert [name for name, one in told.items() if max(one.drawn) >= 0] == ["brisk-draw"]
    assert (told["fifteen"].session, told["fifteen"].end, told["gingo"].end) == ("points", 15, 0)
    rules = RuleSet.from_mapping(with_options(catalogue.load("brisk").to_mapping(), {"deal.dealer_rotation": "same"}))
    assert not table_of(rules).rotates


def test_what_the_page_holds_is_fresh() -> None:
    assert (ROOT / "web" / "src" / "score" / "payoffs.json").read_text("utf-8") == payoffs(), "run: go.py docs"


def rows_of(game: Game) -> list[dict[str, Any]]:
    """The deals of a game as somebody at the table would write them down."""
    found: list[dict[str, Any]] = []
    for row in game.rows:
        result = row.result
        deal: dict[str, Any] = {"kind": result.kind}
        if result.kind in ("scored", "draw"):
            tricks = {0: "none", 8: "whole"}.get(result.tricks, "")
            deal = {"kind": "played", "points": result.points, "exact": True, "tricks": tricks}
            deal |= {"caller": row.caller, "partner": row.partner, "target": row.target}
        found.append(deal)
    return found


FOLD = """
const { follow } = await import("./src/score/game.ts");
const { tables } = await import("./src/score/tables.ts");
const games = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
console.log(JSON.stringify(games.map(({ id, names, dealer, deals }) =>
  follow({ table: tables.find((one) => one.id === id), names, dealer, deals }))));
"""


def games_that_were_played() -> list[tuple[str, Game]]:
    """One of each rule set as it is kept, and some with more people than chairs."""
    found = []
    for name in catalogue.names():
        script = read_text((PLAYED / f"{name}.txt").read_text(encoding="utf-8"))
        found.append((name, replay(script.game, script.words)))
    for sitters, name in enumerate(("brisk", "scighera", "brisk-draw", "classic"), 1):
        mapping = with_options(catalogue.load(name).to_mapping(), {"session.sitters": sitters})
        game = Game.start(RuleSet.from_mapping(mapping), first_dealer=sitters)
        *_, (_, last) = game_words(game, random.Random(sitters), 6)
        found.append((name, last))
    return found


def test_whole_games_come_to_the_same_scores() -> None:
    """Games that were played with the engine, written down by hand: payoffs, scores, dealers, sitters, multipliers."""
    games = games_that_were_played()
    asked = [
        {"id": name, "names": ["x"] * game.people, "dealer": game.rows[0].dealer, "deals": rows_of(game)}
        for name, game in games
    ]
    words = [str(NODE), "--input-type=module", "--eval", FOLD]
    told = subprocess.run(words, input=json.dumps(asked), cwd=ROOT / "web", capture_output=True, text=True, check=True)
    for (name, game), said in zip(games, json.loads(told.stdout), strict=True):
        assert [one["payoff"] for one in said["rows"]] == [[*row.payoff] for row in game.rows], name
        assert [one["dealer"] for one in said["rows"]] == [row.dealer for row in game.rows], name
        assert [one["multiplier"] for one in said["rows"]] == [row.result.multiplier for row in game.rows], name
        assert said["scores"] == [*game.scores], name
        assert said["over"] or game.rules.session.kind in ("open", "time") or len(game.rows) == 6, name


STANDING = """
const { follow, standing } = await import("./src/score/game.ts");
const games = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const places = (game) => standing(game, follow(game)).map(({ person, place }) => [place, person]);
console.log(JSON.stringify(games.map(places)));
"""
MEASURES = ("deals_won", "calls_made", "peak_score", "countback")


def level_games() -> Iterator[Game]:
    """Short games of many endings, in which people are often level, under every order of tie-breaks and none."""
    orders = [(), *permutations(MEASURES, 1), *permutations(MEASURES, 2), *permutations(MEASURES)]
    for seed, breaks in enumerate(orders):
        tie = {"session.tie": "tiebreak", "session.tiebreaks": list(breaks)} if breaks else {}
        rules = RuleSet.from_mapping(with_options(catalogue.load("classic").to_mapping(), tie))
        for length in (2, 4, 6):
            *_, (_, last) = game_words(Game.start(rules), random.Random(seed * 10 + length), length)
            yield last


def test_the_page_ranks_people_as_the_engine_does() -> None:
    games = list(level_games())
    assert any(len(group) > 1 for game in games for group in game.ranking()), "some stay level"
    assert any(len(set(game.scores)) < len(game.ranking()) for game in games), "some are told apart"
    asked = [
        {
            "table": json.loads(msgspec.json.encode(table_of(game.rules))),
            "names": ["x"] * game.people,
            "dealer": game.rows[0].dealer,
            "deals": rows_of(game),
        }
        for game in games
    ]
    words = [str(NODE), "--input-type=module", "--eval", STANDING]
    told = subprocess.run(words, input=json.dumps(asked), cwd=ROOT / "web", capture_output=True, text=True, check=True)
    for game, said in zip(games, json.loads(told.stdout), strict=True):
        places: dict[int, list[int]] = {}
        for place, person in said:
            places.setdefault(place, []).append(person)
        assert [places[place] for place in sorted(places)] == [[*group] for group in game.ranking()]
