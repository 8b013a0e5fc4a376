"""The pages under docs/rules: every rule set in words, in every language, drawn from the rule sets themselves."""

from __future__ import annotations

from pathlib import Path

from chiamata.doors.rulepage import sections, without_effect
from chiamata.rules import catalogue
from chiamata.rules.cards import SEAT_NAMES
from chiamata.server import examples
from chiamata.server.texts import FIRST, Texts, languages


def pages() -> dict[str, str]:
    """Every page by its path below docs/rules: ``classic.md``, ``it/classic.md``, ``README.md`` …"""
    made: dict[str, str] = {}
    for language in languages():
        texts = Texts(language)
        folder = "" if language == FIRST else f"{language}/"
        made[f"{folder}README.md"] = _index(texts)
        made |= {f"{folder}{name}.md": _page(texts, name) for name in catalogue.names()}
    return made


def write(folder: Path) -> None:
    """Write all pages below this folder and remove Markdown pages that are none any more."""
    made = pages()
    for path, text in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    for old in folder.rglob("*.md"):
        if old.relative_to(folder).as_posix() not in made:
            old.unlink()


def _index(texts: Texts) -> str:
    lines = [
        f"# {texts.say('terminal.page_index')}",
        _comment(texts),
        texts.say("terminal.page_intro"),
        _others(texts, "README"),
    ]
    for menu in ("seed", "more"):
        entries = [_entry(texts, name) for name in catalogue.names() if catalogue.about(name).menu == menu]
        lines += [f"## {texts.say(f'terminal.menu_{menu}')}", "\n".join(entries)]
    common = (f"- {one}: {texts.say(f'decisions.{one}')}" for one in catalogue.COMMON_DECISIONS)
    return "\n\n".join([*lines, f"## {texts.say('decisions.common')}", "\n".join(common)]) + "\n"


def _entry(texts: Texts, name: str) -> str:
    mark = f" ({texts.say('terminal.approximate')})" if catalogue.about(name).approximate else ""
    return f"- [{texts.say(f'rules.{name}.name')}]({name}.md){mark}: {texts.say(f'rules.{name}.line')}"


def _page(texts: Texts, name: str) -> str:
    rules, about = catalogue.load(name), catalogue.about(name)
    blocks = [f"# {texts.say(f'rules.{name}.name')}", _comment(texts), texts.say(f"rules.{name}.line")]
    blocks.append(f"[{texts.say('terminal.page_back')}](README.md) · {_others(texts, name)} · `{name}`")
    blocks += [f"**{texts.say('terminal.approximate_long')}**"] if about.approximate else []
    blocks += [f"> {texts.say(f'config.{warning.code}')}" for warning in rules.warnings]
    for title, sentences in sections(texts, rules):
        blocks += [f"## {title}", _bullets(sentences)]
    decisions = [f"{one}: {texts.say(f'decisions.{one}')}" for one in about.decisions]
    if decisions:
        blocks += [f"## {texts.say('decisions.heading')}", _bullets(decisions)]
    common = f"[{texts.say('decisions.common')}](README.md): {', '.join(catalogue.COMMON_DECISIONS)}."
    blocks += [common, f"## {texts.say('terminal.sources')}", _bullets(about.sources)]
    blocks += [f"## {texts.say('options.no_effect')}", _bullets(without_effect(texts, rules))]
    blocks += [f"## {texts.say('examples.title')}", *_example(texts, name)]
    file = (catalogue.FOLDER / f"{name}.toml").read_text(encoding="utf-8").strip()
    blocks += [f"## {texts.say('terminal.page_file')}", f"```toml\n{file}\n```"]
    return "\n\n".join(blocks) + "\n"


def _example(texts: Texts, name: str) -> list[str]:
    """The example deal in sentences, people by their seats, and as text that ``chiamata replay`` reads."""
    told = [texts.say(f"examples.{event.key}", **_named(texts, event.args)) for event in examples.example(name).events]
    deal = (examples.FOLDER / f"{name}.txt").read_text(encoding="utf-8").strip()
    return [_bullets([sentence[0].upper() + sentence[1:] for sentence in told]), f"```text\n{deal}\n```"]


def _named(texts: Texts, args: dict[str, str | int]) -> dict[str, str | int]:
    named = dict(args)
    if "chair" in args:
        named["chair"] = SEAT_NAMES[int(args["chair"])]
    for place in {"card", "other"} & {*args}:
        rank, suit = str(args[place])[:-1], str(args[place])[-1]
        named[place] = texts.say(
            "cards.card", rank=texts.say(f"cards.rank_{rank}"), suit=texts.say(f"cards.suit_{suit}")
        )
    if "suit" in args:
        named["suit"] = texts.say(f"cards.suit_{args['suit']}")
    return named


def _bullets(sentences: list[str] | tuple[str, ...]) -> str:
    return "\n".join(f"- {sentence}" for sentence in sentences)


def _comment(texts: Texts) -> str:
    return f"<!-- {texts.say('terminal.page_generated')} -->"


def _others(texts: Texts, name: str) -> str:
    """Links to the same page in the other languages."""
    up = "" if texts.language == FIRST else "../"
    links = (
        f"[{Texts(language).say('terminal.page_own')}]({up}{'' if language == FIRST else language + '/'}{name}.md)"
        for language in languages()
        if language != texts.language
    )
    return " · ".join(links)
