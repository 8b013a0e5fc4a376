"""The deck nord, in the manner of the north-east: curved swords that cross, turned batons, courts with two heads."""

from __future__ import annotations

from tools.deck.courts import LOOKS, cap, head, old_head
from tools.deck.faces import LATIN_RANKS, LETTERS, Corner, Deck, card
from tools.deck.ink import GOLD, INK, PAPER, SKIN, TINTS, WHITE, disc, group, line, num, path, place, use
from tools.deck.pips import outline, star

SIZE = (112, 208)
"""Narrower than the southern cards, as they are: 0.54."""
MIDDLE = (56, 104)
FRAME = "M64 7H105V167H48V201H7V41H64Z"
"""The line around the picture; its notches hold the index with the letter of the suit, and the index with its mark."""
SPOTS: dict[str, tuple[float, tuple[tuple[float, float], ...]]] = {
    "2": (1.35, ((0, -33), (0, 33))),
    "3": (0.98, ((0, -42), (0, 0), (0, 42))),
    "4": (1.12, ((-24, -29), (24, -29), (-24, 29), (24, 29))),
    "5": (1.0, ((-25, -36), (25, -36), (0, 0), (-25, 36), (25, 36))),
    "6": (0.94, ((-25, -40), (25, -40), (-25, 0), (25, 0), (-25, 40), (25, 40))),
    "7": (0.84, ((-28, -42), (28, -42), (0, -21), (-28, 0), (28, 0), (-28, 42), (28, 42))),
}
"""For each rank of coins and cups the scale of the pips and where they stand, from the middle of the card."""
ARCS = {1: (30,), 2: (20, 46), 3: (8, 32, 56)}
"""How far the swords of so many pairs bend outwards."""
STEPS = {1: (0,), 2: (-12, 12), 3: (-20, 0, 20)}
"""How far apart the batons of so many pairs lie."""


def coin(weight: float = 1.5) -> str:
    """Denari: a coin of six petals in a beaded ring."""
    tint = TINTS["D"]
    petals = "".join(
        place(path("#c2452d", "M0-3C5-6 4-12 0-13C-4-12-5-6 0-3Z"), 0, 0, 1, turn) for turn in range(0, 360, 60)
    )
    beads = f'<circle fill="none" stroke="{tint.dark}" stroke-width="2.4" stroke-dasharray=".1 4.9" r="16"/>'
    shapes = disc(tint.main, 0, 0, 19) + beads + disc(tint.light, 0, 0, 13.6, 'stroke-width="1.2"')
    return group(shapes + group(petals, 'stroke-width=".9"') + disc(tint.main, 0, 0, 3.4), outline(weight))


def cup(weight: float = 1.5) -> str:
    """Coppe: a six-sided goblet without handles."""
    tint = TINTS["H"]
    shapes = path(GOLD, "M-12 20L-8 13H8L12 20Z") + path(tint.dark, "M-3 4H3L4 13H-4Z") + disc(GOLD, 0, 8, 3.6)
    shapes += path(tint.main, "M-16-14L-11 0L-4 5H4L11 0L16-14Z") + path(tint.dark, "M6-14L4 5L11 0L16-14Z")
    shapes += path(GOLD, "M-17-20H17L15-12H-15Z") + line("M-5-12L-3.5 5M-9-16h.1M0-16h.1M9-16h.1", width=1.8)
    return group(shapes, outline(weight))


def sword(weight: float = 1.5) -> str:
    """Spade, one alone: a broad straight blade with a ring below the guard, 56 high."""
    tint = TINTS["S"]
    shapes = path(tint.light, "M0-29L6.5-21V11H-6.500V-21Z") + path(
        tint.main, "M0-29L6.5-21V11H0Z", 'stroke-width=".8"'
    )
    shapes += path(GOLD, "M-13 9H13V14H-13Z") + path(tint.dark, "M-3.5 14h7v8h-7z") + disc(GOLD, 0, 24, 4.4)
    return group(shapes, outline(weight))


def baton(weight: float = 1.5) -> str:
    """Bastoni, one alone: a turned and banded staff, 56 high."""
    tint = TINTS["C"]
    shapes = path(tint.main, "M-4-22H4L6 20H-6Z") + path(tint.dark, "M1-22H4L6 20H1Z")
    shapes += path(GOLD, "M-6-12H6V-7H-6ZM-7 6H7V11H-7Z") + disc(GOLD, 0, -24, 5.4) + disc(GOLD, 0, 23, 6)
    return group(shapes, outline(weight))


PIPS = {"D": coin, "H": cup, "S": sword, "C": baton}


def stave(d: str, core: str, shine: str, width: float) -> str:
    """A long thing drawn along a line: its outline, its body and a light along it."""
    return line(d, INK, width + 3) + line(d, core, width) + line(d, shine, width / 3)


