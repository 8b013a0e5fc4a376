/** Scenes for tests and for looking at the page without a server. */
import type { Chair, DealScene, Scene, TableScene } from "../src/wire.ts";

const NAMES = ["Anna", "Bruno", "Carla", "Dario", "Elena", "Fabio", "Giada", "Hugo", "Ines"];

export interface Wish {
  you?: number | null;
  chairs?: number;
  out?: number[];
  table?: Partial<TableScene>;
  deal?: Partial<DealScene> | null;
  each?: Record<number, Partial<Chair>>;
}

export const CHAIR: Chair = {
  name: "", kind: "person", level: "", here: true, stand_in: false, host: false, ready: false, wants_end: false,
  playing: true, dealer: false, turn: false, passed: false, said: "", cards: 8, points: 0, tricks: 0, role: "",
  score: 0, clock: null,
};

export const DEAL: DealScene = {
  number: 4, phase: "auction", dealer: 4, multiplier: 1, turn: 0, auction: [], standing: null, caller: null, target: 0, unit: 0,
  called: "", trump: "", partner: null, trick: null, last: null, tricks_done: 0,
  hand: ["AS", "KS", "6S", "3H", "7H", "QD", "4D", "2C"], covered: "", mine: false,
  options: { bids: [], may_pass: false, may_claim: false, calls: [], plays: [], trumps: [] }, result: null,
};

const RANKS = ["A", "3", "K", "Q", "J", "7", "6", "5", "4", "2"];

/** A Scene with everything in it, changed as wished. */
export function scene(wish: Wish = {}): Scene {
  const { you = 0, chairs = 5, out = [], table = {}, deal = {}, each = {} } = wish;
  return {
    is: "scene",
    v: 7,
    table: {
      code: "KARTE", state: "playing", you, may: [], clock: null, game: 1, next_in: null, winners: [], said: [],
      written: [], manners: { watch: "closed", chat: false }, watchers: 0, voided: [],
      rules: {
        id: "classic", fingerprint: "", direction: "ccw", ranks: RANKS, card_points: [11, 10, 4, 3, 2, 0, 0, 0, 0, 0], trick_order: RANKS, auction_kind: "rank",
        auction_order: RANKS, session: "deals 10",
      },
      ...table,
    },
    chairs: Array.from({ length: chairs }, (_, index) => ({
      ...CHAIR, name: NAMES[index]!, kind: index === you || index === 2 ? "person" : "bot",
      playing: !out.includes(index), ...each[index],
    })),
    deal: deal && { ...DEAL, ...deal },
    sheet: [],
    fair: null,
  };
}
