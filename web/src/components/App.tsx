import { useEffect, useState } from "preact/hooks";
import { recallMe } from "../guest.ts";
import { deck } from "../decks.ts";
import { offline } from "../offline.ts";
import { dealAsked, frameAsked, isLearning, path, scoreAsked, sheetAsked, tableCode } from "../route.ts";
import { happened, linkState, myTurn, notices, scene } from "../store.ts";
import { capital, sentence } from "../speech.ts";
import { t } from "../words.ts";
import { GamesPage } from "./GamesPage.tsx";
import { Landing } from "./Landing.tsx";
import { Later } from "./Later.tsx";
import { Offline } from "./Offline.tsx";
import { PrivacyPage } from "./PrivacyPage.tsx";
import { ReplayPage } from "./ReplayPage.tsx";
import { TablePage } from "./TablePage.tsx";
import { Guard, NoPage } from "./Trouble.tsx";

export function App() {
  const first = path.value === "/";
  useEffect(() => {
    if (first) void recallMe();
  }, [first]);
  useTitle();
  return (
    <Guard>
      <Addressed address={path.value} />
      <Notices />
      <SpokenLog />
    </Guard>
  );
}

const loadLearning = () => import("./Learning.tsx").then((found) => found.Learning);
const loadScore = () => import("./ScorePages.tsx").then((found) => found.ScorePages);

/** The page that an address names. */
function Addressed({ address }: { address: string }) {
  const code = tableCode(address);
  if (code) return <TablePage code={code} />;
  const past = dealAsked(address);
  if (past) return <ReplayPage key={address} code={past.code} number={past.number} />;
  const framed = frameAsked(address);
  if (framed) return <ReplayPage key={address} code={framed.code} number={framed.number} framed />;
  const sheets = sheetAsked(address);
  if (sheets) return <GamesPage code={sheets} />;
  if (isLearning(address)) return <Later load={loadLearning} />;
  if (address === "/privacy") return <PrivacyPage />;
  if (scoreAsked(address) !== null) return <Later load={loadScore} />;
  if (address !== "/") return <NoPage />;
  return offline.value ? <Offline /> : <Landing />;
}

/** The tab says that it is my turn, also when it is hidden. */
function useTitle(): void {
  const mine = myTurn.value;
  useEffect(() => {
    document.title = mine ? `● ${t("your_turn")} · ${t("brand")}` : t("brand");
  });
}

/** Short notices, and the state of the line. */
export function Notices() {
  const lost = scene.value !== null && linkState.value === "lost";
  return (
    <div class="notices" role="status" aria-live="polite">
      {lost && (
        <p class="notice lost">
          <i class="spinner" /> {t("link_lost")}
        </p>
      )}
      {notices.value.map(({ id, text }) => (
        <p key={id} class="notice">
          {text}
        </p>
      ))}
    </div>
  );
}

/** Two rounds of the auction or of play with all that belongs to them: a slow reader is not overtaken, and may go back. */
const REMEMBERED = 60;

/** The plays as sentences for screen readers. */
export function SpokenLog() {
  const [lines, setLines] = useState<{ id: number; text: string }[]>([]);
  const found = happened.value;
  useEffect(() => {
    const now = scene.value;
    if (!now) return setLines([]);
    const texts = found.map((change) => capital(sentence(change, now, deck.value.suits))).filter(Boolean);
    setLines((old) => [...old, ...texts.map((text, index) => ({ id: now.v * 100 + index, text }))].slice(-REMEMBERED));
  }, [found]);
  return (
    <div class="hidden" role="log" aria-live="polite" aria-label={t("log")}>
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
