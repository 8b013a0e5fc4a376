"""The Italian courts: fante, cavallo and re, whole figures that stand on y = 0 and look out of the card.

Each is about 135 high and 80 wide; the raised hand is at HAND, where the face puts the suit mark.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.deck.ink import GOLD, INK, SKIN, TINTS, WHITE, disc, group, line, path
from tools.deck.pips import outline

HAND = {"J": (31.0, -104.0), "Q": (34.0, -112.0), "K": (33.0, -98.0)}
"""Where each figure holds its suit mark."""

OUTLINE = outline(1.6)


@dataclass(frozen=True)
class Look:
    """What differs from suit to suit beside the colours."""

    hair: str
    horse: str
    mane: str


LOOKS = {
    "S": Look(hair="#3a2a1e", horse="#f4efe6", mane="#8d8577"),
    "H": Look(hair="#7a3d16", horse="#b9713a", mane="#5a2f12"),
    "D": Look(hair="#c98a2b", horse="#fbf3df", mane="#d9a441"),
    "C": Look(hair="#4d3219", horse="#8f8a86", mane="#3d3a38"),
}


def head(hair: str) -> str:
    """A young face with long hair, about (0, 0), 24 high."""
    shapes = path(hair, "M-11 10C-17-2-12-13 0-13S17-2 11 10C8 13-8 13-11 10Z")
    shapes += path(SKIN, "M-3 8h6v8h-6z") + path(SKIN, "M-8-3C-8-9 8-9 8-3C8 6 4 11 0 11S-8 6-8-3Z")
    shapes += path(hair, "M-9-1C-8-7-3-6 0-8C3-6 8-7 9-1C12-8 8-13 0-13S-12-8-9-1Z", 'stroke-width="1"')
    return shapes + features()


def features() -> str:
    """Eyes and mouth."""
    return line("M-3.6 0v.6M3.6 0v.6", width=2) + line("M-2 6C-1 7 1 7 2 6", width=1)


def fante(suit: str) -> str:
    """The fante: a page in hose and feathered cap, one hand on the hip."""
    tint, look = TINTS[suit], LOOKS[suit]
    shapes = path(tint.light, "M-15-56L-14-6H-6L-1-46L5-6H13L15-56Z") + path(tint.dark, "M5-6L-1-46L4-54H15L13-6Z")
    shapes += path(INK, "M-14-7C-16-4-22-4-25 0H-6V-7ZM5-7V0H25C22-4 16-4 13-7Z")
    shapes += path(tint.dark, "M-10-97C-27-97-36-86-27-74L-14-67L-10-73L-20-81C-21-86-16-88-9-85Z")
    tunic = "M-12-98C-15-84-12-77-12-71L-22-45C-8-40 8-40 22-45L12-71C12-77 15-84 12-98C5-95-5-95-12-98Z"
    shapes += path(tint.main, tunic)
    shapes += path(GOLD, "M-4-96L-3.5-71L-7-41.5H7L3.5-71L4-96Z") + path(INK, "M-12.5-73h25v5h-25z")
    shapes += line("M0-92v.1M0-85v.1M0-78v.1", width=2.4)
    shapes += path(tint.dark, "M10-97C18-97 22-101 26-109L35-105C31-93 22-84 11-84Z") + disc(SKIN, *HAND["J"], 4.6)
    shapes += group(head(look.hair) + cap(tint.main), 'transform="translate(0 -112)"')
    return group(shapes, OUTLINE)


def cap(colour: str) -> str:
    """A soft cap with a feather, for a head about (0, 0)."""
    shapes = path(GOLD, "M9-12C22-17 17-28-2-28C-14-28-21-23-22-17C-12-22 0-20 9-12Z")
    shapes += line("M7-14C2-20-7-23-18-19", width=1)
    return shapes + path(colour, "M-13-6C-15-17-6-18 0-18S15-17 13-6C6-10-6-10-13-6Z")


def horse(look: Look) -> str:
    """A horse stepping out to the left, one foreleg raised."""
    far = "M-14-36L-13-18L-16 0H-8L-5-18L2-36ZM12-38L10-24L13-12L8 0H16L20-13L22-34Z"
    shapes = path(look.mane, "M33-56C48-56 46-34 40-20C52-30 54-62 34-64Z")
    shapes += path(look.horse, far) + path(INK, far, 'fill-opacity=".22"')
    body = (
        "M-27-101L-31-92C-37-89-43-79-46-72C-47-67-43-64-39-66C-35-66-34-70-29-71C-26-67-27-60-27-53"
        "L-43-45L-40-24L-33-25L-34-39L-21-36C-12-30-2-30 10-33L21-34C23-26 22-20 25-13L22 0H30L33-14"
        "C31-24 37-32 37-44C38-58 31-64 20-64C10-61 0-60-7-62C-8-76-13-92-24-96Z"
    )
    shapes += path(look.horse, body)
    shapes += path(look.mane, "M-27-99C-14-99-4-84-5-63L-10-62C-9-74-15-88-24-93Z")
    shapes += path(INK, "M-16-3h8v3h-8zM8-3h8v3H8zM22-3h8v3h-8zM-40-27l7-1v4h-7z") + disc(INK, -35, -83, 1)
    return shapes + line("M-31-92L-36-68M-33-78L-12-66", "#8a1f1f", 2.2) + line("M-44-69L-42-68", width=1.2)


def cavallo(suit: str) -> str:
    """The cavallo: a rider in a plumed hat on a stepping horse."""
    tint, look = TINTS[suit], LOOKS[suit]
    shapes = horse(look)
    shapes += path(tint.light, "M-8-63C2-59 14-60 24-64L27-36C16-31 2-31-7-35Z")
    shapes += line("M-6-39C2-35 16-35 26-40", GOLD, 3)
    shapes += path(tint.dark, "M2-66C-6-58-10-50-9-40L-10-27L-2-25L1-40L14-58L16-66Z")
    shapes += path(INK, "M-11-30L-17-24V-21H-1L-1-30Z")
    shapes += path(tint.main, "M-3-97C-7-82-4-72-4-62C4-58 13-58 20-62C18-74 22-86 17-98C10-95 3-95-3-97Z")
    shapes += path(GOLD, "M-4-70h22.5v5h-22.5z") + line("M7-93V-73", GOLD, 2.6)
    shapes += path(tint.dark, "M-3-96C-12-92-16-82-17-72L-10-70C-8-78-4-82 0-84Z") + disc(SKIN, -14, -69, 4)
    shapes += path(tint.dark, "M15-97C22-97 26-104 29-115L38-111C35-98 28-86 17-84Z") + disc(SKIN, *HAND["Q"], 4.4)
    shapes += group(head(look.hair) + cap(tint.main), 'transform="translate(7 -112) scale(.95)"')
    return group(shapes, OUTLINE)


def re(suit: str) -> str:
    """The re: crowned and bearded, in a long ermine-trimmed robe, the orb in one hand."""
    tint, look = TINTS[suit], LOOKS[suit]
    shapes = path(tint.dark, "M-17-98C-34-84-34-40-40 0H40C34-40 34-84 17-98Z")
    shapes += path(tint.main, "M-13-98C-22-60-22-30-24 0H24C22-30 22-60 13-98Z")
    shapes += path(GOLD, "M-5-80L-8 0H8L5-80Z") + line("M-24-8H24", WHITE, 9) + line("M-24-13H24M-24-3.5H24", width=1.4)
    shapes += line("M-18-9v2M-6-9v2M6-9v2M18-9v2", width=2)
    shapes += path(tint.dark, "M-14-95C-29-92-34-74-28-58L-13-54L-11-62L-19-66C-20-76-16-82-10-83Z")
    shapes += disc(GOLD, -9, -59, 7) + line("M-16-59H-2M-9-66v-6M-12-69h6", width=1.5) + disc(SKIN, -14, -54, 3.6)
    shapes += path(tint.dark, "M13-96C20-96 24-99 28-104L37-98C33-86 24-79 13-80Z") + disc(SKIN, *HAND["K"], 4.6)
    shapes += path(WHITE, "M-17-99C-12-103 12-103 17-99C19-90 12-83 0-83S-19-90-17-99Z")
    shapes += line("M-11-91v2M0-86v1.5M11-91v2", width=2)
    shapes += group(old_head(look.hair), 'transform="translate(0 -113)"')
    return group(shapes, OUTLINE)


def old_head(hair: str) -> str:
    """A crowned and bearded face about (0, 0)."""
    shapes = path(hair, "M-11 6C-15-4-12-12 0-12S15-4 11 6C9 10-9 10-11 6Z")
    shapes += path(SKIN, "M-8-4C-8-9 8-9 8-4C8 6 4 10 0 10S-8 6-8-4Z")
    shapes += path(hair, "M-9.5 0C-11 14-5 24 0 26C5 24 11 14 9.5 0C7 5 4 3 0 3S-7 5-9.5 0Z")
    shapes += line("M-2.5 8h5", SKIN, 2) + line("M-3.6-1v.6M3.6-1v.6", width=2)
    shapes += path(GOLD, "M-12-8L-15-24L-7-16L0-28L7-16L15-24L12-8C5-11-5-11-12-8Z")
    return shapes + disc("#c2332d", 0, -15, 2, 'stroke-width="1"')


COURTS = {"J": fante, "Q": cavallo, "K": re}
"""The three figures by rank."""
