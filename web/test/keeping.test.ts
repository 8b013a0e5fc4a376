import assert from "node:assert/strict";
import { test } from "node:test";
import { isAway, kindOf, mayKeep, pageOf } from "../src/keeping.ts";

const HOME = "https://cards.example";
const kind = (path: string, mode = "cors", method = "GET", home = HOME) => kindOf(new URL(path, home), HOME, method, mode);

test("ended deals and sheets are the only answers about a table that may be kept", () => {
  for (const path of ["/api/tables/ABCDE/deals/4", "/api/tables/ABCDE/deals/4?chair=2", "/api/tables/ABCDE/games"])
    assert.equal(kind(path), "past", path);
  for (const path of [
    "/api/me",
    "/api/tables/ABCDE",
    "/api/tables/ABCDE/notes",
    "/api/tables/ABCDE/rules",
    "/api/tables/ABCDE/transcripts",
    "/api/tables/ABCDE/deals/4/transcript",
    "/api/tables/ABCDE/deals/4.txt",
    "/api/tables/ABCDE/deals/0",
    "/api/tables/ABCDE/games/x",
    "/ws/ABCDE",
  ])
    assert.equal(kind(path), null, path);
});

test("what the house teaches may be kept too", () => {
  for (const path of ["/api/lessons", "/api/rules", "/api/rules/classic", "/api/rules/classic/example"])
    assert.equal(kind(path), "past", path);
  assert.equal(kind("/api/rules/check", "cors", "POST"), null);
  assert.equal(kind("/api/rules/classic/other"), null);
});

test("what is sent, and what others serve, is left alone", () => {
  assert.equal(kind("/api/tables/ABCDE/games", "cors", "POST"), null);
  assert.equal(kind("/assets/a.js", "no-cors", "GET", "https://elsewhere.example"), null);
});

test("pages, parts and cards are told apart", () => {
  assert.equal(kind("/", "navigate"), "page");
  assert.equal(kind("/r/ABCDE/4", "navigate"), "page");
  assert.equal(kind("/score/x1", "navigate"), "page");
  assert.equal(kind("/verify.html", "navigate"), null);
  assert.equal(kind("/api/tables/ABCDE/deals/4", "navigate"), null);
  assert.equal(kind("/assets/index-1.js"), "part");
  assert.equal(kind("/decks/classica/AS.svg"), "face");
});

test("the house's own word on keeping is obeyed", () => {
  assert.equal(mayKeep(200, "private, no-cache"), true);
  assert.equal(mayKeep(200, "no-store"), false);
  assert.equal(mayKeep(200, "private, No-Store"), false);
  assert.equal(mayKeep(200, null), false);
  assert.equal(mayKeep(404, "private, no-cache"), false);
  assert.deepEqual([200, 404, 500, 502, 503, 504].filter(isAway), [502, 503, 504]);
});

test("kept answers lead to the pages that show them", () => {
  assert.equal(pageOf(`${HOME}/api/tables/ABCDE/deals/12`), "/r/ABCDE/12");
  assert.equal(pageOf(`${HOME}/api/tables/ABCDE/deals/12?chair=3`), "");
  assert.equal(pageOf(`${HOME}/api/tables/ABCDE/games`), "/g/ABCDE");
  assert.equal(pageOf(`${HOME}/api/tables/ABCDE`), "");
});
