"""``chiamata advise VIEW.json``: what a bot would do in that seat, what each move is worth, and what it believes."""

from __future__ import annotations

import argparse
import json
import random
import sys
from math import exp
from pathlib import Path

from chiamata.bots import roster
from chiamata.bots.advice import Advice
from chiamata.bots.reasons import Args, reasons_of
from chiamata.bots.situation import role_of
from chiamata.rules.cards import SEAT_NAMES, card_name
from chiamata.rules.errors import Illegal, Malformed
from chiamata.rules.moves import to_json, to_text
from chiamata.rules.view import View
from chiamata.rules.view_json import view_of_json
from chiamata.server.texts import Texts


def add_to(parser: argparse.ArgumentParser) -> None:
    """Give the parser of ``chiamata advise`` its arguments; ``asked.texts`` must hold the Texts when it runs."""
    parser.add_argument("file", type=Path, metavar="VIEW.json", help="what one seat sees: see docs/text-form.md")
    parser.add_argument("--level", choices=roster.levels(), default="master", help="who advises (default: %(default)s)")
    parser.add_argument("--seed", default="0", help="of its dice (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="for a program")
    parser.set_defaults(run=advise)


def advise(asked: argparse.Namespace) -> int:
    """0 if there was advice, 1 if the file is no view or the seat has nothing to do."""
    texts: Texts = asked.texts
    try:
        view = view_of_json(json.loads(asked.file.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, Malformed):
            facts = {"where": error.where, "code": error.code, "value": repr(error.value), "fix": error.fix}
            print(texts.say("advice.broken", file=asked.file, **facts), file=sys.stderr)
        else:
            print(texts.say("advice.unreadable", file=asked.file, reason=error), file=sys.stderr)
        return 1
    except Illegal as error:
        print(texts.say("advice.refused", file=asked.file, code=error), file=sys.stderr)
        return 1
    if not view.legal():
        print(texts.say("advice.nothing", seat=SEAT_NAMES[view.seat]), file=sys.stderr)
        return 1
    advice = roster.advise(asked.level, view, random.Random(asked.seed))
    print(json.dumps(as_json(view, advice)) if asked.json else "\n".join(in_words(view, advice, texts)))
    return 0


def as_json(view: View, advice: Advice) -> dict[str, object]:
    """The advice in plain values."""
    ranks = view.public.rules.ranks
    return {
        "moves": [
            {"move": to_json(one.move, ranks), "value": round(one.value, 4), "error": round(one.error, 4)}
            for one in advice.moves
        ],
        "partner": [round(odd, 4) for odd in advice.partner],
        "tells": [
            {"seat": tell.seat, "card": card_name(tell.card, ranks), "trick": tell.trick, "weight": tell.weight}
            for tell in advice.tells
        ],
        "reasons": [{"key": reason.key, "args": reason.args} for reason in reasons_of(view, advice)],
    }


def in_words(view: View, advice: Advice, texts: Texts) -> list[str]:
    """The advice line by line."""
    ranks = view.public.rules.ranks
    role = role_of(view) if view.public.caller >= 0 else "bidder"
    lines = [texts.say("advice.seat", seat=SEAT_NAMES[view.seat], role=texts.say(f"advice.role_{role}"))]
    lines.append(texts.say("advice.payoff"))
    best = advice.moves[0].value
    for one in advice.moves:
        facts: dict[str, object] = {"move": to_text(one.move, ranks), "value": f"{one.value:+.2f}"}
        if one.error:
            facts |= {"behind": f"{best - one.value:.2f}", "error": f"{one.error:.2f}"}
        lines.append(texts.say("advice.move_error" if one.error else "advice.move", **facts))
    lines.append(texts.say("advice.why", move=to_text(advice.best, ranks), seat=SEAT_NAMES[view.seat]))
    lines += [f"  {texts.say(f'hints.{one.key}', **_spoken(one.args, texts))}" for one in reasons_of(view, advice)]
    if advice.partner:
        odds = ", ".join(f"{SEAT_NAMES[seat]} {odd:.0%}" for seat, odd in enumerate(advice.partner) if odd >= 0.005)
        lines.append(texts.say("advice.partner", odds=odds))
    if advice.tells:
        lines.append(texts.say("advice.tells"))
    for tell in advice.tells:
        facts = {"trick": tell.trick, "seat": SEAT_NAMES[tell.seat], "card": card_name(tell.card, ranks)}
        key = "advice.tell_for" if tell.weight > 0 else "advice.tell_against"
        lines.append(texts.say(key, times=f"{exp(abs(tell.weight)):.1f}", **facts))
    return lines


def _spoken(args: Args, texts: Texts) -> dict[str, object]:
    """What goes into a sentence's places, with seats and suits by name."""
    facts: dict[str, object] = {**args}
    if "seat" in args:
        facts["chair"] = SEAT_NAMES[int(args["seat"])]
    if "suit" in args:
        facts["suit"] = texts.say(f"cards.suit_{args['suit']}")
    return facts
