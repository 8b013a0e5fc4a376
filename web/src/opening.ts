/** What the page still has to do at a table that it has just made: sit down, fill the chairs, start. */
import { send } from "./store.ts";
import type { Scene } from "./wire.ts";

export interface Opening {
  code: string;
  /** Sit in the first free chair. */
  sit: boolean;
  /** Put bots into all empty chairs. */
  fill: boolean;
  /** Deal at once. */
  start: boolean;
}

let opening: Opening | null = null;

export function plan(next: Opening): void {
  opening = next;
}

/** Does the next step that this Scene allows; each step once. */
export function carryOn(scene: Scene): void {
  const plan = opening;
  if (!plan || plan.code !== scene.table.code) return;
  const { you, may, state } = scene.table;
  if (plan.sit && you === null) {
    plan.sit = false;
    return send({ do: "sit", chair: -1 });
  }
  if (you === null) return;
  if (state !== "lobby") {
    opening = null;
  } else if (plan.start && may.includes("start")) {
    opening = null;
    send({ do: "start" });
  } else if (plan.fill && may.includes("bot")) {
    opening = null;
    scene.chairs.forEach((chair, index) => chair.kind === "empty" && send({ do: "bot", chair: index }));
  }
}
