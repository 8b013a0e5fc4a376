import assert from "node:assert/strict";
import { test } from "node:test";
import { backoff, nodeOf, Outbox, pathOf } from "../src/net.ts";

test("the wait before the next try doubles to ten seconds, half of it by chance", () => {
  assert.deepEqual([0, 1, 2].map((attempt) => backoff(attempt, 1)), [400, 800, 1600]);
  assert.equal(backoff(0, 0), 200);
  assert.equal(backoff(40, 1), 10_000);
});

test("what was not answered is kept in order and under its id", () => {
  const outbox = new Outbox();
  outbox.add({ do: "pass", id: "a", v: 1 });
  outbox.add({ do: "next", id: "b", v: 2 });
  outbox.add({ do: "start", id: "c", v: 3 });
  assert.equal(outbox.settle("b"), true);
  assert.equal(outbox.settle("b"), false);
  assert.deepEqual(outbox.pending().map((command) => command.id), ["a", "c"]);
});

test("a page goes to the node that is named, on this site and nowhere else", () => {
  assert.equal(nodeOf(4012, "node-2"), "node-2");
  assert.equal(nodeOf(4012, ""), "");
  assert.equal(nodeOf(1006, "node-2"), "");
  for (const reason of ["//evil.example", "a/../b", "A", "a.b", "x".repeat(33)]) assert.equal(nodeOf(4012, reason), "");
  assert.equal(pathOf("ABCDE", "node-2"), "/at/node-2/ws/ABCDE?deal=1");
  assert.equal(pathOf("ABCDE", ""), "/ws/ABCDE?deal=1");
});
