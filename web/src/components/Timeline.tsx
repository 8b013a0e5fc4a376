/** An ended deal trick by trick: captured points as curves and numbers, and everybody's notes; a tap goes there. */
import { at, replay, running, show } from "../replay.ts";
import { nameOf } from "../seats.ts";
import { sidesOver, thoughtsAt, trickEnds, type TrickEnd } from "../timeline.ts";
import { MARKS } from "../notes.ts";
import type { ChairNotes, Scene } from "../wire.ts";
import { count, t } from "../words.ts";

export function Timeline({ scene }: { scene: Scene }) {
  const past = replay.value!;
  const ends = trickEnds(past.steps);
  const end = past.steps.at(-1)!.scene;
  const players = scene.chairs.flatMap((chair, index) => (chair.playing ? [index] : []));
  if (ends.length === 0) return null;
  const go = (step: number) => {
    running.value = false;
    show(step);
  };
  const current = ends.filter((one) => one.step <= at.value).at(-1)?.trick ?? 0;
  return (
    <div class="timeline">
      {end.deal?.partner != null && <Curves ends={ends} end={end} target={end.deal.target} current={current} />}
      <table class="trick-table">
        <caption class="hidden">{t("timeline_points")}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{t("timeline")}</span>
            </th>
            {players.map((chair) => (
              <th scope="col" key={chair}>
                {nameOf(scene, chair)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ends.map((one) => (
            <tr key={one.trick} class={one.trick === current ? "now" : ""}>
              <th scope="row">
                <button
                  type="button"
                  class="trick-step"
                  aria-label={t("timeline_trick", { n: one.trick })}
                  aria-current={one.trick === current ? "step" : undefined}
                  onClick={() => go(one.step)}
                >
                  {one.trick}
                </button>
              </th>
              {players.map((chair) => (
                <td key={chair}>
                  <Captured points={one.points[chair] ?? 0} took={one.winner === chair} />
                  <Thoughts scene={scene} notes={past.notes.find((own) => own.chair === chair)} tricks={one.trick} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {past.notes.length > 0 && <p class="empty">{t("timeline_legend")}</p>}
    </div>
  );
}

function Captured({ points, took }: { points: number; took: boolean }) {
  return (
    <b class={took ? "took" : ""}>
      <span aria-hidden={took ? "true" : undefined}>{points}</span>
      {took && <span class="hidden">{t("timeline_took", { points })}</span>}
    </b>
  );
}

/** What somebody thought of the others when so many tricks were done. */
function Thoughts({ scene, notes, tricks }: { scene: Scene; notes: ChairNotes | undefined; tricks: number }) {
  const found = notes ? thoughtsAt(notes, tricks) : [];
  if (found.length === 0) return null;
  const words = found.map(({ about, mark }) => `${nameOf(scene, about)}: ${t(MARKS[mark]!)}`).join(", ");
  return (
    <small class="thoughts" title={words}>
      <span class="hidden">{words}</span>
      <span aria-hidden="true">
        {found.map(({ about, sign }) => (
          <i key={about}>
            {[...nameOf(scene, about)][0]}
            {sign}
          </i>
        ))}
      </span>
    </small>
  );
}

/** The chart's own measures; it is scaled to its room. */
const [WIDE, HIGH] = [240, 90];

/** Two curves: the caller's side drawn through, the others dashed; across, what the caller needs. */
function Curves({ ends, end, target, current }: { ends: readonly TrickEnd[]; end: Scene; target: number; current: number }) {
  const { ours, theirs } = sidesOver(ends, end);
  const x = (trick: number) => (WIDE * trick) / ends.length;
  const y = (points: number) => HIGH - (HIGH * points) / 120;
  const line = (points: readonly number[]) => points.map((n, trick) => `${x(trick)},${y(n)}`).join(" ");
  const label = t("timeline_chart", { ours: ours.at(-1)!, theirs: theirs.at(-1)! });
  return (
    <figure class="curves">
      <svg viewBox={`-4 -6 ${WIDE + 8} ${HIGH + 12}`} role="img" aria-label={label}>
        <path class="need" d={`M0 ${y(target)}H${WIDE}`} />
        <path class="now" d={`M${x(current)} 0V${HIGH}`} />
        <polyline class="theirs" points={line(theirs)} />
        <polyline class="ours" points={line(ours)} />
      </svg>
      <figcaption>
        <span class="ours">
          {t("caller_side")}: {count("point", ours.at(-1)!)}
        </span>
        <span class="theirs">
          {t("the_others")}: {count("point", theirs.at(-1)!)}
        </span>
      </figcaption>
    </figure>
  );
}
