/** How rules differ from the named set that is nearest: what joiners should know before they sit down. */
import { rulesName } from "../speech.ts";
import type { RulesPage, Words } from "../wire.ts";
import { t } from "../words.ts";
import { sentence } from "./RulesText.tsx";

export function Differs({ page }: { page: RulesPage }) {
  if (page.differs.length === 0) return null;
  return (
    <section class="differs" aria-label={t("differs")}>
      <p class="differs-title">{t("differs_from", { name: rulesName(page.nearest) })}</p>
      <ul>
        {page.differs.map(({ option, ours, theirs }) => (
          <li key={option}>
            {said(ours) || t("differs_none")}
            {said(theirs) && <s>{said(theirs)}</s>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function said(words: Words[]): string {
  return words.filter((one) => one.applies).map(sentence).join(" ");
}
