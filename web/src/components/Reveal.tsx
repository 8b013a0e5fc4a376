/** The climax: the called card has fallen. A tap anywhere or any key ends it; nothing is blocked meanwhile. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { deck } from "../decks.ts";
import { nameOf } from "../seats.ts";
import { capital, cardName } from "../speech.ts";
import { slowness } from "../settings.ts";
import { reveal } from "../store.ts";
import type { Scene } from "../wire.ts";
import { t } from "../words.ts";

const LASTS = 2_600;

export function Reveal({ scene }: { scene: Scene }) {
  const now = reveal.value;
  useEffect(() => {
    if (!now) return undefined;
    const end = () => {
      reveal.value = null;
    };
    const timer = setTimeout(end, LASTS * slowness.value);
    // The tap that played the card must not end what it has just begun.
    const listen = setTimeout(() => {
      addEventListener("pointerdown", end);
      addEventListener("keydown", end);
    }, 150);
    return () => {
      clearTimeout(timer);
      clearTimeout(listen);
      removeEventListener("pointerdown", end);
      removeEventListener("keydown", end);
    };
  }, [now]);
  if (!now) return null;
  const alone = now.caller === now.partner;
  const caller = nameOf(scene, now.caller);
  return (
    <div class={`reveal${alone ? " alone" : ""}`} aria-hidden="true">
      <Ribbon from={now.caller} to={now.partner} />
      <div class="reveal-text">
        <span class="reveal-small">{capital(cardName(now.card, deck.value.suits))}</span>
        <strong>
          {alone ? t("reveal_alone", { name: caller }) : t("reveal_partner", { partner: nameOf(scene, now.partner), name: caller })}
        </strong>
        <span class="reveal-small">{t("reveal_points", { ours: now.ours, theirs: now.theirs, target: now.target })}</span>
      </div>
    </div>
  );
}

/** A band from one plate to the other; for a solo it runs back to where it came from. */
function Ribbon({ from, to }: { from: number; to: number }) {
  const svg = useRef<SVGSVGElement>(null);
  const [path, setPath] = useState("");
  useLayoutEffect(() => {
    const frame = svg.current?.getBoundingClientRect();
    const [a, b] = [from, to].map((chair) => document.querySelector(`[data-place="seat-${chair}"] .avatar`)?.getBoundingClientRect());
    if (!frame || !a || !b) return;
    const [x1, y1] = [a.x + a.width / 2 - frame.x, a.y + a.height / 2 - frame.y];
    const [x2, y2] = [b.x + b.width / 2 - frame.x, b.y + b.height / 2 - frame.y];
    const [mx, my] = [frame.width / 2, frame.height / 2];
    // The band bends towards the middle; for a solo it runs round it and back.
    const [bx, by] = [0.6 * mx + 0.2 * (x1 + x2), 0.6 * my + 0.2 * (y1 + y2)];
    setPath(
      from === to
        ? `M${x1} ${y1}C${mx - 150} ${my - 40},${mx - 90} ${my + 90},${mx} ${my + 70}S${mx + 150} ${my - 40},${x1} ${y1}`
        : `M${x1} ${y1}Q${bx} ${by} ${x2} ${y2}`,
    );
  }, [from, to]);
  return (
    <svg ref={svg} class="ribbon">
      <path d={path} pathLength="1" />
    </svg>
  );
}
