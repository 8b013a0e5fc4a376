/**
 * The addresses: `/`, `/t/CODE` for a table, `/r/CODE/4` for its fourth deal once ended (`/e/CODE/4` in a frame),
 * `/g/CODE` for its sheets, `/learn` and `/learn/values` for lessons, `/rules/classic` for the page of a rule set
 * (`/rules/classic/example` for a deal by it), `/score` and `/score/x1` for games with real cards.
 */
import { signal } from "@preact/signals";

export const path = signal(location.pathname);
addEventListener("popstate", () => {
  path.value = location.pathname;
});

export function go(to: string): void {
  history.pushState(null, "", to);
  path.value = to;
  scrollTo(0, 0);
}

/** The code of the table that the address names; "" on other pages. */
export function tableCode(address: string): string {
  return /^\/t\/([A-Za-z]{5})\/?$/.exec(address)?.[1]?.toUpperCase() ?? "";
}

export function tableLink(code: string): string {
  return `${location.origin}/t/${code}`;
}

/** The ended deal that the address names; null on other pages. */
export function dealAsked(address: string): { code: string; number: number } | null {
  const found = /^\/r\/([A-Za-z]{5})\/([1-9]\d{0,5})\/?$/.exec(address);
  return found && { code: found[1]!.toUpperCase(), number: Number(found[2]) };
}

/** The table whose sheets the address asks for; "" on other pages. */
export function sheetAsked(address: string): string {
  return /^\/g\/([A-Za-z]{5})\/?$/.exec(address)?.[1]?.toUpperCase() ?? "";
}

/** The ended deal that another page shows in a frame; null on other pages. */
export function frameAsked(address: string): { code: string; number: number } | null {
  return address.startsWith("/e/") ? dealAsked(address.replace("/e/", "/r/")) : null;
}

export function framePath(code: string, number: number): string {
  return `/e/${code}/${number}`;
}

export function dealPath(code: string, number: number): string {
  return `/r/${code}/${number}`;
}

export function sheetPath(code: string): string {
  return `/g/${code}`;
}

/** Does the address name a page of learning: lessons, rule sets? */
export function isLearning(address: string): boolean {
  return /^\/(learn(\/[a-z-]+)?|rules(\/[a-z0-9-]+(\/example)?)?)\/?$/.test(address);
}

/** The lesson that the address names; "" for the list of them. */
export function lessonAsked(address: string): string {
  return /^\/learn\/([a-z-]+)\/?$/.exec(address)?.[1] ?? "";
}

export function lessonPath(id: string): string {
  return `/learn/${id}`;
}

/** The score-keeper's game that the address names, "" for the list of them; null on other pages. */
export function scoreAsked(address: string): string | null {
  return /^\/score(?:\/([a-z0-9]{1,16}))?\/?$/.exec(address)?.slice(1).map((id) => id ?? "")[0] ?? null;
}

export function scorePath(game: string): string {
  return game ? `/score/${game}` : "/score";
}

/** The rule set whose page or example the address names; null on other pages. */
export function rulesAsked(address: string): { id: string; example: boolean } | null {
  const found = /^\/rules\/([a-z0-9-]+)(\/example)?\/?$/.exec(address);
  return found && { id: found[1]!, example: !!found[2] };
}

export function rulesPath(id: string): string {
  return `/rules/${id}`;
}

export function examplePath(id: string): string {
  return `${rulesPath(id)}/example`;
}
