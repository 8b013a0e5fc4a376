/** A swipe up from below the felt opens the score sheet. One that begins on a card is the card's own: it plays. */
import { useRef } from "preact/hooks";
import { drawer } from "./store.ts";

/** So far up, in px, within so many ms. */
const FAR = 60;
const SOON = 900;

interface Start {
  x: number;
  y: number;
  at: number;
  id: number;
}

/** For the column of the table: heard of fingers and pens alone, a mouse that drags means something else. */
export function useSwipeUp() {
  const start = useRef<Start | null>(null);
  return {
    onPointerDown: ({ isPrimary, pointerType, pointerId, clientX, clientY, target, timeStamp }: PointerEvent) => {
      start.current = null;
      if (!isPrimary || pointerType === "mouse" || !(target instanceof Element)) return;
      if (!target.closest(".points, .hand, .action") || target.closest("[data-card]")) return;
      start.current = { x: clientX, y: clientY, at: timeStamp, id: pointerId };
    },
    onPointerUp: ({ pointerId, clientX, clientY, timeStamp }: PointerEvent) => {
      const from = start.current;
      start.current = null;
      if (from?.id !== pointerId || drawer.value || timeStamp - from.at > SOON) return;
      const up = from.y - clientY;
      if (up >= FAR && up > 2 * Math.abs(clientX - from.x)) drawer.value = "scores";
    },
    onPointerCancel: () => {
      start.current = null;
    },
  };
}
