/** A deal to write down: who called, with whom, for how much, how it ended; what it pays is shown while one taps. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { bandsOf, landmarks, priceOf, type Band, type Took } from "../score/prices.ts";
import { payoffOf, playersOf, type Deal, type Game, type Played } from "../score/game.ts";
import { scored, t } from "../words.ts";
import { signed } from "./Result.tsx";

interface EntryProps {
  game: Game;
  /** Of the deal, from 1. */
  number: number;
  /** Who deals it, as it stands. */
  due: number;
  multiplier: number;
  /** What is changed; null for a new deal. */
  deal: Deal | null;
  /** The heading takes the focus: something was done before. */
  focused: boolean;
  onWrite: (deal: Deal) => void;
  onRemove: () => void;
  onCancel: () => void;
}

export function ScoreEntry({ game, number, due, multiplier, deal, focused, onWrite, onRemove, onCancel }: EntryProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (focused) heading.current?.focus();
  }, []);
  const { table, names } = game;
  const old = deal?.kind === "played" ? deal : null;
  const [dealer, setDealer] = useState(due);
  const [caller, setCaller] = useState(old?.caller ?? null);
  const [partner, setPartner] = useState(old?.partner ?? null);
  const [target, setTarget] = useState(old?.target ?? table.targets[0]!);
  const [took, setTook] = useState<Took | null>(old && { points: old.points, tricks: old.tricks });
  const [exact, setExact] = useState(old?.exact ?? false);
  const playing = playersOf(names.length, dealer);
  // Where another deals than whose turn it is, the sheet must say so; a row that said so goes on saying it.
  const beside = dealer !== due || deal?.dealer !== undefined ? { dealer } : {};
  const solo = caller !== null && partner === caller;
  const call = (person: number) => {
    setPartner(solo ? person : partner === person ? null : partner);
    setCaller(person);
  };
  const deals = (person: number) => {
    const sit = playersOf(names.length, person);
    if (caller !== null && !sit.includes(caller)) setCaller(null);
    if (partner !== null && !sit.includes(partner)) setPartner(null);
    setDealer(person);
  };
  const promise = (next: number) => {
    setTarget(next);
    if (!exact) setTook(null);
  };
  const whole: Played | null =
    caller !== null && partner !== null && took ? { kind: "played", caller, partner, target, exact, ...took } : null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (whole) onWrite({ ...whole, ...beside });
  };
  return (
    <form class="card-box entry" aria-label={deal ? scored("change_deal", { n: number }) : t("deal_n", { n: number })} onSubmit={submit}>
      <div class="entry-head">
        <h2 ref={heading} tabIndex={-1}>
          {deal ? scored("change_deal", { n: number }) : t("deal_n", { n: number })}
        </h2>
        <label class="dealer-choice">
          <span class="hidden">{scored("dealer")}</span>
          <select value={dealer} onChange={(event) => deals(Number(event.currentTarget.value))}>
            {names.map((name, person) => (
              <option key={person} value={person}>
                {scored("deals_now", { name })}
              </option>
            ))}
          </select>
        </label>
        {multiplier > 1 && <span class="worth">{scored("worth", { n: multiplier })}</span>}
      </div>
      <Chips legend={scored("who_called")} name="caller" values={playing} chosen={caller} label={(person) => names[person]!} onChoose={call} />
      {caller !== null && (
        <Chips
          legend={scored("who_partner")}
          name="partner"
          values={[...playing.filter((person) => person !== caller), ...(table.solo ? [caller] : [])]}
          chosen={partner}
          label={(person) => (person === caller ? scored("alone") : names[person]!)}
          onChoose={setPartner}
        />
      )}
      {table.targets.length > 1 && <Contract game={game} target={target} onChoose={promise} />}
      <Outcome
        game={game}
        target={target}
        solo={solo}
        multiplier={multiplier}
        took={took}
        exact={exact}
        onChoose={(next, counted) => {
          setTook(next);
          setExact(counted);
        }}
      />
      <p class="preview" role="status">
        {whole ? `${scored("pays")}: ${pays(game, whole, playing, multiplier)}` : scored("not_yet")}
      </p>
      <button type="submit" class="btn primary big" disabled={!whole}>
        {scored(deal ? "change" : "write_down")}
      </button>
      {deal ? (
        <div class="pair">
          <button type="button" class="btn quiet" onClick={onCancel}>
            {scored("cancel")}
          </button>
          <button type="button" class="btn warn" onClick={onRemove}>
            {scored("remove")}
          </button>
        </div>
      ) : (
        <div class="pair">
          {(["all_pass", "claim"] as const).map(
            (kind) =>
              table[kind] && (
                <button key={kind} type="button" class="btn quiet" onClick={() => onWrite({ kind, ...beside })}>
                  {scored(kind)}
                </button>
              ),
          )}
        </div>
      )}
    </form>
  );
}

