/** A game to take away: as a table, as data, as words for a chat. */
import { count, scored, t } from "../words.ts";
import type { Kept } from "./book.ts";
import { rolesOf, standing, type Followed, type Game, type Row } from "./game.ts";

const HEADS = ["csv_deal", "csv_dealer", "csv_caller", "csv_partner", "csv_target", "csv_points", "csv_result", "csv_multiplier"] as const;

/** RFC 4180, with the names as the last columns and their sums as the last row. */
export function asCsv({ names }: Game, { rows, scores }: Followed): string {
  const lines = rows.map((row, index) => {
    const { deal, dealer, multiplier, payoff } = row;
    const told =
      deal.kind === "played"
        ? [names[deal.caller]!, names[deal.partner]!, deal.target, deal.exact ? deal.points : ""]
        : ["", "", "", ""];
    return [index + 1, names[dealer]!, ...told, endOf(row), multiplier, ...payoff];
  });
  const last = [t("sum"), ...HEADS.slice(1).map(() => ""), ...scores];
  return [[...HEADS.map((head) => scored(head)), ...names], ...lines, last].map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

/** A name that a spreadsheet would take for a formula is marked as text. */
function field(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function endOf({ ended, deal }: Row): string {
  const capot = deal.kind === "played" && deal.tricks !== "";
  if (ended === "win") return scored(capot ? "capot_made" : "made");
  if (ended === "loss") return scored(capot ? "capot_lost" : "failed");
  return scored(ended === "draw" ? "drawn" : ended);
}

/** Everything, in words that a program reads, and `read.ts` takes in again; people are numbered from 0. */
export function asJson(game: Kept, now: Followed): string {
  const { id, began, base, table, names, dealer } = game;
  const deals = now.rows.map(({ deal, dealer: dealt, multiplier, ended, payoff, sums }) => ({
    ...deal,
    dealer: dealt,
    multiplier,
    ended,
    payoff,
    sums,
  }));
  // Named rules are known wherever this page is; rules of one's own go along.
  const rules = { rules: table.id, ...(table.id !== base && { base, table }) };
  const result = { scores: now.scores, roles: rolesOf(game, now) };
  return `${JSON.stringify({ chiamata: "score", version: 1, id, began, ...rules, names, dealer, deals, ...result }, null, 2)}\n`;
}

export function asText(game: Game, now: Followed, title: string): string {
  const roles = rolesOf(game, now);
  const places = standing(game, now).map(({ person, place, score }) => {
    const n = roles[person]!.called.n + roles[person]!.alone.n;
    const made = roles[person]!.called.made + roles[person]!.alone.made;
    const calls = n ? ` (${t("calls_made", { made, n })})` : "";
    return `${place}. ${game.names[person]} ${score < 0 ? `−${-score}` : score > 0 ? `+${score}` : "0"}${calls}`;
  });
  return [`${t("brand_long")} · ${title} · ${count("deal", now.rows.length)}`, ...places].join("\n");
}

/** Hands a text to the browser as a file. */
export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
