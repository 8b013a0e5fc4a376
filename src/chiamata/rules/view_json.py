"""A View as JSON and back: what one seat sees of a deal, to ask for advice or to hand to a bot.

    {"rules": "classic", "dealer": 4, "seat": 1, "hand": "AD 3D KD 7S 5C 4C 2H JH",
     "words": [{"do": "bid", "seat": 0, "say": "A"}, …]}

``rules`` is the name of a rule set or a whole one, ``hand`` the eight cards that the seat was dealt, ``words`` all
moves so far as everybody saw them.  ``multiplier`` (1), ``covered`` (the seat's own card while it lies face down) and
``standing`` (where the game stood as the deal began: ``{"scores": [0, 2, -1, 0, -1], "others": [], "scored": 4,
"ending": false}``, the scores by seat) may be given.  The words are played through one by one; what no deal could
bring is refused.
"""

from __future__ import annotations

from typing import Any

import msgspec

from chiamata.rules import catalogue, moves
from chiamata.rules.cards import SUIT_CARDS, CardSet, card_name, card_of, card_set, cards_in
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.moves import Call, Claim, Move, Play, Word
from chiamata.rules.public import advance, start, why_not
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import Standing, View

KEYS = {"rules", "dealer", "seat", "hand", "words", "multiplier", "covered", "standing"}
MOST_SCORE = 1 << 40


def view_to_json(view: View) -> dict[str, Any]:
    """The object that ``view_of_json`` reads; of a seat, not of a watcher."""
    rules = view.public.rules
    line: dict[str, Any] = {
        "rules": rules.to_mapping(),
        "dealer": view.public.dealer,
        "seat": view.seat,
        "hand": " ".join(card_name(card, rules.ranks) for card in cards_in(view.dealt)),
        "words": [moves.to_json(word, rules.ranks) for word in view.public.words],
        "multiplier": view.public.multiplier,
    }
    line |= {"covered": card_name(view.covered, rules.ranks)} if view.covered >= 0 else {}
    return line | ({"standing": msgspec.to_builtins(view.standing)} if view.standing is not None else {})


def view_of_json(line: object) -> View:
    """The View that this decoded object says; Malformed, or Illegal with its code, where it says none."""
    if not isinstance(line, dict):
        raise Malformed("NOT_AN_OBJECT", "view", line, "Write an object with rules, dealer, seat, hand and words.")
    for key in line:
        if key not in KEYS:
            raise Malformed("UNKNOWN_KEY", str(key), line[key], f"A view has {' '.join(sorted(KEYS))}.")
    rules = _rules(line.get("rules"))
    seat, dealer = _seat(line, "seat"), _seat(line, "dealer")
    dealt = _hand(line.get("hand"), rules)
    covered = card_of(line["covered"], rules.ranks) if "covered" in line else -1
    multiplier = line.get("multiplier", 1)
    if type(multiplier) is not int or not 1 <= multiplier <= 1 << 20:
        raise Malformed("OUT_OF_RANGE", "multiplier", multiplier, "Write a whole number from 1.")
    words = line.get("words", [])
    if not isinstance(words, list) or len(words) > 1000:
        raise Malformed("NOT_A_LIST", "words", None, "Write a list of moves.")
    read = [moves.from_json(one, rules.ranks, rules.auction.kind == "points") for one in words]
    covered = covered if covered >= 0 else _uncovered(read, seat)
    standing = _standing(line["standing"], rules) if "standing" in line else None
    view = View(start(rules, dealer, multiplier), seat, dealt, -1, standing)
    for word in read:
        view = _after(view, word, covered)
    return view


def _uncovered(words: list[Word], seat: int) -> int:
    """The card that this seat had covered, as the call showed it; -1 if there is none."""
    hidden = [word.seat for word in words if isinstance(word, Play) and word.card < 0]
    shown = next((word.shown for word in words if isinstance(word, Call)), ())
    return next((card for one, card in zip(hidden, shown, strict=False) if one == seat), -1)


def _after(view: View, word: Word, covered: int) -> View:
    public = view.public
    if not isinstance(word, Move):
        raise Malformed("UNKNOWN_WORD", "words", moves.to_json(word, public.rules.ranks), "Only moves belong here.")
    code = _refusal(view, word, covered)
    if code is not None:
        raise Illegal(code)
    hides = isinstance(word, Play) and word.card < 0 and word.seat == view.seat
    after = advance(public, word)
    lying = covered if hides else -1 if isinstance(word, Call) else view.covered
    return View(after, view.seat, view.dealt, lying, view.standing)


def _refusal(view: View, word: Move, covered: int) -> str | None:
    """Why this word cannot have been said, as far as this seat can know."""
    public = view.public
    if isinstance(word, Play) and word.card < 0:
        mine = word.seat == view.seat
        seen = Play(word.seat, covered) if mine else None
        fits = not mine or (covered >= 0 and covered % 10 == -1 - word.card)
        if not fits or public.phase != "play" or public.called >= 0 or word.seat != public.turn:
            return "CARD_NOT_IN_HAND"
        return why_not(public, word.seat, view.dealt, seen) if seen else None
    if word.seat == view.seat:
        return why_not(public, word.seat, view.dealt, _said(word))
    codes = [why_not(public, word.seat, hand, _said(word)) for hand in _hands(view, word)]
    return None if None in codes else codes[0]


def _said(word: Move) -> Move:
    """The word as its player said it."""
    return Claim(word.seat) if isinstance(word, Claim) else word


def _hands(view: View, word: Move) -> list[CardSet]:
    """Hands of another that would allow the word, if any does."""
    if isinstance(word, Play):
        held = view.dealt | view.public.played
        return [0 if held >> word.card & 1 else 1 << word.card]
    if isinstance(word, Claim):
        return [word.hand & ~view.dealt if word.hand.bit_count() == 8 else 0]
    suit, spared = (word.card // 10, 1 << word.card) if isinstance(word, Call) else (0, 1)
    return [SUIT_CARDS[suit] & ~spared, 0, spared]


def _rules(given: object) -> RuleSet:
    if isinstance(given, str):
        return catalogue.load(given)
    if isinstance(given, dict):
        return RuleSet.from_mapping(given)
    raise Malformed("UNKNOWN_RULESET", "rules", given, "Write the name of a rule set, or a whole one.")


def _standing(given: object, rules: RuleSet) -> Standing:
    try:
        standing = msgspec.convert(given, Standing)
    except msgspec.ValidationError as error:
        fix = f"Write an object with scores, others, scored and ending ({error})."
        raise Malformed("NOT_A_STANDING", "standing", given, fix) from None
    scores = (*standing.scores, *standing.others)
    if len(scores) != 5 + rules.session.sitters or standing.scored < 0 or max(map(abs, scores)) > MOST_SCORE:
        raise Malformed(
            "NOT_A_STANDING", "standing", given, "Give the scores of all who play, and of those who sit out."
        )
    return standing


def _seat(line: dict[str, Any], key: str) -> int:
    seat = line.get(key)
    if type(seat) is not int or not 0 <= seat <= 4:
        raise Malformed("UNKNOWN_SEAT", key, seat, "Write a whole number from 0 to 4.")
    return seat


def _hand(text: object, rules: RuleSet) -> CardSet:
    if not isinstance(text, str):
        raise Malformed("NOT_A_HAND", "hand", text, "Write eight cards with spaces between them.")
    cards = [card_of(name, rules.ranks) for name in text.split()]
    if len(cards) != 8 or len(set(cards)) != 8:
        raise Malformed("NOT_EIGHT_CARDS", "hand", text, "Write eight different cards with spaces between them.")
    return card_set(cards)
