/** What was written at this table while the page was open: the house tells the last few lines, the page keeps them. */
import { effect, signal } from "@preact/signals";
import { scene } from "./store.ts";

export interface Line {
  v: number;
  name: string;
  text: string;
}
/** Oldest first. */
export const lines = signal<readonly Line[]>([]);
/** So many are kept. */
const KEPT = 200;

let table = "";

/** Follows the table. */
export function listenToChat(): void {
  effect(() => {
    const now = scene.value;
    if (!now) return;
    const kept = table === now.table.code ? lines.peek() : [];
    table = now.table.code;
    const known = kept.at(-1)?.v ?? 0;
    const fresh = now.table.written.filter(({ v }) => v > known);
    if (fresh.length || kept.length === 0)
      lines.value = [...kept, ...fresh.map(({ v, chair, text }) => ({ v, name: now.chairs[chair]?.name ?? "", text }))].slice(-KEPT);
  });
}
