/** Which rules, how many deals, with or without a clock: everything in words before the table is made. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../api.ts";
import { reducedMotion } from "../motion.ts";
import { share } from "../copy.ts";
import { applied, changed, toCode, type Changes, type Mapping, type Proposal } from "../ruleCode.ts";
import { rulesName } from "../speech.ts";
import { notify } from "../store.ts";
import type { Checked, ClockTag, Manners, MenuEntry } from "../wire.ts";
import { t, told } from "../words.ts";
import { failed } from "./Landing.tsx";
import { Differs } from "./Differs.tsx";
import { Icon } from "./Icon.tsx";
import { MannersChoice } from "./Manners.tsx";
import { RulesEditor } from "./RulesEditor.tsx";
import { RulesText, useRules } from "./RulesText.tsx";

/** Seconds for a whole deal, and for each decision. */
const CLOCK: ClockTag = { bank: 120, increment: 10 };

export interface Choice {
  rules: string | Record<string, unknown>;
  clock: ClockTag | null;
  manners: Manners;
  /** Bots in the empty chairs at once. */
  fill: boolean;
}

interface Session {
  kind: string;
  deals: number | null;
  allowed: number[] | null;
}

interface PickerProps {
  busy: boolean;
  /** Rules that a link brought. */
  wish: Proposal | null;
  onCreate: (choice: Choice) => void;
}

export function RulesPicker({ busy, wish, onCreate }: PickerProps) {
  const [menu, setMenu] = useState<MenuEntry[]>([]);
  const [id, setId] = useState(wish?.base ?? "classic");
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    api.menu().then(setMenu, failed);
    section.current?.scrollIntoView({ behavior: reducedMotion() ? "auto" : "smooth", block: "start" });
  }, []);
  const seeds = menu.filter((entry) => entry.group === "seed");
  const more = menu.filter((entry) => entry.group === "more");
  return (
    <section class="card-box picker" ref={section}>
      <fieldset>
        <legend>{t("which_rules")}</legend>
        <div class="rule-list">
          {seeds.map((entry) => (
            <RuleLine key={entry.id} entry={entry} chosen={id === entry.id} onChoose={setId} />
          ))}
        </div>
        <details open={more.some((entry) => entry.id === id)}>
          <summary>{t("more_rules")}</summary>
          <div class="rule-list">
            {more.map((entry) => (
              <RuleLine key={entry.id} entry={entry} chosen={id === entry.id} onChoose={setId} />
            ))}
          </div>
        </details>
      </fieldset>
      <Options key={id} id={id} wished={wish?.base === id ? wish.changes : {}} busy={busy} onCreate={onCreate} />
    </section>
  );
}

function RuleLine({ entry, chosen, onChoose }: { entry: MenuEntry; chosen: boolean; onChoose: (id: string) => void }) {
  return (
    <label class={`rule-line${chosen ? " chosen" : ""}`}>
      <input type="radio" name="rules" value={entry.id} checked={chosen} onChange={() => onChoose(entry.id)} />
      <span>
        <b>{told(`rules.${entry.id}.name`, {}, entry.title)}</b>
        {entry.approximate && <em class="mark"> {t("approximate")}</em>}
        <small>{told(`rules.${entry.id}.line`)}</small>
      </span>
    </label>
  );
}

