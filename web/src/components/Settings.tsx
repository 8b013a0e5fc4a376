/** How this browser shows the table: language, look, deck, hands, pace, noises. */
import type { Signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { deck, decksFor } from "../decks.ts";
import {
  cards, coach, COACHES, deckWish, haptics, keyMark, makeEasy, side, sound, speed, SPEEDS, taps, theme, THEMES,
} from "../settings.ts";
import { scene } from "../store.ts";
import { LANGUAGES, language, speak, t, told, type Language } from "../words.ts";
import { Modal } from "./Modal.tsx";
import type { PackSheet } from "./PackSheet.tsx";

export function Settings() {
  return (
    <div class="settings">
      <LanguageSwitch />
      <label>
        <span>{t("deck")}</span>
        <select value={deck.value.id} onChange={(event) => (deckWish.value = event.currentTarget.value)}>
          {decksFor(scene.value?.table.rules.ranks ?? []).map((one) => (
            <option key={one.id} value={one.id}>
              {told(`decks.${one.id}`, {}, one.id)}
            </option>
          ))}
        </select>
      </label>
      <OwnPack />
      <button type="button" class="btn big easy" onClick={makeEasy}>
        {t("easy")}
        <small>{t("easy_line")}</small>
      </button>
      <Choice name={t("theme")} setting={theme} values={THEMES} words={{ felt: t("theme_felt"), light: t("theme_light"), auto: t("theme_auto") }} />
      <Choice name={t("speed")} setting={speed} values={SPEEDS} words={{ "0": t("speed_0"), half: "½", "1": "1", "2": "2" }} />
      <Switch name={t("one_tap")} setting={taps} on="one" off="two" />
      <Switch name={t("large_cards")} setting={cards} on="large" off="usual" />
      <Switch name={t("left_handed")} setting={side} on="left" off="right" />
      <Switch name={t("hide_key")} setting={keyMark} on="hidden" off="shown" />
      <Switch name={t("sound")} setting={sound} on="on" off="off" />
      <CoachChoice />
      {"vibrate" in navigator && <Switch name={t("haptics")} setting={haptics} on="on" off="off" />}
    </div>
  );
}

/** The way to a pack of one's own; its sheet is loaded by the few who want it. */
function OwnPack() {
  const [Sheet, setSheet] = useState<typeof PackSheet | null>(null);
  const open = async () => {
    const loaded = await import("./PackSheet.tsx");
    setSheet(() => loaded.PackSheet);
  };
  return (
    <>
      <button type="button" class="btn quiet" onClick={open}>
        {t("pack_open")}
      </button>
      {Sheet && <Sheet onClose={() => setSheet(null)} />}
    </>
  );
}

/** The settings by themselves, where there is no table yet. */
export function SettingsSheet({ onClose }: { onClose: () => void }) {
  return (
    <Modal title={t("settings")} onClose={onClose}>
      <Settings />
    </Modal>
  );
}

/** Whether and when the coach speaks. */
export function CoachChoice() {
  const words = { off: t("coach_off"), ask: t("coach_ask"), always: t("coach_always") };
  return <Choice name={t("coach")} setting={coach} values={COACHES} words={words} />;
}

interface ChoiceProps<T extends string> {
  name: string;
  setting: Signal<T>;
  values: readonly T[];
  words: Record<T, string>;
}

function Choice<T extends string>({ name, setting, values, words }: ChoiceProps<T>) {
  return (
    <fieldset class="segments">
      <legend>{name}</legend>
      {values.map((value) => (
        <label key={value} class={setting.value === value ? "chosen" : ""}>
          <input type="radio" name={name} class="hidden" checked={setting.value === value} onChange={() => (setting.value = value)} />
          <span>{words[value]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Switch<T extends string>({ name, setting, on, off }: { name: string; setting: Signal<T>; on: T; off: T }) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={setting.value === on}
        onChange={(event) => (setting.value = event.currentTarget.checked ? on : off)}
      />
      <span>{name}</span>
    </label>
  );
}

export function LanguageSwitch() {
  return (
    <label>
      <span>{t("language")}</span>
      <select value={language.value} onChange={(event) => speak(event.currentTarget.value as Language)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
