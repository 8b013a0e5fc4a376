/** The sheets of a table: each game with its people, roles, running totals and winners. */
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { share, sharePicture } from "../copy.ts";
import { offline } from "../offline.ts";
import { gameText } from "../replay.ts";
import { go, sheetPath } from "../route.ts";
import { nameBots } from "../seats.ts";
import { rulesName } from "../speech.ts";
import { notify } from "../store.ts";
import { whole, type Scene } from "../wire.ts";
import { t } from "../words.ts";
import { Icon } from "./Icon.tsx";
import { failed } from "./Landing.tsx";
import { Offline } from "./Offline.tsx";
import { PageHead } from "./PageHead.tsx";
import { Over } from "./Result.tsx";
import { Sheet } from "./Sheet.tsx";
import { NoTable } from "./Trouble.tsx";

export function GamesPage({ code }: { code: string }) {
  const [games, setGames] = useState<Scene[] | null>(null);
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    api.games(code).then(
      (found) => setGames(found.games.map((game) => nameBots(whole(game), t("bot_names").split(" ")))),
      () => setMissing(true),
    );
  }, [code]);
  if (missing && offline.value) return <Offline />;
  if (missing) return <NoTable stopped={false} />;
  return (
    <div class="page games">
      <PageHead>
        <button type="button" class="btn small" onClick={() => go(`/t/${code}`)}>
          {t("to_table")}
        </button>
      </PageHead>
      <main>
        <h1>{t("sheets_of", { code })}</h1>
        {games?.length === 0 && <p class="empty">{t("no_deals_yet")}</p>}
        {games?.toReversed().map((game) => <Game key={game.table.game} game={game} code={code} />)}
      </main>
    </div>
  );
}

function Game({ game, code }: { game: Scene; code: string }) {
  const tell = async () => {
    const copied = await share(gameText(game, `${location.origin}${sheetPath(code)}`)).catch(failed);
    if (copied) notify(t("copied"));
  };
  const draw = async () => {
    try {
      const { gamePicture } = await import("../paint.ts");
      const picture = await gamePicture(game, `${location.host}${sheetPath(code)}`);
      const copied = await sharePicture(picture, `chiamata-${code}-${game.table.game}.png`, `${location.origin}${sheetPath(code)}`);
      if (copied) notify(t("picture_saved"));
    } catch (error) {
      failed(error);
    }
  };
  return (
    <section class="card-box" aria-label={t("game_n", { n: game.table.game })}>
      <h2>
        {t("game_n", { n: game.table.game })} · {rulesName(game.table.rules.id)}
      </h2>
      {game.table.state === "over" && <Over scene={game} bare />}
      <Sheet scene={game} running />
      {game.sheet.length > 0 && (
        <div class="pair">
          <button type="button" class="btn" onClick={tell}>
            <Icon name="share" /> {t("share")}
          </button>
          <button type="button" class="btn" onClick={draw}>
            <Icon name="picture" /> {t("as_picture")}
          </button>
        </div>
      )}
    </section>
  );
}
