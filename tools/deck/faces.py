"""Whole cards: the paper, the corner marks and what is drawn in the middle, one function a deck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tools.deck.courts import COURTS, HAND
from tools.deck.ink import EDGE, GOLD, PAPER, TINTS, disc, group, line, path, place, use
from tools.deck.pips import LATIN, outline, star

SUITS = "SHDC"
LATIN_RANKS = ("A", "3", "K", "Q", "J", "7", "6", "5", "4", "2")
TALL = (120, 208)

SPOTS: dict[str, tuple[float, tuple[tuple[float, float], ...]]] = {
    "2": (1.35, ((0, -38), (0, 38))),
    "3": (1.05, ((0, -46), (0, 0), (0, 46))),
    "4": (1.2, ((-27, -34), (27, -34), (-27, 34), (27, 34))),
    "5": (1.1, ((-27, -42), (27, -42), (0, 0), (-27, 42), (27, 42))),
    "6": (1.04, ((-25, -45), (25, -45), (-25, 0), (25, 0), (-25, 45), (25, 45))),
    "7": (0.92, ((-31, -46), (31, -46), (0, -23), (-31, 0), (31, 0), (-31, 46), (31, 46))),
}
"""For each pip card of the tall decks the scale of the pips and where they stand, from the middle of the card."""
LONG = 0.74
"""Swords and batons are 56 high and coins and cups 40: this brings them to one height."""


LETTERS = {suit: TINTS[suit].letter for suit in SUITS}
"""The colours of the index letters of the Italian decks."""


@dataclass(frozen=True)
class Corner:
    """Where the client writes an index: the middle of the letter, its size and its turn, in picture units."""

    x: int
    y: int
    size: int
    turn: int = 0


@dataclass(frozen=True)
class Deck:
    """A deck: its manifest facts and how a face and the back are drawn."""

    name: str
    suits: str
    size: tuple[int, int]
    ranks: tuple[str, ...]
    corners: tuple[Corner, ...]
    ink: dict[str, str]
    face: Callable[[str, str], str]
    back: Callable[[], str]
    letter: Corner | None = None
    """Where the suit's letter goes (D C S B); French marks need none."""

    def cards(self) -> tuple[str, ...]:
        """The names of all its cards, suit by suit."""
        return tuple(rank + suit for suit in SUITS for rank in self.ranks)


def card(size: tuple[int, int], body: str, paper: str = PAPER) -> str:
    """A card of this size with rounded corners and a thin edge."""
    width, height = size
    sheet = f'<rect x=".75" y=".75" width="{width - 1.5}" height="{height - 1.5}" rx="8" fill="{paper}"'
    sheet += f' stroke="{EDGE}" stroke-width="1.5"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{sheet}{body}</svg>\n'


def latin_face(rank: str, suit: str) -> str:
    """A face of the deck classica."""
    pip = f'<defs><g id="p">{LATIN[suit]()}</g></defs>'
    long = suit in "SC"
    marks = 0.46 if long else 0.54
    body = pip + use("p", 45, 20, marks) + use("p", 75, 188, marks, 180)
    if rank == "A":
        return card(TALL, body + ace(suit))
    if rank in COURTS:
        return card(TALL, body + court(rank, suit))
    scale, spots = SPOTS[rank]
    grown = scale * (LONG if long else 1)
    return card(TALL, body + "".join(use("p", 60 + x, 104 + y, grown) for x, y in spots))


def court(rank: str, suit: str) -> str:
    """A figure on its ground with the suit mark in its hand."""
    x, y = HAND[rank]
    lift, scale = {"D": (-15, 0.9), "H": (-20, 1.0), "S": (-18, 0.95), "C": (-14, 0.95)}[suit]
    mark = use("p", x, y + lift, scale)
    figure = COURTS[rank](suit)
    drawn = figure + mark if suit in "DH" else mark + figure
    ground = path(TINTS[suit].light, "M-46 0C-30-5 30-5 46 0C30 6-30 6-46 0Z")
    return place(ground + drawn, 57 if rank != "Q" else 60, 172)


