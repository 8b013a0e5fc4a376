import assert from "node:assert/strict";
import { test } from "node:test";
import { changes, revealOf, STILL, still } from "../src/changes.ts";
import { nameBots } from "../src/seats.ts";
import { scene } from "./scenes.ts";

const trick = (cards: [number, string][], winner: number | null = null) => ({
  leader: cards[0]![0], cards: cards.map(([chair, card]) => ({ chair, card })), winner, points: winner === null ? 0 : 21,
});
const contract = { phase: "play" as const, caller: 1, called: "3H", trump: "H", target: 61 };

test("each new word of the auction is told once", () => {
  const before = scene({ deal: { turn: 1, auction: [{ chair: 0, say: "A" }] } });
  const after = scene({ deal: { turn: 3, auction: [{ chair: 0, say: "A" }, { chair: 1, say: "3" }, { chair: 2, say: "pass" }] } });
  assert.deepEqual(changes(before, after), [
    { what: "said", chair: 1, say: "3" },
    { what: "said", chair: 2, say: "pass" },
  ]);
  assert.deepEqual(changes(after, after), []);
});

test("cards are told when they fall, also those of a trick that has just been cleared", () => {
  const before = scene({ deal: { ...contract, turn: 4, trick: trick([[2, "AD"], [3, "2S"]]) } });
  const after = scene({
    deal: { ...contract, turn: 4, tricks_done: 1, trick: trick([[3, "4C"]]), last: trick([[2, "AD"], [3, "2S"], [4, "5D"], [0, "6D"], [1, "7D"]], 2) },
  });
  assert.deepEqual(
    changes(before, after).map((change) => ("card" in change ? change.card : change.what)),
    ["5D", "6D", "7D", "4C", "taken"],
  );
});

test("a covered card that is uncovered is not a new card", () => {
  const before = scene({ deal: { ...contract, turn: 1, trick: trick([[2, "3?"]]) } });
  const after = scene({ deal: { ...contract, turn: 1, trick: trick([[2, "3H"]]) } });
  assert.deepEqual(changes(before, after), []);
});

test("the reveal is found at the Scene in which the called card falls, and not again", () => {
  const before = scene({ deal: { ...contract, turn: 3 } });
  const each = { 1: { role: "caller" as const, points: 30 }, 3: { role: "partner" as const, points: 4 }, 0: { points: 21 } };
  const after = scene({ deal: { ...contract, turn: 4, partner: 3, trick: trick([[3, "3H"]]) }, each });
  assert.deepEqual(revealOf(before, after), { caller: 1, partner: 3, card: "3H", ours: 34, theirs: 21, target: 61 });
  assert.equal(revealOf(after, after), null);
  assert.equal(revealOf(before, before), null);
});

test("no clock runs while the called card falls, unless somebody plays on", () => {
  const before = scene({ deal: { ...contract, turn: 3 } });
  const after = scene({ deal: { ...contract, turn: 4, partner: 3, trick: trick([[3, "3H"]]) } });
  const later = scene({ deal: { ...contract, turn: 0, partner: 3, trick: trick([[3, "3H"], [4, "4C"]]) } });
  assert.equal(still(null, after, 1_000, 0), 1_000);
  assert.equal(still(before, after, 1_000, 0), 1_000 + STILL);
  assert.equal(still(after, after, 1_500, 1_000 + STILL), 1_000 + STILL);
  assert.equal(still(after, later, 1_500, 1_000 + STILL), 1_500);
  const ended = scene({ table: { state: "between" }, deal: { ...contract, phase: "done", turn: null, partner: 3 } });
  assert.equal(still(before, ended, 1_000, 0), 1_000);
});

test("my turn, a new deal and the end are told", () => {
  const before = scene({ deal: { ...contract, turn: 3, number: 4 } });
  assert.deepEqual(changes(before, scene({ deal: { ...contract, turn: 0, number: 4 } })), [{ what: "turn" }]);
  const dealt = changes(before, scene({ deal: { turn: 0, number: 5 } }));
  assert.deepEqual(dealt.map((change) => change.what), ["dealt", "turn"]);
  const over = scene({ table: { state: "over", winners: [2] }, deal: { ...contract, phase: "done", turn: null, number: 4 } });
  assert.deepEqual(changes(before, over).map((change) => change.what), ["ended", "over"]);
});

test("bots get names by chair, and none that a person has", () => {
  const bots = scene({ each: { 0: { name: "Carla" }, 1: { name: "" }, 2: { name: "Ada" }, 3: { name: "" }, 4: { name: "" } } });
  const names = nameBots(bots, ["Ada", "Bruno", "Cesira", "Dante", "Elvira", "Fosco"]).chairs.map((chair) => chair.name);
  assert.deepEqual(names, ["Carla", "Cesira", "Ada", "Elvira", "Fosco"]);
  assert.equal(new Set(names).size, 5);
});
