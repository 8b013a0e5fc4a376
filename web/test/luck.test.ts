import assert from "node:assert/strict";
import { test } from "node:test";
import { ACE_HANDS, HANDS, luckOf, pointsOfAHand, SUIT_HANDS } from "../src/luck.ts";

const RANKS = ["A", "3", "K", "Q", "J", "7", "6", "5", "4", "2"];
const VALUES = [11, 10, 4, 3, 2, 0, 0, 0, 0, 0];

function choose(n: number, k: number): number {
  return k ? (choose(n - 1, k - 1) * n) / k : 1;
}

test("the hands with so many cards of a suit, or aces, are counted by binomials", () => {
  assert.equal(HANDS, choose(40, 8));
  assert.deepEqual(SUIT_HANDS, SUIT_HANDS.map((_, k) => choose(10, k) * choose(30, 8 - k)));
  assert.deepEqual(ACE_HANDS, ACE_HANDS.map((_, k) => choose(4, k) * choose(36, 8 - k)));
  for (const counts of [SUIT_HANDS, ACE_HANDS]) assert.equal(counts.reduce((sum, count) => sum + count), HANDS);
});

test("points of a hand: mean 24, variance 105.0256, the ends", () => {
  const chances = pointsOfAHand(VALUES);
  const mean = chances.reduce((sum, chance, points) => sum + chance * points, 0);
  const variance = chances.reduce((sum, chance, points) => sum + chance * (points - mean) ** 2, 0);
  assert.ok(Math.abs(mean - 24) < 1e-9);
  assert.ok(Math.abs(variance - 105.025641) < 1e-5);
  assert.equal(chances.length - 1, 84);
  assert.ok(Math.abs(chances[0]! - 125_970 / HANDS) < 1e-12);
  assert.ok(Math.abs(chances.slice(0, 11).reduce((sum, chance) => sum + chance) - 0.0940842943) < 1e-9);
  assert.ok(Math.abs(chances.slice(48).reduce((sum, chance) => sum + chance) - 0.0157994406) < 1e-9);
});

test("what was had, beside chance", () => {
  assert.equal(luckOf([], RANKS, VALUES), null);
  const found = luckOf(["AC 3C KC QC AH 2S 4S 5S", "7C 6C 5C 4C 7H 6H 5D 4D"], RANKS, VALUES)!;
  assert.equal(found.deals, 2);
  assert.deepEqual(found.suits.map(([had]) => had), [2, 1, 2, 1, 2, 0, 0, 0, 0]);
  assert.deepEqual(found.aces.map(([had]) => had), [1, 0, 1, 0, 0]);
  assert.equal(found.mean, (11 + 10 + 4 + 3 + 11) / 2);
  assert.ok(found.lower > 0 && found.lower < 0.5);
  assert.ok(Math.abs(luckOf(["AC AH AD AS 3C 3H 3D 3S"], RANKS, VALUES)!.lower - 1) < 1e-9);
});
