/** The felt: four plates, and the trick or the standing bid between them. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { deck } from "../decks.ts";
import { aroundMe, trickPlace, type Slot } from "../geometry.ts";
import { slideFrom } from "../motion.ts";
import { nameOf } from "../seats.ts";
import { bidName, bidShort, capital, cardName } from "../speech.ts";
import type { DealScene, PlayedCard, Scene, TrickScene } from "../wire.ts";
import { count, t } from "../words.ts";
import { Face } from "./Card.tsx";
import { Icon } from "./Icon.tsx";
import { Reveal } from "./Reveal.tsx";
import { Seat } from "./Seat.tsx";

export function Felt({ scene }: { scene: Scene }) {
  const around = aroundMe(scene);
  const deal = scene.deal;
  return (
    <section class="felt" aria-label={t("felt")}>
      {around.slice(1).map((index, place) => (
        <Seat key={index} scene={scene} index={index} slot={(place + 1) as Slot} />
      ))}
      <div class="middle">
        {deal?.trick ? (
          <Trick scene={scene} trick={deal.trick} around={around} covered={deal.covered} />
        ) : (
          deal && <Standing scene={scene} deal={deal} />
        )}
      </div>
      <Reveal scene={scene} />
    </section>
  );
}

interface TrickProps {
  scene: Scene;
  trick: TrickScene;
  around: number[];
  covered?: string;
}

/** The cards of a trick, each before the one who played it. */
export function Trick({ scene, trick, around, covered = "" }: TrickProps) {
  return (
    <ol class="trick" aria-label={t("trick")} style={{ "--aspect": String(deck.value.width / deck.value.height) }}>
      {trick.cards.map((played) => (
        <TrickCard
          key={`${played.chair}`}
          scene={scene}
          trick={trick}
          played={played}
          slot={Math.max(0, around.indexOf(played.chair)) as Slot}
          covered={played.chair === scene.table.you ? covered : ""}
        />
      ))}
    </ol>
  );
}

interface TrickCardProps {
  scene: Scene;
  trick: TrickScene;
  played: PlayedCard;
  slot: Slot;
  /** What lies under my own covered card. */
  covered: string;
}

function TrickCard({ scene, trick, played, slot, covered }: TrickCardProps) {
  const item = useRef<HTMLLIElement>(null);
  const { x, y, lean } = trickPlace(slot, scene.table.rules.direction);
  const won = trick.winner === played.chair;
  useLayoutEffect(() => {
    const own = played.chair === scene.table.you ? [`card-${played.card}`, `card-${covered}`, "hand"] : [];
    if (item.current) slideFrom(item.current, [...own, `seat-${played.chair}`]);
  }, [played.card.replace("?", "").slice(0, 1), trick.leader]);
  const called = scene.deal?.called === played.card;
  const label = [`${nameOf(scene, played.chair)}: ${cardName(played.card, deck.value.suits)}`];
  if (won) label.push(t("takes_it"));
  return (
    <li
      ref={item}
      class={`trick-card${won ? " won" : ""}${trick.winner !== null && !won ? " lost" : ""}${called ? " called" : ""}`}
      style={{ left: `${x}%`, top: `${y}%`, "--lean": `${lean}deg` }}
    >
      <span class="leaning">
        <Face card={covered || played.card} label={label.join(", ")} />
        {covered && <span class="veil">{t("covered")}</span>}
      </span>
      {trick.leader === played.chair && <i class="lead-dot" title={t("led")} />}
      {won && (
        <span class="won-star">
          <Icon name="star" />
        </span>
      )}
    </li>
  );
}

/** In the auction: the bid to beat. Before the first card: what is waited for. */
function Standing({ scene, deal }: { scene: Scene; deal: DealScene }) {
  const standing = deal.standing;
  if (deal.phase === "play" || deal.phase === "done") return deal.trump || deal.called ? <Lead scene={scene} deal={deal} /> : null;
  if (!standing)
    return (
      <div class="standing">
        <span class="standing-small">{deal.phase === "claim" ? t("phase_claim") : t("phase_auction")}</span>
        <span class="standing-small">{t("nobody_bid")}</span>
      </div>
    );
  const high = deal.caller !== null;
  return (
    <div class="standing" aria-label={`${nameOf(scene, standing.chair)}: ${bidName(standing.say, scene)}`} role="group">
      <span class="standing-small">{t(high ? "won_by" : "bid_by", { name: nameOf(scene, standing.chair) })}</span>
      <span class="standing-bid">{bidShort(standing.say, scene)}</span>
      <span class="standing-small">
        {scene.table.rules.auction_kind === "rank" ? capital(bidName(standing.say, scene)) : t("or_more")}
      </span>
    </div>
  );
}

function Lead({ scene, deal }: { scene: Scene; deal: DealScene }) {
  if (deal.turn === null || deal.tricks_done > 0) return null;
  return (
    <div class="standing">
      {deal.called && (
        <span class="standing-card">
          <Face card={deal.called} label={capital(cardName(deal.called, deck.value.suits))} />
        </span>
      )}
      <span class="standing-small">
        {deal.called ? t("is_called_by", { name: nameOf(scene, deal.caller), points: count("point", deal.target) }) : ""}
      </span>
    </div>
  );
}
