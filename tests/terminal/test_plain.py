"""The table line by line: whole deals by somebody who knows nothing but the lines that were told."""

from __future__ import annotations

import asyncio
import random
import re

import pytest

from chiamata.doors.terminal.plain import PlainTable
from chiamata.doors.terminal.speech import Speech
from chiamata.rules import catalogue
from chiamata.server.texts import Texts, words
from tests.server.driver import rules_with
from tests.terminal.kit import TableLine, session_at, settle


def _pattern(text: str) -> str:
    """What a text with places looks like once they are filled."""
    return re.sub(r"\\{\w+\\}", "(.+)", re.escape(text))


class Listener:
    """Answers with what was read out."""

    def __init__(self, line: TableLine, language: str = "en", seed: int = 1, shy: bool = False) -> None:
        self.line = line
        self.speech = Speech(Texts(language))
        self.told: list[str] = []
        self.written: list[str] = []
        self.dice = random.Random(seed)
        self.bold = shy
        self._from = 0
        self.table = PlainTable(session_at(line, self.speech), self.speech, self.told.append)

    async def answer(self) -> str | None:
        """The next line: one of the answers that were offered since the last one; None after the deal."""
        await settle(self.line, self.table.session)
        if self.line.driver.stage != "playing":
            return None
        offers, said = [], self.told[self._from :]
        self._from = len(self.told)
        for one in said:
            if (label := re.match(r"(\S+(?: \d+)?)  ", one)) and self.speech.texts.say("play.not_now") not in one:
                offers.append(label[1])
            for key in ("ask_points", "ask_card"):
                if found := re.fullmatch(_pattern(words(self.speech.texts.language)[f"play.{key}"]), one):
                    offers.append(found[1])
            if one.endswith(self.speech.texts.say("play.sure")):
                offers = [self.speech.texts.say("play.yes").split()[-1]]
        assert offers, said
        if self.bold and len(offers) > 1 and "P" in offers:
            offers.remove("P")
        self.written.append(self.dice.choice(offers))
        return self.written[-1]

    def play(self) -> None:
        asyncio.run(self.table.play(self.answer))


@pytest.mark.parametrize("name", catalogue.names())
def test_a_whole_deal_by_what_is_read_out(name: str) -> None:
    listener = Listener(TableLine(name, seed=3, shy=True), shy=True)
    listener.play()
    scene = listener.table.session.scene
    assert scene is not None
    assert listener.speech.result(scene) in listener.told
    refused = [line for line in listener.told if line.startswith("“")]
    assert refused == []


def test_in_italian() -> None:
    listener = Listener(TableLine("classic", seed=3), "it")
    listener.play()
    assert any(line.startswith("Le tue carte: ") for line in listener.told)
    assert any(re.match(r"La presa va a \w+: \d+ punt", line) for line in listener.told)


def table(name: str = "classic", shy: bool = True) -> tuple[TableLine, PlainTable, list[str]]:
    line, told = TableLine(name, seed=5, shy=shy), list[str]()
    speech = Speech(Texts("en"))
    return line, PlainTable(session_at(line, speech), speech, told.append), told


def conversation(line: TableLine, plain: PlainTable, *written: str) -> None:
    """These lines, each after the answer to the one before."""
    lines = iter(written)

    async def asked() -> str | None:
        await settle(line, plain.session)
        return next(lines, None)

    asyncio.run(plain.play(asked))


def test_words_and_signs_name_the_same_moves() -> None:
    line, plain, told = table()
    conversation(line, plain, "ace")
    assert line.driver.deal().auction[0].say == "A"
    line, plain, told = table()
    conversation(line, plain, "A", "three of coins", "ace of coins")
    called = line.driver.deal().called
    assert "“three of coins” is no move here." in told
    assert called in ("", "AD")


def test_a_card_of_one_s_own_wants_a_yes() -> None:
    line, plain, told = table()
    hand = line.driver.deal("anna").hand
    name, rank = plain.speech.card_name(hand[0]), plain.speech.rank_name(hand[0][:-1])
    conversation(line, plain, rank, name, "no", name, "yes")
    assert line.driver.deal().called == hand[0]
    asked = [one for one in told if one.endswith("Write yes to do it, anything else to choose again.")]
    assert len(asked) == 2
    assert "alone against four" in asked[0]


def test_cards_that_may_not_be_played_say_so() -> None:
    listener = Listener(TableLine(rules_with("classic", play={"follow_suit": "always"}), seed=1, shy=True), shy=True)
    listener.play()
    assert [line for line in listener.told if re.match(r"\d  .*\(not now\)$", line)]


def test_questions_do_not_move_anything() -> None:
    line, plain, told = table()
    before = line.driver.state
    conversation(line, plain, "?", "h", "l", "s", "t", "y", "", "x", "q", "A")
    assert line.driver.state == before
    text = "\n".join(told)
    for answer in (
        "last trick",
        "Your cards: ",
        "No deal has ended yet.",
        "nothing",
        "y1  Hello, everybody!",
        "“x” is",
    ):
        assert answer in text
    assert text.count("Open the auction or pass.") == 3  # at first, for the empty line, and for x


def test_something_is_said_to_the_table() -> None:
    line, plain, told = table()
    conversation(line, plain, "y5")
    assert "You: “Well played!”" in told


def test_a_lost_line_is_told_and_the_question_comes_again() -> None:
    line, plain, told = table()

    async def asked() -> str | None:
        await settle(line, plain.session)
        if "The line is lost. Trying again…" not in told:
            line.lose(1006)
            return ""
        return None

    asyncio.run(plain.play(asked))
    assert told.count("Open the auction or pass.") >= 2


def test_a_closed_table_ends_it() -> None:
    line, plain, told = table()

    async def asked() -> str | None:
        await settle(line, plain.session)
        line.lose(4003)
        never: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        return await never

    asyncio.run(plain.play(asked))
    assert told[-1] == "There is no such table"
