/** One game with real cards: the next deal, the sheet, the roles, and the way out of this browser. */
import { useState } from "preact/hooks";
import { share } from "../copy.ts";
import { go, scorePath } from "../route.ts";
import { before, drop, undo, write, type Kept } from "../score/book.ts";
import { asCsv, asJson, asText, save } from "../score/export.ts";
import { decidedBy, follow, playersOf, playsOn, rolesOf, standing, type Deal, type Followed, type Tally } from "../score/game.ts";
import { notify } from "../store.ts";
import { language, scored, t, told } from "../words.ts";
import { Icon } from "./Icon.tsx";
import { signed } from "./Result.tsx";
import { RulesText, useRules } from "./RulesText.tsx";
import { ScoreEntry } from "./ScoreEntry.tsx";
import { titleOf } from "./ScorePages.tsx";
import { failed } from "./Landing.tsx";

export function ScoreGame({ game }: { game: Kept }) {
  const [edited, setEdited] = useState<number | null>(null);
  // After the first deed the next question takes the focus, wherever on the page the last one was done.
  const [begun, setBegun] = useState(false);
  const now = follow(game);
  const decided = now.over ? decidedBy(game, now) : null;
  const row = edited === null ? undefined : now.rows[edited];
  const put = (deal: Deal) => {
    setBegun(true);
    write(game.id, edited === null ? [...game.deals, deal] : game.deals.with(edited, deal));
    setEdited(null);
  };
  const remove = () => {
    write(game.id, game.deals.toSpliced(edited!, 1));
    setEdited(null);
  };
  const change = (index: number) => {
    setBegun(true);
    setEdited(index);
  };
  return (
    <>
      <div class="score-title">
        <h1>{titleOf(game)}</h1>
        <p class="lead">{[lengthOf(game, now), sittersOf(game, now)].filter(Boolean).join(" · ")}</p>
      </div>
      {now.rows.length > 0 && (
        <ul class="score-standing" aria-label={t("scores")}>
          {game.names.map((name, person) => (
            <li key={person}>
              <span>{name}</span> <b>{plain(now.scores[person]!)}</b>
            </li>
          ))}
        </ul>
      )}
      {playsOn(game, now) && (
        <p class="card-box over-line" role="status">
          {told("options.session_tie_play_on")}
        </p>
      )}
      {now.over && (
        <p class="card-box over-line" role="status">
          {scored("over", { names: first(game, now) })}
          {decided && <small>{told(`options.session_tiebreaks_${decided}`)}</small>}
        </p>
      )}
      <ScoreEntry
        key={edited === null ? `next ${game.deals.length}` : `deal ${edited}`}
        game={game}
        number={(edited ?? game.deals.length) + 1}
        due={row?.dealer ?? now.dealer}
        multiplier={row?.multiplier ?? now.multiplier}
        deal={row?.deal ?? null}
        focused={begun}
        onWrite={put}
        onRemove={remove}
        onCancel={() => setEdited(null)}
      />
      <section class="card-box">
        <h2>{scored("sheet")}</h2>
        <Sheet game={game} now={now} onChange={change} />
        <button
          type="button"
          class="btn quiet"
          disabled={!before.value[game.id]?.length}
          onClick={() => {
            setEdited(null);
            undo(game.id);
          }}
        >
          <Icon name="last" /> {scored("undo")}
        </button>
      </section>
      {now.rows.length > 0 && <RoleTable game={game} now={now} />}
      {game.table.id === game.base && <RulesOf id={game.base} />}
      <Export game={game} now={now} />
    </>
  );
}

function lengthOf({ table }: Kept, now: Followed): string {
  if (table.session === "deals") return scored("deal_of", { n: Math.min(now.scored + 1, table.end), of: table.end });
  return table.session === "points" ? scored("up_to", { n: table.end }) : "";
}

/** Who sits the next deal out. */
function sittersOf(game: Kept, now: Followed): string {
  const playing = playersOf(game.names.length, now.dealer);
  const out = game.names.filter((_, person) => !playing.includes(person));
  return out.length ? scored(out.length === 1 ? "sits_out" : "sit_out", { names: out.join(", ") }) : "";
}

function first(game: Kept, now: Followed): string {
  return standing(game, now)
    .filter(({ place }) => place === 1)
    .map(({ person }) => game.names[person]!)
    .join(", ");
}

/** The rules in words, for when somebody at the table asks: fetched once, then kept. */
function RulesOf({ id }: { id: string }) {
  const [missing, setMissing] = useState(false);
  const page = useRules(id, () => setMissing(true));
  return (
    <details class="card-box rules-fold">
      <summary>{t("rules")}</summary>
      {missing ? <p class="empty">{t("unreachable")}</p> : <RulesText page={page} />}
    </details>
  );
}

