"""The Italian suit marks, drawn about (0, 0): coins and cups 40 high, swords and batons 56."""

from __future__ import annotations

from math import cos, pi, sin

from tools.deck.ink import GOLD, INK, TINTS, disc, group, line, num, path


def outline(weight: float = 1.5) -> str:
    """The attributes of an inked group: every shape in it gets this outline."""
    return f'stroke="{INK}" stroke-width="{num(weight)}" stroke-linejoin="round" stroke-linecap="round"'


def star(points: int, outer: float, inner: float) -> str:
    """The outline of a star with its first point upwards."""
    corners = []
    for step in range(points * 2):
        radius = inner if step % 2 else outer
        angle = pi * step / points
        corners.append(f"{num(radius * sin(angle))} {num(-radius * cos(angle))}")
    return "M" + "L".join(corners) + "Z"


def coin(weight: float = 1.5) -> str:
    """Denari: a gold coin with a rosette."""
    tint = TINTS["D"]
    shapes = disc(tint.main, 0, 0, 18) + disc(tint.light, 0, 0, 13.4, 'stroke-width="1.2"')
    shapes += path(tint.main, star(8, 12, 5.2), 'stroke-width=".9"') + disc("#c2452d", 0, 0, 3.8, 'stroke-width="1"')
    return group(shapes, outline(weight))


def cup(weight: float = 1.5) -> str:
    """Coppe: a two-handled chalice."""
    tint = TINTS["H"]
    handles = "M-12-9C-22-12-20 3-8 2M12-9C22-12 20 3 8 2"
    shapes = line(handles, INK, 2.8 + 2 * weight) + line(handles, GOLD, 2.8)
    shapes += path(GOLD, "M-11 20C-11 14-3 14-3 6H3C3 14 11 14 11 20Z") + path(GOLD, "M-5 9h10v3.4h-10z")
    shapes += path(tint.main, "M-14-18C-14-2-9 7 0 7S14-2 14-18Z")
    shapes += path(GOLD, "M-13.6-11H13.6C13.3-8 12.7-5.5 12-4H-12C-12.7-5.5-13.3-8-13.6-11Z")
    shapes += path(tint.dark, "M-14-18C-14-21.5 14-21.5 14-18S-14-14.5-14-18Z")
    return group(shapes, outline(weight))


def sword(weight: float = 1.5) -> str:
    """Spade: a short straight sword, point upwards, 56 high."""
    tint = TINTS["S"]
    shapes = path(tint.light, "M0-29L6-20L5 9H-5L-6-20Z") + path(tint.main, "M0-29L6-20L5 9H0Z", 'stroke-width=".8"')
    shapes += path(tint.dark, "M-3 12h6v9h-6z")
    shapes += path(GOLD, "M-12 6.5C-7 10 7 10 12 6.5C15 8.5 14 13.5 12 14C6 12.5-6 12.5-12 14C-14 13.5-15 8.5-12 6.5Z")
    shapes += disc(GOLD, 0, 23.5, 4)
    return group(shapes, outline(weight))


def baton(weight: float = 1.5) -> str:
    """Bastoni: a knotty cudgel with lopped branches, thick end upwards, 56 high."""
    tint, wood = TINTS["C"], "#fd9"
    shapes = path(
        tint.main,
        "M-4 27C-5 17-6 10-6 4L-9.5 0L-6.5-6C-7-9-8-11-8.5-14L-12.5-18L-8-24C-5-28 5-28 8-23L11.5-20L9.5-14"
        "C9-9 8-7 7.5-4L11 1L6 7C5.5 12 5 18 4 27Z",
    )
    shapes += line("M-1-20C-3-12 0-6-1 3S0 14-1 22M4-16C5-10 2-2 3 10", tint.dark, 1.2)
    for x, y, turn in ((-10.5, -19.5, 35), (-8, -2, 20), (9, 3.5, 25), (10.5, -17, -20)):
        ellipse = f'<ellipse rx="2" ry="3.8" fill="{wood}" transform="translate({num(x)} {num(y)}) rotate({turn})"/>'
        shapes += ellipse
    shapes += (
        f'<ellipse cy="27" rx="4" ry="1.8" fill="{wood}"/><ellipse cx="1" cy="-24.5" rx="5" ry="2" fill="{wood}"/>'
    )
    return group(shapes, outline(weight))


LATIN = {"D": coin, "H": cup, "S": sword, "C": baton}
"""The Italian suit marks."""
