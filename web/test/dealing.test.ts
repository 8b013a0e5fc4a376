import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Json, Transcript } from "../src/fair.ts";
import type { FairScene, Scene } from "../src/wire.ts";
import { scene } from "./scenes.ts";

// The page's words ask a browser for its language and its document.
Object.assign(globalThis, { document: { documentElement: {}, addEventListener() {} }, addEventListener() {} });
const { chanceCut, due, isLeftOut, judge, recallDeal, takePart, termsOf } = await import("../src/dealing.ts");

const vectors = JSON.parse(readFileSync(`${import.meta.dirname}/../../tests/vectors/fair.json`, "utf8")) as Record<string, Transcript>;
const told = vectors.H1!;
const kept = { share: told.shares[0]!, sealed: told.commitments[0]!, promise: told.commitment, counted: true, hand: told.hands[0]!.split(" ") };

function seen(more: Partial<FairScene>, you: number | null = 0): Scene {
  const now: FairScene = {
    deal: 1, step: "sealing", commitment: told.commitment, seats: told.seats, chairs: told.chairs, dealer: told.dealer, previous: "",
    commitments: ["", "", "", "", ""], shares: [], waits_for: [0, 1], cutter: 0, cut: null, cut_in: 2000, secret: "", ...more,
  };
  const base = scene({ you: 0 });
  return { ...base, table: { ...base.table, you, code: told.table, rules: { ...base.table.rules, fingerprint: told.rules } }, fair: now };
}

test("a page seals, then opens what it sealed, and is silent otherwise", () => {
  assert.deepEqual(due(seen({}), kept), { do: "commit", hash: kept.sealed });
  assert.equal(due(seen({}, null), kept), null);
  assert.equal(due(seen({ waits_for: [1] }), kept), null);
  const commitments = [kept.sealed, "", "", "", ""];
  assert.equal(due(seen({ commitments }), kept), null); // only the cut is missing
  assert.deepEqual(due(seen({ step: "opening", commitments }), kept), { do: "share", share: kept.share });
  assert.equal(due(seen({ step: "opening", commitments: ["ff", "", "", "", ""] }), kept), null); // another tab's
  const now = seen({});
  assert.deepEqual(termsOf(now, now.fair!).seats, told.seats);
});

test("the number of a deal that was given up goes to the next, and nothing of it is used again", () => {
  const said: { do: string; hash?: string }[] = [];
  const memory = new Map<string, string>();
  Object.assign(globalThis, { sessionStorage: { getItem: (key: string) => memory.get(key) ?? null, setItem: (key: string, text: string) => memory.set(key, text) } });
  const look = (more: Partial<FairScene>): void => takePart(seen(more), (wanted) => said.push(wanted as { do: string }), assert.fail);
  const promises = ["11".repeat(32), "22".repeat(32)];
  for (const commitment of promises) {
    look({ commitment });
    look({ commitment }); // said once
    assert.equal(recallDeal(told.table, 1).promise, commitment);
  }
  assert.deepEqual(said.map((one) => one.do), ["commit", "commit"]);
  assert.notEqual(said[0]!.hash, said[1]!.hash, "fresh bytes");
  look({ commitment: "33".repeat(32), step: "dealt", waits_for: [] });
  assert.equal(recallDeal(told.table, 1).promise, promises[1], "a promise that changes later is seen as broken");
});

test("bytes that were counted and are not among those told are missed at once", () => {
  const dealt = (shares: string[]): FairScene => seen({ step: "dealt", shares }).fair!;
  assert.equal(isLeftOut(dealt(told.shares), 0, kept), false);
  assert.equal(isLeftOut(dealt(["", "", "", "", ""]), 0, kept), true);
  assert.equal(isLeftOut(dealt(["00", "", "", "", ""]), 0, kept), true);
  assert.equal(isLeftOut(dealt(["", "", "", "", ""]), 0, { ...kept, counted: false }), false);
  assert.equal(isLeftOut(dealt([]), 0, kept), false); // a card is down: they are told no more
});

const ended = seen({ step: "ended", secret: told.secret, waits_for: [] });
const verdict = (it: Transcript, mine = kept) => judge(ended, ended.fair!, mine, it as unknown as Json);

test("a deal that holds", () => {
  const found = verdict(told);
  assert.ok(found.fine, JSON.stringify(found.answer));
  assert.deepEqual(Object.keys(found.answer), ["shape", "commitment", "shares", "cut", "hands", "hash", "promised", "mine", "hand"]);
});

test("a house that swaps its secret, my bytes or my hand is caught, whatever it signs", () => {
  const other = vectors.H2!;
  assert.equal(verdict(other).fine, false);
  assert.equal(verdict(other).answer.promised, false);
  assert.equal(verdict(told, { ...kept, share: "00".repeat(32) }).answer.mine, false);
  assert.equal(verdict(told, { ...kept, promise: "00".repeat(32) }).answer.promised, false);
  assert.equal(verdict(told, { ...kept, hand: told.hands[1]!.split(" ") }).answer.hand, false);
  assert.equal(verdict({ ...told, table: "EDCBA" }).fine, false);
  assert.deepEqual(verdict({ ...told, extra: 1 } as unknown as Transcript).answer, { shape: false });
});

test("a cut by chance is one of forty", () => {
  const cuts = new Set(Array.from({ length: 2000 }, chanceCut));
  assert.deepEqual([...cuts].sort((a, b) => a - b), Array.from({ length: 40 }, (_, n) => n));
});
