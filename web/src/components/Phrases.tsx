/** Fixed sentences for the whole table, and whom I wish not to hear. */
import { useEffect, useState } from "preact/hooks";
import { happened, muted, send } from "../store.ts";
import type { PhraseScene, Scene } from "../wire.ts";
import { t, told } from "../words.ts";
import { Chat } from "./Chat.tsx";
import { Modal } from "./Modal.tsx";

type Phrase = PhraseScene["phrase"];
const PHRASES: readonly Phrase[] = ["hello", "luck", "moment", "ready", "bravo", "thanks", "sorry", "again", "bye"];
/** Milliseconds that a sentence stands beside a portrait. */
const LASTS = 4_500;

export function Phrases({ scene, onClose }: { scene: Scene; onClose: () => void }) {
  const others = scene.chairs.flatMap((chair, index) => (chair.kind === "person" && index !== scene.table.you ? [chair.name] : []));
  return (
    <Modal title={t("say_something")} onClose={onClose}>
      {scene.table.manners.chat && <Chat scene={scene} />}
      {scene.table.you !== null && (
        <div class="phrases">
          {PHRASES.map((phrase) => (
            <button
              key={phrase}
              type="button"
              class="btn quiet"
              disabled={!scene.table.may.includes("say")}
              onClick={() => (send({ do: "say", phrase }), onClose())}
            >
              {told(`phrases.${phrase}`)}
            </button>
          ))}
        </div>
      )}
      {others.map((name) => (
        <label key={name} class="switch">
          <input type="checkbox" role="switch" checked={muted.value.has(name)} onChange={() => toggle(name)} />
          <span>{t("mute", { name })}</span>
        </label>
      ))}
    </Modal>
  );
}

function toggle(name: string): void {
  const next = new Set(muted.value);
  if (!next.delete(name)) next.add(name);
  muted.value = next;
}

/** What somebody has just said, beside the portrait for a while. */
export function Spoken({ index }: { index: number }) {
  const [words, setWords] = useState("");
  const found = happened.value.find((change) => (change.what === "spoke" || change.what === "wrote") && change.chair === index);
  useEffect(() => {
    if (found?.what === "spoke") setWords(told(`phrases.${found.phrase}`));
    else if (found?.what === "wrote") setWords(shortened(found.text));
    else return undefined;
    const timer = setTimeout(() => setWords(""), LASTS);
    return () => clearTimeout(timer);
  }, [found]);
  return words ? <span class="spoken" aria-hidden="true" data-letter={words} /> : null;
}

/** As much of a line as fits beside a portrait. */
function shortened(text: string): string {
  const signs = [...text];
  return signs.length > 60 ? `${signs.slice(0, 59).join("")}…` : text;
}
