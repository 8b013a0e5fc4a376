"""Deals and games of the past, read from a table's log.  Pure.

A replay is made of the Scenes that were shown live, at every word of the deal,
by the same builder from the same states; it adds what was hidden then.  Nothing
of a deal is told before it has ended: ``find`` does not give a running one.
"""

from __future__ import annotations

import msgspec

from chiamata.rules.game import Game, to_lines
from chiamata.rules.moves import Dealt, End, Word, from_json, to_json
from chiamata.rules.text import read_text, write_text
from chiamata.server import lines as say
from chiamata.server import paper, picture, scene, table


class Past(msgspec.Struct, frozen=True):
    """A deal that has ended.

    Args:
        number: of the deal at its table, over all games, from 1.
        steps: the table after each word of the deal, the cards first.
        start, words: a game of its own that ends with this deal: it begins with the deal, or with the redeals
            whose multiplier was carried into it.
    """

    number: int
    steps: tuple[table.State, ...]
    start: Game
    words: tuple[Word, ...]


def find(log: list[bytes], number: int) -> Past | None:
    """The deal with this number; None where there is none, or where it has not ended."""
    state, others = _begun(log)
    start, words, steps = None, [], []  # type: ignore[var-annotated]  # of the words and states below
    for line in others:
        before, state = state, table.follow(state, line)
        word = _word(before, line)
        if word is None:
            continue
        if isinstance(word, Dealt):
            steps = []
            if before.game is not None and (before.game.multiplier == 1 or start is None):
                start, words = Game.start(before.rules, before.game.dealer), []
        words.append(word)
        steps.append(state)
        if start is not None and table.finished(state) == number:
            return Past(number, tuple(steps), start, tuple(words))
    return None


def games(log: list[bytes]) -> paper.Games:
    """Every game of a table as everybody sees it now: its people, its sheet, its winners; nothing of a running deal."""
    state, others = _begun(log)
    last: dict[int, table.State] = {}
    for line in others:
        state = table.follow(state, line)
        if state.game is not None:
            last[state.games] = state
    found = [picture.Gallery(each, each.at).outside() for each in last.values()]
    return paper.Games(state.code, found, running=table.stage_of(state) == "playing")


def is_closed(past: Past) -> bool:
    """Whether those who do not sit at the table must wait for the end of the game to see this deal."""
    return past.steps[-1].kinds[-1] == "off"


def people(past: Past) -> list[tuple[int, str]]:
    """Everybody who sat in a chair of this deal at some time, with the chair."""
    places = [(chair, place.who) for state in past.steps for chair, place in enumerate(state.places) if place.who]
    return list(dict.fromkeys(places))


def show(past: Past, chair: int | None, notes: list[paper.ChairNotes]) -> paper.Replay:
    """The deal as its watchers saw it with all cards open, or as the one in this chair saw it."""
    return paper.Replay(
        code=past.steps[0].code,
        number=past.number,
        chair=chair,
        steps=[_step(state, chair) for state in past.steps],
        notes=notes,
    )


def _step(state: table.State, chair: int | None) -> paper.ReplayStep:
    seen = picture.Gallery(state, state.at).of_chair(picture.WATCHER if chair is None else chair)
    chairs = range(len(state.places)) if chair is None else [chair]
    hands: list[list[str]] = [[] for _ in state.places]
    for each in chairs:
        view = None if state.game is None else state.game.view(each)
        if view is not None and view.seat >= 0:
            hands[each] = scene.hand(view)
    return paper.ReplayStep(seen, hands)


def written(text: str, code: str, reader: str = "") -> list[bytes]:
    """A game that was written down (``docs/text-form.md``), as the log of a table with this code.

    Args:
        reader: a guest who sits in chair 0 among the bots; "" for bots alone.

    Raises:
        Malformed: the text cannot be read.
    """
    script = read_text(text)
    rules = script.game.rules
    bots = range(1 if reader else 0, script.game.people)
    log: list[say.Line] = [say.Made(0, code=code, rules=rules.to_mapping())]
    log += [say.Sat(0, reader), say.Came(0, reader)] if reader else []
    log += [say.BotSat(0, chair=chair, level="friend") for chair in bots]
    log += [say.Began(0, dealer=script.game.dealer)]
    log += [say.Spoken(0, word=to_json(word, rules.ranks)) for word in script.words]
    return [say.encode(line) for line in log]


def moments(log: list[bytes]) -> list[table.State]:
    """The table after each word of its games; Illegal where a word was not allowed."""
    state, others = _begun(log)
    states = []
    for line in others:
        state = table.follow(state, line)
        states += [state] if isinstance(line, say.Spoken) else []
    return states


def as_text(past: Past) -> str:
    """The deal as ``docs/text-form.md`` has it; the first lines say who sat where."""
    first = past.steps[0]
    assert first.game is not None
    people = [first.places[chair] for chair in first.game.seats]
    names = ", ".join(
        f"{letter} {place.name or f'bot {place.level}'}" for letter, place in zip("ABCDE", people, strict=True)
    )
    return f"# {first.code} {past.number}: {names}\n{write_text(past.start, past.words)}"


def as_lines(past: Past) -> str:
    """The deal as JSON lines: a log that ``chiamata replay`` reads."""
    return "\n".join(to_lines(past.start, past.words)) + "\n"


def _begun(log: list[bytes]) -> tuple[table.State, list[say.Line]]:
    return table.fold(log[:1]), [say.decode(data) for data in log[1:]]


def _word(state: table.State, line: say.Line) -> Word | None:
    """The word of a deal that this line says; None for all other lines."""
    if not isinstance(line, say.Spoken):
        return None
    word = from_json(line.word, state.rules.ranks, state.rules.auction.kind == "points")
    return None if isinstance(word, End) else word
