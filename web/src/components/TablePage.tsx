/** The page of a table: draws the newest Scene. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, ApiError } from "../api.ts";
import { introduce, known, recallMe } from "../guest.ts";
import { useKeys } from "../keys.ts";
import { hint, mayAsk } from "../coach.ts";
import { offline } from "../offline.ts";
import { carryOn, plan } from "../opening.ts";
import { rulesName } from "../speech.ts";
import { closedBy, drawer, enter, leave, linkState, myTurn, options, reenter, reveal, scene, send } from "../store.ts";
import { useSwipeUp } from "../swipe.ts";
import type { DealScene, Scene } from "../wire.ts";
import { t } from "../words.ts";
import { ActionBar } from "./ActionBar.tsx";
import { Auction } from "./Auction.tsx";
import { Calling, Trump } from "./Calling.tsx";
import { Cut, onItsWay } from "./Cut.tsx";
import { Drawers } from "./Drawers.tsx";
import { Felt } from "./Felt.tsx";
import { Hand } from "./Hand.tsx";
import { failed, NameField } from "./Landing.tsx";
import { Later } from "./Later.tsx";
import { Lobby } from "./Lobby.tsx";
import { Offline } from "./Offline.tsx";
import { Outside } from "./Outside.tsx";
import { LeftPanel, RightPanel } from "./Panels.tsx";
import { Points } from "./Points.tsx";
import { NextBar, Over, Result } from "./Result.tsx";
import { useTableRules } from "./RulesText.tsx";
import { Strip } from "./Strip.tsx";
import { NoTable } from "./Trouble.tsx";

/** The house closes a page with this code where its table has stopped. */
const STOPPED = 4010;

export function TablePage({ code }: { code: string }) {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    let current = true;
    void recallMe()
      .then(() => api.table(code))
      .then(
        () => current && enter(code),
        (error: unknown) => current && (error instanceof ApiError ? setMissing(true) : enter(code)),
      );
    return () => {
      current = false;
      leave();
    };
  }, [code]);
  const now = scene.value;
  useEffect(() => {
    if (now) carryOn(now);
  }, [now]);
  if (missing || linkState.value === "closed") return <NoTable stopped={closedBy.value === STOPPED} />;
  if (!now && offline.value) return <Offline trying />;
  if (!now)
    return (
      <p class="loading" role="status">
        {t(linkState.value === "lost" ? "house_gone" : "opening")}
      </p>
    );
  return <TableView scene={now} />;
}

/** A Scene as a page. */
export function TableView({ scene: now }: { scene: Scene }) {
  useKeys();
  return (
    <>
      {now.table.state === "lobby" ? <Lobby scene={now} /> : isOutside(now) ? <Outside scene={now} /> : <Table scene={now} />}
      {now.table.you === null && now.table.may.includes("sit") && <JoinBox scene={now} />}
      <Drawers scene={now} />
    </>
  );
}

const loadHint = () => import("./HintBox.tsx").then((found) => found.HintBox);

/** Is the running deal not shown to me? */
function isOutside({ table, deal, fair }: Scene): boolean {
  return table.you === null && !deal && !fair;
}

function Table({ scene: now }: { scene: Scene }) {
  const deal = now.deal;
  const { state } = now.table;
  const way = onItsWay(now);
  const swipe = useSwipeUp();
  const resting = state === "between" || state === "over" || deal?.phase === "done";
  const kind = state === "over" ? "over" : resting ? "resting" : (deal?.phase ?? "none");
  return (
    <div class={`table live phase-${kind}${myTurn.value ? " my-turn" : ""}${reveal.value ? " revealing" : ""}`} data-v={now.v}>
      <Strip scene={now} />
      <LeftPanel scene={now} />
      <main class="centre" {...swipe}>
        <Felt scene={now} />
        {mayAsk.value && hint.value && (
          <div class="hint-place">
            <Later load={loadHint} />
          </div>
        )}
        <Points scene={now} />
        {way ? <Cut scene={now} now={way} /> : deal && (resting ? <Ended scene={now} deal={deal} /> : <Phase scene={now} deal={deal} />)}
        <Hand scene={now} />
        {resting ? <NextBar scene={now} /> : <ActionBar scene={now} />}
      </main>
      <RightPanel scene={now} />
      {state === "asleep" && <p class="banner">{t("asleep")}</p>}
    </div>
  );
}

/** What is to be decided now: the auction, the call, the new trump. */
export function Phase({ scene: now, deal }: { scene: Scene; deal: DealScene }) {
  if (deal.phase === "auction" || deal.phase === "claim") return <Auction scene={now} deal={deal} />;
  if (deal.phase === "call" && options.value.calls.length > 0) return <Calling scene={now} />;
  if (deal.phase === "trump" && options.value.trumps.length > 0) return <Trump scene={now} />;
  return null;
}

/** It lies over the room of the hand, and the points step below it: the styles want to know how high that room is. */
function Ended({ scene: now, deal }: { scene: Scene; deal: DealScene }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const centre = box.current?.parentElement;
    const hand = centre?.querySelector<HTMLElement>(".hand");
    centre?.style.setProperty("--hand-room", `${hand?.offsetHeight ?? 0}px`);
  });
  return (
    <div class="ended" ref={box}>
      {now.table.state === "over" && <Over scene={now} />}
      {deal.result && <Result scene={now} deal={deal} result={deal.result} />}
    </div>
  );
}

/** For those who watch: a name and a chair. */
function JoinBox({ scene: now }: { scene: Scene }) {
  const page = useTableRules(now.table.code);
  const sit = async () => {
    try {
      if (!known.value) {
        await introduce();
        // The house must first see the new cookie; the plan sits down at the next Scene.
        plan({ code: now.table.code, sit: true, fill: false, start: false });
        reenter();
      } else send({ do: "sit", chair: -1 });
    } catch (error) {
      failed(error);
    }
  };
  return (
    <section class="join-box" aria-label={t("sit")}>
      {!known.value && <NameField />}
      {page && page.differs.length > 0 && now.table.state !== "lobby" && (
        <button type="button" class="link" onClick={() => (drawer.value = "rules")}>
          {t("differs_n", { n: page.differs.length, name: rulesName(page.nearest) })}
        </button>
      )}
      <button type="button" class="btn primary" onClick={sit}>
        {t("sit")}
      </button>
    </section>
  );
}
