/** Luck: the cards that somebody was dealt beside what chance gives. Pure. */

/** Of the 76,904,685 hands of 8 cards from 40, how many hold so many cards of a given suit (0 to 8). */
export const SUIT_HANDS = [5_852_925, 20_358_000, 26_719_875, 17_100_720, 5_755_050, 1_023_120, 91_350, 3_600, 45];
/** The same for aces (0 to 4). */
export const ACE_HANDS = [30_260_340, 33_390_720, 11_686_752, 1_507_968, 58_905];
export const HANDS = 76_904_685;
/** So many deals are looked at, the latest ones: the exact sum takes time with their square. */
export const MOST = 100;
/** Fewer deals than this say nothing. */
export const ENOUGH = 30;

export interface Luck {
  deals: number;
  /** How often the hand held 0, 1, … cards of a suit (four suits a hand), and what chance gives. */
  suits: [had: number, chance: number][];
  aces: [had: number, chance: number][];
  mean: number;
  expected: number;
  /** One standard deviation of the mean of so many deals. */
  error: number;
  /** How likely a sum of points is that is as low or lower. */
  lower: number;
}

/** P(points) of a hand of 8 from a pack with four cards of each of these values. */
export function pointsOfAHand(values: number[]): number[] {
  const pack = values.flatMap((value) => [value, value, value, value]);
  const most = [...pack].sort((a, b) => b - a).slice(0, 8).reduce((sum, value) => sum + value, 0);
  const ways = Array.from({ length: 9 }, () => new Array<number>(most + 1).fill(0));
  ways[0]![0] = 1;
  for (const value of pack)
    for (let cards = 8; cards > 0; cards--)
      for (let sum = most; sum >= value; sum--) ways[cards]![sum]! += ways[cards - 1]![sum - value]!;
  return ways[8]!.map((count) => count / HANDS);
}

function sumOf(once: number[], times: number): number[] {
  let all = [1];
  for (let n = 0; n < times; n++) {
    const next = new Array<number>(all.length + once.length - 1).fill(0);
    all.forEach((chance, sum) => chance && once.forEach((one, more) => (next[sum + more]! += chance * one)));
    all = next;
  }
  return all;
}

/** Of hands such as `AC 3C 5H …`; `ranks` and their card points as the rule set has them. Null without a hand. */
export function luckOf(hands: string[], ranks: string[], values: number[]): Luck | null {
  const looked = hands.slice(-MOST).map((hand) => hand.split(" "));
  if (!looked.length) return null;
  const suits = SUIT_HANDS.map((count): [number, number] => [0, (4 * looked.length * count) / HANDS]);
  const aces = ACE_HANDS.map((count): [number, number] => [0, (looked.length * count) / HANDS]);
  let sum = 0;
  for (const hand of looked) {
    for (const suit of "CHDS") suits[hand.filter((card) => card.endsWith(suit)).length]![0]++;
    aces[hand.filter((card) => card.slice(0, -1) === "A").length]![0]++;
    for (const card of hand) sum += values[ranks.indexOf(card.slice(0, -1))] ?? 0;
  }
  const once = pointsOfAHand(values);
  const expected = once.reduce((mean, chance, points) => mean + chance * points, 0);
  const variance = once.reduce((total, chance, points) => total + chance * (points - expected) ** 2, 0);
  return {
    deals: looked.length,
    suits,
    aces,
    mean: sum / looked.length,
    expected,
    error: Math.sqrt(variance / looked.length),
    lower: sumOf(once, looked.length).slice(0, sum + 1).reduce((total, chance) => total + chance, 0),
  };
}
