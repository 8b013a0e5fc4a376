/** An ended deal: the table as it was, step by step, with all cards open or as one player saw it. */
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { copyText, share, sharePicture } from "../copy.ts";
import { deck } from "../decks.ts";
import { aroundMe } from "../geometry.ts";
import { keepDeck, offline } from "../offline.ts";
import { at, dealText, ending, last, load, marks, pace, PACES, replay, running, show, unload } from "../replay.ts";
import { dealPath, framePath, go, sheetPath } from "../route.ts";
import { nameOf } from "../seats.ts";
import { spokenCard } from "../speech.ts";
import { drawer, notify, reveal, scene } from "../store.ts";
import type { Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Avatar, MiniCard } from "./Card.tsx";
import { Felt } from "./Felt.tsx";
import { Hand } from "./Hand.tsx";
import { Icon } from "./Icon.tsx";
import { failed } from "./Landing.tsx";
import { Modal } from "./Modal.tsx";
import { NoteLine } from "./NoteMark.tsx";
import { Offline } from "./Offline.tsx";
import { LeftPanel } from "./Panels.tsx";
import { Points } from "./Points.tsx";
import { Result } from "./Result.tsx";
import { Settings } from "./Settings.tsx";
import { RoleTag } from "./Seat.tsx";
import { Sheet } from "./Sheet.tsx";
import { Contract } from "./Strip.tsx";
import { Timeline } from "./Timeline.tsx";
import { Trouble } from "./Trouble.tsx";

interface Asked {
  code: string;
  number: number;
  /** Within another page: the deal and nothing that leads away from it. */
  framed?: boolean;
}

export function ReplayPage({ code, number, framed = false }: Asked) {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const play = framed && new URLSearchParams(location.search).has("play");
    load(code, number, null).then(
      () => (running.value = play),
      () => setMissing(true),
    );
    return unload;
  }, [code, number]);
  useReplayKeys();
  const now = scene.value;
  const look = now && deck.value.id;
  useEffect(() => {
    if (look) keepDeck(look);
  }, [look]);
  if (missing && framed) return <p class="loading">{t("no_such_deal_line")}</p>;
  if (missing) return offline.value ? <Offline /> : <Missing code={code} />;
  if (!now || !replay.value) return <p class="loading">{t("opening")}</p>;
  return (
    <>
      <Past scene={now} framed={framed} />
      {drawer.value === "menu" && <More scene={now} />}
      <TimelineDrawer scene={now} />
    </>
  );
}

function Missing({ code }: { code: string }) {
  return (
    <Trouble title={t("no_such_deal")} line={t("no_such_deal_line")}>
      <button type="button" class="btn" onClick={() => go(`/t/${code}`)}>
        {t("to_table")}
      </button>
      <button type="button" class="btn" onClick={() => go(sheetPath(code))}>
        {t("game_sheet")}
      </button>
    </Trouble>
  );
}

function Past({ scene: now, framed }: { scene: Scene; framed: boolean }) {
  const deal = now.deal;
  const ended = at.value === last.value;
  const open = replay.value!.chair === null;
  return (
    <div class={`table past${framed ? " framed" : ""} phase-${ended ? "resting" : (deal?.phase ?? "none")}${reveal.value ? " revealing" : ""}`}>
      <header class="strip">
        {!framed && (
          <button type="button" class="icon-button" aria-label={t("game_sheet")} onClick={() => go(sheetPath(now.table.code))}>
            <Icon name="back" />
          </button>
        )}
        <h1 class="hidden">{t("replay_title", { n: deal?.number ?? "", code: now.table.code })}</h1>
        {deal && <Contract scene={now} deal={deal} />}
        <span class="deal-number">{t("deal_n", { n: deal?.number ?? "" })}</span>
        {framed ? (
          <a class="icon-button" href={dealPath(replay.value!.code, replay.value!.number)} target="_blank" rel="noopener" aria-label={t("open_replay")}>
            <Icon name="share" />
          </a>
        ) : (
          <button type="button" class="icon-button" aria-label={t("menu")} onClick={() => (drawer.value = "menu")}>
            <Icon name="menu" />
          </button>
        )}
      </header>
      {!framed && <LeftPanel scene={now} />}
      <main class="centre">
        <Felt scene={now} />
        <Points scene={now} />
        {ended && deal?.result ? (
          <div class="ended">
            <Result scene={now} deal={deal} result={deal.result} />
          </div>
        ) : open ? (
          <OpenHands scene={now} />
        ) : (
          <Hand scene={now} />
        )}
        <NoteLine scene={now} all={replay.value!.notes} />
        <Transport />
      </main>
      {!framed && <Beside scene={now} />}
    </div>
  );
}

