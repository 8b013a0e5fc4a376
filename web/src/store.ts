/** What the page knows: the newest Scene, what is armed, what is open. */
import { computed, signal } from "@preact/signals";
import { reducedMotion, rememberPlaces, sweep } from "./motion.ts";
import { Link, type LinkState, type Wanted } from "./net.ts";
import { keyMark, taps } from "./settings.ts";
import { takePart } from "./dealing.ts";
import { changes, revealOf, still, type Change, type Reveal } from "./changes.ts";
import { nameBots } from "./seats.ts";
import { fair, told, t } from "./words.ts";
import type { Options, Scene } from "./wire.ts";

export const scene = signal<Scene | null>(null);
export const linkState = signal<LinkState>("opening");
/** Why the house closed the line; 0 while it is open. */
export const closedBy = signal(0);
/** Commands that the house has not answered yet. */
export const waiting = signal(0);
/** From when the newest Scene's clocks run on: since it came, or since the called card has fallen. */
export const sceneAt = signal(0);
/** No clock runs before. */
let stillUntil = 0;

/** What the first tap chose; the second one does it. */
export interface Armed {
  kind: "bid" | "pass" | "claim" | "call" | "play" | "trump";
  what: string;
  /** Calling a card of one's own was confirmed once and wants a third, separate yes. */
  again?: boolean;
}
export const armed = signal<Armed | null>(null);

/** Names of people at this table whom I wish not to hear; as long as the page is open. */
export const muted = signal<ReadonlySet<string>>(new Set());
function hears(chair: number, now: Scene): boolean {
  return !muted.value.has(now.chairs[chair]?.name ?? "");
}

export type Drawer = "scores" | "last" | "help" | "menu" | "rules" | "share" | "fair" | "luck" | "phrases" | "manners" | "timeline" | null;
export const drawer = signal<Drawer>(null);

export interface Notice {
  text: string;
  id: number;
}
export const notices = signal<Notice[]>([]);
/** What has just happened, for the spoken log. */
export const happened = signal<Change[]>([]);
export const reveal = signal<Reveal | null>(null);

export const NOTHING: Options = { bids: [], may_pass: false, may_claim: false, calls: [], plays: [], trumps: [] };
/** What I may do now; nothing while an answer is on its way. */
export const options = computed<Options>(() =>
  waiting.value > 0 || linkState.value !== "open" ? NOTHING : (scene.value?.deal?.options ?? NOTHING),
);
/** An ended deal is looked at: it is nobody's turn. */
export const lookingBack = signal(false);
export const myTurn = computed(() => {
  const now = scene.value;
  return !lookingBack.value && !!now?.deal && now.table.state === "playing" && now.table.you !== null && now.deal.turn === now.table.you;
});

/** What takes commands: a table's socket, or a lesson. */
export interface Line {
  send(wanted: Wanted, v: number, quietly?: boolean): void;
  close(): void;
  reopen(): void;
}
/** The called card is mine, and my own screen may show it. */
export const mineShown = computed(() => scene.value?.deal?.mine === true && keyMark.value === "shown");

let link: Line | null = null;

/** Sits down before the page of a table; the former one is left. */
export function enter(code: string): void {
  leave();
  link = new Link(code, {
    onState: (state, code) => {
      closedBy.value = code;
      linkState.value = state;
    },
    onWaiting: (commands) => {
      waiting.value = commands;
    },
    onNo: (no) => notify(told(`refusals.${no.code}`, {}, t("refused"))),
    onScene: receive,
  });
}

/** What is drawn is no table of the house: nothing is asked of it there. */
export const inPage = signal(false);

/** Sits down before something that answers in this page; what was before is left. */
export function attach(line: Line): void {
  leave();
  inPage.value = true;
  link = line;
  linkState.value = "open";
}

export function leave(): void {
  link?.close();
  link = null;
  scene.value = null;
  armed.value = null;
  reveal.value = null;
  drawer.value = null;
  linkState.value = "opening";
  closedBy.value = 0;
  waiting.value = 0;
  inPage.value = false;
}

/** The cookie changed: the house must see us anew. */
export function reenter(): void {
  link?.reopen();
}

