/** Playing by keyboard. */
import { useLayoutEffect } from "preact/hooks";
import { amounts } from "./bidding.ts";
import { SUITS } from "./components/Calling.tsx";
import { deck } from "./decks.ts";
import { suitOf } from "./seats.ts";
import { sound } from "./settings.ts";
import { rankLetter } from "./speech.ts";
import { armed, confirm, confirmOwn, drawer, notify, options, scene, touch, type Armed, type Drawer } from "./store.ts";
import type { Options, Scene } from "./wire.ts";
import { t } from "./words.ts";

const DRAWERS: Record<string, Drawer> = { l: "last", s: "scores", "?": "help" };

/** What a key has armed: Enter does it wherever the focus is, until Tab goes elsewhere. */
let keyed: Armed | null = null;

/** Shows where a key has gone. */
function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

/** Does the key say something about the moves that the house offers? */
function move(key: string, now: Scene, may: Options): boolean {
  if (key === "p" && may.may_pass) {
    touch("pass", "");
    focus("[data-pass]");
    return true;
  }
  if (may.plays.length) return playKey(key, now, may);
  if (may.calls.length) return callKey(key, now, may);
  if (may.trumps.length) return trumpKey(key, may);
  return may.bids.length > 0 && bidKey(key, now, may);
}

function playKey(key: string, now: Scene, may: Options): boolean {
  const card = /^[1-8]$/.test(key) ? now.deal?.hand[Number(key) - 1] : undefined;
  if (!card) return false;
  if (may.plays.includes(card) && armed.value?.what !== card) touch("play", card);
  focus(`[data-card="${card}"]`);
  return true;
}

function callKey(key: string, now: Scene, may: Options): boolean {
  const suit = SUITS[Number(key) - 1];
  const asked = armed.value?.kind === "call" ? armed.value.what : "";
  const within = may.calls.filter((call) => call.card.slice(0, -1) === rankByLetter(key, now) && suitOf(call.card) === suitOf(asked || "??"));
  // A letter after a suit was chosen names the rank; digits 1 to 4 name the suit.
  const wish = within[0] && !suit ? within[0] : may.calls.find((call) => suitOf(call.card) === suit);
  if (!wish || wish.card === asked) return false;
  touch("call", wish.card);
  return true;
}

function trumpKey(key: string, may: Options): boolean {
  const suit = SUITS[Number(key) - 1];
  if (!suit || !may.trumps.includes(suit) || armed.value?.what === suit) return false;
  touch("trump", suit);
  return true;
}

function rankByLetter(key: string, now: Scene): string {
  const letter = key === "0" ? "10" : key.toUpperCase();
  return now.table.rules.ranks.find((rank) => rankLetter(rank, deck.value.suits) === letter) ?? "";
}

function bidKey(key: string, now: Scene, may: Options): boolean {
  const offers = amounts(now.table.rules, may.bids);
  if (offers.length && /^[+\-]|Arrow(Up|Down)$/.test(key)) {
    const at = offers.findIndex((bid) => bid.say === armed.value?.what);
    const next = offers[at < 0 ? 0 : at + (key === "+" || key === "ArrowUp" ? 1 : -1)];
    if (next) touch("bid", next.say);
    return true;
  }
  const rank = rankByLetter(key, now);
  const bid = may.bids.find((one) => one.say === rank) ?? may.bids.find((one) => one.say.startsWith(`${rank}@`));
  if (!rank || !bid || now.table.rules.auction_kind === "points") return false;
  if (armed.value?.what !== bid.say) touch("bid", bid.say);
  return true;
}

function enterKey(target: Element | null): boolean {
  if (!armed.value || (armed.value !== keyed && target?.closest("button, a, input, select, summary"))) return false;
  if (armed.value.again) confirmOwn();
  else confirm();
  keyed = armed.value;
  return true;
}

/** To the next portrait that takes a note. */
function nextNote(): boolean {
  const marks = [...document.querySelectorAll<HTMLElement>(".note-mark")];
  const next = marks[marks.findIndex((mark) => mark === document.activeElement) + 1] ?? marks[0];
  next?.focus();
  return next !== undefined;
}

function mute(): boolean {
  sound.value = sound.value === "on" ? "off" : "on";
  notify(t(sound.value === "on" ? "sound_on" : "sound_off"));
  return true;
}

function onKey(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  const now = scene.value;
  if (!now || event.ctrlKey || event.metaKey || event.altKey || target?.closest("input:not([type=radio]), select, textarea, dialog")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  let done = false;
  if (key === "Escape") {
    done = armed.value !== null;
    armed.value = null;
  } else if (key === "Tab") keyed = null;
  else if (key === "Enter") done = enterKey(target);
  else if (move(key, now, options.value)) {
    keyed = armed.value;
    done = true;
  }
  if (!done && key === "n") done = nextNote();
  if (!done && key === "m") done = mute();
  const wish = DRAWERS[key];
  if (!done && wish && now.deal) {
    drawer.value = wish;
    done = true;
  }
  if (done) event.preventDefault();
}

export function useKeys(): void {
  useLayoutEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
