/** The page where there is no line to the house: what works without it. */
import { useLayoutEffect, useState } from "preact/hooks";
import { recallMe } from "../guest.ts";
import { keptPages } from "../offline.ts";
import { dealAsked, go, scorePath, sheetAsked } from "../route.ts";
import { app, t } from "../words.ts";
import { Icon } from "./Icon.tsx";
import { PageHead } from "./PageHead.tsx";

/** `trying`: a table goes on asking the house by itself. */
export function Offline({ trying = false }: { trying?: boolean }) {
  const [kept, setKept] = useState<string[]>([]);
  useLayoutEffect(() => {
    void keptPages().then(setKept);
    const again = () => void recallMe();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, []);
  return (
    <div class="page offline">
      <PageHead to="" />
      <main>
        <section class="card-box">
          <h1>{app("no_line")}</h1>
          <p role="status">{trying ? t("house_gone") : app("no_line_why")}</p>
          {!trying && (
            <button type="button" class="btn primary" onClick={() => void recallMe()}>
              {app("try_again")}
            </button>
          )}
          <a class="btn" href={scorePath("")} onClick={(event) => follow(event, scorePath(""))}>
            <Icon name="scores" /> {app("score_keeper")}
          </a>
        </section>
        {kept.length > 0 && (
          <section class="card-box">
            <h2>{app("kept_here")}</h2>
            <ul class="kept">
              {kept.map((to) => (
                <li key={to}>
                  <a class="btn quiet" href={to} onClick={(event) => follow(event, to)}>
                    {nameOf(to)}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </main>
    </div>
  );
}

function follow(event: MouseEvent, to: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(to);
}

function nameOf(page: string): string {
  const deal = dealAsked(page);
  return deal ? t("replay_title", { n: deal.number, code: deal.code }) : t("sheets_of", { code: sheetAsked(page) });
}