export function send(wanted: Wanted, quietly = false): void {
  if (scene.value) link?.send(wanted, scene.value.v, quietly);
}

/** Takes a Scene; an older one is let go, but the first after a new line counts whatever its number. */
export function receive(sent: Scene, first: boolean): void {
  const old = scene.value;
  if (old && !first && sent.v < old.v) return;
  draw(sent);
  tellVoided(sent);
  takePart(sent, (wanted) => send(wanted, true), notify);
}

/** Deals that were given up: told once on this page, until the next deal has ended. */
const toldVoid = new Set<string>();

function tellVoided({ table, sheet }: Scene): void {
  table.voided.forEach((n, place) => {
    const name = `${table.code} ${place}`;
    if (toldVoid.has(name) || sheet.some((row) => row.number >= n)) return;
    toldVoid.add(name);
    notify(fair("voided", { n }));
  });
}

/** Draws a Scene as the one that follows on the one before: cards slide, and what happened is told. */
export function draw(sent: Scene): void {
  const old = scene.value;
  const next = nameBots(sent, t("bot_names").split(" "));
  rememberPlaces();
  const taken = old?.deal?.trick?.winner ?? null;
  if (taken !== null && next.deal?.number === old?.deal?.number && next.deal?.trick?.winner === null) sweep(taken);
  scene.value = next;
  const now = performance.now();
  stillUntil = still(old, next, now, stillUntil);
  sceneAt.value = Math.max(now, stillUntil);
  if (armed.value && !offered(next.deal?.options ?? NOTHING, armed.value)) armed.value = null;
  if (!old) return;
  const shown = revealOf(old, next);
  if (shown && !reducedMotion()) reveal.value = shown;
  else if (next.deal?.number !== old.deal?.number) reveal.value = null;
  const found = changes(old, next).filter((change) => (change.what !== "spoke" && change.what !== "wrote") || hears(change.chair, next));
  if (found.length) happened.value = found;
}

/** Is what was armed still among the moves that the house offers? */
export function offered(now: Options, what: Armed): boolean {
  switch (what.kind) {
    case "bid":
      return now.bids.some((bid) => bid.say === what.what);
    case "pass":
      return now.may_pass;
    case "claim":
      return now.may_claim;
    case "call":
      return now.calls.some((call) => call.card === what.what);
    case "play":
      return now.plays.includes(what.what);
    case "trump":
      return now.trumps.includes(what.what);
  }
}

/** First tap arms, second tap on the same thing does it (with one-tap play, cards and bids go at once). */
export function touch(kind: Armed["kind"], what: string): void {
  const now = armed.value;
  const next: Armed = { kind, what };
  if (!offered(options.value, next)) return;
  if (now?.kind === kind && now.what === what) return confirm();
  armed.value = next;
  if (taps.value === "one" && kind !== "call" && kind !== "claim") confirm();
}

/** Does what is armed. */
export function confirm(): void {
  const now = armed.value;
  if (!now || !offered(options.value, now)) return;
  const own = now.kind === "call" && options.value.calls.some((call) => call.card === now.what && call.own);
  if (own && !now.again) {
    armed.value = { ...now, again: true };
    return;
  }
  if (!own) act(now);
}

/** The third yes, for a card of one's own. */
export function confirmOwn(): void {
  const now = armed.value;
  if (now?.kind === "call" && now.again && offered(options.value, now)) act(now);
}

function act(now: Armed): void {
  armed.value = null;
  switch (now.kind) {
    case "bid":
      return send({ do: "bid", say: now.what });
    case "pass":
      return send({ do: "pass" });
    case "claim":
      return send({ do: "claim" });
    case "call":
      return send({ do: "call", card: now.what });
    case "play":
      return send({ do: "play", card: now.what });
    case "trump":
      return send({ do: "trump", suit: now.what });
  }
}

let noticeId = 0;
/** A short notice that goes by itself after a while. */
export function notify(text: string): void {
  const notice = { text, id: ++noticeId };
  notices.value = [...notices.value, notice].slice(-3);
  setTimeout(() => {
    notices.value = notices.value.filter((one) => one !== notice);
  }, 5_000);
}
