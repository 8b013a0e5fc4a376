"""Paints web/public/icon-*.png from icon.svg with a Chromium: ``python -m tools.icons``."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.e2e.conftest import chromium

PUBLIC = Path(__file__).parent.parent / "web" / "public"
ICONS = {"icon-180.png": (180, True), "icon-192.png": (192, False), "icon-512.png": (512, False)}
"""Each with its size in px and whether it fills its square: some phones cut the corners themselves."""
MASKABLE = ("icon-maskable.png", 512)
SAFE = 0.8
"""What is drawn must stay in a circle of so much of the width: a phone may cut off the rest."""


def drawn(size: int, *, full: bool, scale: float = 1) -> str:
    """The icon as a page of its own."""
    svg = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    if full:
        svg = svg.replace(' rx="14"', "")
    if scale != 1:
        inner = re.sub(r"(<rect width=\"64\"[^>]*/>)(.*)(</svg>)", r'\1<g transform="{}">\2</g>\3', svg)
        svg = inner.replace("{}", f"translate(32 32) scale({scale}) translate(-32 -32)")
    svg = svg.replace("<svg ", f'<svg width="{size}" height="{size}" style="display:block" ', 1)
    return f'<body style="margin:0">{svg}</body>'


def main() -> None:
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        wanted = {name: (size, drawn(size, full=full)) for name, (size, full) in ICONS.items()}
        wanted[MASKABLE[0]] = (MASKABLE[1], drawn(MASKABLE[1], full=True, scale=SAFE))
        for name, (size, text) in wanted.items():
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(text)
            page.screenshot(path=PUBLIC / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
