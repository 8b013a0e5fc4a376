import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "smol-toml";

const root = join(import.meta.dirname, "..");
const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes("generated"))
  .map((name) => readFileSync(join(root, "src", name), "utf8"))
  .join("\n");
const words = parse(readFileSync(join(root, "../src/chiamata/locales/en.toml"), "utf8")) as Record<string, Record<string, string>>;
/** Put together on the page: `count` from the noun, who may watch from the choice. */
const MADE = /^(one_)?(point|trick|card|deal)s?$|^watch_(off|closed|delayed)(_line)?$/;

test("every word of the page is used somewhere", () => {
  const keys = ["ui", "app", "score"].flatMap((section) => Object.keys(words[section]!));
  const elsewhere = readFileSync(join(root, "vite.config.ts"), "utf8");
  const unused = keys.filter((key) => !MADE.test(key) && !`${sources}${elsewhere}`.includes(`"${key}"`));
  assert.deepEqual(unused, []);
});

test("nothing on the page writes markup or asks a rule set for its name", () => {
  assert.doesNotMatch(sources, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
  assert.doesNotMatch(sources, /rules\.id ===/);
});
