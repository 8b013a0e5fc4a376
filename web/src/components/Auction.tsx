/** The auction in two taps: chips for ranks, a stepper for points. The bar below confirms. */
import { useState } from "preact/hooks";
import { amounts, chips, stops, type Chip } from "../bidding.ts";
import { deck } from "../decks.ts";
import { rankLetter, rankName } from "../speech.ts";
import { armed, options, touch } from "../store.ts";
import type { BidOption, DealScene, Scene } from "../wire.ts";
import { t } from "../words.ts";

export function Auction({ scene, deal }: { scene: Scene; deal: DealScene }) {
  const bids = options.value.bids;
  const row = chips(scene.table.rules, deal, bids);
  const offers = amounts(scene.table.rules, bids);
  const chipsLeft = row.some((chip) => !chip.gone);
  return (
    <section class="panel auction" aria-label={t("phase_auction")}>
      {row.length > 0 && (chipsLeft || offers.length === 0) && (
        <div class="chips">
          {row.map((chip) => (
            <RankChip key={chip.rank} chip={chip} next={chip.say !== "" && chip.say === bids[0]?.say} />
          ))}
        </div>
      )}
      {offers.length > 0 && <Stepper offers={offers} inPoints={scene.table.rules.auction_kind === "points"} />}
      {row.length === 0 && offers.length === 0 && <PointsGone deal={deal} />}
      {options.value.may_claim && <ClaimButton />}
    </section>
  );
}

function RankChip({ chip, next }: { chip: Chip; next: boolean }) {
  const isArmed = chip.say !== "" && armed.value?.kind === "bid" && armed.value.what === chip.say;
  const label = t(chip.gone ? "chip_gone" : "bid_rank", { rank: rankName(chip.rank, deck.value.suits) });
  return (
    <button
      type="button"
      class={`chip${chip.gone ? " gone" : ""}${isArmed ? " armed" : ""}${next ? " next" : ""}`}
      aria-label={label}
      aria-pressed={isArmed}
      disabled={!chip.say}
      onClick={() => touch("bid", chip.say)}
    >
      <span data-letter={rankLetter(chip.rank, deck.value.suits)} />
    </button>
  );
}

/** `− 71 +` with the stake, and chips for the amounts worth jumping to. */
function Stepper({ offers, inPoints }: { offers: BidOption[]; inPoints: boolean }) {
  const [wish, setWish] = useState(0);
  const armedSay = armed.value?.kind === "bid" ? armed.value.what : "";
  const at = Math.max(0, offers.findIndex((bid) => bid.say === armedSay || (!armedSay && bid.target === wish)));
  const now = offers[at]!;
  const choose = (bid: BidOption | undefined) => {
    if (!bid) return;
    setWish(bid.target);
    if (armed.value?.what !== bid.say) touch("bid", bid.say);
  };
  const lowest = rankName(now.say.split("@")[0]!, deck.value.suits);
  return (
    <div class="stepper-box">
      <div class="stepper">
        <button type="button" class="step" aria-label={t("less")} disabled={at === 0} onClick={() => choose(offers[at - 1])}>
          −
        </button>
        <button
          type="button"
          class={`amount${armedSay === now.say ? " armed" : ""}`}
          aria-pressed={armedSay === now.say}
          aria-label={`${inPoints ? t("bid_points", { points: now.target }) : t("bid_rank_at", { rank: lowest, points: now.target })}, ${t("stake", { n: now.unit })}`}
          onClick={() => touch("bid", now.say)}
        >
          <b data-letter={String(now.target)} />
          <small>{t("stake", { n: now.unit })}</small>
        </button>
        <button type="button" class="step" aria-label={t("more")} disabled={at === offers.length - 1} onClick={() => choose(offers[at + 1])}>
          +
        </button>
      </div>
      {offers.length > 3 && (
        <div class="stops">
          {stops(offers).map((bid) => (
            <button
              type="button"
              key={bid.say}
              class={`stop${bid.say === now.say ? " here" : ""}`}
              aria-label={t("jump_to", { points: bid.target, n: bid.unit })}
              onClick={() => choose(bid)}
            >
              <span data-letter={String(bid.target)} />
              {bid.unit > 1 && <small>×{bid.unit}</small>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

/** In an auction in points, while others speak: how far it has gone. */
function PointsGone({ deal }: { deal: DealScene }) {
  const reached = deal.standing ? Number(deal.standing.say) : 61;
  return (
    <div class="ladder" aria-hidden="true">
      <span class="bar-track">
        <i class="bar-fill" style={{ width: `${(100 * Math.max(0, reached - 60)) / 60}%` }} />
      </span>
      <span class="ladder-ends">
        <i>61</i>
        <i>120</i>
      </span>
    </div>
  );
}

function ClaimButton() {
  const isArmed = armed.value?.kind === "claim";
  return (
    <button type="button" class={`btn quiet claim${isArmed ? " armed" : ""}`} aria-pressed={isArmed} onClick={() => touch("claim", "")}>
      {t(isArmed ? "claim_again" : "claim")}
    </button>
  );
}
