"""Rule sets for people: in words, and beside the named one that is nearest."""

from __future__ import annotations

from functools import cache

from chiamata.rules import catalogue
from chiamata.rules.explain import Sentence, explain
from chiamata.rules.ruleset import RuleSet
from chiamata.server import paper


def page(rules: RuleSet) -> paper.RulesPage:
    """A rule set with every option in words, and how it differs from the named one nearest to it."""
    named = rules.id in catalogue.names()
    about = catalogue.about(rules.id) if named else None
    near = nearest(rules)
    return paper.RulesPage(
        id=rules.id,
        fingerprint=rules.fingerprint,
        rules=rules.to_mapping(),
        words=[_words(one) for one in explain(rules)],
        sources=list(about.sources) if about else [],
        decisions=[*(about.decisions if about else ()), *catalogue.COMMON_DECISIONS],
        approximate=about.approximate if about else False,
        nearest=near,
        differs=differences(rules, near),
    )


def nearest(rules: RuleSet) -> str:
    """The named rule set that differs in the fewest options; of several the one it is called after, or the first."""
    names = sorted(catalogue.names(), key=lambda name: name != rules.id)
    return min(names, key=lambda name: len(differences(rules, name)))


def differences(rules: RuleSet, name: str) -> list[paper.Difference]:
    """The options that play otherwise than in the rule set of this name, each in the words of both."""
    ours, theirs = _by_option(explain(rules)), _named(name)
    return [
        paper.Difference(option, [_words(one) for one in ours.get(option, ())], [_words(one) for one in theirs[option]])
        if option in theirs
        else paper.Difference(option, [_words(one) for one in ours[option]], [])
        for option in dict.fromkeys((*ours, *theirs))
        if _applying(ours.get(option, ())) != _applying(theirs.get(option, ()))
    ]


@cache
def _named(name: str) -> dict[str, tuple[Sentence, ...]]:
    return _by_option(explain(catalogue.load(name)))


def _by_option(sentences: tuple[Sentence, ...]) -> dict[str, tuple[Sentence, ...]]:
    found: dict[str, tuple[Sentence, ...]] = {}
    for one in sentences:
        found[one.option] = (*found.get(one.option, ()), one)
    return found


def _applying(sentences: tuple[Sentence, ...]) -> list[Sentence]:
    return [one for one in sentences if one.applies]


def _words(one: Sentence) -> paper.Words:
    return paper.Words(one.option, one.key, one.args, one.applies)
