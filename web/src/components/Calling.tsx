/** After the auction: the called card by suit, and the trump named anew after the reveal. */
import { useState } from "preact/hooks";
import { deck } from "../decks.ts";
import { rankOf, suitOf } from "../seats.ts";
import { capital, cardName, rankLetter, suitName } from "../speech.ts";
import { armed, confirmOwn, options, touch } from "../store.ts";
import type { CallOption, Scene } from "../wire.ts";
import { t } from "../words.ts";
import { SuitMark } from "./Card.tsx";

/** The order in which the tiles lie. */
export const SUITS = ["D", "H", "S", "C"] as const;

/** What I hold of a suit, strongest first: "A R 6". */
function held(scene: Scene, suit: string): string {
  const order = scene.table.rules.trick_order;
  const ranks = (scene.deal?.hand ?? []).filter((card) => suitOf(card) === suit).map(rankOf);
  ranks.sort((one, other) => order.indexOf(one) - order.indexOf(other));
  return ranks.map((rank) => rankLetter(rank, deck.value.suits)).join(" ");
}

export function Calling({ scene }: { scene: Scene }) {
  const calls = options.value.calls;
  const [suit, setSuit] = useState("");
  if (armed.value?.kind === "call" && armed.value.again) return <Alone card={armed.value.what} />;
  const ofSuit = calls.filter((call) => suitOf(call.card) === suit);
  return (
    <section class="panel calling" aria-label={t("phase_call")}>
      <div class="tiles">
        {SUITS.map((one) => (
          <Tile
            key={one}
            scene={scene}
            suit={one}
            calls={calls.filter((call) => suitOf(call.card) === one)}
            open={suit === one}
            onOpen={() => setSuit(one)}
          />
        ))}
      </div>
      {ofSuit.length > 1 && <Ranks calls={ofSuit} />}
    </section>
  );
}

interface TileProps {
  scene: Scene;
  suit: string;
  calls: CallOption[];
  open: boolean;
  onOpen: () => void;
}

/** A suit with what I would have in it; with one callable card a tap arms it, with several it opens them. */
function Tile({ scene, suit, calls, open, onOpen }: TileProps) {
  const only = calls.length === 1 ? calls[0]! : null;
  const armedHere = armed.value?.kind === "call" && suitOf(armed.value.what) === suit;
  const suits = deck.value.suits;
  const mine = held(scene, suit);
  const name = suitName(suit, suits);
  const label = only
    ? t("call_label", { card: `${cardName(only.card, suits)}${only.own ? `, ${t("own_card")}` : ""}`, cards: mine || t("nothing") })
    : t("suit_label", { suit: name, cards: mine || t("nothing") });
  const add = only && !only.own ? ` + ${rankLetter(rankOf(only.card), suits)}` : "";
  return (
    <button
      type="button"
      class={`tile${armedHere ? " armed" : ""}${open ? " open" : ""}`}
      aria-pressed={armedHere}
      disabled={calls.length === 0}
      aria-label={label}
      onClick={() => {
        onOpen();
        if (only) touch("call", only.card);
      }}
    >
      <SuitMark suit={suit} />
      <span class="tile-text">
        <span class="tile-suit">{name}</span>
        <span class="tile-cards" data-letter={mine || "–"}>
          {add && <b data-letter={add} />}
        </span>
        {only?.own && <span class="tile-own">{` ${t("own_card")}`}</span>}
      </span>
    </button>
  );
}

/** The cards of one suit that may be called. */
function Ranks({ calls }: { calls: CallOption[] }) {
  const suits = deck.value.suits;
  return (
    <div class="chips ranks">
      {calls.map(({ card, own }) => {
        const isArmed = armed.value?.kind === "call" && armed.value.what === card;
        return (
          <button
            type="button"
            key={card}
            class={`chip${isArmed ? " armed" : ""}${own ? " own" : ""}`}
            aria-pressed={isArmed}
            aria-label={own ? `${cardName(card, suits)}, ${t("own_card")}` : cardName(card, suits)}
            onClick={() => touch("call", card)}
          >
            <span data-letter={rankLetter(rankOf(card), suits)} />
            {own && <small>{t("in_hand")}</small>}
          </button>
        );
      })}
    </div>
  );
}

/** Calling a card of one's own wants a third yes, in another place. */
function Alone({ card }: { card: string }) {
  return (
    <section class="panel alone" role="alertdialog" aria-label={t("own_title")}>
      <p>{t("own_warning", { card: capital(cardName(card, deck.value.suits)) })}</p>
      <div class="row">
        <button type="button" class="btn warn" onClick={confirmOwn}>
          {t("own_yes")}
        </button>
        <button type="button" class="btn quiet" onClick={() => (armed.value = null)}>
          {t("own_no")}
        </button>
      </div>
    </section>
  );
}

/** The player of the called card may change the trump. */
export function Trump({ scene }: { scene: Scene }) {
  return (
    <section class="panel calling" aria-label={t("phase_trump")}>
      <div class="tiles">
        {SUITS.map((suit) => {
          const isArmed = armed.value?.kind === "trump" && armed.value.what === suit;
          const cards = held(scene, suit);
          return (
            <button
              type="button"
              key={suit}
              class={`tile${isArmed ? " armed" : ""}`}
              aria-pressed={isArmed}
              disabled={!options.value.trumps.includes(suit)}
              aria-label={t("suit_label", {
                suit: `${suitName(suit, deck.value.suits)}${scene.deal?.trump === suit ? `, ${t("trump_now")}` : ""}`,
                cards: cards || t("nothing"),
              })}
              onClick={() => touch("trump", suit)}
            >
              <SuitMark suit={suit} />
              <span class="tile-text">
                <span class="tile-suit">{suitName(suit, deck.value.suits)}</span>
                <span class="tile-cards" data-letter={cards || "–"} />
                {scene.deal?.trump === suit && <span class="tile-own">{` ${t("trump_now")}`}</span>}
              </span>
            </button>
          );
        })}
      </div>
    </section>
  );
}
