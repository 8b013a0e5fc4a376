/** The service worker: the build for when there is no line, and deals that were opened once. Built to /worker.js. */
import { isAway, kindOf, mayKeep, MOST_PAST, PAST, PREFIX } from "../src/keeping.ts";

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build: its hash and its parts, the cards' hash and files. */
declare const BUILD: string;
declare const PARTS: string[];
declare const DECKS: string;
declare const FACES: string[];

const SHELL = `${PREFIX}shell-${BUILD}`;
const CARDS = `${PREFIX}cards-${DECKS}`;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { url, method, mode } = event.request;
  const kind = kindOf(new URL(url), self.location.origin, method, mode);
  if (kind === "page") event.respondWith(page(event.request));
  else if (kind === "part") event.respondWith(part(event.request));
  else if (kind === "face") event.respondWith(face(event));
  else if (kind === "past") event.respondWith(past(event.request));
});

/** A build is kept whole or not at all: a page and its parts always belong together. */
async function install(): Promise<void> {
  const shell = await caches.open(SHELL);
  await shell.addAll(PARTS.map((path) => new Request(path, { cache: path.startsWith("/assets/") ? "default" : "reload" })));
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  const kept = new Set([SHELL, CARDS, PAST]);
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && !kept.has(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The newest page wherever there is a line; the kept one never mixes with it. */
async function page(request: Request): Promise<Response> {
  const kept = async () => (await caches.open(SHELL)).match("/");
  try {
    const fresh = await fetch(request);
    return (isAway(fresh.status) && (await kept())) || fresh;
  } catch (error) {
    const shell = await kept();
    if (shell) return shell;
    throw error;
  }
}

/** Names of parts carry a hash: what is there is right for ever. */
async function part(request: Request): Promise<Response> {
  return (await (await caches.open(SHELL)).match(request)) ?? fetch(request);
}

/** A deck of which one card was seen is kept whole: what comes next in a replay is not known. */
async function face(event: FetchEvent): Promise<Response> {
  const cards = await caches.open(CARDS);
  const kept = await cards.match(event.request);
  const answer = kept ?? (await fetch(event.request, { cache: "no-cache" }));
  if (!kept && answer.ok) await cards.put(event.request, answer.clone());
  event.waitUntil(keepDeck(cards, new URL(event.request.url).pathname.split("/")[2] ?? ""));
  return answer;
}

const whole = new Set<string>();
async function keepDeck(cards: Cache, deck: string): Promise<void> {
  if (whole.has(deck)) return;
  whole.add(deck);
  try {
    for (const path of FACES.filter((one) => one.startsWith(`/decks/${deck}/`)))
      if (!(await cards.match(path))) await cards.add(new Request(path, { cache: "no-cache" }));
  } catch {
    whole.delete(deck); // the line went; the next card tries again
  }
}

/** What has ended: as the house tells it now, and as it told it last where it is away. */
async function past(request: Request): Promise<Response> {
  const store = await caches.open(PAST);
  try {
    const fresh = await fetch(request);
    if (mayKeep(fresh.status, fresh.headers.get("cache-control"))) await keep(store, request, fresh.clone());
    return (isAway(fresh.status) && (await store.match(request))) || fresh;
  } catch (error) {
    const kept = await store.match(request);
    if (kept) return kept;
    throw error;
  }
}

/** A browser that has no room left keeps what it has. */
async function keep(store: Cache, request: Request, answer: Response): Promise<void> {
  try {
    await store.put(request, answer);
    const keys = await store.keys();
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_PAST)).map((old) => store.delete(old)));
  } catch {
    return;
  }
}
