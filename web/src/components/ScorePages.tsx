/** The score-keeper for games with real cards: the games kept here, a new one, one of them. */
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { words as en } from "../generated/score-en.ts";
import { words as it } from "../generated/score-it.ts";
import { offline } from "../offline.ts";
import { go, path, scoreAsked, scorePath } from "../route.ts";
import { applied, fromCode } from "../ruleCode.ts";
import { begin, games, load, state, type Kept } from "../score/book.ts";
import { tables } from "../score/tables.ts";
import { rulesName } from "../speech.ts";
import type { PayTable } from "../wire.ts";
import { addWords, scored, t, told } from "../words.ts";
import { BringBack, dayOf } from "./BringBack.tsx";
import { Icon } from "./Icon.tsx";
import { PageHead } from "./PageHead.tsx";
import { ScoreGame } from "./ScoreGame.tsx";
import { LanguageSwitch } from "./Settings.tsx";
import "../styles/score.css";

addWords({ en, it });
load();
// From the first moment and for as long as the page lives: what another tab writes must never be written over.
addEventListener("storage", ({ key }) => key === "chiamata.scores" && load());

export function ScorePages() {
  const game = scoreAsked(path.value);
  const found = games.value.find((one) => one.id === game);
  return (
    <div class="page score">
      <PageHead>
        {game && (
          <button type="button" class="btn small" onClick={() => go(scorePath(""))}>
            {scored("all_games")}
          </button>
        )}
        <LanguageSwitch />
      </PageHead>
      <main>
        {state.value !== "kept" && (
          <p class="card-box fault" role="alert">
            {scored(state.value)}
          </p>
        )}
        {!game ? <Games /> : found ? <ScoreGame key={game} game={found} /> : <p class="empty">{scored("gone")}</p>}
      </main>
    </div>
  );
}

/** What a game is played by: the name of its rule set, or what rules of one's own were made from. */
export function titleOf({ table, base }: Kept): string {
  return table.id === base ? rulesName(base) : `${t("rules_of_your_own")} (${rulesName(base)})`;
}

function Games() {
  return (
    <>
      <h1>{scored("title")}</h1>
      <p class="lead">{scored("lead")}</p>
      {games.value.length > 0 && (
        <section class="card-box">
          <h2>{scored("games")}</h2>
          <ul class="score-games">
            {games.value.map((game) => (
              <li key={game.id}>
                <a class="btn quiet" href={scorePath(game.id)} onClick={(event) => (event.preventDefault(), go(scorePath(game.id)))}>
                  <span>
                    <b>{game.names.join(", ")}</b>
                    <small>
                      {titleOf(game)} · {scored("since", { day: dayOf(game.began), n: game.deals.length })}
                    </small>
                  </span>
                  <Icon name="on" />
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
      <NewGame />
      <BringBack />
    </>
  );
}

const OWN = "own";

function NewGame() {
  const wished = new URLSearchParams(location.search).get("rules") ?? "";
  const last = games.value[0];
  const [rules, setRules] = useState(wished ? OWN : last && last.table.id === last.base ? last.base : "classic");
  const [link, setLink] = useState(wished);
  const [names, setNames] = useState<string[]>(last?.names ?? ["", "", "", "", ""]);
  const [dealer, setDealer] = useState(0);
  const [fault, setFault] = useState("");
  const called = (index: number) => names[index]!.trim() || scored("person", { n: index + 1 });
  const start = async (event: Event) => {
    event.preventDefault();
    setFault("");
    const found = rules === OWN ? await ownTable(link).catch((error: Error) => setFault(error.message)) : named(rules);
    if (found) go(scorePath(begin({ ...found, names: names.map((_, index) => called(index)), dealer, deals: [] }, found.base)));
  };
  const count = (n: number) => {
    setNames(Array.from({ length: n }, (_, index) => names[index] ?? ""));
    setDealer(Math.min(dealer, n - 1));
  };
  return (
    <form class="card-box new-score" aria-label={scored("new_game")} onSubmit={start}>
      <h2>{scored("new_game")}</h2>
      <label class="field">
        <span>{scored("rules")}</span>
        <select value={rules} onChange={(event) => setRules(event.currentTarget.value)}>
          {tables.map(({ id }) => (
            <option key={id} value={id}>
              {rulesName(id)}
            </option>
          ))}
          <option value={OWN}>{t("rules_of_your_own")}</option>
        </select>
      </label>
      <small>{rules === OWN ? scored("own_code_line") : told(`rules.${rules}.line`)}</small>
      {rules === OWN && (
        <label class="field">
          <span>{scored("own_code")}</span>
          <input value={link} autoComplete="off" onInput={(event) => setLink(event.currentTarget.value)} />
        </label>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <fieldset class="people">
        <legend>{scored("people")}</legend>
        {names.map((name, index) => (
          <input
            key={index}
            value={name}
            maxLength={20}
            autoComplete="off"
            aria-label={scored("person", { n: index + 1 })}
            placeholder={scored("person", { n: index + 1 })}
            onInput={(event) => setNames(names.with(index, event.currentTarget.value))}
          />
        ))}
        <div class="pair">
          <button type="button" class="btn quiet" disabled={names.length <= 5} onClick={() => count(names.length - 1)}>
            {scored("one_fewer")}
          </button>
          <button type="button" class="btn quiet" disabled={names.length >= 9} onClick={() => count(names.length + 1)}>
            {scored("one_more")}
          </button>
        </div>
        {names.length > 5 && <small>{scored("sitters")}</small>}
      </fieldset>
      <label class="field">
        <span>{scored("first_dealer")}</span>
        <select value={dealer} onChange={(event) => setDealer(Number(event.currentTarget.value))}>
          {names.map((_, index) => (
            <option key={index} value={index}>
              {called(index)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" class="btn primary big">
        {scored("begin")}
      </button>
    </form>
  );
}

interface Found {
  table: PayTable;
  base: string;
}

function named(id: string): Found {
  return { table: tables.find((table) => table.id === id)!, base: id };
}

/** The payoffs of rules that a link carries: the house reads them once, and the game keeps them. */
async function ownTable(link: string): Promise<Found> {
  const code = /[?&]rules=([\w-]+)/.exec(link)?.[1] ?? link.trim();
  const wish = fromCode(code);
  if (!wish) throw new Error(scored("own_code_bad"));
  try {
    const { rules } = await api.rules(wish.base);
    const table = await api.payoffs(applied(rules, { ...wish.changes, id: "custom", title: "", source: "" }));
    return { table, base: wish.base };
  } catch {
    throw new Error(scored(offline.value ? "own_code_house" : "own_code_refused"));
  }
}
