/** What happened between two Scenes: for the spoken log and for the reveal. */
import { rankOf, sidePoints } from "./seats.ts";
import type { DealScene, PhraseScene, PlayedCard, Scene } from "./wire.ts";

export type Change =
  | { what: "dealt"; number: number }
  | { what: "said"; chair: number; say: string }
  | { what: "won"; chair: number; target: number }
  | { what: "called"; chair: number; card: string; target: number }
  | { what: "trump"; suit: string }
  | { what: "played"; chair: number; card: string }
  | { what: "taken"; chair: number; points: number }
  | { what: "revealed"; caller: number; partner: number; card: string; ours: number; theirs: number; target: number }
  | { what: "ended"; deal: DealScene }
  | { what: "over"; winners: number[] }
  | { what: "away"; chair: number }
  | { what: "back"; chair: number }
  | { what: "spoke"; chair: number; phrase: PhraseScene["phrase"] }
  | { what: "wrote"; chair: number; text: string }
  | { what: "turn" };

/** The moment when the called card falls. */
export interface Reveal {
  caller: number;
  /** The caller's own chair for a solo. */
  partner: number;
  card: string;
  ours: number;
  theirs: number;
  target: number;
}

function cardsOf(deal: DealScene | null): PlayedCard[] {
  return [...(deal?.last?.cards ?? []), ...(deal?.trick?.cards ?? [])];
}

function played(old: DealScene | null, next: DealScene): Change[] {
  const seen = new Set(cardsOf(old).map(({ chair, card }) => `${chair}:${card}`));
  return cardsOf(next)
    .filter(({ chair, card }) => !seen.has(`${chair}:${card}`) && !seen.has(`${chair}:${rankOf(card)}?`))
    .map(({ chair, card }) => ({ what: "played", chair, card }));
}

function contract(old: DealScene | null, next: DealScene): Change[] {
  const { caller, called, target, trump } = next;
  if (caller === null) return [];
  if (called && called !== old?.called) return [{ what: "called", chair: caller, card: called, target }];
  if (!called && old?.caller !== caller) return [{ what: "won", chair: caller, target }];
  return trump && old?.trump && old.trump !== trump ? [{ what: "trump", suit: trump }] : [];
}

/** Who turned out to be with the caller, where the later Scene tells and the earlier one did not. */
export function revealOf(before: Scene, after: Scene): Reveal | null {
  const [old, next] = [before.deal, after.deal];
  if (!next || next.partner === null || next.caller === null || !next.called) return null;
  if (old?.number === next.number && old.partner !== null) return null;
  const { ours = 0, theirs = 0 } = sidePoints(after) ?? {};
  return { caller: next.caller, partner: next.partner, card: next.called, ours, theirs, target: next.target };
}

/** ms for which the house lets all clocks stand still when the called card falls: its pace.REVEAL. */
export const STILL = 1_200;

/** Until when (ms) no clock runs, if `next` comes now: from the reveal on, unless somebody has moved meanwhile. */
export function still(old: Scene | null, next: Scene, now: number, until: number): number {
  if (!old || next.table.state !== "playing") return now;
  if (revealOf(old, next)) return now + STILL;
  const moved = next.deal?.turn !== old.deal?.turn || next.deal?.phase !== old.deal?.phase;
  return moved ? now : until;
}

/** Everything worth telling, in the order in which it happened. */
export function changes(before: Scene, after: Scene): Change[] {
  const next = after.deal;
  const found: Change[] = [...people(before, after), ...spoken(before, after)];
  if (next) {
    const same = before.deal?.number === next.number && before.table.game === after.table.game;
    const old = same ? before.deal : null;
    if (!same) found.push({ what: "dealt", number: next.number });
    for (const { chair, say } of next.auction.slice(old?.auction.length ?? 0)) found.push({ what: "said", chair, say });
    found.push(...contract(old, next), ...played(old, next));
    const taken = next.trick?.winner ?? null;
    if (next.tricks_done > (old?.tricks_done ?? 0)) {
      const trick = taken !== null ? next.trick : next.last;
      if (trick?.winner != null) found.push({ what: "taken", chair: trick.winner, points: trick.points });
    }
    const reveal = revealOf(before, after);
    if (reveal) found.push({ what: "revealed", ...reveal });
    if (next.phase === "done" && old?.phase !== "done") found.push({ what: "ended", deal: next });
  }
  if (after.table.state === "over" && before.table.state !== "over")
    found.push({ what: "over", winners: after.table.winners });
  if (isMyTurn(after) && (!isMyTurn(before) || before.deal?.phase !== next?.phase)) found.push({ what: "turn" });
  return found;
}

function isMyTurn(scene: Scene): boolean {
  return scene.table.you !== null && scene.table.state === "playing" && scene.deal?.turn === scene.table.you;
}

function spoken(before: Scene, after: Scene): Change[] {
  const { said, written } = after.table;
  return [
    ...said.filter(({ v }) => v > before.v).map(({ chair, phrase }): Change => ({ what: "spoke", chair, phrase })),
    ...written.filter(({ v }) => v > before.v).map(({ chair, text }): Change => ({ what: "wrote", chair, text })),
  ];
}

function people(before: Scene, after: Scene): Change[] {
  return after.chairs.flatMap((chair, index): Change[] => {
    const old = before.chairs[index];
    if (!old || index === after.table.you || old.stand_in === chair.stand_in) return [];
    return [{ what: chair.stand_in ? "away" : "back", chair: index }];
  });
}

export type Noise = "card" | "word" | "taken" | "turn" | "reveal" | "ended";

/** The noise of a change. */
export function noiseOf(change: Change): Noise | null {
  switch (change.what) {
    case "played":
      return "card";
    case "said":
    case "called":
    case "trump":
    case "spoke":
    case "wrote":
      return "word";
    case "taken":
      return "taken";
    case "revealed":
      return "reveal";
    case "ended":
      return "ended";
    case "turn":
      return "turn";
    default:
      return null;
  }
}
