/**
 * The verifiable deal: promises, and dealing again from a transcript. Knows nothing of the page.
 *
 * The hash is written out here because browsers give theirs to https pages only, and a table on a home
 * network is none. `scripts/verifier.mjs` puts this file into the page that works without a network.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** As `rules/fair.py` writes it. */
export interface Transcript {
  protocol: string;
  table: string;
  deal: number;
  rules: string;
  ranks: string[];
  packets: number[];
  seats: string[];
  chairs: number[];
  dealer: number;
  previous: string;
  commitment: string;
  commitments: string[];
  shares: string[];
  cutter: number;
  cut: number;
  secret: string;
  hands: string[];
  hash: string;
}
export type Terms = Pick<Transcript, "protocol" | "table" | "deal" | "rules" | "seats" | "dealer" | "previous">;
/** Which checks hold; `shape` alone, and false, for what is no transcript. */
export type Answer = Record<string, boolean>;

/** Of the published examples: its terms name neither the dealer nor the deal before. */
export const BARE = "briscola-chiamata/deal/v1";
export const HOUSE = "briscola-chiamata/deal/v2";

// --- hashing ----------------------------------------------------------------

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}
/** The first 32 bits behind the point, as SHA-256 takes them from roots of primes. */
const fraction = (n: number): number => ((n - Math.floor(n)) * 2 ** 32) | 0;
const K = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

export function sha256(data: Uint8Array): Uint8Array {
  const size = (data.length + 72) & ~63;
  const padded = new Uint8Array(size);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(size - 4, data.length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let block = 0; block < size; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
    compress(state, words);
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => out.setInt32(4 * place, word));
  return new Uint8Array(out.buffer);
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function compress(state: Int32Array, words: Int32Array): void {
  for (let i = 16; i < 64; i++) {
    const [far, near] = [words[i - 15]!, words[i - 2]!];
    const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[i] = (words[i - 16]! + low + words[i - 7]! + high) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + words[i]!) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => (state[place] = (state[place]! + word) | 0));
}

export function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  const pad = (mask: number): Uint8Array => Uint8Array.from({ length: 64 }, (_, i) => (key[i] ?? 0) ^ mask);
  return sha256(join(pad(0x5c), sha256(join(pad(0x36), data))));
}

