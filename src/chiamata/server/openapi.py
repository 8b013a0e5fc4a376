"""What each route takes and gives: said at the route, and told to programs as OpenAPI (docs/openapi.json).

The addresses and methods are those of the application, the words those of the handlers, the shapes those of the
messages.  What answers every other address is not in it: the client's files, and 404 below ``/api``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.routing import BaseRoute, Route

from chiamata.server import paper

H = TypeVar("H", bound=Callable[..., Any])

PARAMETERS: dict[str, tuple[str, str]] = {
    "code": (r"^[A-Za-z]{5}$", "Of a table: five letters."),
    "id": (r"^[a-z0-9-]+$", "Of a named rule set."),
    "number": (r"^[1-9][0-9]{0,5}$", "Of a deal at its table, over all games."),
    "name": (r"^[1-9][0-9]{0,5}(\.txt|\.jsonl)?$", "The number of a deal; with an ending, in a form to keep."),
    "chair": (r"^[0-8]?$", "What this chair saw; without it all cards are open."),
}
"""What may stand in an address, and what it is."""
PAGE = "text/html"
REFERENCE = "#/components/schemas/{name}"
_ADDRESS = re.compile(r"^``[A-Z]+ \S+``(?:: )?")


class Said(msgspec.Struct, frozen=True):
    """What a handler says of itself.

    Args:
        gives: the type of its JSON, or the media type of a text.
        takes: the type of the JSON that is sent to it; None for nothing.
        status: of an answer that is a success.
        also: media types in which the same can be had.
        query: the parameters that may stand behind the address.
        refuses: statuses at which it answers in plain text.
    """

    gives: Any
    takes: Any = None
    status: int = 200
    also: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    refuses: tuple[int, ...] = ()


SAID: dict[str, Said] = {}
"""By handler, such as ``Routes.me``."""


def says(gives: Any, **more: Any) -> Callable[[H], H]:
    """Says of a handler what it takes and gives: the fields of Said."""

    def keep(handler: H) -> H:
        SAID[handler.__qualname__] = Said(gives, **more)
        return handler

    return keep


def described(routes: Iterable[BaseRoute]) -> dict[str, Any]:
    """The OpenAPI document of these routes; KeyError for one that says nothing of itself."""
    told = [(route, SAID[_name(route)]) for route in routes if isinstance(route, Route) and ":path" not in route.path]
    kinds = [kind for _, said in told for kind in (said.gives, said.takes) if kind and not isinstance(kind, str)]
    schemas, components = msgspec.json.schema_components([*kinds, paper.Faults], ref_template=REFERENCE)
    schema_of = {str(kind): schema for kind, schema in zip([*kinds, paper.Faults], schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for route, said in told:
        for method in sorted((route.methods or set()) - {"HEAD"}):
            paths.setdefault(route.path, {})[method.lower()] = _operation(route, said, schema_of)
    about = "The table's own talk goes over a WebSocket: docs/protocol.md."
    info = {"title": "Chiamata", "version": "1", "description": about, "license": {"name": "MIT"}}
    return {"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": _plain(components)}}


def _plain(schema: Any) -> Any:
    """The same for programs of other languages: ``\\A`` and ``\\Z`` are Python's, and five alike are said once."""
    if isinstance(schema, list | tuple):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: _plain(one) for key, one in schema.items()}
    if "pattern" in plain:
        plain["pattern"] = re.sub(r"^\\A(.*)\\Z$", r"^\1$", plain["pattern"])
    first, *others = plain.get("prefixItems", [{}])
    if others and all(one == first for one in others):
        plain["items"] = first
        del plain["prefixItems"]
    return plain


def _name(route: Route) -> str:
    name: str = route.endpoint.__qualname__
    return name


def _operation(route: Route, said: Said, schema_of: dict[str, Any]) -> dict[str, Any]:
    places = [("path", name) for name in re.findall(r"{(\w+)}", route.path)] + [("query", name) for name in said.query]
    operation: dict[str, Any] = {
        "operationId": route.name,
        "summary": " ".join(_ADDRESS.sub("", route.endpoint.__doc__ or "").split()),
        "parameters": [_parameter(place, name, said) for place, name in places],
        "responses": dict(_responses(route, said, schema_of)),
    }
    if said.takes is not None:
        content = {"application/json": {"schema": schema_of[str(said.takes)]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _parameter(place: str, name: str, said: Said) -> dict[str, Any]:
    """A page looks at its address itself, and answers for any."""
    pattern, about = PARAMETERS[name]
    schema = {"type": "string"} | ({} if said.gives == PAGE else {"pattern": pattern})
    return {"name": name, "in": place, "required": place == "path", "description": about, "schema": schema}


def _responses(route: Route, said: Said, schema_of: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The success, and what is said in its place."""
    text = {"schema": {"type": "string"}}
    if isinstance(said.gives, str):
        content = {said.gives: text}
    else:
        content = {"application/json": {"schema": schema_of[str(said.gives)]}, **dict.fromkeys(said.also, text)}
    yield str(said.status), {"description": "What was asked for.", "content": content}
    for status in said.refuses:
        yield str(status), {"description": "Not now, or not here.", "content": {"text/plain": text}}
    if route.path.startswith("/api"):
        faults = {"application/json": {"schema": schema_of[str(paper.Faults)]}}
        yield "default", {"description": "What is wrong with the request.", "content": faults}


def write(routes: Iterable[BaseRoute], path: Path) -> None:
    """The document as a file."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(described(routes), order="sorted"), indent=1) + b"\n")
