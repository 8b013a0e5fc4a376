// Writes public/verify.html: src/fair.ts without its types, in one page that needs no network and cannot use one.
// `node scripts/verifier.mjs --check` only says whether the page is what it would write.
import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";

const here = import.meta.dirname;
const target = join(here, "../public/verify.html");
const source = readFileSync(join(here, "../src/fair.ts"), "utf8");
const plain = stripTypeScriptTypes(source)
  .replace(/^export /gm, "")
  .split("\n")
  .map((line) => line.trimEnd())
  .join("\n")
  .replace(/\n{3,}/g, "\n\n")
  .trim();
const page = readFileSync(join(here, "verifier.html"), "utf8").replace("/* src/fair.ts */", () => plain);
if (!process.argv.includes("--check")) writeFileSync(target, page);
else if (readFileSync(target, "utf8") !== page) {
  console.error("public/verify.html is not fresh: run node scripts/verifier.mjs");
  process.exit(1);
}