function join(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const u32 = (n: number): Uint8Array => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

/** The parts one after the other, each behind its length in four bytes. */
export const lp = (...parts: Uint8Array[]): Uint8Array => join(...parts.flatMap((part) => [u32(part.length), part]));

// --- promises ---------------------------------------------------------------

function data(terms: Terms): Uint8Array {
  const parts = [utf8(terms.protocol), utf8(terms.table), u32(terms.deal), unhex(terms.rules), ...terms.seats.map(utf8)];
  return terms.protocol === BARE ? lp(...parts) : lp(...parts, Uint8Array.of(terms.dealer), unhex(terms.previous));
}

/** The house's promise. */
export const seal = (terms: Terms, secret: string): string => hex(sha256(lp(utf8("commit-server"), data(terms), unhex(secret))));

/** A seat's promise. */
export const commitmentOf = (terms: Terms, seat: number, share: string): string =>
  hex(sha256(lp(utf8("commit-seat"), data(terms), Uint8Array.of(seat), unhex(share))));

export const seedOf = (terms: Terms, secret: string, shares: string[]): Uint8Array =>
  hmac(unhex(secret), lp(utf8("seed"), data(terms), ...shares.map(unhex)));

// --- the pack ---------------------------------------------------------------

/** The order of the pack: Fisher-Yates, a byte of the last incomplete stretch drawn again. */
export function order(seed: Uint8Array): number[] {
  let block = -1;
  let bytes = new Uint8Array();
  let used = 0;
  const draw = (): number => {
    if (used === bytes.length) [bytes, used] = [hmac(seed, join(utf8("blk"), u32(++block))) as Uint8Array<ArrayBuffer>, 0];
    return bytes[used++]!;
  };
  const pack = Array.from({ length: 40 }, (_, card) => card);
  for (let last = 39; last > 0; last--) {
    let byte = draw();
    while (byte >= 256 - (256 % (last + 1))) byte = draw();
    const chosen = byte % (last + 1);
    [pack[last], pack[chosen]] = [pack[chosen]!, pack[last]!];
  }
  return pack;
}

/** Five hands as texts, seat 0 first; the cards of each in the order of the pack. */
export function handsFrom(told: Transcript): string[] {
  const pack = order(seedOf(told, told.secret, told.shares));
  const lifted = [...pack.slice(told.cut), ...pack.slice(0, told.cut)];
  const hands: number[][] = [[], [], [], [], []];
  for (const packet of told.packets)
    for (let right = 1; right <= 5; right++) hands[(told.dealer + right) % 5]!.push(...lifted.splice(0, packet));
  const name = (card: number): string => told.ranks[card % 10]! + "CHDS"[Math.floor(card / 10)]!;
  return hands.map((hand) => hand.sort((one, other) => one - other).map(name).join(" "));
}

// --- transcripts ------------------------------------------------------------

const isWhole = (least: number, most: number) => (it: Json): boolean =>
  typeof it === "number" && Number.isInteger(it) && it >= least && it <= most;
const isText = (it: Json): boolean => typeof it === "string" && [...it].length <= 100;
const isHex = (it: Json): boolean => typeof it === "string" && /^[0-9a-f]{64}$/.test(it);
const isHexOrNone = (it: Json): boolean => it === "" || isHex(it);
const isList = (least: number, most: number, fits: (it: Json) => boolean) => (it: Json): boolean =>
  Array.isArray(it) && it.length >= least && it.length <= most && it.every(fits);

const SHAPE: Record<keyof Transcript, (it: Json) => boolean> = {
  protocol: (it) => it === BARE || it === HOUSE,
  table: isText,
  deal: isWhole(1, 2 ** 32 - 1),
  rules: isHex,
  ranks: isList(10, 10, isText),
  packets: isList(1, 8, isWhole(1, 8)),
  seats: isList(5, 5, isText),
  chairs: isList(5, 5, isWhole(0, 8)),
  dealer: isWhole(0, 4),
  previous: isHexOrNone,
  commitment: isHex,
  commitments: isList(5, 5, isHexOrNone),
  shares: isList(5, 5, isHexOrNone),
  cutter: isWhole(-1, 4),
  cut: isWhole(0, 39),
  secret: isHex,
  hands: isList(0, 5, isText),
  hash: isHex,
};

export function isTranscript(it: Json): boolean {
  if (it === null || typeof it !== "object" || Array.isArray(it)) return false;
  const names = Object.keys(SHAPE) as (keyof Transcript)[];
  return Object.keys(it).length === names.length && names.every((name) => Object.hasOwn(it, name) && SHAPE[name](it[name]!));
}

function hashOf(told: Transcript): string {
  const rest = [told.commitment, ...told.commitments, ...told.shares].map(unhex);
  return hex(
    sha256(
      lp(
        utf8("transcript"),
        data(told),
        Uint8Array.of(told.dealer),
        unhex(told.previous),
        utf8(told.ranks.join(" ")),
        Uint8Array.from(told.packets),
        Uint8Array.from(told.chairs),
        ...rest,
        Uint8Array.of(told.cutter & 255, told.cut),
        unhex(told.secret),
        ...told.hands.map(utf8),
      ),
    ),
  );
}

/** Every check of a transcript, by the names of `rules/fair.py`. */
export function check(it: Json): Answer {
  if (!isTranscript(it)) return { shape: false };
  const told = it as unknown as Transcript;
  const isBot = (seat: number): boolean => told.protocol === HOUSE && told.seats[seat]!.startsWith("bot:");
  const isKept = (share: string, seat: number): boolean =>
    isBot(seat) ? !share && !told.commitments[seat] : !share || commitmentOf(told, seat, share) === told.commitments[seat];
  const eight = told.packets.reduce((sum, packet) => sum + packet, 0) === 8;
  return {
    shape: true,
    commitment: seal(told, told.secret) === told.commitment,
    shares: told.shares.every(isKept),
    cut: told.cutter < 0 ? told.cut === 0 : !isBot(told.cutter),
    hands: told.hands.length === 0 || (eight && JSON.stringify(handsFrom(told)) === JSON.stringify(told.hands)),
    hash: hashOf(told) === told.hash,
  };
}

/** Deals of one table one after the other, none left out; one that was never dealt leaves its number to the next. */
export function isChain(deals: Transcript[]): boolean {
  return deals.every((after, place) => {
    const before = deals[place - 1];
    const next = before && before.deal + (before.hands.length ? 1 : 0);
    return !before || (after.table === before.table && after.deal === next && after.previous === before.hash);
  });
}

/** The transcripts of a file: one, or `{"deals": [...]}`. */
export function transcriptsIn(it: Json): Json[] {
  const many = it !== null && typeof it === "object" && !Array.isArray(it) && Object.keys(it).length === 1 ? it.deals : undefined;
  return Array.isArray(many) ? many : [it];
}
