"""Writes a game of random legal moves down in the text form, with what happened beside it.

``python -m tests.playthroughs.record`` (``make playthroughs``) writes every file anew.  Read the
difference before committing it: each changed line is a changed rule, a changed order of legal
moves, or a mistake.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from chiamata.rules.cards import SEAT_NAMES, card_name, cards_in
from chiamata.rules.catalogue import load, names
from chiamata.rules.game import Game
from chiamata.rules.moves import Dealt, End, Play, Word, to_text
from chiamata.rules.text import PEOPLE
from tests.kit import game_words, legal_of_all

FOLDER = Path(__file__).parent
SEEDS = {"fifteen": 36, "fifteen-ace-high": 7}
"""Games to 15 points are long: these are seeds of short ones.  Elsewhere the seed is 0 too."""
MOST_DEALS = 3
"""Games without an end of their own are ended by the people after so many deals."""


def record(name: str, seed: int = 0) -> str:
    """The game of this rule set that this seed plays, as text."""
    return "\n".join(_lines(name, seed)) + "\n"


def _lines(name: str, seed: int) -> Iterator[str]:
    rules = load(name)
    rng = random.Random(f"{name}/{seed}")
    game = Game.start(rules, rng.randrange(5 + rules.session.sitters))
    yield f"# A game of {name}, seed {seed}: random legal moves. After each line: how many moves were legal."
    yield f"rules: {name}"
    yield f"dealer: {PEOPLE[game.dealer]}"
    line: list[str] = []
    choices: list[int] = []
    most = MOST_DEALS if rules.session.kind in ("open", "time") else 10**9
    for word, after in game_words(game, rng, most):
        count = 0 if game.deal is None or game.needs_deal else len(legal_of_all(game.deal))
        if line and not _stays(word, game):
            yield _told(line, choices)
            line, choices = [], []
        if isinstance(word, Dealt):
            yield f"\n# Deal {len(game.rows) + 1}: {PEOPLE[game.dealer]} deals, multiplier {game.multiplier}"
            for seat, hand in zip(SEAT_NAMES, word.hands, strict=True):
                yield f"{seat}  {' '.join(card_name(card, rules.ranks) for card in cards_in(hand))}"
        else:
            line.append(to_text(word, rules.ranks))
            choices.append(count)
        if not isinstance(word, Dealt) and _pauses(game, after):
            yield _told(line, choices)
            line, choices = [], []
            yield from _news(game, after)
        game = after
    if line:
        yield _told(line, choices)
    places = ["=".join(PEOPLE[one] for one in group) for group in game.ranking()]
    yield f"# Over: {game.over}. Ranking: {' '.join(places)}"


def _stays(word: Word, game: Game) -> bool:
    """Whether this word goes on the same line: cards with cards, words of the auction together."""
    in_trick = game.deal is not None and bool(game.deal.public.trick)
    return not isinstance(word, Dealt | End) and isinstance(word, Play) == in_trick


def _told(line: list[str], choices: list[int]) -> str:
    return f"{' '.join(line)}  # {' '.join(map(str, choices))}"


def _pauses(before: Game, after: Game) -> bool:
    """Whether a trick or the deal has just ended."""
    if before.deal is None or after.deal is None or len(after.rows) > len(before.rows):
        return True
    return len(after.deal.public.tricks) > len(before.deal.public.tricks)


def _news(before: Game, after: Game) -> Iterator[str]:
    assert after.deal is not None
    public = after.deal.public
    had = len(before.deal.public.tricks) if before.deal is not None else 0
    if len(public.tricks) > had:
        trick = public.tricks[-1]
        partner = SEAT_NAMES[public.partner] if public.partner >= 0 else "?"
        yield f"#   {SEAT_NAMES[trick.winner]} takes {trick.points}; points {_row(public.points)}; partner {partner}"
    if len(after.rows) > len(before.rows):
        result = after.rows[-1].result
        how = f"{result.kind} {'made' if result.made else 'not made'}: {result.points} of {public.target}"
        stake = f"{result.tricks} tricks, unit {result.unit} x {result.factor} x {result.multiplier}"
        yield f"#   {how}, {stake}; payoff {_row(result.payoff)}; scores {_row(after.scores)}"


def _row(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def main() -> None:
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in names():
        (FOLDER / f"{name}.txt").write_text(record(name, SEEDS.get(name, 0)), encoding="utf-8")


if __name__ == "__main__":
    main()
