/** What a table allows: who may watch, whether its people may write. For everybody to read, for its maker to choose. */
import { drawer, send } from "../store.ts";
import type { Manners, Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Icon } from "./Icon.tsx";
import { Modal } from "./Modal.tsx";

const KINDS: readonly Manners["watch"][] = ["closed", "delayed", "off"];

/** "2 people are watching". */
export function lookingOn(n: number): string {
  return n === 1 ? t("one_watcher") : t("watchers", { n });
}

export function MannersText({ manners }: { manners: Manners }) {
  return (
    <ul class="manners">
      <li>
        <Icon name="eye" />
        <span>
          {t("who_watches")}: <b>{t(`watch_${manners.watch}`)}</b>
          <small>{t(`watch_${manners.watch}_line`)}</small>
        </span>
      </li>
      <li>
        <Icon name="speak" />
        <span>{t(manners.chat ? "chat_yes" : "chat_no")}</span>
      </li>
    </ul>
  );
}

export function MannersChoice({ manners, onChange }: { manners: Manners; onChange: (next: Manners) => void }) {
  return (
    <>
      <fieldset class="manners-choice">
        <legend>{t("who_watches")}</legend>
        {KINDS.map((watch) => (
          <label key={watch} class={`rule-line${watch === manners.watch ? " chosen" : ""}`}>
            <input type="radio" name="watch" value={watch} checked={watch === manners.watch} onChange={() => onChange({ ...manners, watch })} />
            <span>
              <b>{t(`watch_${watch}`)}</b>
              <small>{t(`watch_${watch}_line`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          checked={manners.chat}
          onChange={(event) => onChange({ ...manners, chat: event.currentTarget.checked })}
        />
        <span>
          {t("chat_switch")}
          <small>{t("chat_switch_line")}</small>
        </span>
      </label>
    </>
  );
}

/** Who looks on, and what this table allows; its maker may change it here. */
export function MannersDrawer({ scene }: { scene: Scene }) {
  const { manners, may, watchers } = scene.table;
  return (
    <Modal title={t("who_watches")} onClose={() => (drawer.value = null)}>
      <p>{lookingOn(watchers)}</p>
      {may.includes("allow") ? (
        <>
          <MannersChoice manners={manners} onChange={(next) => send({ do: "allow", manners: next })} />
          <p class="empty">{t("watch_change_line")}</p>
        </>
      ) : (
        <MannersText manners={manners} />
      )}
    </Modal>
  );
}

/** How many look on, where anybody does. */
export function Eyes({ scene }: { scene: Scene }) {
  const { watchers, manners } = scene.table;
  if (watchers === 0) return null;
  const label = `${lookingOn(watchers)}. ${t("who_watches")}: ${t(`watch_${manners.watch}`)}`;
  return (
    <button type="button" class="icon-button eyes" aria-label={label} title={label} onClick={() => (drawer.value = "manners")}>
      <Icon name="eye" />
      <b>{watchers}</b>
    </button>
  );
}
