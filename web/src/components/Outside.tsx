/** A table whose running deal is not shown to those without a chair: who sits there, the score, what may be seen. */
import { useState } from "preact/hooks";
import { framePath } from "../route.ts";
import { rulesName } from "../speech.ts";
import { drawer } from "../store.ts";
import type { Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Avatar } from "./Card.tsx";
import { Icon } from "./Icon.tsx";
import { lookingOn, MannersText } from "./Manners.tsx";
import { PageHead } from "./PageHead.tsx";
import { Sheet } from "./Sheet.tsx";

export function Outside({ scene }: { scene: Scene }) {
  const { table, chairs } = scene;
  return (
    <div class="page outside">
      <PageHead>
        <button type="button" class="icon-button" aria-label={t("menu")} onClick={() => (drawer.value = "menu")}>
          <Icon name="menu" />
        </button>
      </PageHead>
      <main>
        <section class="card-box">
          <h1>{t("table_code", { code: table.code })}</h1>
          <p class="lead">
            {rulesName(table.rules.id)} · {t(table.state === "playing" ? "outside_playing" : "outside_resting")}
          </p>
          <MannersText manners={table.manners} />
          <p class="empty">{lookingOn(table.watchers)}</p>
        </section>
        {table.manners.watch === "delayed" && <Delayed scene={scene} />}
        <section class="card-box">
          <h2>{t("chairs")}</h2>
          <ul class="chairs">
            {chairs.map((chair, index) => (
              <li key={index} class={`chair-line ${chair.kind}`}>
                <Avatar chair={chair} index={index} />
                <span class="chair-name">{chair.name}</span>
              </li>
            ))}
          </ul>
          <h2>{t("scores")}</h2>
          <Sheet scene={scene} />
        </section>
      </main>
    </div>
  );
}

/** The newest deal that has ended, in a frame of its own; the one after it waits until it is asked for. */
function Delayed({ scene }: { scene: Scene }) {
  const newest = scene.sheet.at(-1)?.number ?? 0;
  const [shown, setShown] = useState(newest);
  const now = shown || newest;
  const nameOf = (number: number) => scene.sheet.find((row) => row.number === number)?.deal ?? number;
  if (!now) return <p class="card-box empty">{t("delayed_first")}</p>;
  const title = t("delayed_title", { n: nameOf(now) });
  return (
    <section class="card-box" aria-label={title}>
      <h2>{title}</h2>
      {newest > now && (
        <button type="button" class="btn primary" onClick={() => setShown(newest)}>
          {t("delayed_next", { n: nameOf(newest) })}
        </button>
      )}
      <iframe key={now} class="framed-deal" src={`${framePath(scene.table.code, now)}?play=1`} title={title} />
    </section>
  );
}