def curve(bend: float, t: float) -> tuple[float, float]:
    """The point at t (0 the hilt, 1 the tip) of a sword that bends to the right by so much."""
    tail = -6 - bend / 3.2
    x = (1 - t) ** 3 * tail + 3 * (1 - t) * t * bend * 1.25 + t**3 * tail
    y = (1 - t) ** 3 * 60 + 3 * (1 - t) ** 2 * t * 34 + 3 * (1 - t) * t**2 * -34 + t**3 * -60
    return x, y


def curved(bend: float) -> str:
    """A sword that bends to the right, its hilt below."""
    tint = TINTS["S"]
    tail = num(-6 - bend / 3.2)
    blade = stave(f"M{tail} 60C{num(bend * 1.25)} 34 {num(bend * 1.25)}-34 {tail}-60", tint.main, tint.light, 5)
    (x, y), (foot_x, foot_y) = curve(bend, 0.11), curve(bend, 0)
    grip = line(f"M{num(foot_x)} {num(foot_y)}L{num(x)} {num(y)}", INK, 6)
    run, rise = (x - foot_x) * 0.62, (y - foot_y) * 0.62
    guard = f"M{num(x + rise)} {num(y - run)}L{num(x - rise)} {num(y + run)}"
    guard = line(guard, INK, 6.4) + line(guard, GOLD, 3.6)
    return blade + grip + guard + disc(GOLD, foot_x, foot_y, 3.4, f'stroke="{INK}" stroke-width="1.4"')


def mirrored(shapes: str) -> str:
    """The shapes and the same seen in a mirror."""
    return f'<defs><g id="h">{shapes}</g></defs><use href="#h"/><use href="#h" transform="scale(-1 1)"/>'


