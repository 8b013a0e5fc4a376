/** An ended deal trick by trick: what everybody had captured, and what they thought of each other. */
import { SIGNS } from "./notes.ts";
import type { ChairNotes, Replay, Scene } from "./wire.ts";

export interface TrickEnd {
  /** From 1. */
  trick: number;
  /** The step of the replay that completes it. */
  step: number;
  winner: number | null;
  /** Captured so far, by chair. */
  points: number[];
}

/** The end of each trick that was played. */
export function trickEnds(steps: Replay["steps"]): TrickEnd[] {
  const ends: TrickEnd[] = [];
  steps.forEach(({ scene }, step) => {
    const done = scene.deal?.tricks_done ?? 0;
    if (done > ends.length)
      ends.push({
        trick: done,
        step,
        winner: scene.deal?.trick?.winner ?? null,
        points: scene.chairs.map((chair) => chair.points),
      });
  });
  return ends;
}

/** Captured after each trick, from 0 before the first: the caller's side (as it turned out) and the others. */
export function sidesOver(ends: readonly TrickEnd[], end: Scene): { ours: number[]; theirs: number[] } {
  const roles = end.chairs.map((chair) => chair.role);
  const sum = (points: readonly number[], own: boolean) =>
    points.reduce((total, n, chair) => total + ((roles[chair] === "caller" || roles[chair] === "partner") === own ? n : 0), 0);
  return { ours: [0, ...ends.map((one) => sum(one.points, true))], theirs: [0, ...ends.map((one) => sum(one.points, false))] };
}

export interface Thought {
  about: number;
  mark: number;
  sign: string;
}

/** What somebody thought when so many tricks were done. */
export function thoughtsAt(notes: ChairNotes, tricks: number): Thought[] {
  const marks = notes.notes.filter((one) => one.tricks <= tricks).at(-1)?.marks ?? [];
  return marks.flatMap((mark, about) => (mark ? [{ about, mark, sign: SIGNS[mark]! }] : []));
}
