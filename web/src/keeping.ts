/** What the worker keeps of what passes by, and under which names: shared by it and the page. */

/** Everything that is kept in the browser's caches begins so; what is called otherwise is not ours. */
export const PREFIX = "chiamata-";
/** Deals and sheets that were opened; the number rises when they are kept in another form. */
export const PAST = `${PREFIX}past-1`;
/** So many answers about the past are kept, the newest; at about 100 KB a replay. */
export const MOST_PAST = 100;

/** What a request is for: a page of ours, a part of the build, a card, an ended deal or sheet; null: hands off. */
export type Kind = "page" | "part" | "face" | "past" | null;

/** Only what can be named here and below may ever be kept: an ended deal, and the sheets of a table. */
const PAST_PATH = /^\/api\/tables\/[A-Za-z]{5}\/(?:deals\/[1-9]\d{0,5}|games)$/;

/** And what the house teaches: lessons, rule sets in words and their example deals. */
const TAUGHT_PATH = /^\/api\/(?:lessons|rules(?:\/[a-z0-9-]+(?:\/example)?)?)$/;

export function kindOf(url: URL, home: string, method: string, mode: string): Kind {
  if (method !== "GET" || url.origin !== home) return null;
  const path = url.pathname;
  if (PAST_PATH.test(path) || TAUGHT_PATH.test(path)) return mode === "navigate" ? null : "past";
  if (path.startsWith("/api/") || path.startsWith("/ws/")) return null;
  if (mode === "navigate") return path.slice(path.lastIndexOf("/")).includes(".") ? null : "page";
  if (path.startsWith("/decks/") && path.endsWith(".svg")) return "face";
  return "part";
}

/** The house says what must not be kept (`no-store`, which is its standard): a running table is never to be. */
export function mayKeep(status: number, caching: string | null): boolean {
  return status === 200 && caching !== null && !/\bno-store\b/i.test(caching);
}

/** Nobody answers, or what stands before the house says that it is not there. */
export function isAway(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

/** A kept answer as the page at which it is looked at: `/r/CODE/4`, `/g/CODE`; "" for what belongs to another. */
export function pageOf(url: string): string {
  const { pathname, search } = new URL(url);
  const deal = /^\/api\/tables\/([A-Z]{5})\/deals\/(\d+)$/.exec(pathname);
  if (deal) return search ? "" : `/r/${deal[1]}/${deal[2]}`;
  const sheet = /^\/api\/tables\/([A-Z]{5})\/games$/.exec(pathname);
  return sheet ? `/g/${sheet[1]}` : "";
}
