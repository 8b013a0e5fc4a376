/** A lesson: Scenes made beforehand, drawn by the table's own components; the page itself answers the learner's moves. */
import { computed, signal } from "@preact/signals";
import { api } from "./api.ts";
import { deck } from "./decks.ts";
import { guestName } from "./guest.ts";
import { recall, remember } from "./memory.ts";
import { reducedMotion } from "./motion.ts";
import { slowness } from "./settings.ts";
import { attach, draw, leave, NOTHING, reveal, scene } from "./store.ts";
import { cardName, rankLetter, rankName, suitName } from "./speech.ts";
import { nameOf } from "./seats.ts";
import { whole, type Lesson, type LessonStep, type Scene } from "./wire.ts";
import type { Wanted } from "./net.ts";
import { t, told, type Values } from "./words.ts";

export const lessons = signal<Lesson[] | null>(null);
export const lesson = signal<Lesson | null>(null);
/** Which step is shown, from 0. */
export const at = signal(0);
export const step = computed<LessonStep | null>(() => lesson.value?.steps[at.value] ?? null);
/** All Scenes of the step are drawn: its words stand, its question is open. */
export const drawn = signal(false);
/** The key of the words for the wrong move that was just tried; "" for none. */
export const wrong = signal("");
/** The key of the words for a move that was as right as the one that was asked for; "" for none. */
export const right = signal("");
export const last = computed(() => (lesson.value?.steps.length ?? 1) - 1);

/** Milliseconds between two moves of the others; the moment of the reveal gets more. */
const PAUSE = 700;
const REVEAL = 2_400;
/** Nothing moves, but a screen reader still hears each move by itself. */
const STILL = 60;

const done = signal<ReadonlySet<string>>(new Set((recall("lessons") ?? "").split(" ").filter(Boolean)));
/** Has this browser been to the end of the lesson? */
export function isDone(id: string): boolean {
  return done.value.has(id);
}
function finish(id: string): void {
  done.value = new Set([...done.value, id]);
  remember("lessons", [...done.value].join(" "));
}

/** Fetches the lessons, once. */
export async function fetchLessons(): Promise<Lesson[]> {
  lessons.value ??= (await api.lessons()).lessons;
  return lessons.value;
}

let timer = 0;

/** Begins a lesson. */
export function begin(found: Lesson): void {
  lesson.value = found;
  attach({ send: judge, close: () => clearTimeout(timer), reopen: () => undefined });
  show(0);
}

export function end(): void {
  lesson.value = null;
  leave();
}

/** Goes to a step and draws its last Scene at once. */
export function show(to: number): void {
  const steps = lesson.value?.steps;
  if (!steps) return;
  clearTimeout(timer);
  scene.value = null;
  reveal.value = null;
  at.value = to;
  arrive(steps[to]!, steps[to]!.scenes.length - 1);
}

/** Goes on to the next step, move by move. */
export function on(): void {
  const steps = lesson.value?.steps;
  if (!steps || at.value >= last.value) return;
  clearTimeout(timer);
  drawn.value = false;
  at.value += 1;
  arrive(steps[at.value]!, 0);
}

function arrive(now: LessonStep, index: number): void {
  wrong.value = "";
  right.value = "";
  const seen = whole(now.scenes[index]!);
  const chairs = seen.chairs.map((chair, place) => (place === seen.table.you ? { ...chair, name: guestName.value || t("guest") } : chair));
  draw({ ...seen, chairs });
  drawn.value = index === now.scenes.length - 1;
  if (drawn.value) {
    if (at.value === last.value) finish(lesson.value!.id);
    return;
  }
  const wait = reducedMotion() ? STILL : (reveal.value ? REVEAL : PAUSE) * slowness.value;
  timer = window.setTimeout(() => arrive(now, index + 1), wait);
}

/** The learner's move: the one that was asked for, one as right, or one that gets a kind word and another try. */
function judge(wanted: Wanted): void {
  const now = step.value;
  if (!now?.answer || !drawn.value) return;
  const said = short(wanted);
  if (said === now.answer) return on();
  right.value = now.right?.[said] ?? "";
  wrong.value = right.value ? "" : now.wrong[said] ?? now.wrong["*"] ?? "";
  const table = scene.value;
  // Answered: what is left is to go on.
  if (right.value && table?.deal) draw({ ...table, deal: { ...table.deal, options: NOTHING } });
}

/** A command as the lessons write it: `play 3H`, `pass`. */
export function short(wanted: Wanted): string {
  return Object.values(wanted).join(" ");
}

/** The words of this lesson, with names, cards, ranks and suits as they are called at this table. */
export function words(id: string, key: string, now: Scene): string {
  const suits = deck.value.suits;
  const values: Values = {};
  [..."BCDE"].forEach((letter, index) => (values[letter] = nameOf(now, index + 1)));
  for (const rank of now.table.rules.ranks) {
    values[rank] = rankName(rank, suits);
    values[`letter_${rank}`] = rankLetter(rank, suits);
    for (const suit of "SHDC") values[rank + suit] = cardName(rank + suit, suits);
  }
  for (const suit of "SHDC") values[`suit_${suit}`] = suitName(suit, suits);
  return told(`lessons.${id}.${key}`, values);
}
