"""The pages say what there is: every rule set, bot, message, verb and variable has its entry; links lead somewhere."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from chiamata.bots import roster
from chiamata.rules import catalogue
from chiamata.server import wire

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "web").glob("decks/*.md")])
NOT_OURS = {"PATH", "DISPLAY", "WAYLAND_DISPLAY", "CI", "PYTHONPATH", "NODE_ENV", "DEBIAN_FRONTEND"}
"""Variables that mean here what they mean everywhere."""


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def entries(text: str) -> set[str]:
    """The names in code type that begin a row of a table."""
    return set(re.findall(r"^\| `([^`]+)`", text, re.MULTILINE))


def verbs_of(words: list[str]) -> set[str]:
    """The verbs that a command says it has: the choices in its own help."""
    told = subprocess.run([sys.executable, *words, "--help"], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(re.findall(r"^ {0,4}([a-z]+) {2,}\S", told.stdout, re.MULTILINE))


def test_readme_runs() -> None:
    failed, run = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, run > 10) == (0, True)


@pytest.mark.parametrize("name", catalogue.names())
def test_every_rule_set_has_its_page(name: str) -> None:
    assert f"({name}.md)" in page("rules/README.md")
    assert page(f"rules/{name}.md").startswith("# ")
    assert page(f"rules/it/{name}.md").startswith("# ")


def test_every_bot_has_its_entry() -> None:
    assert entries(page("how-to/bot.md")) == set(roster.levels())


def test_every_message_has_its_section() -> None:
    shapes = [value for value in vars(wire).values() if isinstance(value, type) and issubclass(value, msgspec.Struct)]
    messages = {shape.__name__ for shape in shapes if shape.__module__ == wire.__name__ and not shape.__subclasses__()}
    assert messages - set(re.findall(r"^### (\w+)", page("protocol.md"), re.MULTILINE)) == set()
    assert len(messages) > 10


def test_every_verb_has_its_entry() -> None:
    documented = entries(page("commands.md"))
    assert verbs_of(["go.py"]) - {"options"} - documented == set()
    assert verbs_of(["-m", "chiamata.doors.cli"]) - documented == set()


def test_every_variable_has_its_entry() -> None:
    read = set()
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]
    for path in [*files, ROOT / "go.py", ROOT / "hatch_build.py"]:
        read |= variables_in(ast.parse(path.read_text(encoding="utf-8")))
    read |= set(re.findall(r"\$\{(CHIAMATA_\w+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8")))
    documented = entries(page("commands.md"))
    assert read - NOT_OURS - documented == set()
    assert {name for name in documented if name.startswith("CHIAMATA_")} - read == set()


def variables_in(tree: ast.AST) -> set[str]:
    """The environment variables that a program reads: ``environ["X"]``, ``environ.get("X")``, ``getenv("X")``."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):
            place, key = node.value, node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            place, key = (node.func, node.args[0]) if node.func.attr == "getenv" else (node.func.value, node.args[0])
        else:
            continue
        about = ast.unparse(place)
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and re.search(r"\b(environ|getenv)$", about):
            found.add(key.value)
    return found


def test_variables_are_found() -> None:
    code = "import os\nos.environ['A']\nos.environ.get('B', '')\nos.getenv('C')\nother['D']"
    assert variables_in(ast.parse(code)) == {"A", "B", "C"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


def test_every_page_can_be_found() -> None:
    linked = {
        (path.parent / target).resolve()
        for path in PAGES
        for target in re.findall(r"\]\(([^)#\s]+\.md)", path.read_text(encoding="utf-8"))
    }
    assert {path for path in DOCS.rglob("*.md") if path.resolve() not in linked and path != DOCS / "README.md"} == set()


def test_every_decision_is_listed_once() -> None:
    listed = re.findall(r"\((\d{4}-[\w-]+\.md)\)", page("decisions/README.md"))
    assert listed == sorted(path.name for path in (DOCS / "decisions").glob("[0-9]*.md"))


def test_the_text_form_s_example_is_told_as_the_page_says(tmp_path: Path) -> None:
    example = re.findall(r"```text\n(.*?)```", page("text-form.md"), re.DOTALL)
    deal = tmp_path / "deal.txt"
    words = [sys.executable, "-m", "chiamata.doors.cli", "--language", "en", "replay", "deal.txt"]
    deal.write_text(example[0], encoding="utf-8")
    told = subprocess.run(words, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "Made: 61 points for 61" in told.stdout
    deal.write_text(example[0].replace("E:KH", "E:3H"), encoding="utf-8")
    told = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (told.returncode, told.stderr) == (1, example[1])
