/** Looks up what a deal pays. Nothing is reckoned here but multiples and steps that the table names. */
import type { PayTable, Piece } from "../wire.ts";

/** What the caller's side took; `tricks` says where it took all eight of them, or none. */
export interface Took {
  points: number;
  tricks: "" | "none" | "whole";
}

export interface Price {
  ended: "win" | "loss" | "draw";
  /** Caller, partner, each defender; the caller alone, each of the others then. */
  pay: number[];
}

const ALL_POINTS = 120;

export function priceOf(table: PayTable, target: number, { points, tricks }: Took): Price {
  const at = table.targets.indexOf(target);
  const prices = table.prices[table.rows[at]!]!;
  if (points === table.drawn[at]) return { ended: "draw", pay: [0, 0, 0, 0, 0] };
  const ended = points >= table.won[at]! ? "win" : "loss";
  const whole = tricks ? prices[tricks] : null;
  const piece = (ended === "win" ? prices.made : prices.lost).findLast(({ start }) => start <= points)!;
  return { ended, pay: whole ?? piece.pay.map((sum, role) => sum + (points - piece.start) * (piece.step?.[role] ?? 0)) };
}

/** Results that pay alike: one tap says them all. */
export interface Band extends Took {
  /** From `points` to `to`. */
  to: number;
  ended: Price["ended"];
  /** Everything or nothing was taken, and that has a price of its own. */
  capot: boolean;
  /** Each point has a price of its own: it must be counted. */
  counted: boolean;
}

/** Every way in which a deal at this target may end: from the best for the caller to the worst, then the cappotti. */
export function bandsOf(table: PayTable, target: number): Band[] {
  const at = table.targets.indexOf(target);
  const { made, lost, whole, none } = table.prices[table.rows[at]!]!;
  const won = table.won[at]!;
  const drawn = table.drawn[at]!;
  const bands = [
    ...spread(lost, 0, drawn < 0 ? won - 1 : drawn - 1, "loss"),
    ...(drawn < 0 ? [] : [band(drawn, drawn, "draw")]),
    ...spread(made, won, ALL_POINTS, "win"),
  ];
  if (none && differs(none, priceOf(table, target, { points: 0, tricks: "" }).pay))
    bands.unshift({ ...band(0, 0, "loss"), tricks: "none", capot: true });
  if (whole && differs(whole, priceOf(table, target, { points: ALL_POINTS, tricks: "" }).pay))
    bands.push({ ...band(ALL_POINTS, ALL_POINTS, "win"), tricks: "whole", capot: true });
  bands.reverse();
  return [...bands.filter(({ capot }) => !capot), ...bands.filter(({ capot }) => capot)];
}

function spread(pieces: Piece[], low: number, high: number, ended: Price["ended"]): Band[] {
  return pieces.flatMap(({ start, step }, index) => {
    const from = Math.max(low, start);
    const to = Math.min(high, (pieces[index + 1]?.start ?? high + 1) - 1);
    if (from > to) return [];
    const alone = pieces.length > 1 && from === to && (to === ALL_POINTS || from === 0);
    return [{ ...band(from, to, ended), capot: alone, counted: step != null }];
  });
}

function band(points: number, to: number, ended: Price["ended"]): Band {
  return { points, to, tricks: "", ended, capot: false, counted: false };
}

function differs(one: number[], other: number[]): boolean {
  return one.some((sum, role) => sum !== other[role]);
}

/** Contracts at which what is paid changes: the ones to offer first where there are many. */
export function landmarks({ targets, rows }: PayTable): number[] {
  const found = targets.filter((_, at) => at === 0 || rows[at] !== rows[at - 1]);
  return targets.length <= 13 ? targets : found.length > 12 ? targets.filter((target) => (target - targets[0]!) % 10 === 0) : found;
}
