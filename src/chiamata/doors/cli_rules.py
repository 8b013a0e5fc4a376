"""``chiamata rules list | show | diff | check``: the rule sets, for people."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

from chiamata.doors.rulepage import sections, without_effect
from chiamata.rules import catalogue
from chiamata.rules.errors import Malformed
from chiamata.rules.problem import Problem
from chiamata.rules.ruleset import RuleSet, problems
from chiamata.server.texts import Texts

WIDTH = 96


def add_to(parser: argparse.ArgumentParser) -> None:
    """Give the parser of ``chiamata rules`` its four verbs; ``asked.texts`` must hold the Texts when they run."""
    verbs = parser.add_subparsers(dest="rules_verb", required=True, metavar="VERB")
    verbs.add_parser("list", help="every rule set with its line").set_defaults(run=_list)
    show = verbs.add_parser("show", help="one rule set in words")
    show.add_argument("name", metavar="NAME", help="of a rule set, or a file in TOML or JSON")
    show.add_argument("--all", action="store_true", help="with the options that have no effect in it")
    show.add_argument("--json", action="store_true", help="every option as JSON instead")
    show.set_defaults(run=_show)
    diff = verbs.add_parser("diff", help="what differs between two rule sets")
    diff.add_argument("first", metavar="A", help="the name of a rule set, or a file")
    diff.add_argument("second", metavar="B", help="the name of a rule set, or a file")
    diff.set_defaults(run=_diff)
    check = verbs.add_parser("check", help="check rule set files; without one, all rule sets of the house")
    check.add_argument("files", nargs="*", type=Path, metavar="FILE", help="in TOML or JSON")
    check.add_argument("--all", action="store_true", help="all rule sets of the house as well")
    check.set_defaults(run=_check)


def _list(asked: argparse.Namespace) -> int:
    texts: Texts = asked.texts
    widest = max(len(name) for name in catalogue.names())
    for menu in ("seed", "more"):
        print(texts.say(f"terminal.menu_{menu}"))
        for name in catalogue.names():
            about = catalogue.about(name)
            if about.menu == menu:
                mark = f" ({texts.say('terminal.approximate')})" if about.approximate else ""
                title = texts.say(f"rules.{name}.name") + mark
                print(f"  {name:{widest}}  {title}")
                _paragraph(texts.say(f"rules.{name}.line"), " " * (widest + 4))
    return 0


def _show(asked: argparse.Namespace) -> int:
    texts: Texts = asked.texts
    rules = find(texts, asked.name)
    if rules is None:
        return 1
    if asked.json:
        print(json.dumps(rules.to_mapping(), indent=2, ensure_ascii=False))
        return 0
    known = rules.id in catalogue.names() and rules == catalogue.load(rules.id)
    print(texts.say(f"rules.{rules.id}.name") if known else rules.title or rules.id)
    if known:
        _paragraph(texts.say(f"rules.{rules.id}.line"), "")
    listed = sections(texts, rules)
    if asked.all:
        listed.append((texts.say("options.no_effect"), without_effect(texts, rules)))
    for title, sentences in listed:
        print(f"\n{title}")
        for sentence in sentences:
            _item(sentence)
    if known:
        _show_about(texts, rules.id)
    for warning in rules.warnings:
        print()
        _paragraph(f"{texts.say('terminal.warning')}: {texts.say(f'config.{warning.code}')}", "")
    print(f"\n{texts.say('terminal.fingerprint')}: {rules.fingerprint}")
    return 0


def _show_about(texts: Texts, name: str) -> None:
    about = catalogue.about(name)
    for heading, ids in (("heading", about.decisions), ("common", catalogue.COMMON_DECISIONS)):
        if ids:
            print(f"\n{texts.say(f'decisions.{heading}')}")
        for decision in ids:
            _item(f"{decision}: {texts.say(f'decisions.{decision}')}")
    print(f"\n{texts.say('terminal.sources')}")
    for source in about.sources:
        _item(source)
    if about.approximate:
        print()
        _paragraph(texts.say("terminal.approximate_long"), "")


def _diff(asked: argparse.Namespace) -> int:
    texts: Texts = asked.texts
    first, second = find(texts, asked.first), find(texts, asked.second)
    if first is None or second is None:
        return 1
    if first.fingerprint == second.fingerprint:
        print(texts.say("terminal.same_rules", first=asked.first, second=asked.second))
    ours, theirs = _flat(first.to_mapping()), _flat(second.to_mapping())
    keys = [key for key in {**ours, **theirs} if key not in ("id", "title", "source", "version")]
    for key in keys:
        left, right = _shown(ours.get(key)), _shown(theirs.get(key))
        if left != right:
            print(f"{key}\n  {asked.first}: {left}\n  {asked.second}: {right}")
    return 0


def _flat(value: Any, key: str = "") -> dict[str, Any]:
    """Dotted keys with their values."""
    if not isinstance(value, dict):
        return {key: value}
    return {
        name: one for each, inner in value.items() for name, one in _flat(inner, f"{key}.{each}".strip(".")).items()
    }


def _shown(value: object) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False)


def _check(asked: argparse.Namespace) -> int:
    texts: Texts = asked.texts
    worst = 0
    for path in asked.files:
        worst |= _check_one(texts, str(path), _read(texts, path))
    if asked.all or not asked.files:
        for name in catalogue.names():
            worst |= _check_one(texts, name, catalogue.load(name).to_mapping())
    return worst


def _check_one(texts: Texts, name: str, mapping: object) -> int:
    """Print all that is wrong, or that it is fine, with the warnings; 1 if something is wrong."""
    if isinstance(mapping, Problem):
        _print_problem(texts, name, mapping, "problem")
        return 1
    found = problems(mapping)
    for problem in found:
        _print_problem(texts, name, problem, "problem")
    if found:
        return 1
    print(texts.say("terminal.fine", name=name))
    for warning in RuleSet.from_mapping(mapping).warnings:
        _print_problem(texts, name, warning, "warning")
    return 0


def _print_problem(texts: Texts, name: str, problem: Problem, kind: str) -> None:
    """Code, key, value, what it means in the reader's language, and what to write instead."""
    print(f"{name}: {texts.say(f'terminal.{kind}')} {problem.code}{f' {problem.key}' if problem.key else ''}")
    words = f"config.{problem.code}" if texts.has(f"config.{problem.code}") else f"terminal.{problem.code}"
    _paragraph(texts.say(words), "  ")
    _paragraph(f"{texts.say('terminal.value')}: {_shown(problem.value)}", "  ")
    if problem.nearest:
        _paragraph(f"{texts.say('terminal.nearest')}: {problem.nearest}", "  ")
    if kind == "problem":
        _paragraph(f"{texts.say('terminal.fix')}: {problem.message}", "  ")


