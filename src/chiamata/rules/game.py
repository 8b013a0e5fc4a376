"""A game: deals in a row, who deals, the running score and the end; and its log.

People are numbered round the table from 0; with five of them a person is a
seat.  With sitters (six to nine people) the dealer's previous neighbours sit a
deal out, and the five who play keep their order.  Source: SPEC 3.1 ``session``,
3.2.8, D24 to D27.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from chiamata.rules.cards import Seat
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.moves import Dealt, End, Word, from_json, to_json
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.scoring import Result
from chiamata.rules.view import Standing, View

LOG_VERSION = 1


class Row(msgspec.Struct, frozen=True):
    """A finished deal on the score sheet.

    Args:
        dealer, caller: people; caller -1 where nobody called.
        partner: a person, the caller for a solo, -1 where nobody called.
        called: the called card, -1 without one.
        payoff: by person.
    """

    dealer: int
    caller: int
    partner: int
    called: int
    target: int
    result: Result
    payoff: tuple[int, ...]


class Game(msgspec.Struct, frozen=True):
    """A game of deals.

    Args:
        dealer: the person who deals the running deal, or the next one.
        seats: the person in each seat of the running deal.
        rows: the finished deals, redeals among them.
        multiplier: carried into the running or next deal.
        ending: somebody's clock or wish ends the game after the running deal.
        over: no more deals.
    """

    rules: RuleSet
    dealer: int
    seats: tuple[int, ...]
    scores: tuple[int, ...]
    rows: tuple[Row, ...] = ()
    deal: Deal | None = None
    multiplier: int = 1
    ending: bool = False
    over: bool = False

    @classmethod
    def start(cls, rules: RuleSet, first_dealer: int = 0) -> Game:
        """A game before its first deal; the table draws the first dealer (D27)."""
        people = 5 + rules.session.sitters
        if type(first_dealer) is not int or not 0 <= first_dealer < people:
            raise Malformed("BAD_DEALER", "dealer", first_dealer, f"Write a whole number from 0 to {people - 1}.")
        return cls(rules, first_dealer, seats_for(people, first_dealer), (0,) * people)

    @property
    def people(self) -> int:
        """How many people play: 5 to 9."""
        return len(self.scores)

    @property
    def dealer_seat(self) -> Seat:
        """The seat of the dealer in the running deal, or in the next one where that is not dealt yet."""
        seats = seats_for(self.people, self.dealer) if self.needs_deal else self.seats
        return seats.index(self.dealer)

    @property
    def needs_deal(self) -> bool:
        """Whether the next word must be Dealt."""
        return not self.over and (self.deal is None or self.deal.public.phase == "done")

    @property
    def scored(self) -> int:
        """How many deals were made or failed; redeals and draws do not count (D26)."""
        return sum(row.result.kind == "scored" for row in self.rows)

    def seat(self, person: int) -> Seat:
        """The seat of a person in the running deal; -1 for those who sit out and for watchers."""
        return self.seats.index(person) if person in self.seats else -1

    def view(self, person: int) -> View | None:
        """What this person may know of the running (or just finished) deal; None before the first one."""
        if self.deal is None:
            return None
        return _change(self.deal.view(self.seat(person)), standing=self.standing())

    def standing(self) -> Standing:
        """Where the game stood as the running (or just finished) deal began."""
        scores, scored = self.scores, self.scored
        if self.deal is not None and self.deal.public.result is not None:
            last = self.rows[-1]
            scores = tuple(score - gain for score, gain in zip(scores, last.payoff, strict=True))
            scored -= last.result.kind == "scored"
        a, b, c, d, e = (scores[person] for person in self.seats)
        others = tuple(score for person, score in enumerate(scores) if person not in self.seats)
        return Standing((a, b, c, d, e), others, scored, self.ending)

    def apply(self, word: Word) -> Game:
        """The game after this word; Illegal if it is not allowed now, Malformed if there can be no such word."""
        match word:
            case Dealt(hands):
                if not self.needs_deal:
                    raise Illegal("WRONG_PHASE")
                deal = Deal.start(self.rules, self.dealer_seat, hands, self.multiplier)
                return _change(self, seats=seats_for(self.people, self.dealer), deal=deal)
            case End():
                return self._end()
        if self.deal is None or self.needs_deal or self.over:
            raise Illegal("WRONG_PHASE")
        deal = self.deal.apply(word)
        game = _change(self, deal=deal)
        return game if deal.public.result is None else game._settle(deal, deal.public.result)

    def _end(self) -> Game:
        if self.over or self.rules.session.kind not in ("open", "time"):
            raise Illegal("END_NOT_IN_RULESET")
        game = _change(self, ending=True)
        return _change(game, over=game._is_over()) if self.needs_deal else game

    def _settle(self, deal: Deal, result: Result) -> Game:
        """The finished deal goes on the sheet; the next dealer sits down, or the game is over."""
        public = deal.public
        payoff = [0] * self.people
        for seat, person in enumerate(self.seats):
            payoff[person] = result.payoff[seat]
        person_of = (*self.seats, -1)  # seat -1 is nobody
        row = Row(
            dealer=self.dealer,
            caller=person_of[public.caller],
            partner=person_of[result.partner],
            called=public.called,
            target=public.target,
            result=result,
            payoff=tuple(payoff),
        )
        scores = tuple(score + gain for score, gain in zip(self.scores, payoff, strict=True))
        game = _change(self, rows=(*self.rows, row), scores=scores, multiplier=result.next_multiplier)
        if game._is_over():
            return _change(game, over=True)
        return _change(game, dealer=self.seats[result.next_dealer])

    def _is_over(self) -> bool:
        """The end is tested after scored deals only (SPEC 3.2.8) and when the people ask for it."""
        session = self.rules.session
        if self.rows and self.rows[-1].result.kind != "scored" and not self.ending:
            return False
        reached = (
            self.ending
            or (session.kind == "deals" and self.scored >= (session.deals or 0))
            or (session.kind == "points" and max(self.scores) >= (session.target or 0))
        )
        return reached and (session.tie != "play_on" or self.scores.count(max(self.scores)) == 1)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The people in groups, first place first; those who share a place stand in one group."""
        keys = {person: self._rank_key(person) for person in range(self.people)}
        return tuple(
            tuple(person for person in keys if keys[person] == key) for key in sorted(set(keys.values()), reverse=True)
        )

    def winners(self) -> tuple[int, ...]:
        """Those who share the first place."""
        return self.ranking()[0]

    def _rank_key(self, person: int) -> tuple[int, ...]:
        session = self.rules.session
        measures = session.tiebreaks if session.tie == "tiebreak" else ()
        key = [self.scores[person]]
        for measure in measures:
            key += _measure(self, person, measure)
        return tuple(key)


