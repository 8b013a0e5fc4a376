"""Drives one table without a house: commands in, lines out, time by hand.  Every step is checked against the fold."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from chiamata.rules import catalogue
from chiamata.rules.cards import card_set
from chiamata.rules.moves import Bid, Call, Claim, Move, Pass, Play, to_json
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.view import View
from chiamata.server import deciding, picture, table, wire
from chiamata.server import lines as say

KINDS: dict[str, type[wire.Command]] = {
    "bid": wire.DoBid,
    "pass": wire.DoPass,
    "claim": wire.DoClaim,
    "call": wire.DoCall,
    "play": wire.DoPlay,
    "trump": wire.DoTrump,
    "sit": wire.DoSit,
    "stand": wire.DoStand,
    "bot": wire.DoBot,
    "start": wire.DoStart,
    "next": wire.DoNext,
    "end": wire.DoEnd,
    "say": wire.DoSay,
    "write": wire.DoWrite,
    "allow": wire.DoAllow,
    "commit": wire.DoCommit,
    "cut": wire.DoCut,
    "share": wire.DoShare,
}


def rules_with(name: str = "classic", **sections: dict[str, Any]) -> RuleSet:
    """A named rule set with some options changed: ``rules_with("classic", session={"sitters": 1})``."""
    mapping = catalogue.load(name).to_mapping()
    for section, changes in sections.items():
        mapping[section] = (mapping[section] or {}) | changes
    return RuleSet.from_mapping(mapping)


class Driver:
    """A table and its log.  ``host`` makes it; cards come from a seeded source."""

    def __init__(self, rules: RuleSet | str = "classic", seed: int = 1, clock: wire.ClockTag | None = None) -> None:
        self.rules = catalogue.load(rules) if isinstance(rules, str) else rules
        self.dice = random.Random(seed)
        made = say.Made(
            0, "host", code="ABCDE", rules=self.rules.to_mapping(), clock=clock, secret=f"{seed:064x}", wall=1
        )
        self.state = table.make(made)
        self.log = [say.encode(made)]
        self.folded = self.state
        self.now = 0
        self.sent = 0
        self.last = deciding.Outcome(self.state)
        self.cuts = False
        """Whether the people's pages take part in the deals."""

    def do(self, command: say.Command) -> deciding.Outcome:
        """One command, with the deal that it makes due; the live state must be the fold of the log."""
        outcome = deciding.handle(self.state, command, self.now)
        self.log += outcome.lines
        self.state = outcome.state
        for line in outcome.lines:
            self.folded = table.follow(self.folded, say.decode(line))
        assert self.folded == self.state
        if outcome.needs_deal:
            answer = outcome.answer
            outcome = msgspec.structs.replace(self.do(say.DealNow(self.dice.randbytes(32))), answer=answer)
        self.last = outcome
        return outcome

    def ask(self, who: str, verb: str, *, v: int | None = None, ident: str = "", **fields: Any) -> wire.Ack | wire.No:
        """A guest's command; its id is new unless given."""
        self.sent += 1
        do = KINDS[verb](id=ident or f"c{self.sent}", v=self.state.v if v is None else v, **fields)
        level = getattr(do, "level", "") or "random"
        answer = self.do(say.Ask(who, who.title(), do, level, self.cuts)).answer
        assert answer is not None
        return answer

    def must(self, who: str, verb: str, **fields: Any) -> wire.Ack:
        """A command that is granted."""
        answer = self.ask(who, verb, **fields)
        assert isinstance(answer, wire.Ack), answer
        return answer

    def refusal(self, who: str, verb: str, **fields: Any) -> str:
        """The code with which a command is refused; nothing is written."""
        before = self.state
        answer = self.ask(who, verb, **fields)
        assert isinstance(answer, wire.No), answer
        assert self.state == before
        return answer.code

    def sit_and_start(self, *people: str) -> None:
        """These people take the first chairs, bots the others, and the first deal is dealt."""
        for who in people:
            self.must(who, "sit")
        self.must(people[0], "start")

    def scene(self, who: str = "") -> wire.Scene:
        return picture.Gallery(self.state, self.now).scene(who)

    def deal(self, who: str = "") -> wire.DealScene:
        deal = self.scene(who).deal
        assert deal is not None
        return deal

    def wait(self, milliseconds: int) -> deciding.Outcome:
        """Time passes, then the table is woken."""
        self.now += milliseconds
        return self.do(say.Tick())

    def to_turn_of(self, chair: int) -> None:
        """Random legal moves until this chair is in turn."""
        while self.turn != chair:
            self.move()

    # --- playing on ------------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        """Lobby, playing, between or over."""
        return table.stage_of(self.state)

    def is_ending(self) -> bool:
        """Whether the running deal is the last one."""
        return self.state.game is not None and self.state.game.ending

    @property
    def turn(self) -> int:
        """The chair in turn, -1 between deals."""
        deal = self._running
        return -1 if deal is None or deal.turn is None else deal.turn

    @property
    def _running(self) -> wire.DealScene | None:
        """The deal as everybody at the table sees it, whoever may watch."""
        return picture.Gallery(self.state, self.now).of_chair(picture.WATCHER).deal

    def view(self, chair: int) -> View:
        assert self.state.game is not None
        view = self.state.game.view(chair)
        assert view is not None
        return view

    def move(self, move: Move | None = None) -> None:
        """The one in turn moves: a bot by itself, a person by command; a random legal move unless one is given."""
        chair = self.turn
        if move is None:
            move = self.dice.choice(self.view(chair).legal())
        if self.last.ask_bot is not None:
            self.do(say.BotSays(self.last.ask_bot.turn, move))
        else:
            self.say(self.state.places[chair].who, move)

    def say(self, who: str, move: Move, **more: Any) -> wire.Ack:
        """A person's move as a command."""
        said = to_json(move, self.rules.ranks)
        fields = {key: said[key] for key in said if key not in ("do", "seat", "hand", "shown")}
        return self.must(who, said["do"], **fields, **more)

    def play_to(self, *phases: str) -> None:
        """Random legal moves until the deal is in one of these phases."""
        while (deal := self._running) is not None and deal.phase not in phases:
            self.move()

    def play_deal(self) -> None:
        """Random legal moves to the end of the deal."""
        while table.stage_of(self.state) == "playing":
            self.move()

    def play_game(self) -> None:
        """Random legal moves, and everybody present asks for the next deal, until the game is over."""
        while table.stage_of(self.state) != "over":
            self.play_deal()
            for place in self.state.places:
                if table.stage_of(self.state) == "between" and place.here and not place.ready:
                    self.must(place.who, "next")

    def hands(self, *names: str) -> None:
        """Deals these cards (five texts of eight names) as the deal that is due."""
        sets = [card_set(self.rules.card_of(name) for name in hand.split()) for hand in names]
        line = say.Spoken(self.now, word={"do": "dealt", "hands": list(names)})
        assert len(sets) == 5
        self.log.append(say.encode(line))
        self.state = self.folded = table.fold(self.log)
        self.last = self.do(say.Tick())


def with_bot_in_turn() -> Driver:
    """A game of one person (chair 0) with a bot in turn."""
    house = Driver()
    house.sit_and_start("anna")
    while house.turn == 0:
        house.move()
    return house


__all__ = ["Bid", "Call", "Claim", "Driver", "Pass", "Play", "rules_with", "with_bot_in_turn"]