def _read(texts: Texts, path: Path) -> object:
    """The mapping in this file, as yet unchecked; a Problem if there is none to read."""
    kind = "NOT_JSON" if path.suffix == ".json" else "NOT_TOML"
    try:
        text = path.read_text(encoding="utf-8")
        document = json.loads(text) if kind == "NOT_JSON" else tomllib.loads(text)
        return catalogue.split(document, _id_of(path))[0] if isinstance(document, dict) else document
    except (OSError, UnicodeError) as error:
        return Problem("NOT_A_FILE", "", str(path), f"{error}.")
    except Malformed as error:
        return Problem(error.code, "", error.value, error.fix)
    except (ValueError, RecursionError) as error:
        return Problem(kind, "", str(path), f"{error}.")


def _id_of(path: Path) -> str:
    """The file's name as the id of a rule set, as far as it can be one."""
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in path.stem.lower())
    return kept.strip("-")[:40] or "custom"


def find(texts: Texts, name: str) -> RuleSet | None:
    """The rule set of this name, or the one in this file; None, and why printed, if there is none."""
    try:
        if name in catalogue.names() or not Path(name).is_file():
            return catalogue.load(name)
    except Malformed as error:
        print(f"{name}: {texts.say(f'config.{error.code}')} {error.fix}", file=sys.stderr)
        return None
    mapping = _read(texts, Path(name))
    if isinstance(mapping, Problem) or problems(mapping):
        _check_one(texts, name, mapping)
        return None
    return RuleSet.from_mapping(mapping)


def _paragraph(text: str, indent: str) -> None:
    print(textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))


def _item(text: str) -> None:
    print(textwrap.fill(text, WIDTH, initial_indent="  · ", subsequent_indent="    ", break_on_hyphens=False))
