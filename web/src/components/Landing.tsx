/** The first page: play now, with friends, by code. */
import { useState } from "preact/hooks";
import { api, ApiError } from "../api.ts";
import { guestName, introduce } from "../guest.ts";
import { plan } from "../opening.ts";
import { go, scorePath } from "../route.ts";
import { fromCode } from "../ruleCode.ts";
import { notify } from "../store.ts";
import { app, t, told } from "../words.ts";
import { Face } from "./Card.tsx";
import { Icon } from "./Icon.tsx";
import { PageHead } from "./PageHead.tsx";
import { RulesPicker, type Choice } from "./RulesPicker.tsx";
import { LanguageSwitch, SettingsSheet } from "./Settings.tsx";

export function failed(error: unknown): void {
  if (!(error instanceof ApiError)) return notify(t("unreachable")); // nothing came back at all
  notify(told(`refusals.${error.code}`, {}, t(error.status === 404 ? "no_such_table" : "went_wrong")));
}

/** Runs one thing at a time and says what went wrong. */
function useBusy() {
  const [busy, setBusy] = useState(false);
  const run = async (what: () => Promise<void>) => {
    setBusy(true);
    try {
      await what();
    } catch (error) {
      failed(error);
    }
    setBusy(false);
  };
  return [busy, run] as const;
}

export function Landing() {
  const [busy, run] = useBusy();
  const wish = fromCode(new URLSearchParams(location.search).get("rules") ?? "");
  const [choosing, setChoosing] = useState(wish !== null);
  const [setting, setSetting] = useState(false);
  const playNow = async () => {
    await introduce();
    const { code } = await api.create("classic", null);
    plan({ code, sit: true, fill: true, start: true });
    go(`/t/${code}`);
  };
  const create = async (choice: Choice) => {
    await introduce();
    const { code } = await api.create(choice.rules, choice.clock, choice.manners);
    plan({ code, sit: true, fill: choice.fill, start: false });
    go(`/t/${code}`);
  };
  return (
    <div class="page landing">
      <PageHead to="">
        <span class="head-tools">
          <LanguageSwitch />
          <button type="button" class="icon-button" aria-label={t("settings")} onClick={() => setSetting(true)}>
            <Icon name="settings" />
          </button>
        </span>
      </PageHead>
      <main>
        <Hero />
        <section class="card-box start-box">
          <NameField />
          <button type="button" class="btn primary big" disabled={busy} onClick={() => run(playNow)}>
            {t("play_now")}
            <small>{t("play_now_line")}</small>
          </button>
          <button type="button" class="btn big" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
            {t("with_friends")}
            <small>{t("with_friends_line")}</small>
          </button>
          <JoinByCode />
          <div class="beside">
            <a class="btn quiet big" href="/learn" onClick={(event) => (event.preventDefault(), go("/learn"))}>
              {t("learn")}
            </a>
            <a class="btn quiet big" href={scorePath("")}>
              {app("score_keeper")}
              <small>{app("score_keeper_line")}</small>
            </a>
          </div>
        </section>
        {choosing && <RulesPicker busy={busy} wish={wish} onCreate={(choice) => run(() => create(choice))} />}
      </main>
      {setting && <SettingsSheet onClose={() => setSetting(false)} />}
      <footer class="page-foot">
        <p>{t("foot")}</p>
        <p>
          <a href="/privacy">{t("privacy")}</a>
        </p>
      </footer>
    </div>
  );
}

function Hero() {
  return (
    <section class="hero">
      <div class="fan" aria-hidden="true">
        {["KC", "3H", "AS", "QD", "2C"].map((card) => (
          <span key={card}>
            <Face card={card} />
          </span>
        ))}
      </div>
      <h1>{t("brand_long")}</h1>
      <p>{t("one_line")}</p>
    </section>
  );
}

export function NameField() {
  return (
    <label class="field">
      <span>{t("your_name")}</span>
      <input
        value={guestName.value}
        maxLength={20}
        autoComplete="nickname"
        placeholder={t("guest")}
        onInput={(event) => (guestName.value = event.currentTarget.value)}
      />
    </label>
  );
}

export function JoinByCode() {
  const [code, setCode] = useState("");
  const whole = code.length === 5;
  const join = async (event: Event) => {
    event.preventDefault();
    if (!whole) return;
    try {
      await api.table(code);
      go(`/t/${code}`);
    } catch (error) {
      failed(error);
    }
  };
  return (
    <form class="join" onSubmit={join}>
      <label class="field">
        <span>{t("join_by_code")}</span>
        <input
          class="code-field"
          value={code}
          maxLength={5}
          autoCapitalize="characters"
          autoComplete="off"
          spellcheck={false}
          placeholder="ABCDE"
          onInput={(event) => setCode(event.currentTarget.value.toUpperCase().replace(/[^A-Z]/g, ""))}
        />
      </label>
      <button type="submit" class="btn" disabled={!whole}>
        {t("join")}
      </button>
    </form>
  );
}
