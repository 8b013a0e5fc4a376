/** A person's own pack from files: which picture is which card, and what is wrong with the others. */
import type { UiKey } from "../generated/keys.ts";
import type { Values } from "../words.ts";
import { entries } from "./zip.ts";

/** What is wrong, as words with values. */
export interface Fault {
  key: UiKey;
  values: Values;
}

export interface Picture {
  file: string;
  blob: Blob;
}

/** The pictures by card (`3H`, and `back`), and what is wrong; no card is missing where nothing is wrong. */
export interface Found {
  pictures: Map<string, Picture>;
  faults: Fault[];
}

/** 44 cards and a back, and room for what systems add to a folder. */
export const MOST_FILES = 100;
/** Bytes of one picture; 45 of them are the most that is kept. */
export const MOST_EACH = 2_000_000;
export const MOST_BYTES = 40_000_000;
const MEGABYTE = 1_000_000;

export const RANKS = ["A", "3", "K", "Q", "J", "7", "6", "5", "4", "2"] as const;
const SUITS = ["D", "H", "S", "C"] as const;
const ALL = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const TENS = SUITS.map((suit) => `10${suit}`);
const NAME = /^((?:10|[A2-7KQJ])[DHSC]|BACK)\.(?:png|jpe?g|webp|svg)$/i;

/** The card that a file is named by, `back` for the back, "" for anything else. */
export function cardOf(path: string): string {
  const card = NAME.exec(path.split(/[\\/]/).at(-1)!)?.[1]?.toUpperCase() ?? "";
  return card === "BACK" ? "back" : card;
}

/** What systems put beside one's files. */
function isRubbish(path: string): boolean {
  return /(^|[\\/])(\.|__MACOSX[\\/]|Thumbs\.db$|desktop\.ini$)|[\\/]$/i.test(path);
}

/** The kind of a picture by its first bytes, whatever its name says; "" for none of the four. */
export function kindOf(bytes: Uint8Array): string {
  const text = String.fromCharCode(...bytes.subarray(0, 400));
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  return /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/i.test(text) ? "image/svg+xml" : "";
}

interface Source {
  file: string;
  read: () => Promise<Uint8Array<ArrayBuffer> | null>;
}

/** The files themselves, or those inside a single zip. */
async function sourcesOf(files: readonly File[]): Promise<Source[] | Fault> {
  const [first] = files;
  if (files.length === 1 && first && /\.zip$/i.test(first.name)) {
    if (first.size > MOST_BYTES) return { key: "pack_whole", values: { most: MOST_BYTES / MEGABYTE } };
    const inside = entries(new Uint8Array(await first.arrayBuffer()), MOST_FILES + 1);
    if (!inside) return { key: "pack_zip_broken", values: { file: first.name } };
    return inside.map(({ name, read }) => ({ file: name, read: () => read(MOST_EACH) }));
  }
  return files.map((file) => ({
    file: file.webkitRelativePath || file.name,
    read: async () => (file.size > MOST_EACH ? null : new Uint8Array(await file.arrayBuffer())),
  }));
}

/** Reads what was chosen: one zip, or pictures. */
export async function readPack(files: readonly File[]): Promise<Found> {
  const nothing = new Map<string, Picture>();
  const sources = await sourcesOf(files);
  if (!Array.isArray(sources)) return { pictures: nothing, faults: [sources] };
  const wanted = sources.filter(({ file }) => !isRubbish(file));
  if (sources.length > MOST_FILES) return { pictures: nothing, faults: [{ key: "pack_many", values: { most: MOST_FILES } }] };
  return sorted(wanted);
}

async function sorted(sources: Source[]): Promise<Found> {
  const found: Found = { pictures: new Map(), faults: [] };
  const unknown: Fault[] = [];
  const seen = new Map<string, string>();
  let total = 0;
  for (const { file, read } of sources) {
    const card = cardOf(file);
    const other = seen.get(card);
    if (!card) unknown.push({ key: "pack_unknown", values: { file } });
    else if (other) found.faults.push({ key: "pack_twice", values: { card, file, other } });
    else {
      seen.set(card, file);
      const bytes = await read();
      const kind = bytes ? kindOf(bytes) : "";
      total += bytes?.length ?? 0;
      if (total > MOST_BYTES) return { ...found, faults: [{ key: "pack_whole", values: { most: MOST_BYTES / MEGABYTE } }] };
      if (!bytes) found.faults.push({ key: "pack_large", values: { file, most: MOST_EACH / MEGABYTE } });
      else if (!kind) found.faults.push({ key: "pack_kind", values: { file } });
      else found.pictures.set(card, { file, blob: new Blob([bytes], { type: kind }) });
    }
  }
  const missing = [...ALL, ...(TENS.some((card) => seen.has(card)) ? TENS : [])].filter((card) => !seen.has(card));
  // Files with other names matter only where a card is missing: perhaps they are those cards.
  if (missing.length) found.faults.push({ key: "pack_missing", values: { cards: missing.join(" "), file: `${missing[0]}.png` } }, ...unknown);
  return found;
}