_change = msgspec.structs.replace


def seats_for(people: int, dealer: int) -> tuple[int, ...]:
    """The five people who play: the dealer and the four after him, lowest number first."""
    return tuple(sorted((dealer + right) % people for right in range(5)))


def _measure(game: Game, person: int, measure: str) -> list[int]:
    """One tie-break of a person, more being better."""
    scored = [row for row in game.rows if row.result.kind == "scored"]
    gains = [row.payoff[person] for row in scored]
    match measure:
        case "deals_won":
            return [sum(gain > 0 for gain in gains)]
        case "calls_made":
            return [sum(row.result.made and row.caller == person for row in scored)]
        case "peak_score":
            return [max((sum(gains[: end + 1]) for end in range(len(gains))), default=0)]
        case _:  # countback: the latest deal in which two differ decides
            return gains[::-1]


# --- the log --------------------------------------------------------------------------------------


def header_of(game: Game) -> dict[str, Any]:
    """The first line of a log: its version, the whole rule set and the first dealer."""
    return {"chiamata": LOG_VERSION, "rules": game.rules.to_mapping(), "dealer": game.dealer}


def to_lines(game: Game, words: Iterable[Word]) -> list[str]:
    """A log as JSON lines, the header first; ``game`` is the game before its first word."""
    ranks = game.rules.ranks
    lines: list[object] = [header_of(game), *(to_json(word, ranks) for word in words)]
    return [msgspec.json.encode(line).decode() for line in lines]


def open_log(header: object) -> Game:
    """The game that a header starts; Malformed if it cannot be read."""
    if not isinstance(header, dict) or header.get("chiamata") != LOG_VERSION:
        raise Malformed("NOT_A_LOG", "line 1", header, f'Start with a header that says "chiamata": {LOG_VERSION}.')
    for key in header:
        if key not in ("chiamata", "rules", "dealer"):
            raise Malformed("UNKNOWN_KEY", f"line 1: {key}", header[key], "A header has chiamata, rules and dealer.")
    return Game.start(RuleSet.from_mapping(header.get("rules")), header.get("dealer", 0))


def replay(game: Game, words: Iterable[Word]) -> Game:
    """The game after these words."""
    for word in words:
        game = game.apply(word)
    return game


def read_log(lines: Iterable[str | bytes]) -> tuple[Game, list[Word]]:
    """The game before its first word, and the words; Malformed names the line.  Replay them to test them."""
    game: Game | None = None
    words: list[Word] = []
    for number, line in enumerate(lines, 1):
        value = _decoded(line, number)
        if game is None:
            game = open_log(value)
            continue
        try:
            words.append(from_json(value, game.rules.ranks, game.rules.auction.kind == "points"))
        except Malformed as error:
            raise Malformed(error.code, f"line {number}: {error.where}", error.value, error.fix) from None
    if game is None:
        raise Malformed("NOT_A_LOG", "line 1", "", f'Start with a header that says "chiamata": {LOG_VERSION}.')
    return game, words


def _decoded(line: str | bytes, number: int) -> object:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Malformed("NOT_JSON", f"line {number}", line, f"Write one JSON object a line ({error}).") from None
