"""A written game is told to its end, and a broken one names the place and what could stand there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chiamata.rules.errors import Malformed
from chiamata.rules.game import replay
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.text import write_text
from chiamata.study.review import Told, retell
from tests.kit import rule_sets
from tests.rules.test_text import HANDS, a_game

DEAL = f"""rules: classic
session.deals: 1
{HANDS}
A:2 B:pass C:pass D:pass E:pass
A:call 2S
A:QS B:6C C:7D D:7H E:4C
A:3H B:2S C:KS D:QH E:JH
C:QC D:QD E:5S A:AS B:6H
A:7S B:3D C:2C D:5D E:KH
A:KD B:JD C:AD D:2D E:5C
C:7C D:3C E:JS A:6S B:AH
E:2H A:3S B:4D C:4H D:6D
A:4S B:JC C:KC D:AC E:5H
"""


def told(text: str, key: str) -> list[Told]:
    return [line for line in retell(text) if line.key == key]


def test_a_deal_is_told_to_its_end() -> None:
    lines = list(retell(DEAL))
    assert [line.key for line in lines][:9] == ["game", "deal", "hand", "hand", "hand", "hand", "hand", "bid", "pass"]
    assert told(DEAL, "contract") == [Told("contract", {"seat": "A", "target": 61})]
    assert told(DEAL, "call") == [Told("call", {"seat": "A", "card": "2S", "suit": "S"})]
    assert told(DEAL, "partner") == [Told("partner", {"seat": "B", "caller": "A"})]
    assert [line.facts["points"] for line in told(DEAL, "trick")] == [3, 19, 17, 14, 17, 23, 10, 17]
    assert lines[-4:] == [
        Told("made", {"points": 61, "target": 61, "tricks": 5, "rest": 59}),
        Told("payoff", {"payoffs": "A +2  B +1  C -1  D -1  E -1"}),
        Told("score", {"scores": "A 2  B 1  C -1  D -1  E -1"}),
        Told("over", {"winners": "A"}),
    ]


def test_a_text_that_stops_says_whose_turn_it_is() -> None:
    lines = list(retell(DEAL[: DEAL.index("C:KS")]))
    assert lines[-2:] == [Told("table", {"number": 2, "cards": "A:3H B:2S"}), Told("stops", {"seat": "C"})]


def test_a_solo_is_told_when_the_called_card_falls() -> None:
    alone = DEAL.replace("A:2 B", "A:K B").replace("call 2S", "call KD").replace("A:QS", "A:KD")
    assert told(alone[: alone.index("A:KD")], "solo") == []
    assert told(alone[: alone.index("B:6C")], "solo") == [Told("solo", {"seat": "A"})]


def test_four_passes_and_a_fifth_bring_the_cards_back() -> None:
    passes = f"{HANDS}A:pass B:pass C:pass D:pass E:pass"
    assert [line.key for line in retell("rules: trattoria\n" + passes)][-2:] == ["all_pass", "score"]


@pytest.mark.parametrize(
    ("old", "new", "code", "where", "fix"),
    [
        ("E:KH", "E:3H", "CARD_NOT_IN_HAND", "15:21", "E:5C  E:KH  E:5H  E:2H  E:JS."),
        (
            "A:call 2S",
            "A:call KS",
            "CALL_EXCEPTION_NOT_AVAILABLE",
            "11:1",
            "A:call 2C  A:call 2H  A:call 2D  A:call 2S.",
        ),
        ("B:pass", "C:pass", "NOT_YOUR_TURN", "10:5", "B:pass  B:2@62"),
        (HANDS, HANDS + HANDS, "WRONG_PHASE", "10:1", "A:pass  A:A"),
        ("A:4S B:JC C:KC D:AC E:5H", "A:4S B:JC C:KC D:AC E:5H A:4S", "WRONG_PHASE", "19:26", "The game is over here."),
        ("A:2", "A:X", "UNKNOWN_BID", "10:1", "Write a rank"),
    ],
)
def test_a_broken_file_names_the_place(old: str, new: str, code: str, where: str, fix: str) -> None:
    with pytest.raises(Malformed) as caught:
        list(retell(DEAL.replace(old, new, 1)))
    assert (caught.value.code, caught.value.where) == (code, where)
    assert fix in caught.value.fix


@given(rule_sets(), st.data())
def test_every_legal_game_is_told(rules: RuleSet, data: st.DataObject) -> None:
    start, words = a_game(rules, data)
    lines = list(retell(write_text(start, words)))
    ended = replay(start, words)
    assert sum(line.key == "deal" for line in lines) == sum(type(word).__name__ == "Dealt" for word in words)
    assert sum(line.key == "score" for line in lines) == len(ended.rows)
    assert (lines[-1].key == "over") == ended.over
