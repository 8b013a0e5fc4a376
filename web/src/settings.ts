/** What this browser is set to: looks, hands, pace, noises. Kept in it, sent to nobody. */
import { computed, effect, signal, type Signal } from "@preact/signals";
import { recall, remember } from "./memory.ts";

function kept<T extends string>(name: string, known: readonly T[], standard: T): Signal<T> {
  const value = recall(name) as T;
  const setting = signal<T>(known.includes(value) ? value : standard);
  effect(() => void remember(name, setting.value));
  return setting;
}

export const THEMES = ["felt", "light", "auto"] as const;
export const SPEEDS = ["0", "half", "1", "2"] as const;

export const theme = kept("theme", THEMES, "felt");
export const taps = kept("taps", ["two", "one"] as const, "two");
/** The hand that holds the phone: what is done most stands under its thumb. */
export const side = kept("side", ["right", "left"] as const, "right");
export const cards = kept("cards", ["usual", "large"] as const, "usual");
export const speed = kept("speed", SPEEDS, "1");
export const sound = kept("sound", ["off", "on"] as const, "on");
export const haptics = kept("haptics", ["off", "on"] as const, "on");
/** Hints in a game alone with bots. */
export const COACHES = ["off", "ask", "always"] as const;
export const coach = kept("coach", COACHES, "off");
/** Whether my own screen marks that the called card is mine: not where others see it, as on a stream. */
export const keyMark = kept("key", ["shown", "hidden"] as const, "shown");

/** The senior preset: large letters and cards, slow movement, every card confirmed. */
export function makeEasy(): void {
  [deckWish.value, cards.value, speed.value, taps.value] = ["grande", "large", "half", "two"];
}

export const deckWish = signal(recall("deck") ?? "classica");
effect(() => void remember("deck", deckWish.value));

const bright = signal(false);
if (typeof matchMedia === "function") {
  const query = matchMedia("(prefers-color-scheme: light)");
  bright.value = query.matches;
  query.addEventListener("change", (event) => (bright.value = event.matches));
}
/** The theme that is drawn. */
export const look = computed(() => (theme.value === "auto" ? (bright.value ? "light" : "felt") : theme.value));

/** What a movement's time is multiplied with: half the speed takes twice the time; 0 where nothing moves. */
export const slowness = computed(() => ({ "0": 0, half: 2, "1": 1, "2": 0.5 })[speed.value]);

if (typeof document !== "undefined")
  effect(() => {
    Object.assign(document.documentElement.dataset, {
      theme: look.value,
      side: side.value,
      cards: cards.value,
      speed: speed.value,
    });
  });