/** "Anna +4, Bruno +2, the others −2". */
function pays({ table, names }: Game, deal: Played, playing: number[], multiplier: number): string {
  const payoff = payoffOf(table, deal, playing, multiplier, names.length);
  const other = playing.find((person) => person !== deal.caller && person !== deal.partner)!;
  const sides = deal.caller === deal.partner ? [deal.caller] : [deal.caller, deal.partner];
  return [...sides.map((person) => `${names[person]} ${signed(payoff[person]!)}`), `${scored("the_others")} ${signed(payoff[other]!)}`].join(", ");
}

interface ChipsProps<T extends number> {
  legend: string;
  name: string;
  values: readonly T[];
  chosen: T | null;
  label: (value: T) => string;
  onChoose: (value: T) => void;
}

function Chips<T extends number>({ legend, name, values, chosen, label, onChoose }: ChipsProps<T>) {
  return (
    <fieldset class={`score-chips${name === "target" ? " numbers" : ""}`}>
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value} class={value === chosen ? "chosen" : ""}>
          <input type="radio" class="hidden" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
          <span>{label(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** For how many points: the contracts at which something changes, and any other step by step. */
function Contract({ game: { table }, target, onChoose }: { game: Game; target: number; onChoose: (target: number) => void }) {
  const { targets } = table;
  const shown = landmarks(table);
  const step = (by: number) => onChoose(targets[targets.indexOf(target) + by] ?? target);
  return (
    <>
      <Chips legend={scored("for_how_many")} name="target" values={shown} chosen={target} label={String} onChoose={onChoose} />
      {shown.length < targets.length && (
        <div class="stepper">
          <button type="button" class="btn quiet" aria-label={scored("fewer")} disabled={target === targets[0]} onClick={() => step(-1)}>
            −
          </button>
          <select aria-label={scored("other_contract")} value={target} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
            {targets.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
          <button type="button" class="btn quiet" aria-label={scored("more")} disabled={target === targets.at(-1)} onClick={() => step(1)}>
            +
          </button>
        </div>
      )}
    </>
  );
}

interface OutcomeProps {
  game: Game;
  target: number;
  solo: boolean;
  multiplier: number;
  took: Took | null;
  exact: boolean;
  onChoose: (took: Took | null, exact: boolean) => void;
}

function Outcome({ game: { table }, target, solo, multiplier, took, exact, onChoose }: OutcomeProps) {
  const bands = bandsOf(table, target);
  const chosen = (band: Band) => took !== null && took.tricks === band.tricks && took.points >= band.points && took.points <= band.to;
  const [unfolded, setUnfolded] = useState(exact);
  const count = (text: string, turn: (n: number) => number) => {
    const digits = text.replace(/\D/g, "");
    onChoose(digits ? { points: turn(Math.min(120, Number(digits))), tricks: "" } : null, digits !== "");
  };
  const counted = exact && took ? took.points : null;
  const needed = bands.some((band) => band.counted);
  return (
    <>
      <fieldset class="score-chips outcomes">
        <legend>{scored("how_ended")}</legend>
        {bands
          .filter((band) => !band.counted)
          .map((band) => (
            <label key={`${band.tricks}${band.points}`} class={chosen(band) ? "chosen" : ""}>
              <input
                type="radio"
                class="hidden"
                name="outcome"
                checked={chosen(band)}
                onChange={() => onChoose({ points: band.points, tricks: band.tricks }, band.points === band.to)}
              />
              <span>
                <b>{endName(band)}</b>
                <small>{range(band)}</small>
                <small class="price">{price(table, target, band, solo, multiplier)}</small>
              </span>
            </label>
          ))}
      </fieldset>
      <details class="counted" open={needed || unfolded} onToggle={(event) => setUnfolded(event.currentTarget.open)}>
        <summary>{scored(needed ? "count_them" : "count_maybe")}</summary>
        <div class="both">
          <label class="field">
            <span>{scored(solo ? "caller_points_alone" : "caller_points")}</span>
            <Points value={counted} onInput={(text) => count(text, (n) => n)} />
          </label>
          <label class="field">
            <span>{scored("other_points")}</span>
            <Points value={counted === null ? null : 120 - counted} onInput={(text) => count(text, (n) => 120 - n)} />
          </label>
        </div>
      </details>
    </>
  );
}

function Points({ value, onInput }: { value: number | null; onInput: (text: string) => void }) {
  return (
    <input
      type="number"
      inputMode="numeric"
      min={0}
      max={120}
      step={1}
      value={value ?? ""}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

function endName({ ended, capot }: Band): string {
  if (ended === "draw") return scored("drawn");
  if (ended === "win") return scored(capot ? "capot_made" : "made");
  return scored(capot ? "capot_lost" : "failed");
}

function range({ points, to, tricks }: Band): string {
  if (tricks) return scored(tricks === "whole" ? "all_tricks" : "no_trick");
  return points === to ? scored("one", { n: points }) : scored("range", { from: points, to });
}

/** "+4 +2 −2" for caller, partner and the others; "+8 −2" alone. */
function price(table: Game["table"], target: number, band: Band, solo: boolean, multiplier: number): string {
  const { pay } = priceOf(table, target, band);
  return (solo ? pay.slice(3) : pay.slice(0, 3)).map((sum) => signed(sum * multiplier)).join(" ");
}
