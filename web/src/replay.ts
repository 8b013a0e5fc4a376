/** An ended deal, step by step: which step is shown, whose view, and whether it goes on by itself. */
import { computed, effect, signal } from "@preact/signals";
import { api } from "./api.ts";
import { nameOf } from "./seats.ts";
import { resultLine } from "./speech.ts";
import { draw, leave, lookingBack, reveal, scene } from "./store.ts";
import { whole, type Replay, type Row, type Scene } from "./wire.ts";
import { t } from "./words.ts";

export const replay = signal<Replay | null>(null);
/** Which step is shown, from 0. */
export const at = signal(0);
export const running = signal(false);
export const PACES = [0.5, 1, 2] as const;
export const pace = signal<number>(1);
export const last = computed(() => (replay.value?.steps.length ?? 1) - 1);

/** Milliseconds of one step at pace 1; the moment of the reveal gets more. */
const STEP = 1_100;
const REVEAL = 2_600;

/** Loads a deal as the one in `chair` saw it (null: open cards) and shows the step shown before, or the first card. */
export async function load(code: string, number: number, chair: number | null): Promise<void> {
  const same = replay.value?.code === code && replay.value.number === number;
  const step = at.value;
  lay(await api.deal(code, number, chair));
  if (same) show(step);
}

/** Lays out a deal that has been fetched, at its first step. */
export function lay(found: Replay): void {
  lookingBack.value = true;
  replay.value = { ...found, steps: found.steps.map((step) => ({ ...step, scene: whole(step.scene) })) };
  show(0);
}

/** The end of the deal that is looked at, with the names that are shown. */
export function ending(now: Scene): Scene {
  return { ...now, ...replay.value!.steps.at(-1)!.scene, chairs: now.chairs };
}

export function unload(): void {
  running.value = false;
  replay.value = null;
  at.value = 0;
  lookingBack.value = false;
  leave();
}

/** Goes to a step; the next one is told as it happened, any other is only drawn. */
export function show(step: number): void {
  const steps = replay.value?.steps;
  if (!steps) return;
  const to = Math.max(0, Math.min(steps.length - 1, step));
  const next = to === at.value + 1 && scene.value !== null;
  if (!next) {
    scene.value = null;
    reveal.value = null;
  }
  at.value = to;
  draw(steps[to]!.scene);
  if (to === steps.length - 1) running.value = false;
}

effect(() => {
  const step = at.value;
  if (!running.value) return undefined;
  const wait = (reveal.value ? REVEAL : STEP) / pace.value;
  const timer = setTimeout(() => show(step + 1), wait);
  return () => clearTimeout(timer);
});

/** The steps at which tricks end, calls fall and the auction closes: where it is worth to stop. */
export function marks(steps: Replay["steps"]): number[] {
  return steps.flatMap(({ scene: now }, index) => {
    const before = steps[index - 1]?.scene.deal;
    const deal = now.deal;
    return deal && before && (deal.tricks_done !== before.tricks_done || deal.called !== before.called) ? [index] : [];
  });
}

function payoffs(now: Scene, row: Row): string {
  return row.payoff
    .flatMap((sum, chair) => (now.chairs[chair]?.playing ? [`${nameOf(now, chair)} ${signed(sum)}`] : []))
    .join(" · ");
}

function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

/** A deal in a few lines for a chat. */
export function dealText(now: Scene, link: string): string {
  const row = now.sheet.at(-1);
  const lines = [`${t("brand_long")} · ${t("deal_n", { n: row?.deal ?? "" })}`];
  if (now.deal) lines.push(resultLine(now.deal, now));
  if (row && row.kind === "scored") lines.push(payoffs(now, row));
  return [...lines, link].join("\n");
}

/** A game in a few lines for a chat: the places, and who called how often with what success. */
export function gameText(now: Scene, link: string): string {
  const people = now.chairs.map((chair, index) => ({ chair, index })).filter(({ chair }) => chair.kind !== "empty");
  people.sort((one, other) => other.chair.score - one.chair.score);
  const places = people.map(({ chair, index }) => {
    const called = now.sheet.filter((row) => row.kind === "scored" && row.caller === index);
    const made = called.filter((row) => row.made).length;
    const place = 1 + people.filter((one) => one.chair.score > chair.score).length;
    const calls = called.length ? ` (${t("calls_made", { made, n: called.length })})` : "";
    return `${place}. ${chair.name} ${signed(chair.score)}${calls}`;
  });
  return [`${t("brand_long")} · ${t("game_of_deals", { n: now.sheet.length })}`, ...places, link].join("\n");
}
