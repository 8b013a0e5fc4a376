/** Hints in a game alone with bots: asked for, or given at every turn. */
import { computed, effect, signal } from "@preact/signals";
import { api, ApiError } from "./api.ts";
import { coach } from "./settings.ts";
import { inPage, myTurn, notify, scene } from "./store.ts";
import type { Hint, Scene } from "./wire.ts";
import { t, told } from "./words.ts";

export const hint = signal<Hint | null>(null);
export const thinking = signal(false);
export const mayAsk = computed(
  () => coach.value !== "off" && !inPage.value && myTurn.value && !!scene.value?.table.may.includes("hint"),
);

/** Which decision a Scene asks for. */
function decision({ table, deal }: Scene): string {
  return [table.code, table.game, deal?.number, deal?.phase, deal?.auction.length, deal?.hand.length].join(" ");
}

let asked = "";
/** Asks the house what a good player would do here. */
export async function askHint(): Promise<void> {
  const now = scene.value;
  if (!now || thinking.value) return;
  const about = decision(now);
  thinking.value = true;
  try {
    const found = await api.hint(now.table.code, now.v);
    if (scene.value && decision(scene.value) === about) hint.value = found;
  } catch (error) {
    const code = error instanceof ApiError ? error.code : "";
    if (code !== "STALE") notify(told(`refusals.${code}`, {}, t("went_wrong")));
  }
  thinking.value = false;
}

/** A new decision: the hint on the one before goes, and the next one comes by itself if it is wished. */
effect(() => {
  const now = mayAsk.value ? scene.value : null;
  const next = now ? decision(now) : "";
  if (next === asked) return;
  asked = next;
  hint.value = null;
  if (next && coach.peek() === "always") void askHint();
});
