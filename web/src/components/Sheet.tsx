/** The score sheet: a column a person, a row a deal, the running sum below. */
import { nameOf } from "../seats.ts";
import { cardName } from "../speech.ts";
import { deck } from "../decks.ts";
import type { Row, Scene } from "../wire.ts";
import { fair, t } from "../words.ts";
import { dealPath, go } from "../route.ts";
import { leave } from "../store.ts";
import { Mini } from "./Card.tsx";
import { signed } from "./Result.tsx";

/** `running`: what everybody has after each deal stands below what it paid. */
export function Sheet({ scene, running = false }: { scene: Scene; running?: boolean }) {
  const people = scene.chairs.flatMap((chair, index) => (chair.kind === "empty" ? [] : [index]));
  const sums = runningSums(scene.sheet);
  const voided = scene.table.voided.map((n) => (
    <p key={n} class="voided">
      {fair("voided", { n })}
    </p>
  ));
  if (scene.sheet.length === 0)
    return (
      <>
        <p class="empty">{t("no_deals_yet")}</p>
        {voided}
      </>
    );
  return (
    <div class="sheet-box" tabIndex={0} role="region" aria-label={t("scores")}>
      <table class="sheet" style={{ minWidth: `${78 + 44 * people.length}px` }}>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{t("deal")}</span>
            </th>
            {people.map((index) => (
              <th scope="col" key={index} class={index === scene.table.you ? "you" : ""}>
                {index === scene.table.you ? t("you") : nameOf(scene, index)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {scene.sheet.map((row, index) => (
            <SheetRow key={row.deal} row={row} people={people} code={scene.table.code} sums={running ? sums[index]! : null} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("sum")}</th>
            {people.map((index) => (
              <td key={index}>{signed(scene.chairs[index]!.score).replace("+", "")}</td>
            ))}
          </tr>
        </tfoot>
      </table>
      {voided}
    </div>
  );
}

/** To the replay of a deal. */
export function DealLink({ code, number, label, text }: { code: string; number: number; label: string; text: string }) {
  const to = dealPath(code, number);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    leave();
    go(to);
  };
  return (
    <a class="deal-link" href={to} aria-label={label} onClick={open}>
      {text}
    </a>
  );
}

/** What everybody has after each deal. */
export function runningSums(sheet: readonly Row[]): number[][] {
  const found: number[][] = [];
  for (const row of sheet) found.push(row.payoff.map((sum, chair) => sum + (found.at(-1)?.[chair] ?? 0)));
  return found;
}

interface RowProps {
  row: Row;
  people: number[];
  code: string;
  /** What everybody has after it; null where that is not shown. */
  sums: number[] | null;
}

function SheetRow({ row, people, code, sums }: RowProps) {
  const link = <DealLink code={code} number={row.number} label={t("watch_deal", { n: row.deal })} text={String(row.deal)} />;
  if (row.kind === "all_pass" || row.kind === "claim")
    return (
      <tr>
        <th scope="row">{link}</th>
        <td colSpan={people.length} class="void">
          {t(row.kind === "claim" ? "row_claim" : "row_all_pass")}
        </td>
      </tr>
    );
  const label = row.called ? t("row_label", { card: cardName(row.called, deck.value.suits), target: row.target, points: row.points }) : "";
  return (
    <tr>
      <th scope="row" title={label}>
        {link} {row.called && <Mini card={row.called} />}
        <span class="hidden">{label}</span>
      </th>
      {people.map((index) => {
        const role = index === row.caller ? "caller" : index === row.partner ? "partner" : "defender";
        const sign = role === "caller" ? t("sign_caller") : role === "partner" ? t("sign_partner") : "";
        return (
          <td key={index} class={`cell-${role}`}>
            {signed(row.payoff[index] ?? 0)}
            {sign && <sup>{sign}</sup>}
            {sums && <small class="so-far">{signed(sums[index] ?? 0).replace("+", "")}</small>}
          </td>
        );
      })}
    </tr>
  );
}
