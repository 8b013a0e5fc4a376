/** What is kept of people, where, and for how long. */
import { useEffect, useState } from "preact/hooks";
import { forgetMe, known, recallMe } from "../guest.ts";
import { t } from "../words.ts";
import { PageHead } from "./PageHead.tsx";

export function PrivacyPage() {
  const parts = [
    [t("privacy_cookie"), t("privacy_cookie_line")],
    [t("privacy_house"), t("privacy_house_line")],
    [t("privacy_seen"), t("privacy_seen_line")],
    [t("privacy_browser"), t("privacy_browser_line")],
    [t("privacy_address"), t("privacy_address_line")],
  ];
  return (
    <div class="page reading">
      <PageHead />
      <main>
        <h1>{t("privacy_title")}</h1>
        <p class="lead">{t("privacy_line")}</p>
        {parts.map(([title, line], place) => (
          <section key={title}>
            <h2>{title}</h2>
            <p>{line}</p>
            {place === 0 && <Forgetting />}
          </section>
        ))}
      </main>
    </div>
  );
}

/** The way out, for those whom the house knows. */
function Forgetting() {
  const [done, setDone] = useState(false);
  useEffect(() => void recallMe(), []);
  if (done) return <p role="status">{t("privacy_forgotten")}</p>;
  if (!known.value) return null;
  return (
    <>
      <p>{t("privacy_forget_line")}</p>
      <button type="button" class="btn quiet" onClick={() => forgetMe().then(() => setDone(true), () => undefined)}>
        {t("privacy_forget")}
      </button>
    </>
  );
}
