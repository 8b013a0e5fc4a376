"""The deck francese: French suits in four colours, double-ended courts, and the tens beside the Italian ranks."""

from __future__ import annotations

from tools.deck.courts import LOOKS, cap, head, old_head
from tools.deck.faces import Corner, Deck, card
from tools.deck.ink import GOLD, INK, SKIN, WHITE, Tint, disc, group, line, path, place, use
from tools.deck.pips import outline

SIZE = (120, 168)
MARKS = {
    "H": "M0 17C-6 9-17 2-17-7C-17-18-3-19 0-9C3-19 17-18 17-7C17 2 6 9 0 17Z",
    "D": "M0-19C4-11 9-5 14 0C9 5 4 11 0 19C-4 11-9 5-14 0C-9-5-4-11 0-19Z",
    "S": "M0-18C5-9 17-3 17 6C17 15 6 16 2.5 9.5C3 14 5 17 8 18H-8C-5 17-3 14-2.5 9.5C-6 16-17 15-17 6C-17-3-5-9 0-18Z",
    "C": "M0-18C10-18 11-7 5.5-3C14-6 18 0 17 5C16 13 5 13 2.5 6.5C3 13 5 17 8 18H-8C-5 17-3 13-2.5 6.5"
    "C-5 13-16 13-17 5C-18 0-14-6-5.5-3C-11-7-10-18 0-18Z",
}
"""The suit marks as outlines about (0, 0), 36 high."""
TINTS = {
    "S": Tint(main="#3a3f52", dark="#1b1d29", light="#d5d9e6", letter="#1b1d29"),
    "H": Tint(main="#d03232", dark="#861818", light="#ffd5c8", letter="#bd1f1f"),
    "D": Tint(main="#2f6fd0", dark="#173b78", light="#cfe1f8", letter="#1b55b0"),
    "C": Tint(main="#2f8f48", dark="#17552a", light="#c9ebc4", letter="#1b6a34"),
}
"""The usual four colours of French suits: black, red, blue, green."""
SPOTS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((0, -46), (0, 46)),
    "3": ((0, -46), (0, 0), (0, 46)),
    "4": ((-18, -46), (18, -46), (-18, 46), (18, 46)),
    "5": ((-18, -46), (18, -46), (0, 0), (-18, 46), (18, 46)),
    "6": ((-18, -46), (18, -46), (-18, 0), (18, 0), (-18, 46), (18, 46)),
    "7": ((-18, -46), (18, -46), (0, -23), (-18, 0), (18, 0), (-18, 46), (18, 46)),
    "10": ((-16, -48), (16, -48), (0, -32), (-16, -16), (16, -16), (-16, 16), (16, 16), (0, 32), (-16, 48), (16, 48)),
}
"""Where the pips stand, from the middle of the card; those below it are upside down."""


def mark(suit: str) -> str:
    """A suit mark in the colour of its suit."""
    return path(TINTS[suit].letter, MARKS[suit])


def face(rank: str, suit: str) -> str:
    """A face of the deck."""
    body = f'<defs><g id="p">{mark(suit)}</g></defs>' + use("p", 16, 51, 0.54) + use("p", 104, 117, 0.54, 180)
    if rank == "A":
        return card(SIZE, body + use("p", 60, 84, 2))
    if rank in "KQJ":
        return card(SIZE, body + court(rank, suit))
    scale = 0.5 if rank == "10" else 0.6
    return card(SIZE, body + "".join(use("p", 60 + x, 84 + y, scale, 180 if y > 0 else 0) for x, y in SPOTS[rank]))


def court(rank: str, suit: str) -> str:
    """A framed figure and the same figure upside down."""
    tint = TINTS[suit]
    ground = path(tint.light, "M-28-68H28V0H-28Z") + use("p", -19, -56, 0.42)
    half = f'<defs><g id="h">{ground}{bust(rank, suit)}</g></defs>'
    frame = '<rect x="-28" y="-68" width="56" height="136" rx="2" fill="none" stroke-width="1.6"'
    frame += f' stroke="{tint.letter}"/>'
    sash = group(path(GOLD, "M-28-7L28 1V7L-28-1Z"), outline(1.4))
    return half + place(use("h", 0, 0) + use("h", 0, 0, 1, 180) + sash + frame, 60, 84)


def bust(rank: str, suit: str) -> str:
    """Head and shoulders about the middle of the card, the head at y = -38."""
    tint, hair = TINTS[suit], LOOKS[suit].hair
    shapes = path(tint.dark, "M-28 0V-12C-26-20-16-23-8-24H8C16-23 26-20 28-12V0Z")
    if rank == "K":
        shapes += path(tint.main, "M-12-23L-14 0H14L12-23Z")
        shapes += path(WHITE, "M-24-19C-12-26 12-26 24-19C22-11 10-8 0-8S-22-11-24-19Z")
        shapes += line("M-16-17v3M-6-13v2M6-13v2M16-17v3", width=1.8) + place(old_head(hair), 0, -38)
    elif rank == "Q":
        shapes += path(hair, "M-13-40C-16-26-18-18-13-12L13-12C18-18 16-26 13-40Z")
        shapes += path(SKIN, "M-9-24H9L7-10H-7Z") + path(tint.main, "M-16-20L-7-10H7L16-20L18 0H-18Z")
        shapes += place(head(hair), 0, -38) + line("M-6-19C-3-16 3-16 6-19", GOLD, 2)
        tiara = path(GOLD, "M-10-8L-13-18L-6-13L0-21L6-13L13-18L10-8C4-11-4-11-10-8Z") + disc(WHITE, 0, -13, 1.6)
        shapes += place(tiara, 0, -38)
    else:
        shapes += path(tint.main, "M-14-23L-18 0H18L14-23Z") + path(GOLD, "M-5-23L-6 0H6L5-23Z")
        shapes += line("M0-17v.1M0-10v.1", INK, 2.4) + place(head(hair) + cap(tint.main), 0, -38)
    return group(shapes, outline(1.4))


def back() -> str:
    """The back of francese: a lattice in a single frame."""
    tile = (
        '<defs><pattern id="t" width="12" height="12" patternUnits="userSpaceOnUse">'
        '<path fill="#1f4f8f" d="M0 0h12v12H0z"/><path stroke="#bcd4f5" stroke-width="1.2" d="M0 0L12 12M12 0L0 12"/>'
        '<circle cx="6" cy="6" r="1.7" fill="#fff"/></pattern></defs>'
    )
    frame = '<rect x="9" y="9" width="102" height="150" rx="4" fill="url(#t)" stroke="#143663" stroke-width="2"/>'
    return card(SIZE, tile + frame)


FRANCESE = Deck(
    name="francese",
    suits="french",
    size=SIZE,
    ranks=("A", "10", "3", "K", "Q", "J", "7", "6", "5", "4", "2"),
    corners=(Corner(16, 22, 34), Corner(104, 146, 34, 180)),
    ink={suit: tint.letter for suit, tint in TINTS.items()},
    face=face,
    back=back,
)
