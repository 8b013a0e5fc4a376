/** A page that is fetched when it is first asked for. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../words.ts";

export function Later({ load }: { load: () => Promise<ComponentType> }) {
  const [Page, setPage] = useState<ComponentType | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let current = true;
    load().then(
      (found) => current && setPage(() => found),
      () => current && setFailed(true),
    );
    return () => {
      current = false;
    };
  }, [load]);
  if (Page) return <Page />;
  return <p class="loading">{t(failed ? "went_wrong" : "one_moment")}</p>;
}
