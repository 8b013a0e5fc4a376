"""A game written by hand is read, and every game prints as the text that rebuilds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chiamata.rules import catalogue
from chiamata.rules.cards import ALL_CARDS
from chiamata.rules.errors import Malformed
from chiamata.rules.game import Game, replay, to_lines
from chiamata.rules.moves import Bid, Call, Dealt, Pass, Play, Word
from chiamata.rules.ruleset import RuleSet
from chiamata.rules.shuffle import hands_from
from chiamata.rules.text import Place, read_text, write_text
from tests.kit import rule_sets

HANDS = """
A  AS 3S QS 7S 3H 4S 6S KD
B  2S AH 6C 3D JD JC 4D 6H
C  7C 2C QC KC 4H KS 7D AD
D  3C 7H 2D 6D 5D QD AC QH
E  5S 2H KH 4C 5C 5H JS JH
"""


def a_game(rules: RuleSet, data: st.DataObject, most: int = 60) -> tuple[Game, list[Word]]:
    """A game of this rule set with up to ``most`` words, each any legal one."""
    start = game = Game.start(rules, data.draw(st.integers(0, 4 + rules.session.sitters)))
    words: list[Word] = []
    while len(words) < most and not game.over:
        if game.needs_deal:
            word: Word = Dealt(hands_from(data.draw(st.binary(min_size=32, max_size=32)), 0))
        else:
            assert game.deal is not None
            word = data.draw(st.sampled_from(game.deal.legal(game.deal.public.turn)))
        words.append(word)
        game = game.apply(word)
    return start, words


def test_a_deal_by_hand() -> None:
    script = read_text(
        f"# by hand\nrules: trattoria\ndealer: B\n{HANDS}C:2 D: pass E:pass  # all but one\nA:call 2S A:QS"
    )
    assert script.game == Game.start(catalogue.load("trattoria"), 1)
    assert script.words[1:] == (Bid(2, 9), Pass(3), Pass(4), Call(0, 39), Play(0, 33))
    assert isinstance(script.words[0], Dealt)
    assert script.places[:4] == (Place(5, 1), Place(10, 1), Place(10, 5), Place(10, 13))


def test_no_header_is_classic_with_dealer_e() -> None:
    assert read_text(HANDS).game == Game.start(catalogue.load("classic"), 4)


def test_an_option_laid_over_a_rule_set() -> None:
    script = read_text("rules: classic\nsession.deals: 3\ncontract.tie_60: draw\nhand_claim: null\n")
    assert script.game.rules.session.deals == 3
    assert script.game.rules.contract.tie_60 == "draw"
    claim = read_text("hand_claim.max_points: 2").game.rules.hand_claim
    assert claim is not None
    assert claim.max_points == 2


@given(rule_sets(), st.data())
def test_every_game_prints_as_the_text_that_rebuilds_it(rules: RuleSet, data: st.DataObject) -> None:
    start, words = a_game(rules, data)
    script = read_text(write_text(start, words))
    assert script.game == start
    assert script.words == tuple(words)
    assert replay(script.game, script.words) == replay(start, words)


@pytest.mark.parametrize("name", catalogue.names())
def test_a_named_rule_set_is_written_by_its_name_alone(name: str) -> None:
    assert write_text(Game.start(catalogue.load(name), 2), []) == f"rules: {name}\ndealer: C\n"


def test_hashes_and_odd_values_in_a_header() -> None:
    mapping = catalogue.load("classic").to_mapping() | {"title": 'a # "b" null', "source": "null", "id": "mine"}
    start = Game.start(RuleSet.from_mapping(mapping), 0)
    assert read_text(write_text(start, [])).game == start


@given(st.data())
def test_a_log_of_json_lines_is_read_too(data: st.DataObject) -> None:
    start, words = a_game(catalogue.load("classic"), data)
    script = read_text("\n\n".join(to_lines(start, words)) + "\n")
    assert (script.game, script.words) == (start, tuple(words))
    assert script.places[:1] == (Place(3, 1),)


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("rules: clasic", "UNKNOWN_RULESET", "1:1"),
        ("\n  dealer: F", "BAD_DEALER", "2:3"),
        ("dealer: A\ndealer: B", "KEY_TWICE", "2:1"),
        ("rules: classic\nauction.kindd: rank", "UNKNOWN_KEY", "2:1"),
        ("rules: classic\nsession.deals: -1", "SESSION_DEALS_NOT_ALLOWED", "2:1"),
        ("A  AS 3S", "NOT_EIGHT_CARDS", "1:1"),
        ("B  AS 3S QS 7S 3H 4S 6S KD", "NOT_FIVE_HANDS", "1:1"),
        ("A  AS 3S QS 7S 3H 4S 6S 9D", "UNKNOWN_CARD", "1:25"),
        ("A  AS 3S QS 7S 3H 4S 6S AS", "CARD_TWICE", "1:25"),
        (HANDS.replace("B  2S", "B  AS"), "CARD_TWICE", "3:4"),
        (HANDS.replace("E  5S", "A:K"), "NOT_FIVE_HANDS", "2:1"),
        (HANDS.rpartition("E")[0], "NOT_FIVE_HANDS", "2:1"),
        (HANDS + "\n A:K  F:pass", "UNKNOWN_SEAT", "8:7"),
        (HANDS + "A:K B:call 9S", "UNKNOWN_CARD", "7:5"),
        (HANDS + "A:K B:", "UNKNOWN_BID", "7:5"),
        (HANDS + "pass", "UNKNOWN_WORD", "7:1"),
        ("{", "NOT_JSON", "1:1"),
        ('\n{"chiamata": 2}', "NOT_A_LOG", "2:1"),
        ('{"chiamata": 1, "rules": {"id": 1}}', "WRONG_TYPE", "1:1"),
        ('{"chiamata": 1, "rules": {}}\n\n{"do": "sing"}', "UNKNOWN_WORD", "3:1"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, code: str, where: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_text(text)
    assert (caught.value.code, caught.value.where) == (code, where)


@given(st.text() | st.text("AB:CDE \n#{}25KSHpascl.rue"))
def test_any_text_is_read_or_malformed(text: str) -> None:
    where = "1:1"
    try:
        read_text(text)
    except Malformed as error:
        where = error.where
    assert all(number.isdigit() for number in where.split(":"))


def test_five_hands_are_the_whole_pack() -> None:
    (dealt,) = read_text(HANDS).words
    assert isinstance(dealt, Dealt)
    assert sum(dealt.hands) == ALL_CARDS
