"""The pages under docs/rules are those that the rule sets make now."""

from __future__ import annotations

import re
from pathlib import Path

from chiamata.doors import ruledocs
from chiamata.rules import catalogue

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def test_the_committed_pages_are_fresh() -> None:
    committed = {path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.md")}
    stale = [path for path, text in ruledocs.pages().items() if committed.get(path) != text]
    assert stale == [], "write them anew with `python3 go.py docs`"
    assert sorted(committed) == sorted(ruledocs.pages())


def test_every_rule_set_has_a_page_in_every_language() -> None:
    pages = ruledocs.pages()
    for name in catalogue.names():
        assert f"{name}.md" in pages
        assert f"it/{name}.md" in pages
        for source in catalogue.about(name).sources:
            assert source in pages[f"{name}.md"]


def test_links_between_the_pages_lead_somewhere() -> None:
    pages = ruledocs.pages()
    for path, text in pages.items():
        for link in re.findall(r"\]\(([^)]+\.md)\)", text):
            target = (Path("/") / Path(path).parent / link).resolve().relative_to("/").as_posix()
            assert target in pages, f"{path}: {link}"


def test_writing_removes_pages_that_are_none_any_more(tmp_path: Path) -> None:
    (tmp_path / "old.md").write_text("a rule set of yesterday")
    (tmp_path / "notes.txt").write_text("not ours")
    ruledocs.write(tmp_path)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {*ruledocs.pages(), "notes.txt"}
