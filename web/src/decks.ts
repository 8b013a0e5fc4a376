/** The decks beside the page: which there are, and which one draws this table's cards. */
import { computed } from "@preact/signals";
import manifest from "../decks/decks.json";
import { own, OWN } from "./own.ts";
import { deckWish } from "./settings.ts";
import { scene } from "./store.ts";

/** Where a letter is written: its middle, its size and its turn, in units of the picture. */
export interface Corner {
  x: number;
  y: number;
  size: number;
  turn: number;
}

export interface Deck {
  id: string;
  suits: string;
  width: number;
  height: number;
  ranks: string[];
  corners: Corner[];
  /** For the letter of the suit; French marks need none. */
  letter: Corner | null;
  ink: Record<string, string>;
  /** The letters lie on the picture itself and need a ground of their own. */
  chip?: boolean;
}

const DECKS = manifest.decks as Deck[];

/** Decks that have a face for every rank. */
export function decksFor(ranks: readonly string[]): Deck[] {
  const all = own.value ? [...DECKS, own.value.deck] : DECKS;
  return all.filter((deck) => ranks.every((rank) => deck.ranks.includes(rank)));
}

/** The wished deck where it has all cards of the rule set, else the first that has. */
export const deck = computed<Deck>(() => {
  const fitting = decksFor(scene.value?.table.rules.ranks ?? []);
  return fitting.find((one) => one.id === deckWish.value) ?? fitting[0] ?? DECKS[0]!;
});

/** The address of a picture; "" where one's own pack has no such picture, as packs without a back. */
export function faceUrl(id: string, card: string): string {
  if (id === OWN) return own.value?.urls[card] ?? "";
  return `/decks/${id}/${card}.svg`;
}
