/** A deal on its way: the pack, which one cuts while the others look on. */
import { useEffect, useRef, useState } from "preact/hooks";
import { chanceCut } from "../dealing.ts";
import { nameOf } from "../seats.ts";
import { send } from "../store.ts";
import type { FairScene, Scene } from "../wire.ts";
import { fair } from "../words.ts";

/** Is a deal on its way? */
export function onItsWay(scene: Scene): FairScene | null {
  return scene.fair?.step === "sealing" || scene.fair?.step === "opening" ? scene.fair : null;
}

export function Cut({ scene, now }: { scene: Scene; now: FairScene }) {
  const mine = now.step === "sealing" && now.cutter !== null && now.cutter === scene.table.you && now.cut === null;
  return (
    <section class="panel cut" aria-label={fair(mine ? "cut_title" : "on_its_way")}>
      {mine ? <Cutter key={now.deal} now={now} /> : <Pack lifted={now.cut ?? 0} />}
      <p class="hint" role="status">
        {mine ? fair("cut_hint") : progress(scene, now)}
      </p>
    </section>
  );
}

function progress(scene: Scene, now: FairScene): string {
  const names = now.waits_for.map((chair) => nameOf(scene, chair)).join(", ");
  if (now.step === "opening") return names ? fair("waits", { names }) : fair("opening");
  if (now.cutter === null) return names ? fair("waits", { names }) : fair("on_its_way");
  const name = nameOf(scene, now.cutter);
  return now.cut === null ? fair("cuts", { name }) : fair("cut_done", { name, n: now.cut });
}

/** The pack from the side: the lifted cards stand off from the others. */
function Pack({ lifted }: { lifted: number }) {
  return (
    <div class="pack" aria-hidden="true">
      {Array.from({ length: 40 }, (_, card) => (
        <i key={card} class={card < lifted ? "lifted" : ""} />
      ))}
    </div>
  );
}

/** Drag and let go, or tap; by keyboard arrows and Enter. After a while the page cuts by chance. */
function Cutter({ now }: { now: FairScene }) {
  const [lifted, setLifted] = useState(20);
  const done = useRef(false);
  const cut = (cards: number) => {
    if (done.current) return;
    done.current = true;
    setLifted(cards);
    send({ do: "cut", cut: cards }, true);
  };
  useEffect(() => {
    const timer = setTimeout(() => cut(chanceCut()), now.cut_in);
    return () => clearTimeout(timer);
  }, [now.deal]);
  return (
    <div class="cutter">
      <h2>{fair("cut_title")}</h2>
      <div class="pack-box">
        <Pack lifted={lifted} />
        <input
          type="range"
          min={1}
          max={39}
          value={lifted}
          aria-label={fair("cut_label")}
          onInput={(event) => setLifted(event.currentTarget.valueAsNumber)}
          onPointerUp={(event) => cut(event.currentTarget.valueAsNumber)}
          onKeyDown={(event) => event.key === "Enter" && cut(event.currentTarget.valueAsNumber)}
          data-cut-pack
        />
      </div>
      <button type="button" class="btn primary" onClick={() => cut(lifted)} data-cut>
        {fair("cut_here")}
      </button>
    </div>
  );
}
