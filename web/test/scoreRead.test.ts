import assert from "node:assert/strict";
import { test } from "node:test";
import { words as en } from "../src/generated/score-en.ts";
import { words as it } from "../src/generated/score-it.ts";
import type { Kept } from "../src/score/book.ts";
import { asJson } from "../src/score/export.ts";
import { follow, type Deal, type Played } from "../src/score/game.ts";
import { readGame } from "../src/score/read.ts";
import { tables } from "../src/score/tables.ts";
import { addWords } from "../src/words.ts";

addWords({ en, it });

const NAMES = ["Anna", "Bruno", "Carla", "Davide", "Elena", "Fabio"];
const tableOf = (id: string) => tables.find((table) => table.id === id)!;
const played = (caller: number, partner: number, points: number, target = 61): Played => ({
  kind: "played", caller, partner, target, points, exact: false, tricks: "",
});
const DEALS: Deal[] = [
  played(0, 3, 70), { kind: "all_pass" }, { ...played(3, 3, 10), dealer: 5 }, { ...played(4, 0, 120), tricks: "whole" },
];
const game = (base = "classic", deals = DEALS): Kept => ({
  id: "k1", began: 1_700_000_000_000, base, table: tableOf(base), names: NAMES, dealer: 2, deals,
});
const told = (one: Kept) => asJson(one, follow(one));
type Whole = Record<string, any>;
/** The faults of an exported game after somebody was at it. */
function faults(spoil: (whole: Whole) => void, one = game()): string[] {
  const whole = JSON.parse(told(one)) as Whole;
  spoil(whole);
  const found = readGame(JSON.stringify(whole));
  assert.ok(Array.isArray(found));
  return found.map(({ field, value }) => `${field}: ${value}`);
}

test("what was taken away comes back as it was, whatever the rules", () => {
  assert.deepEqual(readGame(told(game())), game());
  for (const { id, targets } of tables) {
    const deals = [played(0, 1, 120, targets.at(-1)), played(1, 2, 0, targets[0]), played(2, 3, 60, targets[0])];
    const one = { ...game(id, deals), names: NAMES.slice(0, 5) };
    assert.deepEqual(readGame(told(one)), one, id);
  }
  const own = { ...game("brisk"), table: { ...tableOf("brisk"), id: "custom", end: 7 } };
  assert.deepEqual(readGame(told(own)), own);
  const { id: _, began: __, ...without } = JSON.parse(told(game())) as Whole;
  const older = readGame(JSON.stringify(without)) as Kept;
  assert.deepEqual({ ...older, id: "k1", began: game().began }, game());
  assert.match(older.id, /^[a-z0-9]{1,16}$/);
});

test("what is wrong is told by field and value", () => {
  const cases: [(whole: Whole) => void, string[]][] = [
    [(whole) => (whole["chiamata"] = "bot"), ["chiamata: bot"]],
    [(whole) => (whole["version"] = 2), ["version: 2"]],
    [(whole) => (whole["rules"] = "canasta"), ["rules: canasta"]],
    [(whole) => (whole["names"] = ["Anna"]), ['names: ["Anna"]', "dealer: 2"]],
    [(whole) => (whole["names"][1] = "  "), ['names[1]: "  "']],
    [(whole) => (whole["dealer"] = 6), ["dealer: 6"]],
    [(whole) => (whole["id"] = "../x"), ["id: ../x"]],
    [(whole) => (whole["began"] = "today"), ["began: today"]],
    [(whole) => (whole["deals"] = 3), ["deals: 3"]],
    [(whole) => (whole["deals"] = Array(501).fill({ kind: "all_pass" })), [`deals: ${JSON.stringify(Array(501).fill({ kind: "all_pass" })).slice(0, 40)}…`]],
    [(whole) => (whole["deals"][1] = null), ["deals[1]: null"]],
    [(whole) => (whole["deals"][1].kind = "won"), ["deals[1].kind: won"]],
    [(whole) => (whole["deals"][0].dealer = 9), ["deals[0].dealer: 9"]],
    [(whole) => (whole["deals"][0].caller = 1.5), ["deals[0].caller: 1.5"]],
    [(whole) => delete whole["deals"][0].partner, ["deals[0].partner: missing"]],
    [(whole) => Object.assign(whole["deals"][0], { target: 60, points: 121, exact: 1, tricks: "none" }), ["deals[0].target: 60", "deals[0].points: 121", "deals[0].exact: 1", "deals[0].tricks: none"]],
    [(whole) => (whole["scores"][0] += 1), [`scores: ${JSON.stringify(follow(game()).scores.with(0, follow(game()).scores[0]! + 1))}`]],
  ];
  for (const [spoil, wanted] of cases) assert.deepEqual(faults(spoil), wanted);
  const fixes = readGame("{}") as { fix: string }[];
  assert.deepEqual(fixes.map(({ fix }) => fix), [en["score.fix_file"]]);
  for (const text of ["", "[]", "null", "12", '"score"']) assert.equal((readGame(text) as unknown[]).length, 1, text);
});

test("who sits a deal out cannot have played in it, and where nobody may be alone nobody was", () => {
  // Carla deals the first deal of six people: Bruno sits it out.
  assert.deepEqual(faults((whole) => (whole["deals"][0].caller = 1)), ["deals[0].caller: 1"]);
  assert.deepEqual(faults((whole) => (whole["deals"][0].partner = 0), game("gingo", [played(0, 3, 70)])), ["deals[0].partner: 0"]);
});

test("rules of one's own must be whole", () => {
  const own = { ...game("brisk"), table: { ...tableOf("brisk"), id: "custom" } };
  const spoilt = (key: string, value: unknown) =>
    faults((whole) => (value === undefined ? delete whole["table"][key] : (whole["table"][key] = value)), own);
  for (const key of Object.keys(own.table).filter((one) => one !== "title"))
    assert.deepEqual(spoilt(key, undefined), [`table.${key}: missing`], key);
  assert.match(spoilt("targets", [])[0]!, /^table.targets: /);
  assert.match(spoilt("won", [61])[0]!, /^table.won: /);
  assert.match(spoilt("prices", [{ made: [], lost: [] }])[0]!, /^table.prices: /);
  assert.deepEqual(spoilt("session", "ever"), ["table.session: ever"]);
  assert.deepEqual(spoilt("tiebreaks", ["luck"]), ['table.tiebreaks: ["luck"]']);
  assert.deepEqual(faults((whole) => (whole["base"] = "canasta"), own), ["base: canasta"]);
});
