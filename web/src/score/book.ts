/** The games that this browser keeps, in a form with a number: an older one is brought up to date, a newer one left alone. */
import { signal } from "@preact/signals";
import { recall, remember } from "../memory.ts";
import type { PayTable } from "../wire.ts";
import type { Deal, Game } from "./game.ts";
import { tables } from "./tables.ts";

export interface Kept extends Game {
  id: string;
  /** When it began: milliseconds since 1970. */
  began: number;
  /** The named rule set, or the one that rules of one's own were made from. */
  base: string;
}

const PLACE = "scores";
const VERSION = 1;

interface Book {
  version: number;
  games: Kept[];
}

export type State = "kept" | "newer" | "refused";
/** Whether this browser takes what is written: not where a newer page has kept games, or where it has no room. */
export const state = signal<State>("kept");
/** Newest first. */
export const games = signal<Kept[]>([]);

export function load(): void {
  const text = recall(PLACE);
  const book = text === null ? { version: VERSION, games: [] } : readBook(text);
  if (book === null && text !== null) remember(`${PLACE}.unreadable`, text);
  state.value = book && book.version > VERSION ? "newer" : "kept";
  games.value = book && book.version === VERSION ? book.games : [];
}

/** The book of a text, as it is where its number is a newer one; null where it is none. */
export function readBook(text: string): Book | null {
  try {
    const book = JSON.parse(text) as Partial<Book> | null;
    if (!book || typeof book.version !== "number") return null;
    if (book.version > VERSION) return { version: book.version, games: [] };
    return Array.isArray(book.games) && book.games.every(isGame) ? { version: VERSION, games: book.games.map(upToDate) } : null;
  } catch {
    return null;
  }
}

function isGame(value: unknown): value is Kept {
  const game = value as Partial<Kept> | null;
  const table = game?.table as Partial<PayTable> | undefined;
  return (
    typeof game?.id === "string" &&
    typeof game.dealer === "number" &&
    Array.isArray(game.names) &&
    Array.isArray(game.deals) &&
    Array.isArray(table?.targets) &&
    Array.isArray(table.prices)
  );
}

/** Games that were begun before tables knew of tie-breaks. */
function upToDate(game: Kept): Kept {
  const { table, base } = game;
  const named = table.id === base ? tables.find(({ id }) => id === base) : undefined;
  return { ...game, table: { ...table, tiebreaks: table.tiebreaks ?? named?.tiebreaks ?? [] } };
}

function keep(next: Kept[]): void {
  games.value = next;
  if (state.value === "newer") return;
  state.value = remember(PLACE, JSON.stringify({ version: VERSION, games: next } satisfies Book)) ? "kept" : "refused";
}

export function newId(): string {
  return Math.floor(Date.now() * 1000 + Math.random() * 1000).toString(36);
}

export function begin(game: Game, base: string): string {
  const id = newId();
  keep([{ ...game, id, base, began: Date.now() }, ...games.value]);
  return id;
}

/** Takes a game in from a file: in place of the one here (`over`), or beside it under another name. Tells its name. */
export function takeIn(game: Kept, over: boolean): string {
  const here = games.value.some(({ id }) => id === game.id);
  const id = here && !over ? newId() : game.id;
  before.value = { ...before.value, [id]: [] };
  keep([{ ...game, id }, ...games.value.filter((one) => one.id !== id)]);
  return id;
}

/** By game: what its deals were before each change since the page was opened, newest last. */
export const before = signal<Record<string, Deal[][]>>({});

export function write(id: string, deals: Deal[]): void {
  const game = games.value.find((one) => one.id === id);
  if (!game) return;
  before.value = { ...before.value, [id]: [...(before.value[id] ?? []), game.deals] };
  replace(id, deals);
}

export function undo(id: string): void {
  const past = before.value[id] ?? [];
  const last = past.at(-1);
  if (!last) return;
  before.value = { ...before.value, [id]: past.slice(0, -1) };
  replace(id, last);
}

function replace(id: string, deals: Deal[]): void {
  keep(games.value.map((one) => (one.id === id ? { ...one, deals } : one)));
}

export function drop(id: string): void {
  keep(games.value.filter((one) => one.id !== id));
}