/** What the house says of the changed rules; asked once the changing rests. */
function useChecked(rules: Mapping | null, isChanged: boolean): Checked | null {
  const [checked, setChecked] = useState<Checked | null>(null);
  const text = isChanged && rules ? JSON.stringify(rules) : "";
  useEffect(() => {
    if (!text) return setChecked(null);
    let current = true;
    const timer = setTimeout(() => {
      api.check(JSON.parse(text) as Mapping).then((found) => current && setChecked(found), failed);
    }, 250);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  return checked;
}

interface OptionsProps {
  id: string;
  wished: Changes;
  busy: boolean;
  onCreate: (choice: Choice) => void;
}

function Options({ id, wished, busy, onCreate }: OptionsProps) {
  const page = useRules(id, failed);
  const [changes, setChanges] = useState<Changes>(wished);
  const [clock, setClock] = useState(false);
  const [fill, setFill] = useState(false);
  const [manners, setManners] = useState<Manners>({ watch: "closed", chat: false });
  const [editing, setEditing] = useState(Object.keys(wished).length > 0);
  const base = page?.rules ?? null;
  const keys = Object.keys(changes);
  // Another number of deals is no other rule set; anything else is one of the table's own.
  const own = keys.some((key) => key !== "session.deals");
  const rules = base && applied(base, { ...changes, ...(own ? { id: "custom", title: "", source: "" } : {}) });
  const checked = useChecked(rules, keys.length > 0);
  const shown = checked?.page ?? page;
  const session = rules?.["session"] as Session | undefined;
  const submit = (event: Event) => {
    event.preventDefault();
    onCreate({ rules: keys.length && rules ? rules : id, clock: clock ? CLOCK : null, manners, fill });
  };
  return (
    <form class="options" onSubmit={submit} aria-label={rulesName(id)}>
      <h2>{own ? t("rules_of_your_own") : rulesName(id)}</h2>
      {session?.kind === "deals" && base && (
        <Deals
          session={session}
          deals={session.deals ?? 10}
          onChange={(deals) => setChanges(changed(base, changes, "session.deals", deals))}
        />
      )}
      <label class="switch">
        <input type="checkbox" role="switch" checked={clock} onChange={(event) => setClock(event.currentTarget.checked)} />
        <span>
          {t("with_clock")}
          <small>{t("with_clock_line", { bank: CLOCK.bank / 60, increment: CLOCK.increment })}</small>
        </span>
      </label>
      <label class="switch">
        <input type="checkbox" role="switch" checked={fill} onChange={(event) => setFill(event.currentTarget.checked)} />
        <span>
          {t("bots_at_once")}
          <small>{t("bots_at_once_line")}</small>
        </span>
      </label>
      <details class="manners-box">
        <summary>
          {t("who_watches")}: {t(`watch_${manners.watch}`)}
        </summary>
        <MannersChoice manners={manners} onChange={setManners} />
      </details>
      <button type="submit" class="btn primary big" disabled={busy || !page || (checked?.problems.length ?? 0) > 0}>
        {t("make_table")}
      </button>
      <button type="button" class="btn quiet" aria-expanded={editing} onClick={() => setEditing(!editing)}>
        {t("change_rules")}
      </button>
      {checked && checked.problems.length > 0 && <p class="fault">{t("rules_do_not_fit", { n: checked.problems.length })}</p>}
      {own && <ShareRules base={id} changes={changes} />}
      {editing && base && rules ? (
        <RulesEditor
          base={base}
          rules={rules}
          changes={changes}
          words={shown?.words ?? []}
          problems={checked?.problems ?? []}
          onChange={setChanges}
        />
      ) : (
        <RulesText page={shown} />
      )}
      {editing && shown && <Differs page={shown} />}
    </form>
  );
}

/** The changed rules as a link. */
function ShareRules({ base, changes }: { base: string; changes: Changes }) {
  const link = `${location.origin}/?rules=${toCode({ base, changes })}`;
  return (
    <button
      type="button"
      class="btn quiet"
      onClick={() => void share(link).then((copied) => copied && notify(t("copied")), failed)}
    >
      <Icon name="share" /> {t("share_rules")}
    </button>
  );
}

/** How many deals the game lasts, where the rule set leaves a choice. */
function Deals({ session, deals, onChange }: { session: Session; deals: number; onChange: (deals: number) => void }) {
  const choices = session.allowed ?? [...new Set([5, 10, 15, 20, session.deals ?? 10])].sort((a, b) => a - b);
  return (
    <fieldset class="deals">
      <legend>{t("how_many_deals")}</legend>
      {choices.map((n) => (
        <label key={n} class={n === deals ? "chosen" : ""}>
          <input type="radio" name="deals" value={n} checked={n === deals} onChange={() => onChange(n)} />
          <span>{n}</span>
        </label>
      ))}
    </fieldset>
  );
}
