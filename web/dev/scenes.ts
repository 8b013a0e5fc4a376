/** Scenes worth looking at, each a list of what comes after one another. */
import type { BidOption, Chair, Options, Row, Scene } from "../src/wire.ts";
import { DEAL, scene } from "../test/scenes.ts";

const NO: Options = DEAL.options;
const may = (some: Partial<Options>): Options => ({ ...NO, ...some });
const unit = (target: number) => [101, 91, 81, 71].reduce((found, from, index) => (found || target < from ? found : 5 - index), 0) || 1;
const points = (from: number, prefix: string): BidOption[] =>
  Array.from({ length: 121 - from }, (_, step) => ({ say: `${prefix}${from + step}`, target: from + step, unit: unit(from + step) }));

const ROWS: Row[] = [
  { deal: 1, number: 1, kind: "scored", caller: 2, partner: 4, called: "KS", target: 61, points: 74, made: true, payoff: [-1, -1, 2, -1, 1] },
  { deal: 2, number: 2, kind: "all_pass", caller: null, partner: null, called: "", target: 0, points: 0, made: false, payoff: [0, 0, 0, 0, 0] },
  { deal: 3, number: 3, kind: "scored", caller: 0, partner: 0, called: "AD", target: 75, points: 80, made: true, payoff: [8, -2, -2, -2, -2] },
  { deal: 4, number: 4, kind: "scored", caller: 1, partner: 3, called: "2C", target: 65, points: 50, made: false, payoff: [1, -2, 1, -1, 1] },
];
const SCORES = [8, -5, 1, -4, 0];
const each = (some: Record<number, Partial<Chair>>): Record<number, Partial<Chair>> =>
  Object.fromEntries(SCORES.map((score, index) => [index, { score, dealer: index === 4, ...some[index] }]));

const AUCTION = [
  { chair: 0, say: "A" }, { chair: 1, say: "pass" }, { chair: 2, say: "3" }, { chair: 3, say: "K" }, { chair: 4, say: "pass" },
];
const SAID = each({ 0: { said: "A", turn: true }, 1: { said: "pass", passed: true }, 2: { said: "3" }, 3: { said: "K" }, 4: { said: "pass", passed: true } });
const CONTRACT = { caller: 3, target: 71, unit: 2, called: "3H", trump: "H", phase: "play" as const, auction: AUCTION };
const IN_PLAY = each({
  0: { cards: 5, points: 11, turn: true }, 1: { cards: 4, points: 0 }, 2: { cards: 4, points: 25 },
  3: { cards: 4, points: 14, role: "caller" }, 4: { cards: 5, points: 4 },
});
const LAST = { leader: 1, winner: 3, points: 14, cards: [["1", "2D"], ["2", "JD"], ["3", "AD"], ["4", "5C"], ["0", "6D"]].map(([chair, card]) => ({ chair: Number(chair), card: card! })) };
const HAND = ["AS", "KS", "6S", "7H", "4D"];
const TRICK = { leader: 1, winner: null, points: 0, cards: [{ chair: 1, card: "KC" }, { chair: 2, card: "QC" }, { chair: 3, card: "7C" }] };

function made(wish: Parameters<typeof scene>[0]): Scene {
  return { ...scene(wish), sheet: ROWS };
}

const call = (cards: [string, boolean][]) => may({ calls: cards.map(([card, own]) => ({ card, own })) });
const play = { ...CONTRACT, turn: 4, tricks_done: 3, last: LAST, hand: HAND, trick: TRICK };
const revealed = { 3: { role: "caller" as const }, 4: { role: "partner" as const } };
const sides = (more: Record<number, Partial<Chair>>) =>
  Object.fromEntries([0, 1, 2, 3, 4].map((index) => [index, { ...IN_PLAY[index], role: "defender" as const, ...more[index] }]));

