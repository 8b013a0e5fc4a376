/** One table's socket: opens again by itself, sends again what was not answered. */
import { read, type FromBrowser, type No, type Scene } from "./wire.ts";

export type LinkState = "opening" | "open" | "lost" | "closed";

/** Without `Omit` on the union, which would lose its parts. */
type Bare<T> = T extends { id: string; v: number } ? Omit<T, "id" | "v"> : never;
/** What the page wants; the link adds the id and the version. */
export type Wanted = Bare<FromBrowser>;
export type Command = Exclude<FromBrowser, { do: "ping" }>;

/** Below 30 s, so that no proxy takes the line for idle. */
const HEARTBEAT = 20_000;
/** A line that says nothing for this long after a heartbeat is dead. */
const SILENCE = 8_000;
/** The house tells so with these codes: trying again would not help. */
const FINAL_CODES = new Set([4003, 4010]);
/** Come back; the reason, if there is one, names the node of the house where the table is. */
const COME_BACK = 4012;
/** Sent on, so that five pages of a table do not knock in the same moment. */
const SPREAD = 150;

/** Milliseconds to wait before try number `attempt` (0 first): doubling to 10 s, half of it by chance. */
export function backoff(attempt: number, chance: number): number {
  const full = Math.min(10_000, 400 * 2 ** attempt);
  return full / 2 + (full / 2) * chance;
}

/** The node that a close names; "" for any. */
export function nodeOf(code: number, reason: string): string {
  return code === COME_BACK && /^[a-z0-9-]{1,32}$/.test(reason) ? reason : "";
}

/** A table's socket on this site, at a node or at any. */
export function pathOf(table: string, node: string): string {
  return `${node && `/at/${node}`}/ws/${encodeURIComponent(table)}?deal=1`; // this page takes part in the deals
}

/** Commands sent and not answered, oldest first. */
export class Outbox {
  private readonly waiting = new Map<string, Command>();

  add(command: Command): void {
    this.waiting.set(command.id, command);
  }

  /** The house answered this one; false where it was no longer waiting. */
  settle(id: string): boolean {
    return this.waiting.delete(id);
  }

  pending(): Command[] {
    return [...this.waiting.values()];
  }
}

/** Not randomUUID, which plain-http pages on a local network lack. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export interface Listener {
  onScene(scene: Scene, first: boolean): void;
  onNo(no: No): void;
  onState(state: LinkState, code: number): void;
  /** How many commands wait for an answer. */
  onWaiting(commands: number): void;
}

export class Link {
  private readonly outbox = new Outbox();
  /** What the page sends by itself: a refusal is nothing to tell. */
  private readonly quietly = new Set<string>();
  private readonly code: string;
  private readonly listener: Listener;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private node = "";
  private again = 0;
  private beat = 0;
  private deadline = 0;
  private fresh = true;
  private ended = false;

  constructor(code: string, listener: Listener) {
    this.code = code;
    this.listener = listener;
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.open();
  }

  send(wanted: Wanted, v: number, quietly = false): void {
    const command = { ...wanted, id: newId(), v } as Command;
    if (quietly) this.quietly.add(command.id);
    this.outbox.add(command);
    this.listener.onWaiting(this.outbox.pending().length);
    this.post(command);
  }

  close(): void {
    this.ended = true;
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.quiet();
    clearTimeout(this.again);
    this.socket?.close();
  }

  /** Opens the line anew at once: another cookie, or the network is back. */
  reopen(): void {
    this.attempt = 0;
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.open();
  }

  private readonly hurry = (): void => {
    if (document.visibilityState === "visible" && !this.socket) this.open();
  };

  private open(): void {
    if (this.ended || this.socket) return;
    clearTimeout(this.again);
    const site = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}`;
    const socket = new WebSocket(site + pathOf(this.code, this.node));
    this.node = ""; // if it is not there, any other will know
    this.socket = socket;
    this.fresh = true;
    socket.onopen = () => this.heartbeat();
    socket.onmessage = (event: MessageEvent<string>) => socket === this.socket && this.hear(event.data);
    socket.onclose = (event) => socket === this.socket && this.lose(event.code, event.reason);
  }

  private hear(text: string): void {
    clearTimeout(this.deadline);
    const message = read(text);
    if (message.is === "scene") this.show(message);
    else if (message.is !== "pong" && this.outbox.settle(message.id)) {
      this.listener.onWaiting(this.outbox.pending().length);
      const quiet = this.quietly.delete(message.id);
      if (message.is === "no" && !quiet) this.listener.onNo(message);
    }
  }

  private show(scene: Scene): void {
    const first = this.fresh;
    this.fresh = false;
    this.attempt = 0;
    if (first) this.listener.onState("open", 0);
    this.listener.onScene(scene, first);
    if (first) this.outbox.pending().forEach((command) => this.post(command));
  }

  private lose(code: number, reason: string): void {
    this.socket = null;
    this.quiet();
    if (FINAL_CODES.has(code)) {
      this.ended = true;
      return this.listener.onState("closed", code);
    }
    this.node = nodeOf(code, reason);
    if (this.node && this.attempt === 0) {
      this.attempt++; // a second goodbye in a row waits
      this.again = window.setTimeout(() => this.open(), Math.random() * SPREAD);
      return;
    }
    this.listener.onState("lost", code);
    this.again = window.setTimeout(() => this.open(), backoff(this.attempt++, Math.random()));
  }

  private heartbeat(): void {
    this.quiet();
    this.beat = window.setInterval(() => {
      this.post({ do: "ping" });
      clearTimeout(this.deadline);
      this.deadline = window.setTimeout(() => this.socket?.close(), SILENCE);
    }, HEARTBEAT);
  }

  private quiet(): void {
    clearInterval(this.beat);
    clearTimeout(this.deadline);
  }

  private post(message: FromBrowser): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
