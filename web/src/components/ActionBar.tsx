/** The lowest line: what is armed and its confirmation, or what is waited for. Always in the same place. */
import { askHint, mayAsk, thinking } from "../coach.ts";
import { deck } from "../decks.ts";
import { nameOf } from "../seats.ts";
import { bidName, cardName, suitName } from "../speech.ts";
import { canPromise, promised } from "../passing.ts";
import { armed, confirm, linkState, myTurn, options, touch, waiting, type Armed } from "../store.ts";
import type { DealScene, Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Icon } from "./Icon.tsx";

export function ActionBar({ scene }: { scene: Scene }) {
  const deal = scene.deal;
  const now = armed.value;
  const passing = options.value.may_pass;
  const words = hint(scene, deal, now);
  return (
    <footer class={`action${myTurn.value ? " mine" : ""}`}>
      {canPromise.value && (
        <button
          type="button"
          class={`btn pass promise${promised.value ? " armed" : ""}`}
          aria-pressed={promised.value}
          onClick={() => (promised.value = !promised.value)}
        >
          {t("promise_pass")}
        </button>
      )}
      {passing && <PassButton claim={deal?.phase === "claim"} />}
      {now && now.kind !== "pass" && !now.again ? (
        <button type="button" class="btn primary confirm" onClick={confirm} data-confirm>
          <Icon name="check" />
          <span>{armedText(now, scene)}</span>
        </button>
      ) : (
        <span key={words} class="hint">
          {words}
        </span>
      )}
      {mayAsk.value && (
        <button type="button" class="icon-button ask-hint" aria-label={t("hint")} disabled={thinking.value} onClick={askHint}>
          <Icon name="bulb" />
        </button>
      )}
    </footer>
  );
}

function PassButton({ claim }: { claim: boolean }) {
  const isArmed = armed.value?.kind === "pass";
  const word = claim ? t("no_claim") : t("pass");
  return (
    <button type="button" class={`btn pass${isArmed ? " armed" : ""}`} aria-pressed={isArmed} onClick={() => touch("pass", "")} data-pass>
      {isArmed ? t("confirm_word", { word }) : word}
    </button>
  );
}

/** What the bar says will be done. */
export function armedText(now: Armed, scene: Scene): string {
  const suits = deck.value.suits;
  switch (now.kind) {
    case "bid":
      return t("do_bid", { bid: bidName(now.what, scene) });
    case "call":
      return t("do_call", { card: cardName(now.what, suits) });
    case "play":
      return t("do_play", { card: cardName(now.what, suits) });
    case "trump":
      return t("do_trump", { suit: suitName(now.what, suits) });
    default:
      return t("claim_again");
  }
}

/** What I should do, or whom we wait for. */
function hint(scene: Scene, deal: DealScene | null, now: Armed | null): string {
  if (linkState.value !== "open") return t("link_lost_short");
  if (now?.again) return t("own_title");
  if (now?.kind === "pass") return t("tap_again");
  if (waiting.value > 0) return t("sending");
  if (!deal || scene.table.state === "between") return "";
  const me = scene.table.you === null ? null : scene.chairs[scene.table.you];
  if (!me && deal.turn !== null) return t("watching", { name: nameOf(scene, deal.turn) });
  if (me && !me.playing) return t("you_rest");
  if (me?.stand_in) return t("bot_plays_for_you");
  if (myTurn.value) {
    if (deal.phase === "auction") return t(deal.standing ? "choose_bid" : "choose_first_bid");
    if (deal.phase === "claim") return t("choose_claim");
    if (deal.phase === "call") return t(deal.tricks_done || deal.trick ? "choose_call_blind" : "choose_call");
    if (deal.phase === "trump") return t("choose_trump");
    if (deal.phase === "play") return t(deal.trick && deal.trick.winner === null ? "choose_card" : "choose_lead");
  }
  if (deal.turn !== null) return t("turn_of", { name: nameOf(scene, deal.turn) });
  return "";
}
