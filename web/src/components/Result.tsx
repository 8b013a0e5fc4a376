/** How a deal ended, what it paid, and on to the next. */
import { deck } from "../decks.ts";
import { nameOf } from "../seats.ts";
import { cardName, resultLine } from "../speech.ts";
import { go, sheetPath } from "../route.ts";
import { drawer, leave, lookingBack, send } from "../store.ts";
import type { DealScene, ResultScene, Scene } from "../wire.ts";
import { count, luck, t } from "../words.ts";
import { Avatar, Face } from "./Card.tsx";
import { useElapsed } from "./Clock.tsx";
import { FairTick } from "./Fair.tsx";
import { RoleTag } from "./Seat.tsx";
import { DealLink } from "./Sheet.tsx";

export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

export function Result({ scene, deal, result }: { scene: Scene; deal: DealScene; result: ResultScene }) {
  const scored = result.kind === "scored";
  return (
    <section class={`panel result${scored ? (result.made ? " made" : " lost") : ""}`} aria-label={t("result")}>
      <h2>{resultLine(deal, scene)}</h2>
      {scored && <p class="result-sum">{sum(result)}</p>}
      {result.shown.length > 0 && (
        <div class="shown">
          {result.shown.map((card) => (
            <Face key={card} card={card} label={cardName(card, deck.value.suits)} />
          ))}
        </div>
      )}
      <ul class="payoff">
        {scene.chairs.map((chair, index) =>
          chair.playing ? (
            <li key={index} class={chair.role}>
              <Avatar chair={chair} index={index} />
              <span class="payoff-name">{index === scene.table.you ? t("you") : chair.name}</span>
              <RoleTag scene={scene} index={index} />
              {scored && <b class="payoff-sum">{signed(result.payoff[index] ?? 0)}</b>}
              <span class="payoff-score">{t("total", { n: signed(chair.score).replace("+", "") })}</span>
            </li>
          ) : null,
        )}
      </ul>
      <div class="after">
        <FairTick scene={scene} />
        <WatchAgain scene={scene} />
      </div>
    </section>
  );
}

/** To the replay of the deal that has just ended. */
function WatchAgain({ scene }: { scene: Scene }) {
  const row = scene.sheet.at(-1);
  if (!row || lookingBack.value) return null;
  const text = t("watch_deal", { n: row.deal });
  return <DealLink code={scene.table.code} number={row.number} label={text} text={text} />;
}

/** "74 punti in 5 prese · posta 2 · cappotto ×2". */
function sum(result: ResultScene): string {
  const parts = [t("points_in_tricks", { points: count("point", result.points), tricks: count("trick", result.tricks) })];
  if (result.unit > 1) parts.push(t("stake", { n: result.unit }));
  if (result.factor > 1) parts.push(t("cappotto", { n: result.factor }));
  if (result.multiplier > 1) parts.push(t("carried", { n: result.multiplier }));
  return parts.join(" · ");
}

/** The line below a finished deal: ready for the next one, or the rematch. */
export function NextBar({ scene }: { scene: Scene }) {
  const { may, state, you, next_in } = scene.table;
  const elapsed = useElapsed(next_in !== null, 1000);
  const me = you === null ? null : scene.chairs[you];
  const left = next_in === null ? null : Math.max(0, Math.ceil((next_in - elapsed) / 1000));
  const others = scene.chairs.flatMap((chair, index) =>
    chair.kind === "person" && chair.here && !chair.ready && index !== you ? [nameOf(scene, index)] : [],
  );
  const hint = others.length ? t("waits_for", { names: others.join(", ") }) : left !== null ? t("goes_on_in", { n: left }) : "";
  return (
    <footer class="action mine">
      {may.includes("next") ? (
        <button type="button" class="btn primary confirm" onClick={() => send({ do: "next" })} data-next>
          {t(state === "over" ? "rematch" : "next_deal")}
          {left !== null && state !== "over" && <small> {left}</small>}
        </button>
      ) : (
        <span class="hint">{me?.ready ? `${t("you_are_ready")} ${hint}` : hint}</span>
      )}
    </footer>
  );
}

/** The end of a game: who won, and where everybody stands. */
export function Over({ scene, bare = false }: { scene: Scene; bare?: boolean }) {
  const ranking = scene.chairs
    .map((chair, index) => ({ chair, index }))
    .filter(({ chair }) => chair.kind !== "empty")
    .sort((one, other) => other.chair.score - one.chair.score);
  const winners = scene.table.winners;
  const mine = scene.table.you !== null && winners.includes(scene.table.you);
  const names = winners.map((chair) => nameOf(scene, chair)).join(", ");
  return (
    <section class="panel over" aria-label={t("game_over")}>
      <h2>{winners.length > 1 ? t("winners_shared", { names }) : mine ? t("you_won") : t("winner", { name: names })}</h2>
      <ol class="ranking">
        {ranking.map(({ chair, index }) => (
          <li key={index} class={winners.includes(index) ? "winner" : ""}>
            <Avatar chair={chair} index={index} />
            <span class="payoff-name">{index === scene.table.you ? t("you") : chair.name}</span>
            <b class="payoff-sum">{signed(chair.score).replace("+", "")}</b>
          </li>
        ))}
      </ol>
      {!bare && (
        <button type="button" class="btn quiet to-sheet" onClick={() => (leave(), go(sheetPath(scene.table.code)))}>
          {t("game_sheet")}
        </button>
      )}
      {scene.table.you !== null && (
        <button type="button" class="btn quiet" onClick={() => (drawer.value = "luck")} data-luck>
          {luck("title")}
        </button>
      )}
    </section>
  );
}
