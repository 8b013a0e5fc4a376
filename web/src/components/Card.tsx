/** Cards, suits and people as pictures. */
import { useState } from "preact/hooks";
import { deck, faceUrl, type Corner, type Deck } from "../decks.ts";
import { rankOf, suitOf } from "../seats.ts";
import { rankLetter, suitLetter, suitName } from "../speech.ts";
import type { Chair } from "../wire.ts";

interface FaceProps {
  card: string;
  /** Said by a screen reader; without it the picture is decoration. */
  label?: string;
}

/** The face of a card; `3?` is a covered card of which only the rank may be seen. */
export function Face({ card, label }: FaceProps) {
  const kit = deck.value;
  const suit = suitOf(card);
  const covered = suit === "?";
  const [missing, setMissing] = useState("");
  const url = faceUrl(kit.id, covered ? "back" : card);
  const spoken = label ? { role: "img" as const, "aria-label": label } : { "aria-hidden": true };
  return (
    <span class={`face${covered ? " covered" : ""}`} style={{ aspectRatio: `${kit.width} / ${kit.height}` }} {...spoken}>
      {missing === url ? (
        <span class="plain">{!covered && <SuitMark suit={suit} />}</span>
      ) : (
        <img src={url} alt="" draggable={false} onError={() => setMissing(url)} />
      )}
      {covered ? (
        <b class="covered-rank">{rankLetter(rankOf(card), kit.suits)}</b>
      ) : (
        <Indices kit={kit} card={card} />
      )}
    </span>
  );
}

/** The letters of rank and suit, written over the picture because they differ by language. */
function Indices({ kit, card }: { kit: Deck; card: string }) {
  const rank = rankLetter(rankOf(card), kit.suits);
  return (
    <>
      {kit.corners.map((corner) => (
        <Letter key={corner.turn} kit={kit} card={card} corner={corner} text={rank} />
      ))}
      {kit.letter && <Letter kit={kit} card={card} corner={kit.letter} text={suitLetter(suitOf(card))} />}
    </>
  );
}

function Letter({ kit, card, corner, text }: { kit: Deck; card: string; corner: Corner; text: string }) {
  const { x, y, size, turn } = corner;
  return (
    <b
      class={`index${text.length > 1 ? " wide" : ""}${kit.chip ? " chip-index" : ""}`}
      style={{
        left: `${(100 * x) / kit.width}%`,
        top: `${(100 * y) / kit.height}%`,
        fontSize: `${(100 * size) / kit.width}cqw`,
        color: kit.ink[suitOf(card)] ?? "",
        rotate: `${turn}deg`,
      }}
      data-letter={text}
    />
  );
}

const MARKS: Record<string, Record<string, string>> = {
  latin: {
    S: "M10 .6 12 4l-.5 8h3.1v2h-3.2l.5 3.6a2 2 0 1 1-3.8 0L8.6 14H5.4v-2h3.1L8 4z",
    H: "M3.6 2h12.8c0 5-1.9 8.6-5.2 9.4v3.1c2.4.3 3.9 1.4 3.9 3.1H4.9c0-1.7 1.5-2.8 3.9-3.1v-3.1C5.5 10.6 3.6 7 3.6 2z",
    D: "M10 1.500a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zm0 2.600a5.9 5.9 0 1 0 0 11.8 5.9 5.9 0 0 0 0-11.800zm0 2.7 1.1 2.1 2.1 1.1-2.1 1.100L10 13.2 8.9 11.1 6.8 10l2.1-1.100z",
    C: "M12.2.9c2.2 0 3.9 1.6 3.9 3.6 0 1-.4 1.6-.8 2.2.3.6.3 1.2 0 1.8-.5.9-1.3 1.2-2 1.300L8.6 18.300c-.6 1-1.9 1.3-2.8.8-.9-.6-1.2-1.8-.6-2.800l4.1-8.300c-.4-.9-.3-1.9.3-2.6-.6-1.5-.3-4.5 2.6-4.500z",
  },
  french: {
    S: "M10 1C8 4.6 2.2 7.4 2.2 11.500c0 2.3 1.7 3.8 3.7 3.8 1.2 0 2.2-.5 2.9-1.3-.2 1.9-.9 3.4-2.3 5h7c-1.4-1.6-2.1-3.1-2.3-5 .7.8 1.7 1.3 2.9 1.3 2 0 3.7-1.5 3.7-3.800C17.8 7.4 12 4.6 10 1z",
    H: "M10 18C7 14.4 1.8 11.2 1.8 6.6 1.8 4 3.7 2 6.1 2 7.8 2 9.2 3 10 4.6 10.8 3 12.2 2 13.9 2c2.4 0 4.3 2 4.3 4.600C18.2 11.2 13 14.4 10 18z",
    D: "M10 .8 17 10l-7 9.200L3 10z",
    C: "M10 1.200a3.9 3.9 0 0 1 3 6.4 3.9 3.9 0 1 1-1.8 6.700c.2 1.7.9 3.1 2.2 4.700H6.600c1.3-1.6 2-3 2.2-4.700A3.9 3.9 0 1 1 7 7.600a3.9 3.9 0 0 1 3-6.400z",
  },
};

/** A small suit sign in its colour; its shape tells it apart as well. */
export function SuitMark({ suit, label }: { suit: string; label?: boolean }) {
  const suits = deck.value.suits;
  const spoken = label ? { role: "img" as const, "aria-label": suitName(suit, suits) } : { "aria-hidden": true };
  return (
    <svg class={`suit suit-${suit}`} viewBox="0 0 20 20" {...spoken}>
      <path d={MARKS[suits]?.[suit] ?? MARKS["latin"]![suit]!} />
    </svg>
  );
}

/** A card in a line of text: letter and suit sign. */
export function Mini({ card }: { card: string }) {
  return (
    <span class="mini" aria-hidden="true">
      {rankLetter(rankOf(card), deck.value.suits)}
      <SuitMark suit={suitOf(card)} />
    </span>
  );
}

/** A card so small that only its index and its suit sign can be read. */
export function MiniCard({ card }: { card: string }) {
  return (
    <b class="mini-card" style={{ color: deck.value.ink[suitOf(card)] ?? "" }}>
      {rankLetter(rankOf(card), deck.value.suits)}
      <SuitMark suit={suitOf(card)} />
    </b>
  );
}

/** A round sign with a person's first letter; bots have a square one. */
export function Avatar({ chair, index }: { chair: Chair; index: number }) {
  const first = [...chair.name.trim()][0]?.toUpperCase() ?? "";
  return (
    <span class={`avatar tint-${index % 9} ${chair.kind}`} aria-hidden="true">
      {chair.kind === "empty" ? "+" : first}
    </span>
  );
}
