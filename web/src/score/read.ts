/** A game that was taken away as JSON, read in again; what is wrong is told by field, value and what would be right. */
import type { PayTable } from "../wire.ts";
import { scored } from "../words.ts";
import { newId, type Kept } from "./book.ts";
import { follow, playersOf, type Deal, type Followed, type Game } from "./game.ts";
import { priceOf } from "./prices.ts";
import { tables } from "./tables.ts";

export interface Fault {
  field: string;
  value: string;
  fix: string;
}

/** The number of the form of an exported game. */
export const FORM = 1;
/** Bytes of a file, deals of a game. */
export const LARGEST = 1_000_000;
const MOST_DEALS = 500;
const LONGEST_NAME = 20;
const SHOWN = 40;
const POINTS = 120;

type Fields = Record<string, unknown>;

/** The game of a text, or all that is wrong with it. */
export function readGame(text: string): Kept | Fault[] {
  const whole = parsed(text);
  if (!isFields(whole) || whole["chiamata"] !== "score") return [fault("chiamata", isFields(whole) ? whole["chiamata"] : text, scored("fix_file"))];
  if (whole["version"] !== FORM) return [fault("version", whole["version"], scored("fix_version", { n: FORM }))];
  const faults = new Faults();
  const found = rulesOf(whole, faults);
  const names = namesOf(whole["names"], faults);
  const people = names.length;
  const dealer = faults.number("dealer", whole["dealer"], 0, people - 1);
  const { id = newId(), began = Date.now() } = whole;
  faults.need("id", id, typeof id === "string" && /^[a-z0-9]{1,16}$/.test(id), () => scored("fix_id"));
  faults.number("began", began, 0, Number.MAX_SAFE_INTEGER);
  if (!found || faults.all.length) return faults.all;
  const game: Kept = { id: String(id), began: Number(began), base: found.base, table: found.table, names, dealer, deals: [] };
  readDeals(whole, game, faults);
  return faults.all.length ? faults.all : game;
}

/** Takes each deal in where it belongs; what follows from the deals must be what the file says of it. */
function readDeals(whole: Fields, game: Game, faults: Faults): void {
  const list = whole["deals"];
  const fits = Array.isArray(list) && list.length <= MOST_DEALS;
  if (!faults.need("deals", list, fits, () => scored("fix_deals", { n: MOST_DEALS }))) return;
  for (const [index, deal] of (list as unknown[]).entries()) {
    const read = dealOf(deal, `deals[${index}]`, { game, now: follow(game), faults });
    if (!read) return; // what comes after it cannot be judged
    game.deals.push(read);
  }
  const { scores } = follow(game);
  const told = whole["scores"];
  faults.need("scores", told, told === undefined || JSON.stringify(told) === JSON.stringify(scores), () =>
    scored("fix_scores", { scores: scores.join(", ") }),
  );
}

interface Place {
  game: Game;
  /** Before the deal. */
  now: Followed;
  faults: Faults;
}

/** A deal as it is written down; null where something in it is wrong. */
function dealOf(value: unknown, at: string, { game: { table, names }, now, faults }: Place): Deal | null {
  const before = faults.all.length;
  if (!faults.need(at, value, isFields(value), () => scored("fix_deal"))) return null;
  const deal = value as Fields;
  const kinds = ["played", ...(table.all_pass ? ["all_pass"] : []), ...(table.claim ? ["claim"] : [])];
  const kind = faults.oneOf(`${at}.kind`, deal["kind"], kinds);
  const dealer = deal["dealer"] === undefined ? now.dealer : faults.number(`${at}.dealer`, deal["dealer"], 0, names.length - 1);
  const beside = dealer === now.dealer ? {} : { dealer };
  if (faults.all.length > before) return null;
  if (kind !== "played") return { kind: kind as "all_pass" | "claim", ...beside };
  const playing = playersOf(names.length, dealer);
  const caller = faults.oneOf(`${at}.caller`, deal["caller"], playing);
  const partner = faults.oneOf(`${at}.partner`, deal["partner"], table.solo ? playing : playing.filter((one) => one !== caller));
  const target = faults.oneOf(`${at}.target`, deal["target"], table.targets);
  const points = faults.number(`${at}.points`, deal["points"], 0, POINTS);
  const exact = faults.oneOf(`${at}.exact`, deal["exact"], [true, false]);
  const tricks = faults.oneOf(`${at}.tricks`, deal["tricks"], ["", ...(points === 0 ? ["none"] : []), ...(points === POINTS ? ["whole"] : [])]);
  if (faults.all.length > before) return null;
  return { kind, caller, partner, target, points, exact, tricks: tricks as "" | "none" | "whole", ...beside };
}

