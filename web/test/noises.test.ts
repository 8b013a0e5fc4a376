import assert from "node:assert/strict";
import { test } from "node:test";
import { noiseOf } from "../src/changes.ts";

test("noises tell nothing that is not said to everybody", () => {
  assert.equal(noiseOf({ what: "played", chair: 1, card: "3H" }), noiseOf({ what: "played", chair: 0, card: "2D" }));
  assert.equal(noiseOf({ what: "called", chair: 1, card: "3H", target: 61 }), "word");
  assert.equal(noiseOf({ what: "turn" }), "turn");
  assert.equal(noiseOf({ what: "away", chair: 2 }), null);
});
