/** Free text between the people of a table: shown as it is, letter by letter, and nothing in it is a link. */
import { useEffect, useRef, useState } from "preact/hooks";
import { lines } from "../chat.ts";
import { muted, send } from "../store.ts";
import type { Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Icon } from "./Icon.tsx";

/** As many signs as the house takes. */
const LONGEST = 200;

export function Chat({ scene }: { scene: Scene }) {
  const list = useRef<HTMLOListElement>(null);
  const heard = lines.value.filter(({ name }) => !muted.value.has(name));
  useEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [heard.length]);
  return (
    <section class="chat" aria-label={t("chat_log")}>
      {heard.length === 0 ? (
        <p class="empty">{t("nothing_written")}</p>
      ) : (
        <ol ref={list} tabIndex={0} aria-label={t("chat_log")}>
          {heard.map(({ v, name, text }) => (
            <li key={v}>
              <b>{name}</b> {text}
            </li>
          ))}
        </ol>
      )}
      {scene.table.you !== null && (scene.table.may.includes("write") ? <Write /> : <p class="empty">{t("not_now")}</p>)}
    </section>
  );
}

function Write() {
  const [text, setText] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    if (!text.trim()) return;
    send({ do: "write", text });
    setText("");
  };
  return (
    <form class="write" onSubmit={submit}>
      <input
        value={text}
        maxLength={LONGEST}
        aria-label={t("write_label")}
        placeholder={t("write_label")}
        autoComplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="icon-button" aria-label={t("send")}>
        <Icon name="send" />
      </button>
    </form>
  );
}
