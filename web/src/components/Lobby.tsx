/** Before the first deal: who sits where, how friends come, start. */
import { rulesName } from "../speech.ts";
import { drawer, send } from "../store.ts";
import type { Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Avatar } from "./Card.tsx";
import { Differs } from "./Differs.tsx";
import { Icon } from "./Icon.tsx";
import { PageHead } from "./PageHead.tsx";
import { Spoken } from "./Phrases.tsx";
import { lookingOn, MannersChoice, MannersText } from "./Manners.tsx";
import { useTableRules } from "./RulesText.tsx";
import { Share } from "./Share.tsx";

export function Lobby({ scene }: { scene: Scene }) {
  const { table, chairs } = scene;
  const page = useTableRules(table.code);
  const empty = chairs.filter((chair) => chair.kind === "empty").length;
  return (
    <div class="page lobby">
      <PageHead>
        <button type="button" class="icon-button" aria-label={t("menu")} onClick={() => (drawer.value = "menu")}>
          <Icon name="menu" />
        </button>
      </PageHead>
      <main>
        <section class="card-box">
          <h1>{t("table_waits")}</h1>
          <p class="lead">
            {rulesName(table.rules.id)}{" "}
            <button type="button" class="link" onClick={() => (drawer.value = "rules")}>
              {t("show_rules")}
            </button>
          </p>
          {page && <Differs page={page} />}
          <Share code={table.code} />
          {table.may.includes("allow") ? (
            <details class="manners-box">
              <summary>
                {t("who_watches")}: {t(`watch_${table.manners.watch}`)}
              </summary>
              <MannersChoice manners={table.manners} onChange={(manners) => send({ do: "allow", manners })} />
            </details>
          ) : (
            <MannersText manners={table.manners} />
          )}
          {table.watchers > 0 && <p class="empty">{lookingOn(table.watchers)}</p>}
        </section>
        <section class="card-box">
          <h2 class="with-tool">
            {t("chairs")}
            {(table.may.includes("say") || table.manners.chat) && (
              <button type="button" class="icon-button" aria-label={t("say_something")} onClick={() => (drawer.value = "phrases")}>
                <Icon name="speak" />
              </button>
            )}
          </h2>
          <ul class="chairs">
            {chairs.map((_, index) => (
              <ChairLine key={index} scene={scene} index={index} />
            ))}
          </ul>
          {table.may.includes("start") ? (
            <button type="button" class="btn primary big" onClick={() => send({ do: "start" })}>
              {t(empty ? "start_with_bots" : "start")}
            </button>
          ) : (
            <p class="empty">{t(table.you === null ? "sit_to_play" : "waits_to_start")}</p>
          )}
        </section>
      </main>
    </div>
  );
}

function ChairLine({ scene, index }: { scene: Scene; index: number }) {
  const chair = scene.chairs[index]!;
  const { you, may } = scene.table;
  const free = chair.kind === "empty";
  const seatable = may.includes("sit") && chair.kind !== "person";
  return (
    <li class={`chair-line ${chair.kind}${index === you ? " you" : ""}`}>
      <Avatar chair={chair} index={index} />
      <span class="chair-name">
        {free ? t("chair_free", { n: index + 1 }) : chair.name}
        {index === you && <small> {t("you_mark")}</small>}
        {chair.kind === "bot" && <small> {t("bot")}</small>}
        <Spoken index={index} />
      </span>
      {seatable && (
        <button type="button" class="btn small" onClick={() => send({ do: "sit", chair: index })} aria-label={t("sit_here", { n: index + 1 })}>
          {t("sit")}
        </button>
      )}
      {free && may.includes("bot") && (
        <button type="button" class="btn small quiet" onClick={() => send({ do: "bot", chair: index })} aria-label={t("bot_here", { n: index + 1 })}>
          <Icon name="bot" /> {t("put_bot")}
        </button>
      )}
      {index === you && may.includes("stand") && (
        <button type="button" class="btn small quiet" onClick={() => send({ do: "stand" })}>
          {t("stand_up")}
        </button>
      )}
    </li>
  );
}
