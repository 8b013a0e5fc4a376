/** My private notes on the others: kept by the house trick by trick, and sent to nobody else while the deal runs. */
import { effect, signal } from "@preact/signals";
import { api } from "./api.ts";
import { inPage, lookingBack, notify, scene } from "./store.ts";
import type { Scene } from "./wire.ts";
import { t } from "./words.ts";

/** Nothing, perhaps the partner, surely the partner, surely not. */
export const MARKS = ["note_none", "note_maybe", "note_sure", "note_clean"] as const;
export const SIGNS = ["·", "?", "!", "✓"] as const;
/** By chair. */
export const notes = signal<number[]>([]);

/** The number of the running deal at its table, as the house says it; 0 before. */
let deal = 0;

/** May I mark this chair now? While nobody knows the partner, and a card is called. */
export function markable(now: Scene, chair: number): boolean {
  const { table } = now;
  const running = now.deal;
  return (
    !lookingBack.value && !inPage.value && table.state === "playing" && table.you !== null && chair !== table.you && !!running &&
    running.called !== "" && running.partner === null && running.caller !== chair && now.chairs[table.you]!.playing
  );
}

let wait = 0;
/** The next mark of this chair; the house hears of it once the taps are over. */
export function mark(chair: number): void {
  const now = scene.value;
  if (!now || !deal) return;
  const next = now.chairs.map((_, index) => notes.value[index] ?? 0);
  next[chair] = (next[chair]! + 1) % MARKS.length;
  notes.value = next;
  clearTimeout(wait);
  wait = window.setTimeout(() => {
    api.jot(now.table.code, deal, next).catch(() => notify(t("note_lost")));
  }, 350);
}

/** Which deal of which table the notes belong to. */
let page = "";
async function turn(code: string): Promise<void> {
  notes.value = [];
  deal = 0;
  const asked = page;
  const found = await api.notes(code).catch(() => null);
  if (!found || asked !== page) return;
  deal = found.deal;
  notes.value = found.notes.at(-1)?.marks ?? [];
}

/** Follows the table: new cards, new notes. */
export function follow(): void {
  effect(() => {
    const now = scene.value;
    const running = now && !lookingBack.value && !inPage.value && now.table.you !== null && now.table.state === "playing" && now.deal?.called;
    const next = running ? `${now.table.code} ${now.table.game} ${now.deal!.number}` : "";
    if (next === page) return;
    page = next;
    if (next) void turn(now!.table.code);
    else notes.value = [];
  });
}
