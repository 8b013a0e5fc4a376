// Turns locales/*.toml into modules that the page imports, and the keys into types, so that an
// unknown key fails the type check.  Fails when a language lacks a key or a placeholder of another.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";

const here = import.meta.dirname;
const locales = join(here, "../../src/chiamata/locales");
const target = join(here, "../src/generated");
const LANGUAGES = ["en", "it"];
/** The sections that every page uses, and those that come with the pages that need them; the others are no page's. */
const PAGE = ["ui", "app", "fair", "luck", "cards", "decks", "refusals", "rules", "options", "decisions", "config", "phrases"];
const LATER = { learning: ["learn", "lessons", "hints", "examples"], score: ["score"] };
const SECTIONS = [...PAGE, ...Object.values(LATER).flat()];
/** Sections whose keys are types: a word that there is not fails the type check. */
const TYPED = { UiKey: "ui", AppKey: "app", FairKey: "fair", LuckKey: "luck", LearnKey: "learn", HintKey: "hints", ScoreKey: "score" };

/** Flat keys: `section.key`, `rules.classic.name`. */
function flatten(prefix, value, into) {
  for (const [key, inner] of Object.entries(value)) {
    const path = prefix ? `${prefix}.${key}` : key;
    if (typeof inner === "string") into[path] = inner;
    else if (inner && typeof inner === "object") flatten(path, inner, into);
    else throw new Error(`${path}: only texts may stand in a language file`);
  }
  return into;
}

const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort().join(" ");

function load(language) {
  const all = parse(readFileSync(join(locales, `${language}.toml`), "utf8"));
  const kept = Object.fromEntries(SECTIONS.filter((name) => name in all).map((name) => [name, all[name]]));
  return flatten("", kept, {});
}

const words = Object.fromEntries(LANGUAGES.map((language) => [language, load(language)]));
const keys = Object.keys(words.en).sort();
const faults = [];
for (const language of LANGUAGES) {
  const own = words[language];
  for (const key of keys) {
    if (!own[key]?.trim()) faults.push(`${language}.toml lacks ${key}`);
    else if (placeholders(own[key]) !== placeholders(words.en[key]))
      faults.push(`${language}.toml ${key}: placeholders differ from en.toml`);
  }
  for (const key of Object.keys(own)) if (!(key in words.en)) faults.push(`en.toml lacks ${key}`);
}
if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}

mkdirSync(target, { recursive: true });
for (const language of LANGUAGES)
  for (const [file, sections] of [[language, PAGE], ...Object.entries(LATER).map(([name, own]) => [`${name}-${language}`, own])]) {
    const own = keys.filter((key) => sections.includes(key.split(".")[0]));
    const lines = own.map((key) => `  ${JSON.stringify(key)}: ${JSON.stringify(words[language][key])},`);
    writeFileSync(
      join(target, `${file}.ts`),
      `/** Generated from locales/${language}.toml. */\nexport const words: Record<string, string> = {\n${lines.join("\n")}\n};\n`,
    );
  }
const union = (section) =>
  keys
    .filter((key) => key.startsWith(`${section}.`))
    .map((key) => JSON.stringify(key.slice(section.length + 1)))
    .join("\n  | ") || "never";
const types = Object.entries(TYPED).map(([name, section]) => `export type ${name} =\n  | ${union(section)};\n`);
writeFileSync(join(target, "keys.ts"), `/** Generated from locales/en.toml. */\n${types.join("")}`);
