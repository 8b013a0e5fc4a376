import assert from "node:assert/strict";
import { test } from "node:test";
import { words as en } from "../src/generated/score-en.ts";
import { words as it } from "../src/generated/score-it.ts";
import { readBook } from "../src/score/book.ts";
import { asCsv, asJson, asText } from "../src/score/export.ts";
import { decidedBy, follow, playersOf, playsOn, rolesOf, standing, type Deal, type Game } from "../src/score/game.ts";
import { bandsOf, landmarks } from "../src/score/prices.ts";
import { tables } from "../src/score/tables.ts";
import { addWords } from "../src/words.ts";

addWords({ en, it });

const NAMES = ["Anna", "Bruno", "Carla", "Davide", "Elena"];
const tableOf = (id: string) => tables.find((table) => table.id === id)!;
const played = (caller: number, partner: number, points: number, target = 61): Deal => ({
  kind: "played",
  caller,
  partner,
  target,
  points,
  exact: true,
  tricks: "",
});
const game = (id: string, deals: Deal[], names = NAMES): Game => ({ table: tableOf(id), names, dealer: 0, deals });
const told = (id: string, target: number) =>
  bandsOf(tableOf(id), target).map(({ points, to, ended, tricks, capot, counted }) =>
    [`${points}-${to}`, ended, tricks, capot && "capot", counted && "counted"].filter(Boolean).join(" "),
  );

test("results that pay alike are one tap", () => {
  assert.deepEqual(told("classic", 61), ["61-120 win", "0-60 loss", "120-120 win whole capot", "0-0 loss none capot"]);
  assert.deepEqual(told("trattoria", 61), ["61-119 win", "1-60 loss", "120-120 win capot", "0-0 loss capot"]);
  assert.deepEqual(told("brisk-draw", 61), ["61-119 win", "60-60 draw", "0-59 loss", "120-120 win capot"]);
  assert.deepEqual(told("fifteen", 61), ["60-119 win", "1-59 loss", "120-120 win capot", "0-0 loss capot"]);
  assert.deepEqual(told("gingo", 80), ["80-120 win", "0-79 loss counted"]);
  assert.deepEqual(told("quick", 120), ["120-120 win", "1-119 loss", "0-0 loss capot"]);
});

