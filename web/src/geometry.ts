/** Where things lie on the felt: pure numbers, no page needed. */
import type { Scene } from "./wire.ts";

/** Places around the table in order of play, as the viewer sees them: 0 is the viewer. */
export type Slot = 0 | 1 | 2 | 3 | 4;

export interface Place {
  /** Centre of a trick card, in per cent of the trick box. */
  x: number;
  y: number;
  /** Degrees by which the card leans towards its owner. */
  lean: number;
}

/** Anticlockwise: the next player sits on my right. Found for a 238 × 270 box and cards of 56 × 97. */
const ANTICLOCKWISE: readonly Place[] = [
  { x: 50, y: 81, lean: 0 },
  { x: 85.5, y: 56.5, lean: 5 },
  { x: 68, y: 19, lean: 3 },
  { x: 32, y: 19, lean: -3 },
  { x: 14.5, y: 56.5, lean: -5 },
];

/** Where the card of a slot lies. */
export function trickPlace(slot: Slot, direction: "ccw" | "cw"): Place {
  const place = ANTICLOCKWISE[slot]!;
  return direction === "ccw" ? place : { x: 100 - place.x, y: place.y, lean: -place.lean };
}

/** Names of the corners of the table, used as grid areas; mirrored when play goes clockwise. */
export type Corner = "me" | "right-near" | "right-far" | "left-far" | "left-near";
const CORNERS: readonly Corner[] = ["me", "right-near", "right-far", "left-far", "left-near"];

/** Where the plate of a slot stands. */
export function corner(slot: Slot, direction: "ccw" | "cw"): Corner {
  return CORNERS[direction === "ccw" || slot === 0 ? slot : 5 - slot]!;
}

/** The chairs of the running deal in order of play, the viewer's first (for a watcher: the lowest chair). */
export function aroundMe(scene: Scene): number[] {
  const playing = scene.chairs.flatMap((chair, index) => (chair.playing ? [index] : []));
  const you = scene.table.you;
  const from = you === null ? 0 : Math.max(0, playing.indexOf(you));
  return [...playing.slice(from), ...playing.slice(0, from)].slice(0, 5);
}

/** How a hand of `count` cards lies in a row `width` px wide: the card's width and the step from one to the next. */
export function handRow(width: number, count: number, largest: number): { card: number; step: number } {
  // A wide row shows eight whole cards; else seven visible strips of 44 px (the least that a thumb hits) and one card.
  const card = Math.min(largest, width >= 700 ? (width - 7 * 8) / 8 : Math.max(width - 7 * 44, 48));
  if (count < 2) return { card, step: 0 };
  return { card, step: Math.min(card + 8, (width - card) / (count - 1)) };
}

/** A hand in two rows of four, for eyes that want large cards: the largest card up to 88 px that leaves the felt room. */
export function handRows(width: number, height: number, aspect: number): { card: number; step: number } {
  const card = Math.min(88, (width - 3 * 6) / 4, ((height * 0.37) / 2) * aspect);
  return { card, step: Math.min(card + 10, (width - card) / 3) };
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  lean: number;
}

/** Do two leaning boxes (x, y: centres) share a point? Separating axes. */
export function overlap(one: Box, other: Box): boolean {
  const corners = (box: Box): [number, number][] => {
    const turn = (box.lean * Math.PI) / 180;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    return ([[-1, -1], [1, -1], [1, 1], [-1, 1]] as const).map(([right, down]) => {
      const [dx, dy] = [(right * box.width) / 2, (down * box.height) / 2];
      return [box.x + dx * cos - dy * sin, box.y + dx * sin + dy * cos];
    });
  };
  const [a, b] = [corners(one), corners(other)];
  return [one.lean, one.lean + 90, other.lean, other.lean + 90].every((degrees) => {
    const axis = (degrees * Math.PI) / 180;
    const along = ([x, y]: [number, number]) => x * Math.cos(axis) + y * Math.sin(axis);
    const [p, q] = [a.map(along), b.map(along)];
    return Math.max(...p) > Math.min(...q) && Math.max(...q) > Math.min(...p);
  });
}
