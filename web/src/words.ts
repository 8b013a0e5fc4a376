/** Every word on the page, in the reader's language. */
import { effect, signal } from "@preact/signals";
import { words as en } from "./generated/en.ts";
import { words as it } from "./generated/it.ts";
import type { AppKey, FairKey, LuckKey, ScoreKey, UiKey } from "./generated/keys.ts";
import { recall, remember } from "./memory.ts";

export type Language = "en" | "it";
export type Values = Record<string, string | number>;
export const LANGUAGES: Record<Language, string> = { it: "Italiano", en: "English" };
const TEXTS: Record<Language, Record<string, string>> = { en, it };

/** Words that only some pages need come with them. */
export function addWords(more: Record<Language, Record<string, string>>): void {
  for (const one of Object.keys(TEXTS) as Language[]) Object.assign(TEXTS[one], more[one]);
}

function preferred(): Language {
  const kept = recall("language");
  if (kept === "en" || kept === "it") return kept;
  return (navigator.languages ?? []).map((one) => one.slice(0, 2)).find((one) => one in TEXTS) as Language ?? "en";
}

export const language = signal<Language>(preferred());
if (typeof document !== "undefined")
  effect(() => {
    document.documentElement.lang = language.value;
  });

export function speak(next: Language): void {
  remember("language", next);
  language.value = next;
}

/** Puts values into the `{places}` of a text. */
export function fill(text: string, values: Values = {}): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}

/** A text of the page. */
export function t(key: UiKey, values?: Values): string {
  return fill(TEXTS[language.value][`ui.${key}`]!, values);
}

/** A text about how deals come about. */
export function fair(key: FairKey, values?: Values): string {
  return fill(TEXTS[language.value][`fair.${key}`]!, values);
}

/** A text about luck. */
export function luck(key: LuckKey, values?: Values): string {
  return fill(TEXTS[language.value][`luck.${key}`]!, values);
}

/** A text of what works without a line. */
export function app(key: AppKey, values?: Values): string {
  return fill(TEXTS[language.value][`app.${key}`]!, values);
}

/** A text of the score-keeper. */
export function scored(key: ScoreKey, values?: Values): string {
  return fill(TEXTS[language.value][`score.${key}`]!, values);
}

/** A text whose key comes from the house (`refusals.NOT_YOUR_TURN`); the fallback where there is none. */
export function told(key: string, values?: Values, fallback = ""): string {
  const text = TEXTS[language.value][key];
  return text === undefined ? fallback : fill(text, values);
}

/** `one_point` or `points`, by number. */
export function count(noun: "point" | "trick" | "card" | "deal", n: number): string {
  return t(Math.abs(n) === 1 ? `one_${noun}` : `${noun}s`, { n });
}
