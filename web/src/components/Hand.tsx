/** My cards in one row: a tap arms, a second tap on the same card plays; dragging it up plays too. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { deck } from "../decks.ts";
import { handRow, handRows } from "../geometry.ts";
import { spokenCard } from "../speech.ts";
import { cards as cardSize } from "../settings.ts";
import { armed, confirm, mineShown, myTurn, options, touch } from "../store.ts";
import type { Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Face } from "./Card.tsx";
import { Icon } from "./Icon.tsx";

/** How far a card must be dragged up to be played, in px. */
const DRAG = 70;

/** Measured before anything is painted: cards that then moved on would do so under a finger. */
function useWidth() {
  const element = useRef<HTMLUListElement>(null);
  const [width, setWidth] = useState(Math.min(window.innerWidth, 840));
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    setWidth(element.current.getBoundingClientRect().width);
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}

export function Hand({ scene }: { scene: Scene }) {
  const [row, width] = useWidth();
  const cards = scene.deal?.hand ?? [];
  const largest = width >= 700 ? (cardSize.value === "large" ? 150 : 124) : cardSize.value === "large" ? 88 : 72;
  const aspect = deck.value.width / deck.value.height;
  // A wide row shows whole cards anyway, and a phone held sideways has no room for two rows.
  const twoRows = cardSize.value === "large" && width < 700 && innerHeight >= 560 && cards.length > 4;
  const across = twoRows ? Math.ceil(cards.length / 2) : cards.length;
  const { card, step } = twoRows ? handRows(width, innerHeight, aspect) : handRow(width, cards.length, largest);
  const used = across ? card + step * (across - 1) : 0;
  return (
    <section class={`hand${twoRows ? " two-rows" : ""}`} aria-label={t("your_hand")} data-place="hand">
      <ul
        ref={row}
        style={{ "--row-width": `${width}px`, "--card": `${card}px`, "--step": `${step}px`, "--used": `${used}px`, "--ratio": `${deck.value.width} / ${deck.value.height}` }}
      >
        {cards.map((name, index) => (
          <HandCard key={name} scene={scene} name={name} index={index % across} row={Math.floor(index / across)} />
        ))}
      </ul>
    </section>
  );
}

function HandCard({ scene, name, index, row }: { scene: Scene; name: string; index: number; row: number }) {
  const playing = options.value.plays.length > 0;
  const playable = options.value.plays.includes(name);
  const isArmed = armed.value?.kind === "play" && armed.value.what === name;
  const mine = mineShown.value && scene.deal?.called === name;
  const drag = useDrag(name);
  const label = spokenCard(name, scene, deck.value.suits);
  return (
    <li class="hand-place" style={{ "--n": String(index), "--row-n": String(row) }}>
      <button
        type="button"
        class={`hand-card${isArmed ? " armed" : ""}${playing && !playable ? " barred" : ""}${myTurn.value && playable ? " playable" : ""}`}
        aria-pressed={isArmed}
        aria-disabled={!playable}
        aria-label={isArmed ? `${label}. ${t("again_to_play")}` : label}
        data-place={`card-${name}`}
        data-card={name}
        {...drag}
      >
        <Face card={name} />
        {mine && (
          <span class="key-mark">
            <Icon name="key" />
          </span>
        )}
      </button>
    </li>
  );
}

/** Tap to arm and to play, drag up to play; a card that is dragged follows the finger. */
function useDrag(name: string) {
  const start = useRef<{ y: number; id: number } | null>(null);
  const moved = useRef(0);
  const settle = (element: HTMLElement) => {
    element.style.translate = "";
    start.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      moved.current = 0;
      start.current = { y: event.clientY, id: event.pointerId };
    },
    onPointerMove: (event: PointerEvent) => {
      const from = start.current;
      if (!from || !options.value.plays.includes(name)) return;
      moved.current = Math.min(0, event.clientY - from.y);
      const element = event.currentTarget as HTMLElement;
      if (moved.current < -12) {
        element.setPointerCapture(from.id);
        element.style.translate = `0 ${moved.current}px`;
      }
    },
    onPointerUp: (event: PointerEvent) => {
      settle(event.currentTarget as HTMLElement);
      if (moved.current > -DRAG) return;
      armed.value = { kind: "play", what: name };
      confirm();
    },
    onPointerCancel: (event: PointerEvent) => settle(event.currentTarget as HTMLElement),
    onClick: () => {
      if (moved.current > -12) touch("play", name);
    },
  };
}
