/** The luck that I had at this table. */
import { useEffect, useState } from "preact/hooks";
import { transcriptsIn, isTranscript, type Json, type Transcript } from "../fair.ts";
import { ENOUGH, luckOf, type Luck } from "../luck.ts";
import type { Scene } from "../wire.ts";
import { fair, luck } from "../words.ts";
import { Modal } from "./Modal.tsx";

/** The hands that I held at this table, oldest first. */
function myHands(scene: Scene, deals: Transcript[]): string[] {
  const me = scene.table.you;
  const name = me === null ? "" : `person:${scene.chairs[me]!.name}`;
  return deals.flatMap((told) => {
    const seat = me === null ? -1 : told.chairs.indexOf(me);
    return told.hands[seat] && told.seats[seat] === name ? [told.hands[seat]] : [];
  });
}

export function LuckDrawer({ scene, onClose }: { scene: Scene; onClose: () => void }) {
  const [hands, setHands] = useState<string[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    fetch(`/api/tables/${scene.table.code}/transcripts`)
      .then((response) => response.json() as Promise<Json>)
      .then((found) => setHands(myHands(scene, transcriptsIn(found).filter(isTranscript) as unknown as Transcript[])))
      .catch(() => setFailed(true));
  }, []);
  const found = hands && luckOf(hands, scene.table.rules.ranks, scene.table.rules.card_points);
  return (
    <Modal title={luck("title")} onClose={onClose}>
      {failed ? <p>{fair("unloaded")}</p> : found ? <Table found={found} /> : hands && <p>{luck("none")}</p>}
    </Modal>
  );
}

function Table({ found }: { found: Luck }) {
  const percent = Math.round(100 * found.lower);
  return (
    <div class="luck">
      <p>{found.deals === 1 ? luck("line_one") : luck("line", { n: found.deals })}</p>
      {found.deals < ENOUGH && <p>{luck("few")}</p>}
      <Counts title={luck("suits")} rows={found.suits} />
      <Counts title={luck("aces")} rows={found.aces} />
      <h3>{luck("points")}</h3>
      <p>
        {luck("mean", { mean: found.mean.toFixed(1), expected: found.expected.toFixed(1), error: found.error.toFixed(1) })}{" "}
        {luck("lower", { percent })}
      </p>
    </div>
  );
}

function Counts({ title, rows }: { title: string; rows: [had: number, chance: number][] }) {
  const shown = rows.map(([had, chance], n) => ({ n, had, chance })).filter(({ had, chance }) => had > 0 || chance >= 0.05);
  const most = Math.max(...shown.flatMap(({ had, chance }) => [had, chance]));
  return (
    <table class="sheet luck-table">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">{title}</span>
          </th>
          <th scope="col">{luck("had")}</th>
          <th scope="col">{luck("chance")}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {shown.map(({ n, had, chance }) => (
          <tr key={n}>
            <th scope="row">{n}</th>
            <td>{had}</td>
            <td>{chance.toFixed(1)}</td>
            <td class="luck-bars" aria-hidden="true">
              <i class="had" style={{ width: `${(100 * had) / most}%` }} />
              <i class="chance" style={{ width: `${(100 * chance) / most}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