export const SCENES: Record<string, Scene[]> = {
  auction: [made({ each: SAID, deal: { auction: AUCTION, standing: { chair: 3, say: "K" }, options: may({ may_pass: true, bids: ["Q", "J", "7", "6", "5", "4", "2"].map((say) => ({ say, target: 61, unit: 1 })) }) } })],
  stepper: [made({ each: SAID, deal: { auction: AUCTION, standing: { chair: 3, say: "2@64" }, options: may({ may_pass: true, may_claim: true, bids: points(65, "2@") }) } })],
  waiting: [made({ each: { ...SAID, 0: { ...SAID[0], turn: false, passed: true, said: "pass" }, 2: { ...SAID[2], turn: true } }, deal: { turn: 2, auction: AUCTION, standing: { chair: 3, say: "K" } } })],
  call: [made({ each: SAID, deal: { phase: "call", caller: 0, target: 61, unit: 1, auction: AUCTION, standing: { chair: 0, say: "3" }, options: call([["3C", false], ["3H", true], ["3D", false], ["3S", false]]) } })],
  callany: [made({ each: SAID, deal: { phase: "call", caller: 0, target: 75, unit: 2, auction: AUCTION, standing: { chair: 0, say: "75" }, options: call(["C", "H", "D", "S"].flatMap((suit) => ["A", "3", "K", "Q", "J", "7", "6", "5", "4", "2"].map((rank): [string, boolean] => [rank + suit, DEAL.hand.includes(rank + suit)]))) } })],
  lead: [made({ each: each({ 0: { turn: true }, 3: { role: "caller" } }), deal: { ...CONTRACT, turn: 0, options: may({ plays: DEAL.hand }) } })],
  play: [made({ each: IN_PLAY, deal: { ...play, turn: 0, mine: false, trick: { ...TRICK, cards: [...TRICK.cards, { chair: 4, card: "2H" }] }, options: may({ plays: HAND }) } })],
  mine: [made({ each: IN_PLAY, deal: { ...play, turn: 0, mine: true, hand: ["AS", "KS", "6S", "3H", "4D"], options: may({ plays: ["AS", "KS", "6S", "3H", "4D"] }) } })],
  full: [made({ each: IN_PLAY, deal: { ...play, turn: 4, tricks_done: 4, hand: HAND.slice(1), trick: { ...TRICK, winner: 4, points: 18, cards: [...TRICK.cards, { chair: 4, card: "2H" }, { chair: 0, card: "AS" }] } } })],
  reveal: [
    made({ each: IN_PLAY, deal: play }),
    made({ each: sides(revealed), deal: { ...play, turn: 0, partner: 4, trick: { ...TRICK, cards: [...TRICK.cards, { chair: 4, card: "3H" }] }, options: may({ plays: HAND }) } }),
  ],
  alone: [
    made({ each: IN_PLAY, deal: play }),
    made({ each: sides({ 3: { role: "caller" } }), deal: { ...play, turn: 4, partner: 3, trick: { ...TRICK, cards: [...TRICK.cards.slice(0, 2), { chair: 3, card: "3H" }] } } }),
  ],
  blind: [made({ each: each({ 3: { role: "caller" }, 0: { turn: true } }), deal: { ...CONTRACT, called: "", trump: "", turn: 0, covered: "", trick: { ...TRICK, cards: [{ chair: 1, card: "KC" }, { chair: 2, card: "3?" }] }, options: may({ plays: DEAL.hand }) } })],
  trump: [made({ each: sides({ 0: { role: "partner", turn: true }, 3: { role: "caller" } }), deal: { ...play, phase: "trump", turn: 0, partner: 0, options: may({ trumps: ["C", "H", "D", "S"] }) } })],
  result: [made({ table: { state: "between", may: ["next"], next_in: 12000 }, each: sides({ ...revealed, 0: { ready: false } }), deal: { ...play, phase: "done", turn: null, partner: 4, hand: [], tricks_done: 8, trick: { ...LAST }, result: { kind: "scored", made: true, points: 74, tricks: 5, unit: 2, factor: 1, multiplier: 1, payoff: [-2, -2, -2, 4, 2], shown: [] } } })],
  over: [made({ table: { state: "over", may: ["next"], winners: [0] }, each: sides(revealed), deal: { ...play, phase: "done", turn: null, partner: 4, hand: [], tricks_done: 8, trick: { ...LAST }, result: { kind: "scored", made: false, points: 48, tricks: 3, unit: 2, factor: 1, multiplier: 2, payoff: [4, 4, 4, -8, -4], shown: [] } } })],
  lobby: [made({ table: { state: "lobby", may: ["sit", "bot", "start", "stand"] }, deal: null, each: { 1: { kind: "empty", name: "" }, 3: { kind: "empty", name: "" } } })],
};
