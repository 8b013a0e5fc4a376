/** My private note on somebody, cycled by a tap on the portrait; and everybody's, once the deal is over. */
import { mark, MARKS, notes, SIGNS } from "../notes.ts";
import { nameOf } from "../seats.ts";
import type { ChairNotes, Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Avatar } from "./Card.tsx";

/** A portrait that can be marked. */
export function NoteMark({ scene, index }: { scene: Scene; index: number }) {
  const now = notes.value[index] ?? 0;
  return (
    <span class={`marked mark-${now}`}>
      <Avatar chair={scene.chairs[index]!} index={index} />
      <button
        type="button"
        class="note-mark"
        aria-label={t("note_on", { name: nameOf(scene, index), mark: t(MARKS[now]!) })}
        title={t(MARKS[now]!)}
        onClick={() => mark(index)}
      >
        <span class="note-sign" data-letter={SIGNS[now]} />
      </button>
    </span>
  );
}

/** Who thought what after each trick, up to the tricks that are done. */
export function NoteLine({ scene, all }: { scene: Scene; all: ChairNotes[] }) {
  const done = scene.deal?.tricks_done ?? 0;
  const lines = all.filter(({ notes: own }) => own.some((one) => one.tricks <= done));
  if (lines.length === 0) return null;
  return (
    <section class="note-lines" tabIndex={0} aria-label={t("notes")}>
      <h3>{t("notes")}</h3>
      <ul>
        {lines.map(({ chair, notes: own }) => {
          const marks = own.filter((one) => one.tricks <= done).at(-1)!.marks;
          const said = marks.flatMap((one, about) => (one ? [`${nameOf(scene, about)}: ${t(MARKS[one]!)}`] : []));
          return (
            <li key={chair}>
              <b>{nameOf(scene, chair)}</b> {said.join(" · ") || t("note_none")}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
