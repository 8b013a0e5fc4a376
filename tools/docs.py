"""Writes what is generated: the pages and the payoffs of the rule sets, the protocol of the wire, the addresses."""

from __future__ import annotations

from pathlib import Path

import msgspec

from chiamata.doors import ruledocs
from chiamata.rules import catalogue
from chiamata.rules.paytable import table_of
from chiamata.server import openapi, wire_ts
from chiamata.server.app import Routes, routes_of

ROOT = Path(__file__).parent.parent

PAYOFFS = ROOT / "web" / "src" / "score" / "payoffs.json"


def payoffs() -> str:
    """The text of PAYOFFS: a line a rule set, in the order of the menu."""
    lines = [msgspec.json.encode(table_of(catalogue.load(name))).decode() for name in catalogue.names()]
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    ruledocs.write(ROOT / "docs" / "rules")
    wire_ts.main(ROOT)
    openapi.write(routes_of(Routes), ROOT / "docs" / "openapi.json")
    PAYOFFS.write_text(payoffs(), encoding="utf-8")
