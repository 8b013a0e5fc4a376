import assert from "node:assert/strict";
import { test } from "node:test";
import { amounts, chips, stops } from "../src/bidding.ts";
import { DEAL, scene } from "./scenes.ts";

const rules = scene().table.rules;
const UNITS = [[61, 1], [71, 2], [81, 3], [91, 4], [101, 5]] as const;
const unit = (target: number) => UNITS.findLast(([from]) => from <= target)![1];
const points = (from: number, prefix: string) =>
  Array.from({ length: 121 - from }, (_, index) => ({ say: `${prefix}${from + index}`, target: from + index, unit: unit(from + index) }));

test("a rank that was passed over is gone but keeps its place", () => {
  const deal = { ...DEAL, standing: { chair: 2, say: "K" } };
  const bids = [{ say: "Q", target: 61, unit: 1 }, { say: "2", target: 61, unit: 1 }];
  const row = chips(rules, deal, bids);
  assert.deepEqual(row.map((chip) => chip.rank), rules.auction_order);
  assert.deepEqual(row.map((chip) => chip.gone), [true, true, true, ...Array(7).fill(false)]);
  assert.deepEqual(row.filter((chip) => chip.say).map((chip) => chip.say), ["Q", "2"]);
});

test("after the two with points every chip is gone", () => {
  assert.ok(chips(rules, { ...DEAL, standing: { chair: 1, say: "2@65" } }, []).every((chip) => chip.gone));
});

test("amounts are the bids that name points, lowest first", () => {
  const bids = [{ say: "2@70", target: 70, unit: 1 }, { say: "7", target: 61, unit: 1 }, { say: "2@65", target: 65, unit: 1 }];
  assert.deepEqual(amounts(rules, bids).map((bid) => bid.say), ["2@65", "2@70"]);
  const inPoints = { ...rules, auction_kind: "points" as const };
  assert.equal(amounts(inPoints, points(61, "")).length, 60);
  assert.deepEqual(chips(inPoints, DEAL, points(61, "")), []);
});

test("jump stops hold the least, each rise of the stake and the top, and are few", () => {
  const few = stops(points(62, "2@"));
  assert.ok(few.length <= 8);
  for (const target of [62, 71, 81, 91, 101, 120]) assert.ok(few.some((bid) => bid.target === target), String(target));
  const flat = stops(points(61, "").map((bid) => ({ ...bid, unit: 1 })));
  assert.ok(flat.length <= 8 && flat[0]!.target === 61);
});
