/** A lesson at the table itself: what happens is drawn as always, and beside it stands what to look at. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../keys.ts";
import { at, begin, drawn, end, fetchLessons, last, lesson, lessons, on, right, show, step, words, wrong } from "../lesson.ts";
import { go, lessonPath } from "../route.ts";
import { drawer, reveal, scene } from "../store.ts";
import type { Scene } from "../wire.ts";
import { t, told } from "../words.ts";
import { ActionBar } from "./ActionBar.tsx";
import { Drawers } from "./Drawers.tsx";
import { Felt } from "./Felt.tsx";
import { Hand } from "./Hand.tsx";
import { Icon } from "./Icon.tsx";
import { learn } from "./LearnPage.tsx";
import { Points } from "./Points.tsx";
import { Contract } from "./Strip.tsx";
import { Phase } from "./TablePage.tsx";

export function LessonPage({ id }: { id: string }) {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    let current = true;
    fetchLessons().then(
      (all) => {
        const found = all.find((one) => one.id === id);
        if (current && found) begin(found);
        else if (current) setMissing(true);
      },
      () => current && setMissing(true),
    );
    return () => {
      current = false;
      end();
    };
  }, [id]);
  useKeys();
  const now = scene.value;
  if (missing) return <Missing />;
  if (!now || lesson.value?.id !== id) return <p class="loading">{t("opening")}</p>;
  return (
    <>
      <Table scene={now} id={id} />
      {drawer.value !== "menu" && <Drawers scene={now} />}
    </>
  );
}

function Missing() {
  return (
    <main class="page gone">
      <section class="card-box">
        <h1>{learn("no_lesson")}</h1>
        <button type="button" class="btn primary" onClick={() => go("/learn")}>
          {learn("all_lessons")}
        </button>
      </section>
    </main>
  );
}

function Table({ scene: now, id }: { scene: Scene; id: string }) {
  const deal = now.deal;
  const asked = drawn.value && !!step.value?.answer && !right.value;
  return (
    <div class={`table lesson phase-${deal?.phase ?? "none"}${asked ? " my-turn" : ""}${reveal.value ? " revealing" : ""}`}>
      <header class="strip">
        <button type="button" class="icon-button" aria-label={learn("all_lessons")} onClick={() => go("/learn")}>
          <Icon name="back" />
        </button>
        <h1 class="hidden">{told(`lessons.${id}.title`)}</h1>
        {deal && <Contract scene={now} deal={deal} />}
        <button type="button" class="icon-button" aria-label={learn("back")} disabled={at.value === 0} onClick={() => show(at.value - 1)}>
          <Icon name="off" />
        </button>
        <button type="button" class="icon-button" aria-label={learn("skip")} disabled={at.value === last.value} onClick={on}>
          <Icon name="on" />
        </button>
        <button type="button" class="icon-button restart" aria-label={learn("restart")} onClick={() => show(0)}>
          <Icon name="last" />
        </button>
      </header>
      <Words scene={now} id={id} />
      <main class="centre">
        <Felt scene={now} />
        <Points scene={now} />
        {asked && deal && <Phase scene={now} deal={deal} />}
        <Hand scene={now} />
        {asked ? <ActionBar scene={now} /> : <Onward id={id} />}
      </main>
    </div>
  );
}

/** What to look at or to do; after another move than that, why it is as right, or why not. */
function Words({ scene: now, id }: { scene: Scene; id: string }) {
  const number = (lessons.value ?? []).findIndex((one) => one.id === id) + 1;
  const key = right.value || wrong.value || step.value!.say;
  return (
    <section class={`lesson-words${wrong.value ? " wrong" : ""}`} aria-label={learn("lesson_n", { n: number })}>
      <p class="lesson-title" aria-hidden="true">
        {number} · {told(`lessons.${id}.title`)}
        <span>{learn("step_of", { n: at.value + 1, of: last.value + 1 })}</span>
      </p>
      <p class="lesson-text" aria-live="polite">
        {drawn.value && (
          <>
            {right.value && <b>{learn("right_too")} </b>}
            {wrong.value && <b>{learn("not_yet")} </b>}
            {words(id, key, now)}
          </>
        )}
      </p>
    </section>
  );
}

/** On; at the end, to the next lesson. */
function Onward({ id }: { id: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const ready = drawn.value;
  const place = at.value;
  useLayoutEffect(() => {
    if (ready) button.current?.focus({ preventScroll: true });
  }, [ready, place]);
  const all = lessons.value ?? [];
  const next = all[all.findIndex((one) => one.id === id) + 1];
  const over = place === last.value;
  return (
    <footer class="action">
      {over && (
        <button type="button" class="btn" onClick={() => show(0)}>
          {learn("again")}
        </button>
      )}
      {over ? (
        <button ref={button} type="button" class="btn primary confirm" disabled={!ready} onClick={() => go(next ? lessonPath(next.id) : "/learn")}>
          {next ? learn("next_lesson", { title: told(`lessons.${next.id}.title`) }) : learn("all_lessons")}
        </button>
      ) : (
        <button ref={button} type="button" class="btn primary confirm" disabled={!ready} onClick={on}>
          {learn("go_on")}
        </button>
      )}
    </footer>
  );
}
