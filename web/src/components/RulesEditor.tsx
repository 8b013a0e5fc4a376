/** Every option of a rule set, as the house lists them: its sentence, and what it may be. */
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { changed, valueAt, type Changes, type Mapping } from "../ruleCode.ts";
import type { Fault, Option, Words } from "../wire.ts";
import { t, told } from "../words.ts";
import { failed } from "./Landing.tsx";
import { sentence } from "./RulesText.tsx";

interface EditorProps {
  base: Mapping;
  /** The rules with the changes in them. */
  rules: Mapping;
  changes: Changes;
  words: Words[];
  problems: Fault[];
  onChange: (changes: Changes) => void;
}

let known: Promise<Option[]> | null = null;

export function RulesEditor(props: EditorProps) {
  const [options, setOptions] = useState<Option[]>([]);
  useEffect(() => {
    known ??= api.schema().then((schema) => schema.options);
    known.then(setOptions, failed);
  }, []);
  const sections = [...new Set(options.map(sectionOf))];
  return (
    <div class="editor">
      {sections.map((name) => {
        const own = options.filter((option) => sectionOf(option) === name);
        const touched = own.filter((option) => option.key in props.changes).length;
        return (
          <details key={name} open={own.some((option) => props.problems.some((fault) => fault.where === option.key))}>
            <summary>
              {told(`options.section_${name}`, {}, name)}
              {touched > 0 && <span class="count">{t("changed_n", { n: touched })}</span>}
            </summary>
            {own.map((option) => (
              <Field key={option.key} option={option} {...props} />
            ))}
          </details>
        );
      })}
    </div>
  );
}

function sectionOf({ key }: Option): string {
  return key === "hand_claim" || key.includes(".") ? key.split(".")[0]! : "table";
}

/** The sentences of an option as it is now; an option without its own has those of its part. */
function wordsOf(words: Words[], key: string): Words[] {
  const own = words.filter((one) => one.option === key);
  if (own.length > 0 || !key.includes(".")) return own;
  return wordsOf(words, key.slice(0, key.lastIndexOf(".")));
}

function Field({ option, base, rules, changes, words, problems, onChange }: { option: Option } & EditorProps) {
  const { key } = option;
  const value = valueAt(rules, key);
  if (value === undefined) return null;
  const said = wordsOf(words, key);
  const idle = said.length > 0 && said.every((one) => !one.applies);
  const wrong = problems.filter((fault) => fault.where === key);
  const set = (next: unknown) => onChange(changed(base, changes, key, next));
  const role = /\.(caller|partner|defender)$/.exec(key)?.[1];
  const text = role ? t(`role_${role}` as "role_caller") : said.map(sentence).join(" ");
  return (
    <div class={`option${idle ? " idle" : ""}${key in changes ? " changed" : ""}${wrong.length ? " wrong" : ""}`}>
      <Control option={option} value={value} text={text || key} set={set} />
      {idle && <small>{t("option_idle")}</small>}
      {wrong.map((fault) => (
        <p key={fault.code} class="fault" role="alert">
          {told(`config.${fault.code}`, {}, fault.fix)}
        </p>
      ))}
    </div>
  );
}

interface ControlProps {
  option: Option;
  value: unknown;
  /** What the option says now. */
  text: string;
  set: (value: unknown) => void;
}

function Control({ option, value, text, set }: ControlProps) {
  switch (option.kind) {
    case "choice":
    case "flag":
      return <Choice option={option} value={value} text={text} set={set} />;
    case "section":
      return (
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked={value !== null}
            onChange={(event) => set(event.currentTarget.checked ? (option.standard ?? {}) : null)}
          />
          <span>{told(`options.section_${option.key}`, {}, t("cappotto_counts"))}</span>
        </label>
      );
    default:
      return <Written option={option} value={value} text={text} set={set} />;
  }
}

/** One of few values, each in its own sentence. */
function Choice({ option, value, text, set }: ControlProps) {
  const values = option.kind === "flag" ? ["true", "false"] : option.values;
  const stem = option.key.replace(/\./g, "_");
  return (
    <label class="choice">
      {/* A list cuts a long sentence off: then it stands above it as well. */}
      <span class={text.length > 32 ? "" : "hidden"}>{text}</span>
      <select
        value={String(value)}
        onChange={(event) => set(option.kind === "flag" ? event.currentTarget.value === "true" : event.currentTarget.value)}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {told(`options.${stem}_${one}`, { n: "…" }, one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A number or a list, written; it is taken when the field is left. */
function Written({ option, value, text, set }: ControlProps) {
  const take = (event: { currentTarget: HTMLInputElement }) => {
    const read = parse(option, event.currentTarget.value);
    if (read === undefined) event.currentTarget.value = written(option, value);
    else set(read);
  };
  return (
    <label class="written">
      <span>{text}</span>
      <input
        type="text"
        inputMode={option.kind === "number" ? "numeric" : "text"}
        autoComplete="off"
        spellcheck={false}
        value={written(option, value)}
        placeholder={option.optional ? "–" : ""}
        onChange={take}
      />
    </label>
  );
}

/** `4, 4` · `61: 1, 71: 2` · `A 3 K`. */
export function written({ kind }: Pick<Option, "kind">, value: unknown): string {
  if (value === null) return "";
  if (kind === "pairs") return (value as [number, number][]).map(([from, unit]) => `${from}: ${unit}`).join(", ");
  if (kind === "points") return Object.entries(value as object).map(([rank, points]) => `${rank}: ${points}`).join(", ");
  if (kind === "numbers") return (value as number[]).join(", ");
  return kind === "texts" ? (value as string[]).join(" ") : String(value);
}

/** What was written as a value; undefined where it cannot be read. */
export function parse({ kind, optional }: Pick<Option, "kind" | "optional">, text: string): unknown {
  const parts = text.split(kind === "texts" ? /[\s,]+/ : ",").map((part) => part.trim()).filter(Boolean);
  if (parts.length === 0 && optional) return null;
  if (kind === "texts") return parts;
  if (kind === "text") return text;
  if (kind === "numbers") return parts.every((part) => /^-?\d+$/.test(part)) ? parts.map(Number) : undefined;
  if (kind === "number") return /^-?\d+$/.test(text.trim()) ? Number(text) : undefined;
  const pairs = parts.map((part) => /^(\w+)\s*[:=]\s*(-?\d+)$/.exec(part));
  if (pairs.some((pair) => pair === null)) return undefined;
  if (kind === "points") return Object.fromEntries(pairs.map((pair) => [pair![1]!, Number(pair![2])]));
  const numbers = pairs.map((pair) => [Number(pair![1]), Number(pair![2])]);
  return numbers.some(([from]) => Number.isNaN(from)) ? undefined : numbers;
}
