/** This page's part in the deals: it seals bytes of its own, opens them, and checks each deal when it is over. */
import { signal } from "@preact/signals";
import { check, commitmentOf, hex, isTranscript, sha256, HOUSE, type Answer, type Json, type Terms, type Transcript } from "./fair.ts";
import type { Wanted } from "./net.ts";
import { fair } from "./words.ts";
import type { FairScene, Scene } from "./wire.ts";

/** What this page saw of a deal while it ran; it outlives a reload, not the tab. */
export interface Kept {
  share: string;
  /** The hash under which the share was sealed. */
  sealed: string;
  /** The house's promise. */
  promise: string;
  /** The house told everybody that it has the hash, before anything was opened. */
  counted: boolean;
  hand: string[];
}

export interface Verdict {
  deal: number;
  fine: boolean;
  answer: Answer;
  told: Transcript | null;
  kept: Kept;
}

/** The newest deal that was checked. */
export const verdict = signal<Verdict | null>(null);
/** The last transcript seen of each table, which the next one must name. */
const last = new Map<string, Transcript>();
let sent = "";
let asked = "";

const EMPTY: Kept = { share: "", sealed: "", promise: "", counted: false, hand: [] };

function place(code: string, deal: number): string {
  return `chiamata.deal.${code}.${deal}`;
}

export function recallDeal(code: string, deal: number): Kept {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(place(code, deal)) ?? "{}") as Partial<Kept>) };
  } catch {
    return EMPTY;
  }
}

function keep(code: string, deal: number, more: Partial<Kept>): Kept {
  const kept = { ...recallDeal(code, deal), ...more };
  try {
    sessionStorage.setItem(place(code, deal), JSON.stringify(kept));
  } catch {
    // A window that may not remember takes part until it is reloaded.
  }
  return kept;
}

/** Settled before anything is sealed. */
export function termsOf(scene: Scene, now: FairScene): Terms {
  const { code, rules } = scene.table;
  const { deal, seats, dealer, previous } = now;
  return { protocol: HOUSE, table: code, deal, rules: rules.fingerprint, seats, dealer, previous };
}

/** What this page must send now, by itself; nothing where its part is done. `kept` is what it has sealed. */
export function due(scene: Scene, kept: Kept): Wanted | null {
  const now = scene.fair;
  const me = scene.table.you;
  if (!now || me === null || !now.waits_for.includes(me)) return null;
  const seat = now.chairs.indexOf(me);
  if (now.step === "sealing" && !now.commitments[seat]) return { do: "commit", hash: kept.sealed };
  if (now.step === "opening" && now.commitments[seat] === kept.sealed) return { do: "share", share: kept.share };
  return null;
}

/** Looks at a new Scene: seals, opens, finds its bytes among those told, and checks a deal that has ended. */
export function takePart(scene: Scene, send: (wanted: Wanted) => void, warn: (text: string) => void): void {
  const now = scene.fair;
  if (!now) return;
  const { code, you } = scene.table;
  let kept = recallDeal(code, now.deal);
  if (now.step === "ended") return void verify(scene, now, kept, warn);
  if (now.step === "sealing" && kept.promise && kept.promise !== now.commitment) {
    // The number of a deal that was never dealt, or was given up, goes to the next: nothing of it is used again.
    kept = keep(code, now.deal, { ...EMPTY, promise: now.commitment });
  }
  if (!kept.promise) kept = keep(code, now.deal, { promise: now.commitment });
  const seat = you === null ? -1 : now.chairs.indexOf(you);
  if (now.step === "sealing" && seat >= 0 && !kept.share) {
    const share = hex(crypto.getRandomValues(new Uint8Array(32)));
    kept = keep(code, now.deal, { share, sealed: commitmentOf(termsOf(scene, now), seat, share) });
  }
  if (now.step === "opening" && kept.sealed && now.commitments[seat] === kept.sealed && !kept.counted)
    kept = keep(code, now.deal, { counted: true });
  const hand = scene.deal?.hand ?? [];
  if (now.step === "dealt" && hand.length === 8 && !kept.hand.length) kept = keep(code, now.deal, { hand });
  const wanted = due(scene, kept);
  const name = `${code} ${now.commitment} ${wanted?.do}`;
  if (wanted && sent !== name) {
    sent = name;
    send(wanted);
  }
  if (isLeftOut(now, seat, kept) && asked !== `left out ${name}`) {
    asked = `left out ${name}`;
    warn(fair("left_out"));
  }
}

/** The cards are there, our bytes were sealed in time, and they are not among those told. */
export function isLeftOut(now: FairScene, seat: number, kept: Kept): boolean {
  return now.step === "dealt" && now.shares.length > 0 && seat >= 0 && kept.counted && now.shares[seat] !== kept.share;
}

async function verify(scene: Scene, now: FairScene, kept: Kept, warn: (text: string) => void): Promise<void> {
  const { code } = scene.table;
  const name = `${code} ${now.deal}`;
  if (asked === name || (verdict.value?.told?.table === code && verdict.value.deal === now.deal)) return;
  asked = name;
  try {
    const response = await fetch(`/api/tables/${encodeURIComponent(code)}/deals/${now.deal}/transcript`);
    if (!response.ok) throw new Error(response.statusText);
    verdict.value = judge(scene, now, kept, (await response.json()) as Json);
    if (!verdict.value.fine) warn(fair("broken"));
  } catch {
    asked = ""; // the next Scene asks again
  }
}

/** The transcript against itself, and against what this page has seen of the deal. */
export function judge(scene: Scene, now: FairScene, kept: Kept, it: Json): Verdict {
  const answer = check(it);
  if (!isTranscript(it)) return { deal: now.deal, fine: false, answer, told: null, kept };
  const told = it as unknown as Transcript;
  const seat = scene.table.you === null ? -1 : told.chairs.indexOf(scene.table.you);
  const before = last.get(told.table);
  answer.promised = told.deal === now.deal && told.secret === now.secret && told.commitment === (kept.promise || now.commitment);
  if (kept.counted && seat >= 0) answer.mine = told.commitments[seat] === kept.sealed && told.shares[seat] === kept.share;
  if (kept.hand.length && seat >= 0)
    answer.hand = [...kept.hand].sort().join(" ") === (told.hands[seat] ?? "").split(" ").sort().join(" ");
  if (before && before.deal + 1 === told.deal) answer.chain = told.previous === before.hash;
  last.set(told.table, told);
  return { deal: now.deal, fine: Object.values(answer).every(Boolean), answer, told, kept };
}

/** Where a page cuts that nobody touched: 0 to 39, evenly. */
export function chanceCut(): number {
  const digest = sha256(crypto.getRandomValues(new Uint8Array(32)));
  return digest.find((byte) => byte < 240)! % 40;
}
