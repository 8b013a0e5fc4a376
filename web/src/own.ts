/** A person's own pack, kept in this browser's database and drawn from there; it is sent to nobody. */
import { signal } from "@preact/signals";
import type { Deck } from "./decks.ts";

export const OWN = "own";

/** What is kept: the pictures by card, and how they are to be read. */
export interface Pack {
  suits: "latin" | "french";
  width: number;
  height: number;
  ranks: string[];
  blobs: Record<string, Blob>;
}

export interface OwnDeck {
  deck: Deck;
  urls: Record<string, string>;
}

export const own = signal<OwnDeck | null>(null);

/** The inks of our own decks, dark enough for letters on paper. */
const INK = {
  latin: { S: "#1c4a94", H: "#bd1f1f", D: "#8c5a00", C: "#1b6a34" },
  french: { S: "#1b1d29", H: "#bd1f1f", D: "#1b55b0", C: "#1b6a34" },
};

/** Draws with this pack from now on; null lets it go. Addresses stay good: pictures may still be on their way. */
export function use(pack: Pack | null): void {
  if (!pack) {
    own.value = null;
    return;
  }
  const { suits, width, height, ranks } = pack;
  // Many packs carry no index: a small one is laid over the corner, so that a fan of cards can be read.
  const corners = [{ x: 0.15 * width, y: 0.15 * width, size: 0.24 * width, turn: 0 }];
  const urls = Object.fromEntries(Object.entries(pack.blobs).map(([card, blob]) => [card, URL.createObjectURL(blob)]));
  own.value = { urls, deck: { id: OWN, suits, width, height, ranks, corners, letter: null, ink: INK[suits], chip: true } };
}

async function inStore(mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await new Promise<IDBDatabase>((done, fail) => {
    const opening = indexedDB.open("chiamata", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("packs");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => fail(opening.error);
  });
  try {
    return await new Promise((done, fail) => {
      const transaction = database.transaction("packs", mode);
      const request = what(transaction.objectStore("packs"));
      transaction.oncomplete = () => done(request.result);
      transaction.onabort = () => fail(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Keeps a pack, or with null the pack no more; false where this browser keeps nothing. */
export async function keep(pack: Pack | null): Promise<boolean> {
  let kept = true;
  try {
    await inStore("readwrite", (store) => (pack ? store.put(pack, OWN) : store.delete(OWN)));
  } catch {
    kept = false;
  }
  use(pack);
  return kept;
}

/** Takes out what was kept on an earlier visit. */
export async function recallPack(): Promise<void> {
  try {
    const pack = (await inStore("readonly", (store) => store.get(OWN))) as Pack | undefined;
    if (pack) use(pack);
  } catch {
    // A browser that keeps nothing: one of our decks is drawn.
  }
}