def swords(count: int) -> str:
    """Pairs of curved swords that cross at both ends, and a straight one between them where the number is odd."""
    pairs = mirrored("".join(curved(bend) for bend in reversed(ARCS[count // 2])))
    return pairs + (place(sword(1.2), 0, 0, 1.3) if count % 2 else "")


def staff(left: float) -> str:
    """A baton from the upper left to the lower right, moved by so much, with gold at its ends."""
    tint = TINTS["C"]
    x, y = 27, 54
    d = f"M{num(left - x)} {-y}L{num(left + x)} {y}"
    ends = "".join(disc(GOLD, left + side * x, side * y, 5, f'stroke="{INK}" stroke-width="1.4"') for side in (-1, 1))
    bands = "".join(
        line(f"M{num(left + at * x - 4)} {num(at * y + 2)}L{num(left + at * x + 4)} {num(at * y - 2)}", GOLD, 4)
        for at in (-0.72, 0.72)
    )
    return stave(d, tint.main, tint.light, 6) + bands + ends


def batons(count: int) -> str:
    """A lattice of batons, and one upright before it where the number is odd."""
    lattice = mirrored("".join(staff(step) for step in STEPS[count // 2]))
    return lattice + (place(baton(1), 0, 0, 1.7) if count % 2 else "")


def face(rank: str, suit: str) -> str:
    """A face of the deck."""
    tint = TINTS[suit]
    marks = 0.54 if suit in "SC" else 0.64
    tools = f'<defs><g id="p">{PIPS[suit]()}</g></defs>'
    corner = use("p", 63, 185, marks, 180)
    frame = f'<path d="{FRAME}" fill="none" stroke="{tint.letter}" stroke-width="1.6" stroke-linejoin="round"/>'
    if rank == "A":
        body = ace(suit)
    elif rank in "KQJ":
        body = court(rank, suit)
    elif suit in "SC":
        body = swords(int(rank)) if suit == "S" else batons(int(rank))
    else:
        scale, spots = SPOTS[rank]
        body = "".join(use("p", x, y, scale) for x, y in spots)
    return card(SIZE, tools + frame + corner + place(body, *MIDDLE))


def ace(suit: str) -> str:
    """The great single mark with its ornament."""
    tint = TINTS[suit]
    if suit == "D":
        rays = path(tint.dark, star(16, 46, 36)) + path(GOLD, star(16, 42, 33))
        return group(rays, outline()) + place(coin(0.9), 0, 0, 1.75)
    if suit == "H":
        jet = line("M0-36C-4-52-16-54-20-46M0-36C4-52 16-54 20-46M0-36V-56", tint.main, 3)
        return jet + place(cup(0.8), 0, 8, 2.4)
    if suit == "S":
        leaf = path("#7cc46b", "M0 0C-5-7-13-8-16-4C-13 2-6 4 0 0Z")
        twig = line("M-26 36C-38 16-36-12-22-32", "#2f8f48", 3)
        twig += "".join(place(leaf, x, y) for x, y in ((-31, 22), (-33, 5), (-30, -12), (-23, -28)))
        return mirrored(group(twig, outline(1))) + place(sword(0.8), 0, 0, 2.1)
    ribbon = path(GOLD, "M-38-20C-20-4-14-22 0-10S24 6 38-8L34 8C22 18 10 2-4 4S-26 10-42-4Z")
    return place(baton(0.8), 0, 0, 2) + group(ribbon, outline(1.5))


def court(rank: str, suit: str) -> str:
    """A half figure, the same upside down, and a band between them."""
    half = f'<defs><g id="h">{HALVES[rank](suit)}</g></defs>'
    band = path(TINTS[suit].main, "M-48-9L48 3V9L-48-3Z") + line("M-44-5.500L44 5.5", GOLD, 3)
    beads = f'<path fill="none" stroke="{INK}" stroke-width="3.4" stroke-dasharray=".1 9" d="M-40-5L40 5"/>'
    band = group(band + beads, outline(1.4))
    return half + use("h", 0, 0) + use("h", 0, 0, 1, 180) + band


def held(suit: str) -> str:
    """The suit mark in the raised hand."""
    return use("p", -27, -36, 0.95 if suit in "DH" else 0.8) + disc(
        SKIN, -21, -20, 4.6, f'stroke="{INK}" stroke-width="1.4"'
    )


def body(suit: str, more: str) -> str:
    """Shoulders and the arm that is raised; ``more`` lies over them."""
    tint = TINTS[suit]
    shapes = path(tint.dark, "M-26 0V-4L-27-18L-18-22L-10-12C-4-28 4-38 12-42H28C40-38 47-26 48-6V6Z")
    shapes += path(tint.main, "M-4-1C-1-22 6-36 13-42H27C35-36 39-20 40 4Z")
    return group(shapes + more, outline(1.5))


def hat(suit: str) -> str:
    """A feathered cap whose feather keeps clear of the corner."""
    return group(cap(TINTS[suit].main), 'transform="scale(-1 1)"')


def king(suit: str) -> str:
    """The re: crowned and bearded, in ermine."""
    fur = path(WHITE, "M1-33C8-46 32-46 39-33C37-22 30-18 20-18S3-22 1-33Z")
    fur += line("M8-32v3M16-26v2M24-28v2M32-32v3", width=2)
    return body(suit, fur + place(old_head(LOOKS[suit].hair), 20, -58, 1.06)) + held(suit)


def knight(suit: str) -> str:
    """The cavallo: a rider behind his horse's head."""
    look = LOOKS[suit]
    rider = line("M4-9L41-5", GOLD, 4) + line("M20-40V-10", GOLD, 2.6)
    rider += place(head(look.hair) + hat(suit), 20, -57, 0.94)
    neck = "M-18-2C-16-14-17-22-20-30L-23-41L-13-36C-2-33 6-20 8 1Z"
    muzzle = "M-20-34C-27-34-36-26-43-18C-46-13-42-9-37-11C-33-10-29-13-24-14C-18-15-13-20-12-26Z"
    horse = path(look.horse, neck) + path(look.horse, muzzle)
    horse += path(look.mane, "M-19-39C-6-40 10-26 12 1L4 0C2-14-8-28-18-32Z")
    horse += disc(INK, -25, -26, 1.3) + line("M-33-22L-20-16M-28-32L-24-14", "#8a1f1f", 2.2)
    arm = path(TINTS[suit].dark, "M12-36L-12-44L-15-37L8-24Z") + disc(SKIN, -17, -41, 4)
    lifted = use("p", -30, -51, 0.54 if suit in "DH" else 0.5)
    return body(suit, rider) + group(arm, outline(1.5)) + lifted + group(horse, outline(1.5))


def knave(suit: str) -> str:
    """The fante: a page in a feathered cap."""
    tint = TINTS[suit]
    front = path(GOLD, "M16-42L15 0H27L24-42Z") + line("M20-34v.1M20.5-26v.1M21-18v.1M21-10v.1", width=2.6)
    ruff = path(tint.light, "M8-41C11-47 28-47 32-41C28-36 12-36 8-41Z")
    return body(suit, front + ruff + place(head(LOOKS[suit].hair) + hat(suit), 20, -57, 1.02)) + held(suit)


HALVES = {"K": king, "Q": knight, "J": knave}


def back() -> str:
    """The back of nord: interlaced rings in a frame."""
    tile = (
        '<defs><pattern id="t" width="20" height="20" x="6" y="4" patternUnits="userSpaceOnUse">'
        '<path fill="#1f5a4a" d="M0 0h20v20H0z"/><g fill="none" stroke="#e6d9a8" stroke-width="1.3">'
        '<circle cx="10" cy="10" r="9"/><circle r="9"/><circle cx="20" r="9"/><circle cy="20" r="9"/>'
        '<circle cx="20" cy="20" r="9"/></g><circle cx="10" cy="10" r="1.6" fill="#d9654a"/></pattern></defs>'
    )
    frame = '<rect x="7" y="7" width="98" height="194" rx="5" fill="url(#t)" stroke="#123a30" stroke-width="2"/>'
    frame += f'<rect x="11" y="11" width="90" height="186" rx="3" fill="none" stroke="{PAPER}" stroke-width="1.2"/>'
    return card(SIZE, tile + frame)


NORD = Deck(
    name="nord",
    suits="latin",
    size=SIZE,
    ranks=LATIN_RANKS,
    corners=(Corner(20, 24, 36), Corner(92, 184, 36, 180)),
    letter=Corner(49, 25, 28),
    ink=LETTERS,
    face=face,
    back=back,
)
