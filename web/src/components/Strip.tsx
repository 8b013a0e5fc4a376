/** The line on top: what is being played for, and the way to everything else. */
import { deck } from "../decks.ts";
import { nameOf, sessionOf } from "../seats.ts";
import { capital, cardName } from "../speech.ts";
import { drawer, mineShown } from "../store.ts";
import type { DealScene, Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Avatar, MiniCard } from "./Card.tsx";
import { Icon } from "./Icon.tsx";
import { Eyes } from "./Manners.tsx";

export function Strip({ scene }: { scene: Scene }) {
  return (
    <header class="strip">
      <h1 class="hidden">{t("table_code", { code: scene.table.code })}</h1>
      {scene.deal ? <Contract scene={scene} deal={scene.deal} /> : <span class="contract">{t("brand")}</span>}
      <DealNumber scene={scene} />
      <Eyes scene={scene} />
      <button type="button" class="icon-button to-scores" aria-label={t("scores")} onClick={() => (drawer.value = "scores")}>
        <Icon name="scores" />
      </button>
      <button type="button" class="icon-button" aria-label={t("menu")} onClick={() => (drawer.value = "menu")}>
        <Icon name="menu" />
      </button>
    </header>
  );
}

/** "4/10" for a game of deals, "4 · a 15" for one in points. */
function DealNumber({ scene }: { scene: Scene }) {
  const [kind, limit] = sessionOf(scene);
  if (!scene.deal) return null;
  // Redeals count in a deal's number but not in the length of the game.
  const scored = scene.sheet.filter((row) => row.kind === "scored").length;
  const running = scene.deal.phase === "done" && scene.table.state !== "playing" ? scored : scored + 1;
  const words =
    kind === "deals"
      ? t("deal_of", { n: running, of: limit })
      : kind === "points"
        ? t("deal_to", { n: running, points: limit })
        : t("deal_n", { n: running });
  return (
    <span class="deal-number" title={words}>
      <span class="hidden">{words}</span>
      <span aria-hidden="true">{kind === "deals" ? `${running}/${limit}` : kind === "points" ? `${running} → ${limit}` : `${running}`}</span>
    </span>
  );
}

export function Contract({ scene, deal }: { scene: Scene; deal: DealScene }) {
  if (deal.caller === null)
    return (
      <span class="contract">
        {deal.phase === "claim" ? t("phase_claim") : t("phase_auction")}
        <Stake deal={deal} />
      </span>
    );
  const name = nameOf(scene, deal.caller);
  const card = deal.called ? cardName(deal.called, deck.value.suits) : t("not_named_yet");
  const label = [t("contract_label", { name, card, target: deal.target })];
  if (mineShown.value) label.push(t("card_is_mine"));
  return (
    <span class="contract" role="group" aria-label={label.join(", ")}>
      <Avatar chair={scene.chairs[deal.caller]!} index={deal.caller} />
      <span class="contract-name" aria-hidden="true">
        {name}
      </span>
      <span class="contract-card" aria-hidden="true">
        {deal.called ? <MiniCard card={deal.called} /> : <b class="mini-card">?</b>}
        {/* Room for the key is there for everybody: the same layout for all. */}
        <span class="key-room">{mineShown.value && <Icon name="key" />}</span>
      </span>
      <b class="contract-target" aria-hidden="true" title={capital(t("target"))}>
        {deal.target}
      </b>
      <Stake deal={deal} />
    </span>
  );
}

/** What is at stake now: for the standing bid in the auction, for the contract afterwards. */
function Stake({ deal }: { deal: DealScene }) {
  const n = deal.standing ? deal.unit : deal.multiplier;
  // Where the target itself is the stake, it stands there already.
  if (n <= 1 || n === deal.target || String(n) === deal.standing?.say) return null;
  return (
    <b class="stake" title={t("stake", { n })}>
      <span class="hidden">{t("stake", { n })}</span>
      <span aria-hidden="true">×{n}</span>
    </b>
  );
}
