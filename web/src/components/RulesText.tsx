/** A rule set in words: every option that has an effect, by sections, and what was decided where its source is silent. */
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { capital, rankLetter, rankName } from "../speech.ts";
import { Differs } from "./Differs.tsx";
import type { RulesPage, Words } from "../wire.ts";
import { t, told } from "../words.ts";

const PAGES = new Map<string, RulesPage>();

/** The page of a rule set, asked for once; null until it is there. */
export function useRules(id: string, onError: (error: unknown) => void = () => undefined): RulesPage | null {
  const [page, setPage] = useState<RulesPage | null>(PAGES.get(id) ?? null);
  useEffect(() => {
    let current = true;
    setPage(PAGES.get(id) ?? null);
    if (!PAGES.has(id))
      api.rules(id).then((found) => {
        PAGES.set(id, found);
        if (current) setPage(found);
      }, onError);
    return () => {
      current = false;
    };
  }, [id]);
  return page;
}

/** The sentence, with ranks in the letters and words of the reader. */
export function sentence({ key, args }: Words): string {
  const own = { ...args };
  if (typeof own["ranks"] === "string")
    own["ranks"] = own["ranks"].replace(/[AKQJ](?![a-z])/g, (rank) => rankLetter(rank));
  for (const place of ["first", "second"]) if (place in own) own[place] = capital(rankName(String(own[place])));
  return told(`options.${key}`, own, key);
}

/** The rules that a table was made with; null until they are there. */
export function useTableRules(code: string): RulesPage | null {
  const [page, setPage] = useState<RulesPage | null>(null);
  useEffect(() => {
    let current = true;
    api.tableRules(code).then(
      (found) => current && setPage(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [code]);
  return page;
}

export function RulesText({ page }: { page: RulesPage | null }) {
  if (!page) return <p class="empty">{t("one_moment")}</p>;
  const words = page.words.filter((one) => one.applies);
  const sections = [...new Set(words.map(section))];
  return (
    <div class="rules-page">
      <Differs page={page} />
      {sections.map((name) => (
        <section key={name}>
          <h3>{told(`options.section_${name}`, {}, name)}</h3>
          <ul class="rules-text">
            {words.filter((one) => section(one) === name).map((one) => (
              <li key={one.option}>{sentence(one)}</li>
            ))}
          </ul>
        </section>
      ))}
      <section>
        <h3>{told("decisions.heading")}</h3>
        <ul class="rules-text">
          {page.decisions.map((one) => (
            <li key={one}>{told(`decisions.${one}`, {}, one)}</li>
          ))}
        </ul>
      </section>
      {page.sources.length > 0 && <p class="sources">{t("sources", { names: page.sources.join("; ") })}</p>}
    </div>
  );
}

function section({ option }: Words): string {
  return option.includes(".") ? option.split(".")[0]! : "table";
}
