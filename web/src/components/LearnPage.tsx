/** Where one learns: the lessons, and later a game with hints. */
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { introduce } from "../guest.ts";
import { plan } from "../opening.ts";
import { coach } from "../settings.ts";
import { fetchLessons, isDone, lessons } from "../lesson.ts";
import { go, lessonPath, rulesPath } from "../route.ts";
import { rulesName } from "../speech.ts";
import type { MenuEntry } from "../wire.ts";
import { told, type Values } from "../words.ts";
import type { LearnKey } from "../generated/keys.ts";
import { Icon } from "./Icon.tsx";
import { failed } from "./Landing.tsx";
import { PageHead } from "./PageHead.tsx";
import { CoachChoice } from "./Settings.tsx";
import { t } from "../words.ts";

/** A text of the pages of learning. */
export function learn(key: LearnKey, values?: Values): string {
  return told(`learn.${key}`, values);
}

export function LearnPage() {
  useEffect(() => {
    fetchLessons().catch(failed);
  }, []);
  return (
    <div class="page learn">
      <PageHead />
      <main>
        <div class="learn-head">
          <h1>{learn("title")}</h1>
          <p>{learn("intro")}</p>
        </div>
        <section class="card-box" aria-label={learn("lessons")}>
          <h2>{learn("lessons")}</h2>
          <ol class="lesson-list">
            {lessons.value?.map(({ id }, index) => (
              <li key={id}>
                <LessonLink id={id} number={index + 1} />
              </li>
            ))}
          </ol>
          {!lessons.value && <p class="empty">{t("one_moment")}</p>}
        </section>
        <Coached />
        <Rulebook />
      </main>
    </div>
  );
}

/** A game alone with bots, in which one may ask. */
function Coached() {
  const [busy, setBusy] = useState(false);
  const play = async () => {
    setBusy(true);
    try {
      await introduce();
      const { code } = await api.create("classic", null);
      if (coach.value === "off") coach.value = "ask";
      plan({ code, sit: true, fill: true, start: true });
      go(`/t/${code}`);
    } catch (error) {
      failed(error);
      setBusy(false);
    }
  };
  return (
    <section class="card-box coached" aria-label={learn("coached")}>
      <h2>{learn("coached")}</h2>
      <p>{learn("coached_line")}</p>
      <CoachChoice />
      <button type="button" class="btn primary" disabled={busy} onClick={play}>
        {learn("play_coached")}
      </button>
    </section>
  );
}

/** The rule sets, each with a page of its own. */
function Rulebook() {
  const [menu, setMenu] = useState<MenuEntry[]>([]);
  useEffect(() => {
    api.menu().then(setMenu, failed);
  }, []);
  const links = (group: MenuEntry["group"]) => (
    <ul class="rule-links">
      {menu.filter((entry) => entry.group === group).map(({ id }) => (
        <li key={id}>
          <a href={rulesPath(id)} onClick={(event) => (event.preventDefault(), go(rulesPath(id)))}>
            {rulesName(id)}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <section class="card-box" aria-label={learn("rulebook")}>
      <h2>{learn("rulebook")}</h2>
      <p class="sources">{learn("rulebook_line")}</p>
      {links("seed")}
      <details>
        <summary>{t("more_rules")}</summary>
        {links("more")}
      </details>
    </section>
  );
}

function LessonLink({ id, number }: { id: string; number: number }) {
  const over = isDone(id);
  const open = (event: Event) => {
    event.preventDefault();
    go(lessonPath(id));
  };
  return (
    <a class={`lesson-link${over ? " done" : ""}`} href={lessonPath(id)} onClick={open}>
      <span class="lesson-number" aria-hidden="true">
        {over ? <Icon name="check" /> : number}
      </span>
      <span class="grow">
        {told(`lessons.${id}.title`)}
        {over && <span class="hidden">, {learn("done")}</span>}
        <small>{told(`lessons.${id}.line`)}</small>
      </span>
      <Icon name="on" />
    </a>
  );
}
