"""The description of the addresses is fresh, has every one of them, and can be read by programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route

from chiamata.server import openapi
from chiamata.server.app import Routes, routes_of

FILE = Path(__file__).parents[2] / "docs" / "openapi.json"
DOCUMENT: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


def test_it_is_fresh(tmp_path: Path) -> None:
    openapi.write(routes_of(Routes), tmp_path / "new")
    assert FILE.read_text("utf-8") == (tmp_path / "new").read_text("utf-8"), "run: python3 go.py docs"


def test_every_address_is_in_it_but_the_two_for_all_others() -> None:
    routes = [route for route in routes_of(Routes) if isinstance(route, Route)]
    ours = {(route.path, method.lower()) for route in routes for method in route.methods or () if method != "HEAD"}
    told = {(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods}
    assert {path for path, _ in ours - told} == {"/api/{rest:path}", "/{path:path}"}
    assert told <= ours
    assert all(
        one["summary"] and one["responses"] for methods in DOCUMENT["paths"].values() for one in methods.values()
    )


def test_a_route_that_says_nothing_of_itself_is_found() -> None:
    async def hands(_: object) -> None:
        """Nothing."""

    with pytest.raises(KeyError, match="hands"):
        openapi.described([Route("/api/hands", hands)])


def test_every_shape_that_is_named_is_there_and_patterns_are_everybodys() -> None:
    text = FILE.read_text("utf-8")
    named = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert named <= set(DOCUMENT["components"]["schemas"])
    assert "prefixItems" not in text
    assert r"\\A" not in text
