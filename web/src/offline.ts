/** With no line to the house: what works without it, kept by the worker (`web/worker`), and the app's own face. */
import { effect, signal } from "@preact/signals";
import { faceUrl } from "./decks.ts";
import { PAST, pageOf } from "./keeping.ts";
import { language } from "./words.ts";

/** The house did not answer when it was asked last. */
export const offline = signal(false);

/** Pages that were opened and work without a line, newest first: `/r/CODE/4`, `/g/CODE`. */
export async function keptPages(): Promise<string[]> {
  if (!("caches" in globalThis)) return [];
  const kept = await (await caches.open(PAST)).keys();
  return kept.map(({ url }) => pageOf(url)).filter(Boolean).reverse();
}

/** The worker keeps a deck whole of which it saw a card: without a line a replay needs all of them. */
export function keepDeck(deck: string): void {
  const url = faceUrl(deck, "AS");
  // One's own pack lies in the browser already.
  if (url.startsWith("/")) void fetch(url).catch(() => undefined);
}

/** Pages without https, other than on this machine, have no worker: they work as before, with a line alone. */
export function settleIn(): void {
  effect(() => {
    document.querySelector<HTMLLinkElement>("link[rel=manifest]")!.href = `/app.${language.value}.webmanifest`;
  });
  // A part of a build that is gone: the newest page has the newest parts.
  addEventListener("vite:preloadError", () => navigator.onLine && location.reload());
  if (!("serviceWorker" in navigator)) return;
  addEventListener("load", () => {
    navigator.serviceWorker.register(ours("/worker.js"), { updateViaCache: "none" }).catch(() => undefined);
  });
}

/** The page's policy takes no plain text as the address of a script. */
function ours(path: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy: (name: string, rules: object) => Policy } };
  const policy = trustedTypes?.createPolicy("chiamata", { createScriptURL: (url: string) => url });
  return policy ? (policy.createScriptURL(path) as string) : path;
}

interface Policy {
  createScriptURL: (path: string) => unknown;
}
