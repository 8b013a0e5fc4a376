/** The page of a rule set: every option in a sentence, and the way to its example. */
import { useState } from "preact/hooks";
import { examplePath, go } from "../route.ts";
import { rulesName } from "../speech.ts";
import { t, told } from "../words.ts";
import { learn } from "./LearnPage.tsx";
import { PageHead } from "./PageHead.tsx";
import { RulesText, useRules } from "./RulesText.tsx";

export function RulebookPage({ id }: { id: string }) {
  const [missing, setMissing] = useState(false);
  const page = useRules(id, () => setMissing(true));
  if (missing) return <NoRules />;
  return (
    <div class="page learn">
      <PageHead to="/learn" title={learn("rulebook")} />
      <main>
        <div class="learn-head">
          <h1>{rulesName(id)}</h1>
          <p>{told(`rules.${id}.line`)}</p>
        </div>
        <a class="btn primary to-example" href={examplePath(id)} onClick={(event) => (event.preventDefault(), go(examplePath(id)))}>
          {learn("watch_example")}
        </a>
        <section class="card-box rulebook" aria-label={learn("in_words")}>
          <h2>{learn("in_words")}</h2>
          {page?.approximate && <p class="mark">{t("approximate")}</p>}
          <RulesText page={page} />
        </section>
      </main>
    </div>
  );
}

export function NoRules() {
  return (
    <main class="page gone">
      <section class="card-box">
        <h1>{learn("no_rules")}</h1>
        <button type="button" class="btn primary" onClick={() => go("/learn")}>
          {learn("rulebook")}
        </button>
      </section>
    </main>
  );
}
