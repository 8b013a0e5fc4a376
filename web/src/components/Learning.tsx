/** The pages of learning, fetched when one of them is asked for. */
import { words as en } from "../generated/learning-en.ts";
import { words as it } from "../generated/learning-it.ts";
import { lessonAsked, path, rulesAsked } from "../route.ts";
import { addWords } from "../words.ts";
import { ExamplePage } from "./ExamplePage.tsx";
import { LearnPage } from "./LearnPage.tsx";
import { LessonPage } from "./LessonPage.tsx";
import { RulebookPage } from "./RulebookPage.tsx";
import "../styles/learn.css";

addWords({ en, it });

export function Learning() {
  const rules = rulesAsked(path.value);
  if (rules?.example) return <ExamplePage key={rules.id} id={rules.id} />;
  if (rules) return <RulebookPage key={rules.id} id={rules.id} />;
  const id = lessonAsked(path.value);
  return id ? <LessonPage key={id} id={id} /> : <LearnPage />;
}
