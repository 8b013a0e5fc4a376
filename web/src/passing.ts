/** A pass promised before one's turn comes. It is made after the same while each time, so that nobody can tell. */
import { computed, effect, signal } from "@preact/signals";
import { armed, myTurn, options, scene, send } from "./store.ts";

/** Milliseconds from the beginning of my turn: about what a hand needs to find the button. */
const AFTER = 1_200;

/** Whether I shall pass as soon as it is my turn. */
export const promised = signal(false);

/** I am still in the auction, and others speak. */
export const canPromise = computed(() => inAuction.value && !myTurn.value);

const inAuction = computed(() => {
  const now = scene.value;
  const you = now?.table.you ?? null;
  const me = you === null ? undefined : now?.chairs[you];
  return now?.table.state === "playing" && now.deal?.phase === "auction" && !!me?.playing && !me.passed;
});

/** Keeps promises; called once. */
export function keepPromises(): void {
  let timer = 0;
  effect(() => {
    clearTimeout(timer);
    if (!inAuction.value || armed.value) promised.value = false;
    else if (promised.value && myTurn.value && options.value.may_pass) timer = window.setTimeout(() => send({ do: "pass" }), AFTER);
  });
}
