/** Beside the table on wide screens: the auction as it went, the called card, the rules; and the score sheet. */
import { useEffect, useRef } from "preact/hooks";
import { deck } from "../decks.ts";
import { nameOf } from "../seats.ts";
import { bidName, capital, cardName, rulesName } from "../speech.ts";
import { mineShown } from "../store.ts";
import type { DealScene, Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Face } from "./Card.tsx";
import { Icon } from "./Icon.tsx";
import { RulesText, useTableRules } from "./RulesText.tsx";
import { Sheet } from "./Sheet.tsx";

export function LeftPanel({ scene }: { scene: Scene }) {
  return (
    <aside class="side left" tabIndex={0} aria-label={t("contract")}>
      {scene.deal?.called && <CalledCard scene={scene} deal={scene.deal} />}
      {scene.deal && scene.deal.auction.length > 0 && (
        <section class="box">
          <h2>{t("phase_auction")}</h2>
          <History scene={scene} deal={scene.deal} />
        </section>
      )}
      <section class="box">
        <h2>{rulesName(scene.table.rules.id)}</h2>
        <TableRules scene={scene} />
      </section>
    </aside>
  );
}

export function RightPanel({ scene }: { scene: Scene }) {
  return (
    <aside class="side right" aria-label={t("scores")}>
      <section class="box">
        <h2>{t("scores")}</h2>
        <Sheet scene={scene} />
      </section>
    </aside>
  );
}

function CalledCard({ scene, deal }: { scene: Scene; deal: DealScene }) {
  return (
    <section class="box called-box">
      <span class="called-large">
        <Face card={deal.called} label={capital(cardName(deal.called, deck.value.suits))} />
      </span>
      <div>
        <h2>{t("calls", { name: nameOf(scene, deal.caller) })}</h2>
        <p>{capital(cardName(deal.called, deck.value.suits))}</p>
        <p>{t("needs", { target: deal.target })}</p>
        {/* Same room for everybody, whoever holds the card. */}
        <p class="key-line">
          {mineShown.value && (
            <>
              <Icon name="key" /> {t("card_is_mine")}
            </>
          )}
        </p>
      </div>
    </section>
  );
}

/** Who said what, in order. */
export function History({ scene, deal }: { scene: Scene; deal: DealScene }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [deal.auction.length]);
  return (
    <ol class="history" ref={list} tabIndex={0} aria-label={t("phase_auction")}>
      {deal.auction.map(({ chair, say }, index) => (
        <li key={index} class={say === "pass" ? "quiet" : ""}>
          <span>{chair === scene.table.you ? t("you") : nameOf(scene, chair)}</span>
          <b>{bidName(say, scene)}</b>
        </li>
      ))}
    </ol>
  );
}

/** The rules of a table, as it was made. */
export function TableRules({ scene }: { scene: Scene }) {
  return <RulesText page={useTableRules(scene.table.code)} />;
}