def ace(suit: str) -> str:
    """The great single mark of an ace, with its ornament."""
    tint, mark = TINTS[suit], LATIN[suit](0.75)
    if suit == "D":
        drawn = path(GOLD, star(20, 52, 40)) + disc(tint.light, 0, 0, 40) + line(star(20, 36, 33), tint.dark, 0.8)
        return place(group(drawn, outline()) + place(mark, 0, 0, 1.7), 60, 104)
    if suit == "H":
        lid = disc(GOLD, 0, -64, 5) + path(tint.main, "M-36-40C-36-66 36-66 36-40Z") + path(GOLD, "M-38-44H38V-38H-38Z")
        return place(place(mark, 0, 7, 2.6) + group(lid, outline(2)), 60, 112)
    if suit == "S":
        ribbon = path(tint.dark, "M-22 3L-42 14L-44 0L-30-6ZM22 9L42-2L44 12L30 18Z")
        ribbon += path(GOLD, "M-30-6C-12-14 10 2 30-4V10C10 16-12 0-30 8Z")
        return place(place(mark, 0, 0, 2.3) + group(ribbon, outline(2)), 60, 104)
    leaf = "M0 0C-6-14-26-22-34-14C-30 0-14 6 0 0Z"
    leaves = place(path("#7cc46b", leaf) + line("M0 0L-26-10"), -10, -8)
    leaves += place(path("#7cc46b", leaf) + line("M0 0L-26-10"), 10, 26, 1, 180)
    leaves += place(path("#7cc46b", leaf) + line("M0 0L-26-10"), -8, 44, 0.8)
    return place(group(leaves, outline()) + place(mark, 0, 0, 2.3), 60, 104)


def tall_back() -> str:
    """The back of classica: a lattice of small lozenges in a double frame."""
    tile = (
        '<defs><pattern id="t" width="16" height="16" x="4" y="0" patternUnits="userSpaceOnUse">'
        '<path fill="#8c1d2f" d="M0 0h16v16H0z"/><path fill="none"'
        ' stroke="#d9a05b" stroke-width="1.3" d="M8 0L16 8L8 16L0 8Z"/>'
        '<circle cx="8" cy="8" r="2" fill="#f6dfb4"/><circle r="1.2" fill="#f6dfb4"/></pattern></defs>'
    )
    frame = '<rect x="8" y="8" width="104" height="192" rx="4" fill="url(#t)" stroke="#5e0f1d" stroke-width="2"/>'
    frame += '<rect x="12" y="12" width="96" height="184" rx="2" fill="none" stroke="#f6dfb4" stroke-width="1"/>'
    rose = disc("#8c1d2f", 60, 104, 22, 'stroke="#f6dfb4" stroke-width="1.5"') + place(
        path("#d9a05b", star(8, 18, 8)) + disc("#f6dfb4", 0, 0, 4), 60, 104
    )
    return card(TALL, tile + frame + rose)


def great_face(rank: str, suit: str) -> str:
    """A face of the deck grande: room for one huge letter over one huge mark."""
    scale = 1.7 if suit in "SC" else 2
    band = '<rect x="3" y="3" width="114" height="202" rx="6" fill="none" stroke-width="5"'
    band += f' stroke="{TINTS[suit].letter}"/>'
    return card(TALL, band + place(LATIN[suit](1.2), 66, 144, scale), "#fff")


def great_back() -> str:
    """The back of grande: broad stripes."""
    stripes = "".join(f"M14 {y}L106 {y - 46}" for y in range(40, 240, 20))
    clip = '<clipPath id="c"><rect x="10" y="10" width="100" height="188" rx="4"/></clipPath>'
    body = group(path("#173b78", "M0 0H120V208H0Z") + line(stripes, "#cfe1f8", 5), 'clip-path="url(#c)"')
    return card(TALL, clip + body, "#fff")


CLASSICA = Deck(
    name="classica",
    suits="latin",
    size=TALL,
    ranks=LATIN_RANKS,
    corners=(Corner(18, 21, 34), Corner(102, 187, 34, 180)),
    letter=Corner(17, 189, 26),
    ink=LETTERS,
    face=latin_face,
    back=tall_back,
)
GRANDE = Deck(
    name="grande",
    suits="latin",
    size=TALL,
    ranks=LATIN_RANKS,
    corners=(Corner(44, 54, 92),),
    letter=Corner(20, 186, 34),
    ink=LETTERS,
    face=great_face,
    back=great_back,
)
