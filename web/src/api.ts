/** The house over HTTP. */
import { isAway } from "./keeping.ts";
import { offline } from "./offline.ts";
import type { Checked, ClockTag, Created, Example, Faults, Games, Hint, Lessons, Manners, Me, MenuEntry, Notes, PayTable, Replay, RulesPage, Schema, TableFacts } from "./wire.ts";

/** What went wrong, for the reader: a code with words in `refusals`, or plain English. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, fix: string) {
    super(fix);
    this.status = status;
    this.code = code;
  }
}

async function ask<T>(path: string, body?: unknown, method = "POST"): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, init).catch((error: unknown) => {
    offline.value = true;
    throw error;
  });
  offline.value = false;
  if (response.ok) return (await response.json()) as T;
  const { faults = [] } = (await response.json().catch(() => ({}))) as Partial<Faults>;
  // What stands before the house answers for it while it is away; its own refusals are told with their fault.
  offline.value = isAway(response.status) && faults.length === 0;
  throw new ApiError(response.status, faults[0]?.code ?? "", faults[0]?.fix ?? response.statusText);
}

export const api = {
  me: () => ask<Me>("/api/me"),
  callMe: (name: string) => ask<Me>("/api/me", { name }),
  forgetMe: () => ask<Me>("/api/me", {}, "DELETE"),
  example: (id: string) => ask<Example>(`/api/rules/${encodeURIComponent(id)}/example`),
  lessons: () => ask<Lessons>("/api/lessons"),
  menu: () => ask<MenuEntry[]>("/api/rules"),
  rules: (id: string) => ask<RulesPage>(`/api/rules/${encodeURIComponent(id)}`),
  tableRules: (code: string) => ask<RulesPage>(`/api/tables/${encodeURIComponent(code)}/rules`),
  schema: () => ask<Schema>("/api/rules/schema"),
  check: (rules: Record<string, unknown>) => ask<Checked>("/api/rules/check", { rules }),
  payoffs: (rules: Record<string, unknown>) => ask<PayTable>("/api/rules/payoffs", { rules }),
  create: (rules: string | Record<string, unknown>, clock: ClockTag | null, manners?: Manners) =>
    ask<Created>("/api/tables", { rules, clock, ...(manners && { manners }) }),
  deal: (code: string, number: number, chair: number | null) =>
    ask<Replay>(`/api/tables/${encodeURIComponent(code)}/deals/${number}${chair === null ? "" : `?chair=${chair}`}`),
  notes: (code: string) => ask<Notes>(`/api/tables/${encodeURIComponent(code)}/notes`),
  jot: (code: string, deal: number, marks: number[]) =>
    ask<Notes>(`/api/tables/${encodeURIComponent(code)}/notes`, { deal, marks }),
  hint: (code: string, v: number) => ask<Hint>(`/api/tables/${encodeURIComponent(code)}/hint`, { v }),
  games: (code: string) => ask<Games>(`/api/tables/${encodeURIComponent(code)}/games`),
  table: (code: string) => ask<TableFacts>(`/api/tables/${encodeURIComponent(code)}`),
};