function Beside({ scene: now }: { scene: Scene }) {
  return (
      <aside class="side right" aria-label={t("replay")}>
        <section class="box">
          <h2>{t("view")}</h2>
          <ViewChoice scene={now} />
        </section>
        <section class="box">
          <h2>{t("timeline")}</h2>
          <Timeline scene={now} />
        </section>
        <section class="box">
          <h2>{t("scores")}</h2>
          <Sheet scene={now} />
        </section>
        <section class="box">
          <Exports scene={now} />
        </section>
      </aside>
  );
}

/** All five hands, as they stand at this step. */
export function OpenHands({ scene: now }: { scene: Scene }) {
  const hands = replay.value!.steps[at.value]!.hands;
  return (
    <ul class="open-hands" aria-label={t("open_cards")}>
      {aroundMe(now).map((chair) => (
        <li key={chair} class={`open-hand ${now.chairs[chair]!.role}${now.chairs[chair]!.turn ? " turn" : ""}`}>
          <Avatar chair={now.chairs[chair]!} index={chair} />
          <span class="open-name">
            {nameOf(now, chair)} <RoleTag scene={now} index={chair} />
          </span>
          <span class="open-cards">
            {hands[chair]!.map((card) => (
              <span key={card} role="img" aria-label={spokenCard(card, now, deck.value.suits)} class={card === now.deal?.called ? "called" : ""}>
                <MiniCard card={card} />
              </span>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Opened from the transport. */
export function TimelineDrawer({ scene: now }: { scene: Scene }) {
  if (drawer.value !== "timeline") return null;
  return (
    <Modal title={t("timeline")} onClose={() => (drawer.value = null)}>
      <Timeline scene={now} />
    </Modal>
  );
}

/** Back, on, by itself, and anywhere. */
export function Transport() {
  const step = at.value;
  const end = last.value;
  return (
    <footer class="transport" aria-label={t("replay")}>
      <div class="scrub">
        <input
          type="range"
          min={0}
          max={end}
          value={step}
          aria-label={t("step")}
          aria-valuetext={t("step_of", { n: step + 1, of: end + 1 })}
          list="marks"
          onInput={(event) => ((running.value = false), show(Number(event.currentTarget.value)))}
        />
        <datalist id="marks">
          {marks(replay.value!.steps).map((mark) => (
            <option key={mark} value={mark} />
          ))}
        </datalist>
      </div>
      <div class="transport-row">
        <Jump icon="first_step" label={t("to_start")} to={0} off={step === 0} />
        <Jump icon="off" label={t("step_back")} to={step - 1} off={step === 0} />
        <button
          type="button"
          class="icon-button play"
          aria-label={t(running.value ? "pause" : "autoplay")}
          onClick={() => toggle()}
          data-autoplay
        >
          <Icon name={running.value ? "pause" : "play"} />
        </button>
        <Jump icon="on" label={t("step_on")} to={step + 1} off={step === end} />
        <Jump icon="last_step" label={t("to_end")} to={end} off={step === end} />
        <button type="button" class="icon-button" aria-label={t("timeline")} onClick={() => (drawer.value = "timeline")}>
          <Icon name="timeline" />
        </button>
        <button type="button" class="icon-button pace" aria-label={t("pace", { n: pace.value })} onClick={faster}>
          ×{pace.value === 0.5 ? "½" : pace.value}
        </button>
      </div>
    </footer>
  );
}

function Jump({ icon, label, to, off }: { icon: "first_step" | "off" | "on" | "last_step"; label: string; to: number; off: boolean }) {
  return (
    <button type="button" class="icon-button" aria-label={label} disabled={off} onClick={() => ((running.value = false), show(to))}>
      <Icon name={icon} />
    </button>
  );
}

function toggle(): void {
  if (!running.value && at.value === last.value) show(0);
  running.value = !running.value;
}

function faster(): void {
  pace.value = PACES[(PACES.indexOf(pace.value as 1) + 1) % PACES.length]!;
}

function ViewChoice({ scene: now }: { scene: Scene }) {
  const past = replay.value!;
  const choose = (value: string) =>
    load(past.code, past.number, value === "" ? null : Number(value)).catch(failed);
  return (
    <label class="view-choice">
      <span class="hidden">{t("view")}</span>
      <select value={past.chair === null ? "" : String(past.chair)} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{t("open_cards")}</option>
        {now.chairs.map((chair, index) =>
          chair.playing ? (
            <option key={index} value={String(index)}>
              {t("seen_by", { name: chair.name })}
            </option>
          ) : null,
        )}
      </select>
    </label>
  );
}

/** Other deals, the sheet, and the deal to take away. */
function Exports({ scene: now }: { scene: Scene }) {
  const { code, number } = replay.value!;
  const link = `${location.origin}${dealPath(code, number)}`;
  const file = `/api/tables/${code}/deals/${number}`;
  const tell = async () => {
    const copied = await share(dealText(ending(now), link)).catch(failed);
    if (copied) notify(t("copied"));
  };
  const draw = async () => {
    try {
      const { dealPicture } = await import("../paint.ts");
      const picture = await dealPicture(ending(now), `${location.host}${dealPath(code, number)}`);
      if (await sharePicture(picture, `chiamata-${code}-${number}.png`, link)) notify(t("picture_saved"));
    } catch (error) {
      failed(error);
    }
  };
  const embed = async () => {
    const title = t("replay_title", { n: now.deal?.number ?? "", code });
    await copyText(
      `<iframe src="${location.origin}${framePath(code, number)}" title="${title}" width="420" height="760" style="border:0;max-width:100%" loading="lazy"></iframe>`,
    );
    notify(t("copied"));
  };
  return (
    <div class="menu-list">
      <button type="button" class="btn primary" onClick={tell}>
        <Icon name="share" /> {t("share")}
      </button>
      <button type="button" class="btn quiet" onClick={draw}>
        <Icon name="picture" /> {t("as_picture")}
      </button>
      <button type="button" class="btn quiet" onClick={embed}>
        <Icon name="embed" /> {t("copy_embed")}
      </button>
      <div class="pair">
        <button type="button" class="btn quiet" disabled={number === 1} onClick={() => go(dealPath(code, number - 1))}>
          {t("deal_before")}
        </button>
        <button type="button" class="btn quiet" onClick={() => go(dealPath(code, number + 1))}>
          {t("deal_after")}
        </button>
      </div>
      <div class="pair">
        <a class="btn quiet" href={`${file}.txt`} download={`${code}-${number}.txt`}>
          {t("as_text")}
        </a>
        <a class="btn quiet" href={`${file}.jsonl`} download={`${code}-${number}.jsonl`}>
          JSON
        </a>
      </div>
      <button type="button" class="btn quiet" onClick={() => go(`/t/${code}`)}>
        {t("to_table")}
      </button>
    </div>
  );
}

function More({ scene: now }: { scene: Scene }) {
  return (
    <Modal title={t("replay_title", { n: now.deal?.number ?? "", code: now.table.code })} onClose={() => (drawer.value = null)}>
      <ViewChoice scene={now} />
      <Exports scene={now} />
      <Settings />
    </Modal>
  );
}

/** Arrows step, the space bar starts and stops, Home and End go to the ends. */
export function useReplayKeys(): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      if (!replay.value || event.ctrlKey || event.metaKey || event.altKey || target?.closest("input, select, button, a, dialog")) return;
      const to = { ArrowRight: at.value + 1, ArrowLeft: at.value - 1, Home: 0, End: last.value }[event.key];
      if (to !== undefined) show(to);
      else if (event.key === " ") toggle();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