test("bands leave no point out and none twice, in every rule set", () => {
  for (const table of tables)
    for (const target of table.targets) {
      const points = bandsOf(table, target)
        .filter(({ tricks }) => !tricks)
        .flatMap(({ points: from, to }) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
      assert.deepEqual(points.sort((a, b) => a - b), Array.from({ length: 121 }, (_, n) => n), `${table.id} ${target}`);
    }
});

test("where there are many contracts those are offered at which something changes", () => {
  assert.deepEqual(landmarks(tableOf("classic")), [61, 71, 81, 91, 101]);
  assert.deepEqual(landmarks(tableOf("trattoria")), [61]);
  assert.equal(landmarks(tableOf("quick")).length, 13);
  assert.deepEqual(landmarks(tableOf("gingo")).slice(0, 3), [61, 71, 81]);
});

test("deals without a payoff raise the next one, and the dealer goes round", () => {
  const now = follow(game("brisk", [{ kind: "all_pass" }, { kind: "claim" }, played(1, 2, 70), played(1, 1, 50)]));
  assert.deepEqual(now.rows.map(({ dealer, multiplier }) => [dealer, multiplier]), [[0, 1], [1, 2], [1, 4], [2, 1]]);
  assert.deepEqual(now.rows[2]!.payoff, [-4, 8, 4, -4, -4]);
  assert.deepEqual(now.scores, [-3, 4, 5, -3, -3]);
  assert.equal(now.dealer, 3);
});

test("who deals out of turn is written down, and the turn goes on from there", () => {
  const now = follow(game("classic", [{ ...played(0, 1, 70), dealer: 3 }, played(0, 1, 70)]));
  assert.deepEqual(now.rows.map(({ dealer }) => dealer), [3, 4]);
});

test("with more than five the dealer and the four after him play", () => {
  assert.deepEqual(playersOf(6, 4), [0, 1, 2, 4, 5]);
  const now = follow(game("sixth-sits-out", [played(0, 1, 70)], [...NAMES, "Fabio"]));
  assert.deepEqual(now.rows[0]!.payoff, [2, 1, -1, -1, -1, 0]);
});

test("a game to fifteen points goes on while the first are level", () => {
  const three = [0, 1, 2].map(() => played(0, 1, 120, 81));
  const level = follow({ ...game("fifteen", three), table: { ...tableOf("fifteen"), end: 9 } });
  assert.equal(level.over, true);
  assert.equal(follow(game("classic", Array.from({ length: 10 }, () => played(0, 1, 70)))).over, true);
  assert.equal(follow(game("classic", [])).over, false);
  const tied = [played(0, 1, 70), played(1, 0, 70)];
  assert.equal(follow({ ...game("fifteen", tied), table: { ...tableOf("fifteen"), end: 3 } }).over, false);
});

test("who is level is told apart as the rules say, and the page says by what", () => {
  // Anna and Bruno call twice each and are level; Anna made both of hers.
  const deals = [played(0, 1, 70), played(0, 1, 70), played(1, 0, 70), played(1, 0, 70)];
  const level = game("buio", deals);
  assert.deepEqual(follow(level).scores, [6, 6, -4, -4, -4]);
  assert.equal(decidedBy(level, follow(level)), "countback");
  assert.deepEqual(standing(level, follow(level)).map(({ person, place }) => [person, place]), [[1, 1], [0, 2], [2, 3], [3, 3], [4, 3]]);
  const shared = game("classic", deals);
  assert.deepEqual([standing(shared, follow(shared))[1]!.place, decidedBy(shared, follow(shared))], [1, null]);
});

test("level at the end, rules without a shared win play on", () => {
  const three = (deals: Deal[]) => ({ ...game("fifteen", deals), table: { ...tableOf("fifteen"), end: 3 } });
  const tied = three([played(0, 1, 70), played(1, 0, 70)]);
  assert.equal(playsOn(tied, follow(tied)), true);
  const ahead = three([played(0, 1, 70), played(0, 1, 70)]);
  assert.equal(playsOn(ahead, follow(ahead)), false);
});

test("roles are counted by person, with success", () => {
  const one = game("classic", [played(0, 1, 70), played(0, 1, 20), played(1, 1, 80), { kind: "all_pass" }]);
  const [anna, bruno, carla] = rolesOf(one, follow(one));
  assert.deepEqual(anna!.called, { n: 2, made: 1 });
  assert.deepEqual(anna!.defended, { n: 1, made: 0 });
  assert.deepEqual([bruno!.partnered, bruno!.alone], [{ n: 2, made: 1 }, { n: 1, made: 1 }]);
  assert.deepEqual([carla!.deals, carla!.defended], [3, { n: 3, made: 1 }]);
  const places = standing(game("classic", []), { ...follow(game("classic", [])), scores: [3, 5, 3] });
  assert.deepEqual(places.map(({ person, place }) => [person, place]), [[1, 1], [0, 2], [2, 2]]);
});

test("a table for spreadsheets holds no formula and no broken line", () => {
  const one = game("classic", [played(0, 1, 70), { kind: "all_pass" }], ['=1+1', 'Bru"no, B.', "Carla", "Davide", "Elena"]);
  const [head, first, second, sum, end] = asCsv(one, follow(one)).split("\r\n");
  assert.equal(head, `deal,dealer,caller,partner,target,points,result,multiplier,'=1+1,"Bru""no, B.",Carla,Davide,Elena`);
  assert.equal(first, `1,'=1+1,'=1+1,"Bru""no, B.",61,70,Made,1,2,1,-1,-1,-1`);
  assert.equal(second, `2,"Bru""no, B.",,,,,All passed,1,0,0,0,0,0`);
  assert.equal(sum, "Sum,,,,,,,,2,1,-1,-1,-1");
  assert.equal(end, "");
});

test("a game can be taken away as data and as words", () => {
  const one = { ...game("classic", [played(0, 1, 70)]), id: "x", began: 0, base: "classic" };
  const data = JSON.parse(asJson(one, follow(one))) as { scores: number[]; deals: { payoff: number[] }[] };
  assert.deepEqual(data.scores, data.deals[0]!.payoff);
  const [title, first] = asText(one, follow(one), "Classic").split("\n");
  assert.deepEqual([title, first], ["Briscola Chiamata · Classic · 1 deal", "1. Anna +2 (calls made: 1 of 1)"]);
});

test("what is kept has a number: newer books are left alone, nonsense is told from them", () => {
  const kept = { ...game("classic", []), id: "x", began: 0, base: "classic" };
  assert.deepEqual(readBook(JSON.stringify({ version: 1, games: [kept] }))?.games, [kept]);
  assert.deepEqual(readBook('{"version":2,"games":"other"}'), { version: 2, games: [] });
  const { tiebreaks: _, ...older } = tableOf("buio");
  const [old] = readBook(JSON.stringify({ version: 1, games: [{ ...kept, base: "buio", table: older }] }))!.games;
  assert.deepEqual(old!.table, tableOf("buio"), "a game from before there were tie-breaks");
  for (const text of ["", "null", "[]", '{"version":1}', '{"version":1,"games":[{"id":1}]}']) assert.equal(readBook(text), null, text);
});
