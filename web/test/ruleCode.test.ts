import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, changed, fromCode, toCode, valueAt } from "../src/ruleCode.ts";

const BASE = { auction: { kind: "rank", ladder: null }, hand_claim: null, session: { deals: 10 } };

test("a code carries a base and its changes, and nothing else is a code", () => {
  const proposal = { base: "classic", changes: { "auction.last_bidder": "forced", "scoring.capot": null } };
  assert.deepEqual(fromCode(toCode(proposal)), proposal);
  assert.match(toCode(proposal), /^[\w-]+$/);
  for (const wrong of ["", "!", btoa("[]"), btoa('["x",[]]'), btoa('["../x",{}]'), btoa('["x",{"a.b.c.d":2}]')])
    assert.equal(fromCode(wrong), null);
});

test("a link changes nothing but rules: not what every object of the page inherits", () => {
  for (const key of ["__proto__", "__proto__.polluted", "auction.__proto__", "auction.__proto__.polluted"]) {
    const code = btoa(`["classic",{"${key}":{"polluted":1}}]`);
    assert.equal(fromCode(code), null, key);
  }
  applied(BASE, { "constructor.prototype.polluted": 1, "to_string.polluted": 1 });
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

test("changes are laid over the base, which stays as it is", () => {
  const rules = applied(BASE, { "hand_claim.max_points": 4, hand_claim: { when: "own_turn" }, "session.deals": 5 });
  assert.deepEqual(rules["hand_claim"], { when: "own_turn", max_points: 4 });
  assert.equal(valueAt(rules, "session.deals"), 5);
  assert.equal(valueAt(BASE, "session.deals"), 10);
  assert.equal(valueAt(BASE, "hand_claim.max_points"), undefined);
});

test("what is set back is no change, and a section that goes takes its options along", () => {
  const once = changed(BASE, {}, "session.deals", 5);
  assert.deepEqual(changed(BASE, once, "session.deals", 10), {});
  assert.deepEqual(changed(BASE, { hand_claim: {}, "hand_claim.when": "own_turn" }, "hand_claim", null), {});
});
