/** An example deal of a rule set, in the viewer of ended deals: each notable thing has its sentence. */
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { deck } from "../decks.ts";
import { at, last, lay, replay, running, show, unload } from "../replay.ts";
import { go, rulesPath } from "../route.ts";
import { nameOf } from "../seats.ts";
import { capital, cardName, rulesName, suitName } from "../speech.ts";
import { drawer, reveal, scene } from "../store.ts";
import type { Event as Notable, Scene } from "../wire.ts";
import { t, told, type Values } from "../words.ts";
import { Drawers } from "./Drawers.tsx";
import { Felt } from "./Felt.tsx";
import { Icon } from "./Icon.tsx";
import { Points } from "./Points.tsx";
import { OpenHands, TimelineDrawer, Transport, useReplayKeys } from "./ReplayPage.tsx";
import { Result } from "./Result.tsx";
import { NoRules } from "./RulebookPage.tsx";
import { Contract } from "./Strip.tsx";

export function ExamplePage({ id }: { id: string }) {
  const [events, setEvents] = useState<Notable[]>([]);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    let current = true;
    api.example(id).then(
      (found) => {
        if (!current) return;
        setEvents(found.events);
        lay(found.replay);
      },
      () => current && setMissing(true),
    );
    return () => {
      current = false;
      unload();
    };
  }, [id]);
  useReplayKeys();
  const now = scene.value;
  if (missing) return <NoRules />;
  if (!now || !replay.value) return <p class="loading">{t("opening")}</p>;
  return (
    <>
      <Past scene={now} id={id} events={events} />
      <TimelineDrawer scene={now} />
      {drawer.value === "last" && <Drawers scene={now} />}
    </>
  );
}

interface PastProps {
  scene: Scene;
  id: string;
  events: Notable[];
}

function Past({ scene: now, id, events }: PastProps) {
  const deal = now.deal;
  const ended = at.value === last.value;
  return (
    <div class={`table past lesson phase-${ended ? "resting" : (deal?.phase ?? "none")}${reveal.value ? " revealing" : ""}`}>
      <header class="strip">
        <button type="button" class="icon-button" aria-label={rulesName(id)} onClick={() => go(rulesPath(id))}>
          <Icon name="back" />
        </button>
        <h1 class="hidden">
          {rulesName(id)}: {told("examples.title")}
        </h1>
        {deal && <Contract scene={now} deal={deal} />}
      </header>
      <Caption scene={now} id={id} events={events} />
      <main class="centre">
        <Felt scene={now} />
        <Points scene={now} />
        {ended && deal?.result ? (
          <div class="ended">
            <Result scene={now} deal={deal} result={deal.result} />
          </div>
        ) : (
          <OpenHands scene={now} />
        )}
        <Transport />
      </main>
    </div>
  );
}

/** The sentences of this step, or of the last one that had some; a button goes to the next such step. */
function Caption({ scene: now, id, events }: PastProps) {
  const step = at.value;
  const latest = Math.max(-1, ...events.filter((event) => event.step <= step).map((event) => event.step));
  const shown = events.filter((event) => event.step === latest);
  const next = events.find((event) => event.step > step);
  return (
    <section class="lesson-words" aria-label={told("examples.title")}>
      <p class="lesson-title" aria-hidden="true">
        {rulesName(id)}
        <span>{told("examples.title")}</span>
      </p>
      <div class="caption">
        <div class={`lesson-text${latest === step ? "" : " before"}`} aria-live="polite">
          {shown.length === 0 && <p>{capital(told("examples.line"))}.</p>}
          {shown.map((event) => (
            <p key={event.key}>{sentence(event, now)}</p>
          ))}
        </div>
        <button
          type="button"
          class="btn small"
          disabled={!next}
          aria-label={told("examples.next")}
          onClick={() => next && ((running.value = false), show(next.step))}
          data-next-point
        >
          <Icon name="on" />
        </button>
      </div>
    </section>
  );
}

function sentence({ key, args }: Notable, now: Scene): string {
  const suits = deck.value.suits;
  const values: Values = { ...args };
  if ("chair" in args) values["chair"] = nameOf(now, Number(args["chair"]));
  for (const place of ["card", "other"]) if (place in args) values[place] = cardName(String(args[place]), suits);
  if ("suit" in args) values["suit"] = suitName(String(args["suit"]), suits);
  return capital(told(`examples.${key}`, values));
}
