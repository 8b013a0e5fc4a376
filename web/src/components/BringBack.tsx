/** A game from a file: what is wrong with it is said by field, and nothing that is here goes without a question. */
import { useState } from "preact/hooks";
import { go, scorePath } from "../route.ts";
import { games, takeIn, type Kept } from "../score/book.ts";
import { asJson } from "../score/export.ts";
import { follow } from "../score/game.ts";
import { fault, LARGEST, readGame, type Fault } from "../score/read.ts";
import { notify } from "../store.ts";
import { count, language, scored } from "../words.ts";
import { Chooser } from "./Chooser.tsx";
import { Modal } from "./Modal.tsx";

/** So many faults are told: the first ones say enough. */
const TOLD = 5;

export function dayOf(began: number): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(began);
}

export function BringBack() {
  const [faults, setFaults] = useState<Fault[]>([]);
  const [asked, setAsked] = useState<Kept | null>(null);
  const take = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    const found = file.size > LARGEST ? [tooLarge(file)] : readGame(await file.text());
    setFaults(Array.isArray(found) ? found : []);
    if (Array.isArray(found)) return;
    const here = games.value.find(({ id }) => id === found.id);
    if (here && !isSame(here, found)) return setAsked(found);
    open(here ? here.id : takeIn(found, false), scored(here ? "bring_known" : "bring_done"));
  };
  return (
    <section class="card-box bring-back">
      <h2>{scored("bring_back")}</h2>
      <p class="lead">{scored("bring_line")}</p>
      <Chooser words={scored("bring_choose")} accept=".json,application/json" onFiles={take} />
      {faults.length > 0 && (
        <div role="alert">
          <p>{scored("bring_wrong")}</p>
          {faults.slice(0, TOLD).map(({ field, value, fix }) => (
            <p key={field} class="fault">
              <b>{field}</b>: {value}. {fix}
            </p>
          ))}
        </div>
      )}
      {asked && <Question game={asked} onClose={() => setAsked(null)} />}
    </section>
  );
}

function Question({ game, onClose }: { game: Kept; onClose: () => void }) {
  const here = games.value.find(({ id }) => id === game.id);
  const deals = (one?: Kept) => count("deal", one?.deals.length ?? 0);
  const take = (over: boolean) => open(takeIn(game, over), scored("bring_done"));
  return (
    <Modal title={scored("bring_here")} onClose={onClose}>
      <div class="bring-question">
        <p>{scored("bring_asks", { day: dayOf(game.began), here: deals(here), there: deals(game) })}</p>
        <button type="button" class="btn primary" onClick={() => take(false)}>
          {scored("bring_beside")}
        </button>
        <button type="button" class="btn warn" onClick={() => take(true)}>
          {scored("bring_over")}
        </button>
        <button type="button" class="btn quiet" onClick={onClose}>
          {scored("bring_leave")}
        </button>
      </div>
    </Modal>
  );
}

function open(id: string, words: string): void {
  go(scorePath(id));
  notify(words);
}

/** The same game, whichever way it came here. */
function isSame(one: Kept, other: Kept): boolean {
  const [first, second] = [one, other].map((game) => JSON.stringify(readGame(asJson(game, follow(game)))));
  return first === second;
}

function tooLarge(file: File): Fault {
  return fault(file.name, `${Math.ceil(file.size / 1_000)} kB`, scored("fix_size", { n: LARGEST / 1_000 }));
}
