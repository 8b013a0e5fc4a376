"""What docs/security.md says of the source itself, and that each of its rows names a test that exists."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "security.md").read_text("utf-8").splitlines()
    if re.match(r"\| V\d", line)
]
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function"
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1][:60])
def test_every_demand_is_met_and_tested(row: list[str]) -> None:
    section, *cells = row
    assert re.fullmatch(r"V\d+\.\d+(, V\d+\.\d+)*", section)
    assert len(cells) == 3
    assert all(cells)
    file, _, name = cells[2].partition("::")
    source = (ROOT / file).read_text("utf-8")
    if file.endswith(".ts"):
        assert f'test("{name}"' in source
        return
    functions = ast.walk(ast.parse(source))
    assert any(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name == name for one in functions)


def test_each_chapter_that_applies_is_there() -> None:
    chapters = {int(number) for row in ROWS for number in re.findall(r"V(\d+)\.", row[0])}
    assert chapters == {*range(1, 18)} - {9, 10, 17}


def test_the_client_makes_no_markup_from_text() -> None:
    sources = [path for kind in ("*.ts", "*.tsx") for path in (ROOT / "web" / "src").rglob(kind)]
    assert len(sources) > 20
    assert [path.name for path in sources if MARKUP.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize("path", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda path: path.name)
def test_everything_that_is_fetched_is_pinned_and_hashed(path: Path) -> None:
    wanted = re.split(r"(?<!\\)\n", path.read_text("utf-8"))
    packages = [line for line in wanted if line.strip() and not line.lstrip().startswith("#")]
    assert packages
    assert [line for line in packages if "==" not in line or "--hash=sha256:" not in line] == []


def test_every_package_of_the_client_has_its_hash() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []
