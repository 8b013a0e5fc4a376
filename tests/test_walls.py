"""The walls stand: contracts, no back door around them, no circle, no overgrown file."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src"
MODULES = sorted(path for path in SRC.rglob("*.py") if SRC / "chiamata" / "client" not in path.parents)  # that is built
FACES = [path for path in MODULES if path.name == "__init__.py"]
PROTECTED = {"Deal", "Game", "deal", "game", "replay", "read_log", "Dealt", "text", "read_text", "Script"}
"""Names and modules behind a wall: a face that hands one on is a hole that no contract sees."""
LINE_LIMIT = 500
HASTY = re.compile(
    r"\s*assert .*\.(?:(?:count|input_value|is_\w+|inner_\w+|all_inner_texts|text_content|content)\(\)|get_attribute\()"
)
"""An assertion on what the page shows right now."""


def name_of(path: Path) -> str:
    """``src/chiamata/rules/cards.py`` is ``chiamata.rules.cards``."""
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imported(tree: ast.AST) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Every import statement wherever it stands: line, module, names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, ()
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or ""), tuple(alias.name for alias in node.names)


def escapes(tree: ast.AST) -> list[str]:
    """What import-linter cannot follow: imports by name, relative ones, whole modules, code from text."""
    found = []
    for line, module, names in imported(tree):
        if module.startswith("."):
            found.append(f"{line}: relative import {module}")
        if module.split(".")[0] in {"importlib", "imp", "runpy", "pkgutil", "builtins"}:
            found.append(f"{line}: {module}")
        if "*" in names:
            found.append(f"{line}: from {module} import *")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in {"__import__", "eval", "exec", "__builtins__"}:
            found.append(f"{node.lineno}: {node.id}")
        if isinstance(node, ast.Attribute) and node.attr in {"__import__", "modules"} and _is_sys(node.value):
            found.append(f"{node.lineno}: sys.{node.attr}")
    return found


def _is_sys(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"sys", "builtins"}


def hidden_imports(tree: ast.Module) -> list[str]:
    """Imports under ``if``, ``try`` or TYPE_CHECKING: arrows that are only sometimes there."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            found += [f"{line}: {module} under an if" for line, module, _ in imported(node)]
    return found


def late_imports(tree: ast.Module) -> list[str]:
    """Imports inside functions."""
    return [
        f"{line}: {module} inside {node.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for line, module, _ in imported(node)
    ]


def arrows() -> dict[str, set[str]]:
    """Module to the modules of this package that it imports, anywhere in its text."""
    known = {name_of(path) for path in MODULES}
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        targets = set()
        for _, module, names in imported(tree_of(path)):
            targets |= {module, *(f"{module}.{name}" for name in names)} & known
        graph[name_of(path)] = targets
    return graph


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """One circle of arrows, or nothing."""
    done: set[str] = set()

    def walk(module: str, trail: list[str]) -> list[str]:
        if module in trail:
            return [*trail[trail.index(module) :], module]
        if module in done:
            return []
        for target in sorted(graph[module]):
            if found := walk(target, [*trail, module]):
                return found
        done.add(module)
        return []

    return next((found for module in sorted(graph) if (found := walk(module, []))), [])


def test_the_contracts_hold() -> None:
    run = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("path", MODULES, ids=label)
def test_no_import_escapes_the_contracts(path: Path) -> None:
    tree = tree_of(path)
    assert escapes(tree) == []
    assert hidden_imports(tree) == []
    if "doors" not in path.parts:  # a door may start fast by importing late; its contracts still see the arrow
        assert late_imports(tree) == []


@pytest.mark.parametrize("path", FACES, ids=label)
def test_faces_hand_on_nothing_protected(path: Path) -> None:
    for line, module, names in imported(tree_of(path)):
        behind = PROTECTED & {*module.split("."), *names}
        assert not behind, f"{label(path)}:{line} hands on {sorted(behind)}"


def test_arrows_make_no_circle() -> None:
    assert circle_in(arrows()) == []


def test_no_file_outgrows_its_room() -> None:
    files = [*MODULES, *(ROOT / "tests").rglob("*.py"), *ROOT.glob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    files += [*(ROOT / "tools").rglob("*.py"), *(ROOT / "web" / "src").rglob("*.ts*")]
    files = [path for path in files if b"Generated" not in path.read_bytes().partition(b"\n")[0]]  # nobody edits those
    long = {label(path): count for path in files if (count := len(path.read_bytes().splitlines())) > LINE_LIMIT}
    assert long == {}


def hasty(line: str) -> bool:
    """An assertion that something stands on the page, made of one look: a page that is not so far yet fails it."""
    return bool(HASTY.match(line)) and " not in " not in line and not line.endswith("== 0")


def test_tests_of_the_page_wait_for_what_they_look_at() -> None:
    pages = sorted((ROOT / "tests" / "e2e").glob("*.py"))
    lines = [(path, at, line) for path in pages for at, line in enumerate(path.read_text("utf-8").splitlines(), 1)]
    assert [f"{label(path)}:{at}: use expect(...)" for path, at, line in lines if hasty(line)] == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("    assert rows.count() == 5", True),
        ("    assert anna.word('sure') in region.inner_text()", True),
        ("    assert box.is_checked()", True),
        ("    assert rows.count() == 0", False),
        ("    assert secret not in page.content()", False),
        ("    expect(rows).to_have_count(5)", False),
        ("    assert done.count('call') == 1", False),
    ],
)
def test_a_hasty_look_is_found(line: str, found: bool) -> None:
    assert hasty(line) is found


@pytest.mark.parametrize(
    ("text", "holes"),
    [
        ("import importlib", 1),
        ("from importlib.resources import files", 1),
        ("__import__('x')", 1),
        ("from . import deal", 1),
        ("from chiamata.rules.deal import *", 1),
        ("import sys\nsys.modules['chiamata.rules.deal']", 1),
        ("exec('import x')", 1),
        ("def f():\n    from importlib import import_module", 1),
        ("import sys\nsys.path", 0),
    ],
)
def test_every_hole_is_found(text: str, holes: int) -> None:
    assert len(escapes(ast.parse(text))) == holes


def test_type_only_and_late_imports_are_found() -> None:
    assert hidden_imports(ast.parse("if TYPE_CHECKING:\n    from chiamata.rules.deal import Deal")) != []
    assert late_imports(ast.parse("async def f():\n    import chiamata.rules.deal")) != []


def test_a_circle_is_found() -> None:
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
