import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, hmac, isChain, sha256, type Json, type Transcript } from "../src/fair.ts";

const vectors = JSON.parse(readFileSync(`${import.meta.dirname}/../../tests/vectors/fair.json`, "utf8")) as Record<string, Transcript>;

test("the hash is SHA-256, at every length around a block", () => {
  for (const length of [0, 1, 31, 32, 55, 56, 63, 64, 65, 119, 120, 200, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (7 * i + length) % 256);
    assert.equal(Buffer.from(sha256(bytes)).toString("hex"), createHash("sha256").update(bytes).digest("hex"), `${length} bytes`);
    const key = Uint8Array.from({ length: 32 }, (_, i) => 255 - i);
    assert.equal(Buffer.from(hmac(key, bytes)).toString("hex"), createHmac("sha256", key).update(bytes).digest("hex"));
  }
});

test("V1 to V4 and the house's own examples hold", () => {
  for (const [name, told] of Object.entries(vectors)) {
    const answer = check(told as unknown as Json);
    assert.ok(Object.values(answer).every(Boolean), `${name}: ${JSON.stringify(answer)}`);
  }
  assert.ok(isChain([vectors.H1!, vectors.H2!]));
  assert.ok(!isChain([vectors.H2!, vectors.H1!]));
});

test("what was swapped is seen", () => {
  const told = vectors.H1!;
  const seen = (change: Partial<Transcript>): Json => check({ ...told, ...change } as unknown as Json);
  assert.equal((seen({ secret: "00".repeat(32) }) as Record<string, boolean>).commitment, false);
  assert.equal((seen({ shares: [...told.shares.slice(1), ""] }) as Record<string, boolean>).shares, false);
  assert.equal((seen({ cut: told.cut + 1 }) as Record<string, boolean>).hands, false);
  assert.deepEqual(seen({ hash: "x" }), { shape: false });
});