function namesOf(value: unknown, faults: Faults): string[] {
  const fits = Array.isArray(value) && value.length >= 5 && value.length <= 9;
  if (!faults.need("names", value, fits, () => scored("fix_names"))) return [];
  return (value as unknown[]).map((name, index) => {
    const length = typeof name === "string" ? name.trim().length : 0;
    faults.need(`names[${index}]`, name, length > 0 && length <= LONGEST_NAME, () => scored("fix_name", { n: LONGEST_NAME }));
    return String(name).trim();
  });
}

/** By what it was played: a named rule set is the one of this page, rules of one's own bring their table. */
function rulesOf(whole: Fields, faults: Faults): { table: PayTable; base: string } | null {
  const { rules, table, base } = whole;
  const named = tables.find(({ id }) => id === rules);
  if (named) return { table: named, base: named.id };
  const known = tables.map(({ id }) => id);
  if (!isFields(table)) {
    faults.oneOf("rules", rules, known);
    return null;
  }
  const from = faults.oneOf("base", base, known);
  const wrong = wrongIn(table, String(rules));
  faults.need(`table.${wrong}`, table[wrong], !wrong, () => scored("fix_table"));
  return { table: table as unknown as PayTable, base: from };
}

/** The first field of a table that is not what `rules/paytable.py` writes; "" where it can be worked with. */
function wrongIn(table: Fields, id: string): string {
  const listed = (key: string) => {
    const value = table[key];
    const whole = Array.isArray(value) && value.length > 0 && value.every((one) => Number.isSafeInteger(one));
    return whole && (key === "targets" || value.length === (table["targets"] as unknown[]).length);
  };
  const lists = ["targets", "won", "drawn", "rows"].find((key) => !listed(key));
  if (lists) return lists;
  if (!pays(table as unknown as PayTable)) return "prices";
  const redeal = (value: unknown) =>
    value === null || (isFields(value) && Number.isSafeInteger(value["multiplier"]) && typeof value["same_dealer"] === "boolean");
  const right: Record<string, boolean> = {
    id: table["id"] === id,
    solo: typeof table["solo"] === "boolean",
    rotates: typeof table["rotates"] === "boolean",
    draw: Number.isSafeInteger(table["draw"]),
    all_pass: redeal(table["all_pass"]),
    claim: redeal(table["claim"]),
    session: ["deals", "open", "points", "time"].includes(String(table["session"])),
    end: Number.isSafeInteger(table["end"]),
    tie: ["play_on", "shared", "tiebreak"].includes(String(table["tie"])),
    tiebreaks: Array.isArray(table["tiebreaks"]) && table["tiebreaks"].every((by) => MEASURES.includes(String(by))),
  };
  return Object.keys(right).find((key) => !right[key]) ?? "";
}

const MEASURES = ["deals_won", "calls_made", "peak_score", "countback"];

/** Whatever is looked up in it pays five whole numbers. */
function pays(table: PayTable): boolean {
  const whole = (pay: unknown) => Array.isArray(pay) && pay.length === 5 && pay.every((sum) => Number.isSafeInteger(sum));
  const cases = [
    ...Array.from({ length: POINTS + 1 }, (_, points) => ({ points, tricks: "" as const })),
    { points: 0, tricks: "none" as const },
    { points: POINTS, tricks: "whole" as const },
  ];
  try {
    return table.targets.every((target) => cases.every((took) => whole(priceOf(table, target, took).pay)));
  } catch {
    return false; // something that is looked up is not there
  }
}

/** What was found wrong so far. */
class Faults {
  readonly all: Fault[] = [];

  need(field: string, value: unknown, right: boolean, fix: () => string): boolean {
    if (!right) this.all.push(fault(field, value, fix()));
    return right;
  }

  number(field: string, value: unknown, from: number, to: number): number {
    const right = Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to;
    this.need(field, value, right, () => scored("fix_number", { from, to }));
    return value as number;
  }

  oneOf<T>(field: string, value: unknown, known: readonly T[]): T {
    this.need(field, value, known.includes(value as T), () =>
      scored("fix_one_of", { list: known.map((one) => JSON.stringify(one)).join(", ") }),
    );
    return value as T;
  }
}

export function fault(field: string, value: unknown, fix: string): Fault {
  const plain = typeof value === "string" && value.trim() !== "";
  const text = value === undefined ? scored("missing") : plain ? value : JSON.stringify(value);
  return { field, value: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text, fix };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
