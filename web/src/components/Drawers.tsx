/** What opens over the table: scores, last trick, rules, help, menu. */
import { aroundMe } from "../geometry.ts";
import { go } from "../route.ts";
import { sessionOf } from "../seats.ts";
import { rulesName } from "../speech.ts";
import { drawer, leave, send } from "../store.ts";
import type { Scene } from "../wire.ts";
import { luck, t } from "../words.ts";
import { FairDrawer } from "./Fair.tsx";
import { LuckDrawer } from "./Luck.tsx";
import { MannersDrawer } from "./Manners.tsx";
import { Modal } from "./Modal.tsx";
import { History, TableRules } from "./Panels.tsx";
import { Settings } from "./Settings.tsx";
import { Phrases } from "./Phrases.tsx";
import { Share } from "./Share.tsx";
import { Sheet } from "./Sheet.tsx";
import { Trick } from "./Felt.tsx";

const close = () => {
  drawer.value = null;
};

export function Drawers({ scene }: { scene: Scene }) {
  switch (drawer.value) {
    case "scores":
      return (
        <Modal title={t("scores")} onClose={close}>
          <Sheet scene={scene} />
        </Modal>
      );
    case "last":
      return scene.deal?.last ? (
        <Modal title={t("last_trick")} onClose={close}>
          <div class="last-trick">
            <Trick scene={scene} trick={scene.deal.last} around={aroundMe(scene)} />
          </div>
        </Modal>
      ) : null;
    case "rules":
      return (
        <Modal title={rulesName(scene.table.rules.id)} onClose={close}>
          <TableRules scene={scene} />
        </Modal>
      );
    case "help":
      return <Help />;
    case "share":
      return (
        <Modal title={t("invite")} onClose={close}>
          <Share code={scene.table.code} />
        </Modal>
      );
    case "fair":
      return <FairDrawer scene={scene} onClose={close} />;
    case "luck":
      return <LuckDrawer scene={scene} onClose={close} />;
    case "phrases":
      return <Phrases scene={scene} onClose={close} />;
    case "manners":
      return <MannersDrawer scene={scene} />;
    case "menu":
      return <Menu scene={scene} />;
    default:
      return null;
  }
}

function Menu({ scene }: { scene: Scene }) {
  const may = scene.table.may;
  const me = scene.table.you === null ? null : scene.chairs[scene.table.you];
  const [kind] = sessionOf(scene);
  return (
    <Modal title={t("table_code", { code: scene.table.code })} onClose={close}>
      <div class="menu-list">
        <button type="button" class="btn quiet" onClick={() => (drawer.value = "rules")}>
          {t("rules")}
        </button>
        <button type="button" class="btn quiet" onClick={() => (drawer.value = "share")}>
          {t("invite")}
        </button>
        <button type="button" class="btn quiet" onClick={() => (drawer.value = "manners")}>
          {t("who_watches")}: {t(`watch_${scene.table.manners.watch}`)}
        </button>
        <button type="button" class="btn quiet" onClick={() => (drawer.value = "help")}>
          {t("help")}
        </button>
        {me && scene.sheet.length > 0 && (
          <button type="button" class="btn quiet" onClick={() => (drawer.value = "luck")}>
            {luck("title")}
          </button>
        )}
      </div>
      <Settings />
      {scene.deal && scene.deal.auction.length > 0 && (
        <section class="narrow-only">
          <h3>{t("phase_auction")}</h3>
          <History scene={scene} deal={scene.deal} />
        </section>
      )}
      <div class="menu-list">
        {may.includes("end") && (kind === "open" || kind === "time") && (
          <button type="button" class="btn quiet" disabled={me?.wants_end ?? false} onClick={() => send({ do: "end" })}>
            {t(me?.wants_end ? "end_asked" : "end_after_deal")}
          </button>
        )}
        {may.includes("stand") && (
          <button type="button" class="btn quiet" onClick={() => (send({ do: "stand" }), close())}>
            {t("stand_up")}
          </button>
        )}
        <button type="button" class="btn quiet" onClick={() => (leave(), go("/"))}>
          {t("to_lobby")}
        </button>
      </div>
    </Modal>
  );
}

/** The keys of the keyboard. */
function Help() {
  const keys: [string, string][] = [
    ["1 – 8", t("key_cards")],
    [t("key_bid_letters"), t("key_bid")],
    ["1 – 4", t("key_suits")],
    ["+ −", t("key_step")],
    ["P", t("pass")],
    ["Enter", t("key_enter")],
    ["Esc", t("key_esc")],
    ["N", t("key_notes")],
    ["L", t("last_trick")],
    ["S", t("scores")],
    ["M", t("key_mute")],
    ["?", t("help")],
  ];
  return (
    <Modal title={t("help")} onClose={close}>
      <p>{t("help_taps")}</p>
      <p>{t("help_notes")}</p>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key + what}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
