/** Between felt and hand: my own plate, the points, the last trick. */
import { useEffect, useState } from "preact/hooks";
import { nameOf, inPlay, sidePoints } from "../seats.ts";
import { slowness } from "../settings.ts";
import { drawer, lookingBack, reveal } from "../store.ts";
import type { DealScene, Scene } from "../wire.ts";
import { count, t } from "../words.ts";
import { Avatar } from "./Card.tsx";
import { Clock } from "./Clock.tsx";
import { Icon } from "./Icon.tsx";
import { Spoken } from "./Phrases.tsx";
import { Bubble, RoleTag, seatLabel } from "./Seat.tsx";
import { aroundMe } from "../geometry.ts";

export function Points({ scene }: { scene: Scene }) {
  const deal = scene.deal;
  const front = aroundMe(scene)[0] ?? 0;
  return (
    <section class="points" aria-label={t("points_title")}>
      <Mine scene={scene} index={front} />
      {deal && inPlay(deal) ? <Bars scene={scene} deal={deal} /> : <span class="grow" />}
      {!lookingBack.value && (scene.table.may.includes("say") || scene.table.manners.chat) && (
        <button type="button" class="icon-button" aria-label={t("say_something")} onClick={() => (drawer.value = "phrases")}>
          <Icon name="speak" />
        </button>
      )}
      {deal?.last || (deal?.trick?.winner ?? null) !== null ? (
        <button type="button" class="icon-button" aria-label={t("last_trick")} disabled={!deal?.last} onClick={() => (drawer.value = "last")}>
          <Icon name="last" />
        </button>
      ) : (
        <span class="icon-room" />
      )}
    </section>
  );
}

function Mine({ scene, index }: { scene: Scene; index: number }) {
  const chair = scene.chairs[index]!;
  return (
    <div
      class={`mine ${chair.role}${chair.turn ? " turn" : ""}`}
      role="group"
      aria-label={seatLabel(scene, index)}
      data-place={`seat-${index}`}
    >
      <span class="portrait">
        <Avatar chair={chair} index={index} />
        {chair.dealer && (
          <span class="dealer" title={t("dealer")}>
            {t("dealer_letter")}
          </span>
        )}
      </span>
      <span class="seat-text">
        <span class={`seat-name${scene.deal && inPlay(scene.deal) ? " in-play" : ""}`}>{index === scene.table.you ? t("you") : chair.name}</span>
        {scene.deal && inPlay(scene.deal) && <span class="captured">{chair.points}</span>}
        <RoleTag scene={scene} index={index} />
        <Bubble scene={scene} index={index} />
        <Spoken index={index} />
        <Clock chair={chair} />
      </span>
    </div>
  );
}

/** Two bars with a tick at what each side needs, once the sides are known. */
function Bars({ scene, deal }: { scene: Scene; deal: DealScene }) {
  const sides = sidePoints(scene);
  if (!sides) {
    const text = deal.phase === "play" && deal.called ? t("trick_of", { n: Math.min(8, deal.tricks_done + 1) }) : "";
    return (
      <span key={text} class="grow hint-small">
        {text}
      </span>
    );
  }
  const caller = nameOf(scene, deal.caller);
  const partner = deal.partner === deal.caller ? "" : nameOf(scene, deal.partner);
  return (
    <div class="bars grow">
      <Bar kind="ours" points={sides.ours} need={deal.target} label={partner ? `${caller} + ${partner}` : caller} />
      <Bar kind="theirs" points={sides.theirs} need={121 - deal.target} label={t("the_others")} />
    </div>
  );
}

function Bar({ kind, points, need, label }: { kind: string; points: number; need: number; label: string }) {
  return (
    <div
      class={`bar bar-${kind}`}
      role="meter"
      aria-label={`${label}: ${count("point", points)}`}
      aria-valuemin={0}
      aria-valuemax={120}
      aria-valuenow={points}
      aria-valuetext={t("points_of_needed", { points, need })}
    >
      <span class="bar-track">
        <i class="bar-fill" style={{ width: `${(100 * points) / 120}%` }} />
        <i class="bar-tick" style={{ left: `${(100 * need) / 120}%` }} />
      </span>
      <b aria-hidden="true">
        <Counted points={points} />
      </b>
    </div>
  );
}

/** ms in which the points of both sides are counted up when they are first known. */
const COUNTING = 900;

/** Counts up from nothing while the reveal shows; at once where there is none, and where it is skipped. */
function Counted({ points }: { points: number }) {
  const [part, setPart] = useState(reveal.value ? 0 : 1);
  const counts = reveal.value !== null && part < 1;
  useEffect(() => {
    if (!counts) return setPart(1);
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      setPart(Math.min(1, Math.max(0, now - start) / (COUNTING * slowness.value)));
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [counts]);
  return <>{Math.round(points * (counts ? part : 1))}</>;
}
