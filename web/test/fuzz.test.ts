/** Nonsense for everything that the page reads from links and files: read or refused, and nothing else of the page changed. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { check, isChain, isTranscript, transcriptsIn, type Json, type Transcript } from "../src/fair.ts";
import { readPack } from "../src/pack/read.ts";
import { applied, fromCode, toCode } from "../src/ruleCode.ts";
import { readBook } from "../src/score/book.ts";

/** Seconds for each reader (`make fuzz`); without them a few hundred tries, the same each time. */
const SECONDS = Number(process.env["FUZZ_SECONDS"] ?? 0);
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
const TRIES = 300;
const ODD = [null, true, 0, -1, 1.5, 2 ** 53, 1e308, "", "AS", "__proto__", "constructor", "\ud800", "x".repeat(300), [], {}, [[]]];

/** A small generator of our own: the tries of a seed must repeat. */
function dice(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

type Draw = (most: number) => number;
const pick = <T>(from: readonly T[], draw: Draw): T => from[draw(from.length)]!;

/** One value inside made another, gone, or said under another's name. */
function otherValue(text: string, draw: Draw): string {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key]);
      walk((value as Record<string, unknown>)[key]);
    }
  };
  const whole = JSON.parse(text) as unknown;
  walk(whole);
  if (!places.length) return text;
  const [inside, key] = pick(places, draw);
  const kind = draw(8);
  if (kind === 0) delete inside[key];
  else if (kind === 1) Object.defineProperty(inside, pick(["__proto__", "constructor.prototype.a", "a.__proto__.b", "x"], draw), { value: inside[key], enumerable: true, configurable: true, writable: true });
  else inside[key] = pick(ODD, draw);
  return JSON.stringify(whole);
}

function otherBytes(bytes: Uint8Array, draw: Draw): Uint8Array {
  const at = draw(bytes.length + 1);
  const put = Uint8Array.from({ length: draw(4) }, () => pick([0, 1, 0x7f, 0x80, 0xff, 0x50, 0x4b, draw(256)], draw));
  return Uint8Array.from([...bytes.subarray(0, at), ...put, ...bytes.subarray(at + draw(5))]);
}

async function search(name: string, tried: (draw: Draw) => unknown): Promise<void> {
  const [draw, until] = [dice(SEED), Date.now() + SECONDS * 1000];
  let count = 0;
  for (; SECONDS ? Date.now() < until : count < TRIES; count++) {
    await tried(draw);
    for (const key in {}) assert.fail(`every object has ${key} now`);
    for (const key of ["polluted", "a", "b", "x"]) assert.ok(!(key in {}), key);
  }
  if (SECONDS) console.log(`${name}: ${count} tried (seed ${SEED})`);
}

const PROPOSAL = { base: "classic", changes: { "auction.last_bidder": "forced", hand_claim: null, "session.deals": 5 } };
const RULES = { auction: { kind: "rank", ladder: null }, hand_claim: null, session: { deals: 10 } };

test("any code of rules", () =>
  search("rule code", (draw) => {
    let text = JSON.stringify([PROPOSAL.base, PROPOSAL.changes]);
    for (let times = 1 + draw(3); times; times--) text = otherValue(text, draw);
    const code = draw(4) ? Buffer.from(text).toString("base64url") : String.fromCharCode(...otherBytes(Buffer.from(toCode(PROPOSAL)), draw));
    const read = fromCode(code);
    if (!read) return;
    assert.deepEqual(fromCode(toCode(read)), read);
    applied(RULES, read.changes);
  }));

test("any transcript", () => {
  const vectors = Object.values(JSON.parse(readFileSync(`${import.meta.dirname}/../../tests/vectors/fair.json`, "utf8")) as Record<string, Json>);
  return search("transcript", (draw) => {
    let text = JSON.stringify(draw(3) ? pick(vectors, draw) : { deals: vectors.slice(-2) });
    for (let times = 1 + draw(2); times; times--) text = otherValue(text, draw);
    const deals = transcriptsIn(JSON.parse(text) as Json);
    for (const deal of deals) check(deal);
    if (deals.every(isTranscript)) isChain(deals as unknown as Transcript[]);
  });
});

test("any book of scores", () => {
  const table = { targets: [61], prices: [[1]], rows: [] };
  const book = { version: 1, games: [{ id: "a", base: "classic", began: 1, dealer: 0, names: ["A"], deals: [], table }] };
  return search("book", (draw) => readBook(draw(4) ? otherValue(JSON.stringify(book), draw) : String.fromCharCode(...otherBytes(Buffer.from(JSON.stringify(book)), draw))));
});

/** A zip of one small picture. */
function zipOf(name: string): Uint8Array {
  const [path, packed] = [Buffer.from(name), deflateRawSync(Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1"))];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(path.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt16LE(path.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + path.length + packed.length, 16);
  return Buffer.concat([local, path, packed, entry, path, end]);
}

test("any zip of a pack", () =>
  search("pack", async (draw) => {
    let bytes = zipOf(pick(["AD.png", "back.png", "../3H.png", "\u0000.png"], draw));
    for (let times = draw(4); times; times--) bytes = otherBytes(bytes, draw);
    const { faults } = await readPack([new File([bytes as BlobPart], "carte.zip")]);
    assert.ok(faults.length, "a pack of one picture is not whole");
  }));
