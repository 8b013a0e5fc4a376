/** What the coach says: the move, why, and what it is worth beside the next ones. */
import { hint } from "../coach.ts";
import { deck } from "../decks.ts";
import type { HintKey } from "../generated/keys.ts";
import { words as en } from "../generated/learning-en.ts";
import { words as it } from "../generated/learning-it.ts";
import { nameOf } from "../seats.ts";
import { capital, cardName, suitName } from "../speech.ts";
import { scene } from "../store.ts";
import type { Reason, Scene } from "../wire.ts";
import { addWords, language, t, told, type Values } from "../words.ts";
import { armedText } from "./ActionBar.tsx";
import { Icon } from "./Icon.tsx";
import type { Armed } from "../store.ts";
import "../styles/hint.css";

addWords({ en, it });

function say(key: HintKey, values?: Values): string {
  return told(`hints.${key}`, values);
}

export function HintBox() {
  const [now, seen] = [hint.value, scene.value];
  if (!now || !seen) return null;
  const [best] = now.moves;
  const close = () => (hint.value = null);
  return (
    <aside class="hint-box" aria-label={say("title")}>
      <div role="status">
        <p class="hint-best">
          <Icon name="bulb" /> {best && capital(moveText(best.move, seen))}
        </p>
        <ul>
          {now.reasons.map((reason) => (
            <li key={reason.key}>{sentence(reason, seen)}</li>
          ))}
        </ul>
      </div>
      <button type="button" class="icon-button" aria-label={t("close")} onClick={close}>
        <Icon name="close" />
      </button>
    </aside>
  );
}

/** `play 3H` as the bar would say it. */
function moveText(move: string, now: Scene): string {
  const [kind = "", what = ""] = move.split(" ");
  if (kind === "pass") return t("pass");
  if (kind === "claim") return t("word_claim");
  return armedText({ kind: kind as Armed["kind"], what }, now);
}

function sentence({ key, args }: Reason, now: Scene): string {
  const suits = deck.value.suits;
  const values: Values = {};
  for (const [name, value] of Object.entries(args)) {
    if (name === "chair") values[name] = nameOf(now, Number(value));
    else if (name === "card" || name === "other") values[name] = cardName(String(value), suits);
    else if (name === "suit") values[name] = suitName(String(value), suits);
    else if (name === "value") values[name] = number(Number(value), true);
    else if (name === "less") values[name] = number(Number(value), key.endsWith("pays"));
    else values[name] = value;
  }
  return capital(told(`hints.${key}`, values));
}

/** `+0,42` where a comma is written. */
function number(value: number, signed: boolean): string {
  return value.toLocaleString(language.value, { maximumFractionDigits: 2, signDisplay: signed ? "exceptZero" : "auto" });
}
