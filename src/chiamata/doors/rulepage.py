"""A rule set in words, by sections: what ``chiamata rules show`` prints and the pages under docs/rules hold."""

from __future__ import annotations

from chiamata.rules.explain import Sentence, explain
from chiamata.rules.ruleset import RuleSet
from chiamata.server.texts import Texts

SECTIONS = (
    "table",
    "deck",
    "deal",
    "auction",
    "call",
    "play",
    "contract",
    "scoring",
    "hand_claim",
    "session",
    "conduct",
)


def sections(texts: Texts, rules: RuleSet) -> list[tuple[str, list[str]]]:
    """Title and sentences of each section, only of options that have an effect."""
    told = [sentence for sentence in explain(rules) if sentence.applies]
    listed = {section: [say(texts, one) for one in told if _section(one) == section] for section in SECTIONS}
    return [(texts.say(f"options.section_{section}"), sentences) for section, sentences in listed.items() if sentences]


def without_effect(texts: Texts, rules: RuleSet) -> list[str]:
    """The sentences of options that another option leaves without effect."""
    return [say(texts, one) for one in explain(rules) if not one.applies]


def say(texts: Texts, sentence: Sentence) -> str:
    """The sentence, with its ranks in the letters of the reader's cards."""
    args = {name: _letters(texts, str(value)) if name == "ranks" else value for name, value in sentence.args.items()}
    for name in {"first", "second"} & {*args}:
        key = f"cards.rank_{args[name]}"
        args[name] = texts.say(key).capitalize() if texts.has(key) else args[name]
    return texts.say(f"options.{sentence.key}", **args)


def _letters(texts: Texts, ranks: str) -> str:
    """``A 3 K`` as ``A 3 R`` for an Italian; points beside the ranks stay: ``K 4, Q 3``."""
    keys = {rank: f"cards.letter_{rank}" for rank in ranks.replace(",", "").split() if not rank.isdigit()}
    return " ".join(texts.say(keys[one]) if one in keys and texts.has(keys[one]) else one for one in ranks.split(" "))


def _section(sentence: Sentence) -> str:
    first = sentence.option.split(".")[0]
    return first if first in SECTIONS else "table"
