"""Colours and the few words of SVG that every drawing uses."""

from __future__ import annotations

from dataclasses import dataclass

INK = "#211"
PAPER = "#fffbf2"
EDGE = "#a98"
GOLD = "#fb4"
SKIN = "#fda"
WHITE = "#fff"


@dataclass(frozen=True)
class Tint:
    """The three tones of a suit, and the one dark enough for letters (contrast ≥ 4.5 on PAPER)."""

    main: str
    dark: str
    light: str
    letter: str


TINTS = {
    "S": Tint(main="#2b62b8", dark="#173b78", light="#cfe1f8", letter="#1c4a94"),
    "H": Tint(main="#d03232", dark="#861818", light="#ffd5c8", letter="#bd1f1f"),
    "D": Tint(main="#e5a51c", dark="#8c5a00", light="#ffe9a8", letter="#8c5a00"),
    "C": Tint(main="#2f8f48", dark="#17552a", light="#c9ebc4", letter="#1b6a34"),
}
"""The four colours of the suits, spade, coppe, denari, bastoni."""


def path(fill: str, d: str, more: str = "") -> str:
    """A filled path; the outline comes from the group it is in."""
    return f'<path fill="{fill}" d="{d}"{" " + more if more else ""}/>'


def disc(fill: str, x: float, y: float, r: float, more: str = "") -> str:
    """A filled circle."""
    at = "".join(f' {name}="{num(value)}"' for name, value in (("cx", x), ("cy", y)) if value)
    return f'<circle fill="{fill}"{at} r="{num(r)}"{" " + more if more else ""}/>'


def line(d: str, stroke: str = "", width: float = 0) -> str:
    """An open stroke."""
    colour = f' stroke="{stroke}"' if stroke else ""
    weight = f' stroke-width="{num(width)}"' if width else ""
    return f'<path fill="none"{colour}{weight} d="{d}"/>'


def group(body: str, more: str = "") -> str:
    """A group of shapes with shared attributes."""
    return f"<g{' ' + more if more else ''}>{body}</g>"


def place(body: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """The shapes moved to (x, y), made larger and turned about their own origin."""
    steps = [f"translate({num(x)} {num(y)})"] if x or y else []
    steps += [f"rotate({num(turn)})"] if turn else []
    steps += [f"scale({num(scale)})"] if scale != 1 else []
    return group(body, f'transform="{" ".join(steps)}"')


def use(name: str, x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A copy of the shape with this id, placed as in place."""
    steps = f"translate({num(x)} {num(y)})"
    steps += f" rotate({num(turn)})" if turn else ""
    steps += f" scale({num(scale)})" if scale != 1 else ""
    return f'<use href="#{name}" transform="{steps}"/>'


def num(value: float) -> str:
    """A number in its shortest form, two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
