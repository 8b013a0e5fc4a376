/** Rules of one's own as a short text for a link: a named set and what is changed in it. */

export type Mapping = Record<string, unknown>;
/** Dotted keys with their values, such as `auction.last_bidder`. */
export type Changes = Record<string, unknown>;

/** Of options: no code names what every object inherits (`__proto__`). */
const KEY = /^[a-z][a-z_]*(\.[a-z][a-z_]*){0,2}$/;

export interface Proposal {
  base: string;
  changes: Changes;
}

/** The rules with these changes; a section that is missing is made when an option of it is changed. */
export function applied(rules: Mapping, changes: Changes): Mapping {
  const whole = structuredClone(rules);
  // Sections come before what stands in them.
  for (const key of Object.keys(changes).sort()) {
    const path = key.split(".");
    const name = path.pop()!;
    let place = whole;
    for (const part of path) {
      if (!Object.hasOwn(place, part) || place[part] === null || typeof place[part] !== "object") place[part] = {};
      place = place[part] as Mapping;
    }
    place[name] = structuredClone(changes[key]);
  }
  return whole;
}

/** What stands at a dotted key; undefined where its section is missing. */
export function valueAt(rules: Mapping, key: string): unknown {
  return key.split(".").reduce<unknown>((at, part) => (at as Mapping | null | undefined)?.[part], rules);
}

/** One change more; a value that the base has already is no change. */
export function changed(base: Mapping, changes: Changes, key: string, value: unknown): Changes {
  const next: Changes = { ...changes, [key]: value };
  if (value === null) for (const other of Object.keys(next)) if (other.startsWith(`${key}.`)) delete next[other];
  if (JSON.stringify(valueAt(base, key)) === JSON.stringify(value)) delete next[key];
  return next;
}

export function toCode({ base, changes }: Proposal): string {
  const bytes = new TextEncoder().encode(JSON.stringify([base, changes]));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The proposal of a code; null where it is none. The house checks what is in it. */
export function fromCode(code: string): Proposal | null {
  try {
    const text = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
    const [base, changes] = JSON.parse(new TextDecoder().decode(bytes)) as [unknown, unknown];
    if (typeof base !== "string" || !/^[a-z0-9-]{1,40}$/.test(base)) return null;
    if (typeof changes !== "object" || changes === null || Array.isArray(changes)) return null;
    return Object.keys(changes).every((key) => KEY.test(key)) ? { base, changes: changes as Changes } : null;
  } catch {
    return null;
  }
}
