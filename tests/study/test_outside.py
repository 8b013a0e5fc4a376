"""Programs as players: the example plays, and one that hangs, dies, raves or cheats is counted, replaced and ended."""

from __future__ import annotations

import os
import random
import select
import sys
from pathlib import Path

import pytest

from chiamata.doors import cli
from chiamata.rules.catalogue import load
from chiamata.rules.deal import Deal
from chiamata.rules.errors import Malformed
from chiamata.rules.view import View
from chiamata.study.arena import Arena, Match, play_deal
from chiamata.study.deals import hands_of, neutral_contract
from chiamata.study.outside import STARTS, Outside

EXAMPLE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "outside_bot.py"
AMPLE = 60.0
"""Seconds that a healthy program never takes, however busy the machine."""
HELLO = 'print(json.dumps({"is": "hello", "protocol": 1, "name": "it"}), flush=True)'
GREETING = f"sys.stdin.readline()\n{HELLO}\n"
ANSWERING = GREETING + "for line in sys.stdin: print(ANSWER, flush=True)"
BROKEN = {
    "hangs": (GREETING + "while True: time.sleep(1)", "late: no answer in 0.05 s"),
    "dies": (GREETING + 'sys.stdin.readline()\nsys.exit("no idea")', "died with status 1; it wrote: no idea"),
    "closes": (GREETING + "os.close(1)\nwhile True: time.sleep(1)", "died for us: it closed its output"),
    "raves": (ANSWERING.replace("ANSWER", "'hm'"), "rubbish: b'hm\\n'"),
    "cheats": (ANSWERING.replace("ANSWER", """'{"do": "trump", "seat": 0, "suit": "C"}'"""), "illegal: "),
    "misspells": (ANSWERING.replace("ANSWER", """'{"do": "sing"}'"""), "rubbish: "),
}


def program(folder: Path, text: str) -> str:
    """The command line of a program with this text; it leaves its number in ``pids``."""
    head = f"import json, os, sys, time\nprint(os.getpid(), file=open({str(folder / 'pids')!r}, 'a'))\n"
    path = folder / "bot.py"
    path.write_text(head + text + "\n", encoding="utf-8")
    return f"{sys.executable} {path}"


def ended(folder: Path) -> int:
    """How many programs ran; none of them does now."""
    pids = [int(line) for line in (folder / "pids").read_text().split()]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    return len(pids)


def a_view() -> View:
    deal = neutral_contract(load("classic"), "outside")
    return deal.view(deal.public.turn)


def test_the_example_plays() -> None:
    match = Match(f"cmd:{sys.executable} {EXAMPLE}", "random", "play", seconds=AMPLE)
    pair = play_deal(match, 1)
    assert pair.faults == ()
    assert pair == play_deal(match, 1)
    assert pair.before != pair.after


@pytest.mark.parametrize("rules", ["fifteen", "trattoria", "family", "open-points", "first-trick-blind", "french-ten"])
def test_the_example_knows_other_rule_sets(rules: str) -> None:
    assert play_deal(Match(f"cmd:{sys.executable} {EXAMPLE}", "random", "game", rules, seconds=AMPLE), 2).faults == ()


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_one_is_told_replaced_and_ended(kind: str, tmp_path: Path) -> None:
    text, told = BROKEN[kind]
    seconds = 0.05 if kind == "hangs" else AMPLE
    bot = Outside(program(tmp_path, text), seconds)
    view = a_view()
    for _ in range(4):
        assert bot.choose(view, random.Random(1)) == view.legal()[0]
    bot.close()
    assert len(bot.faults) == 4
    assert all(fault.startswith(told) for fault in bot.faults[:STARTS])
    again = f"died: it was started {STARTS} times in this deal"
    assert (bot.faults[3] == again) == (kind != "cheats")
    assert ended(tmp_path) == (1 if kind == "cheats" else STARTS)


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    child = "import os, time\\nprint(os.getpid(), file=open({0!r}, 'a'), flush=True)\\ntime.sleep(600)"
    text = f"""import subprocess
child = subprocess.Popen([sys.executable, "-c", "{child.format(str(tmp_path / "pids"))}"])
while len(open({str(tmp_path / "pids")!r}).read().split()) < 2: time.sleep(0.01)
{HELLO}
sys.stdin.read()"""
    bot = Outside(program(tmp_path, text), AMPLE)
    bot.start()
    bot.close()
    _, child_pid = (tmp_path / "pids").read_text().split()
    try:
        dying = os.pidfd_open(int(child_pid))
    except ProcessLookupError:
        return  # dead, and gone from the list
    assert select.select([dying], [], [], AMPLE)[0]
    os.close(dying)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('print(json.dumps({"is": "hello", "protocol": 2}), flush=True); sys.stdin.read()', "not with protocol 1"),
        ("sys.stdin.read()", "late: no answer in 0.5 s"),
        ('sys.exit("no model")', "no model"),
    ],
)
def test_a_bad_greeting_ends_the_run(text: str, told: str, tmp_path: Path) -> None:
    bot = Outside(program(tmp_path, text), AMPLE, hello=0.5 if "late" in told else AMPLE)
    with pytest.raises(Malformed, match=told):
        bot.start()
    ended(tmp_path)


def test_who_cannot_be_started_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["arena", "--subject", "cmd:./no-such-bot", "--deals", "2"]) == 1
    assert "no-such-bot" in capsys.readouterr().err
    with pytest.raises(Malformed, match="quot"):
        Outside("bot 'quoted", 1.0).start()


def test_the_arena_counts_what_went_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = program(tmp_path, BROKEN["raves"][0])
    Arena(tmp_path / "kept").play(Match(f"cmd:{command}", "random", "caller", seconds=AMPLE), 2)
    told = capsys.readouterr().err
    assert "16 moves made for it (died 10, rubbish 6)" in told
    assert "b'hm\\n'" in told
    Arena(tmp_path / "kept").play(Match(f"cmd:{command}", "random", "caller", seconds=AMPLE), 2)
    assert "16 moves made for it" in capsys.readouterr().err  # kept with the results


def test_it_sees_what_its_seat_sees(tmp_path: Path) -> None:
    text = f"""{GREETING}
for line in sys.stdin:
    open({str(tmp_path / "asked")!r}, "a").write(line)
    print(json.dumps(json.loads(line)["legal"][-1]), flush=True)"""
    deal = Deal.start(load("classic"), 4, hands_of("seen"))
    bot = Outside(program(tmp_path, text), AMPLE)
    view = deal.view(0)
    assert bot.choose(view, random.Random(1)) == view.legal()[-1]
    bot.close()
    other = Deal.start(load("classic"), 4, (deal.dealt[0], deal.dealt[2], deal.dealt[1], deal.dealt[3], deal.dealt[4]))
    bot = Outside(program(tmp_path, text), AMPLE)
    bot.choose(other.view(0), random.Random(1))
    bot.close()
    first, second = (tmp_path / "asked").read_text().splitlines()
    assert first == second