interface SheetProps {
  game: Kept;
  now: Followed;
  onChange: (index: number) => void;
}

function Sheet({ game, now, onChange }: SheetProps) {
  const { names } = game;
  if (now.rows.length === 0) return <p class="empty">{scored("no_deals")}</p>;
  return (
    <div class="sheet-box" tabIndex={0} role="region" aria-label={t("scores")}>
      <table class="sheet" style={{ minWidth: `${56 + 50 * names.length}px` }}>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{t("deal")}</span>
            </th>
            {names.map((name, person) => (
              <th scope="col" key={person}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {now.rows.map(({ deal, ended, payoff, sums, dealer }, index) => (
            <tr key={index}>
              <th scope="row">
                <button type="button" class="row-button" aria-label={scored("change_deal", { n: index + 1 })} onClick={() => onChange(index)}>
                  {index + 1}
                </button>
                {deal.kind === "played" && <small>{deal.exact ? `${deal.points}/${deal.target}` : deal.target}</small>}
              </th>
              {deal.kind !== "played" || ended === "draw" ? (
                <td colSpan={names.length} class="void">
                  {ended === "draw" ? scored("drawn") : scored(ended === "claim" ? "claim" : "all_pass")}
                </td>
              ) : (
                names.map((_, person) => {
                  const role = person === deal.caller ? "caller" : person === deal.partner ? "partner" : "defender";
                  const sign = role === "caller" ? t("sign_caller") : role === "partner" ? t("sign_partner") : "";
                  const sat = !playersOf(names.length, dealer).includes(person);
                  return (
                    <td key={person} class={`cell-${role}`}>
                      {sat ? "·" : signed(payoff[person]!)}
                      {sign && <sup>{sign}</sup>}
                      <small class="so-far">{plain(sums[person]!)}</small>
                    </td>
                  );
                })
              )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("sum")}</th>
            {now.scores.map((score, person) => (
              <td key={person}>{plain(score)}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function plain(sum: number): string {
  return signed(sum).replace("+", "");
}

/** With one decimal, in the reader's way of writing. */
function mean(value: number): string {
  const format = new Intl.NumberFormat(language.value, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
  return format.format(value).replace("-", "−");
}

const COLUMNS = ["called", "partnered", "alone", "defended"] as const;

function RoleTable({ game, now }: { game: Kept; now: Followed }) {
  const roles = rolesOf(game, now);
  const heads = { called: "col_called", partnered: "col_partner", alone: "col_alone", defended: "col_against" } as const;
  return (
    <section class="card-box">
      <h2>{scored("roles")}</h2>
      <div class="sheet-box" tabIndex={0} role="region" aria-label={scored("roles")}>
        <table class="sheet roles">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">{t("your_name")}</span>
              </th>
              <th scope="col">{scored("col_deals")}</th>
              {COLUMNS.map((column) => (
                <th scope="col" key={column}>
                  {scored(heads[column])}
                </th>
              ))}
              <th scope="col">{scored("col_mean")}</th>
            </tr>
          </thead>
          <tbody>
            {roles.map((one, person) => (
              <tr key={person}>
                <th scope="row">{game.names[person]}</th>
                <td>{one.deals}</td>
                {COLUMNS.map((column) => (
                  <TallyCell key={column} tally={one[column]} />
                ))}
                <td>{one.deals ? mean(one.score / one.deals) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function TallyCell({ tally: { n, made } }: { tally: Tally }) {
  if (n === 0) return <td>–</td>;
  return (
    <td>
      {scored("made_of", { made, n })}
      <small class="so-far">{scored("percent", { n: Math.round((100 * made) / n) })}</small>
    </td>
  );
}

function Export({ game, now }: { game: Kept; now: Followed }) {
  const [sure, setSure] = useState(false);
  const tell = async () => {
    const copied = await share(asText(game, now, titleOf(game))).catch(failed);
    if (copied) notify(t("copied"));
  };
  const remove = () => {
    if (!sure) return setSure(true);
    drop(game.id);
    go(scorePath(""));
  };
  return (
    <section class="card-box score-export" aria-label={scored("export")}>
      <h2>{scored("export")}</h2>
      <button type="button" class="btn primary" disabled={!now.rows.length} onClick={tell}>
        <Icon name="share" /> {t("share")}
      </button>
      <div class="pair">
        <button type="button" class="btn quiet" onClick={() => save("chiamata.csv", "text/csv", asCsv(game, now))}>
          {scored("spreadsheet")}
        </button>
        <button type="button" class="btn quiet" onClick={() => save("chiamata.json", "application/json", asJson(game, now))}>
          JSON
        </button>
      </div>
      <button type="button" class={`btn ${sure ? "warn" : "quiet"}`} onClick={remove} onBlur={() => setSure(false)}>
        {scored(sure ? "delete_sure" : "delete_game")}
      </button>
    </section>
  );
}
