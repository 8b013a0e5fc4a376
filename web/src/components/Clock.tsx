import { useEffect, useState } from "preact/hooks";
import { sceneAt } from "../store.ts";
import type { Chair } from "../wire.ts";

/** Milliseconds → `1:05`; the last ten seconds with nothing before the colon stay `0:07`. */
export function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Draws again every `step` milliseconds while it counts. */
export function useElapsed(counts: boolean, step = 500): number {
  const [now, setNow] = useState(0);
  const since = sceneAt.value;
  useEffect(() => {
    setNow(performance.now());
    if (!counts) return undefined;
    const timer = setInterval(() => setNow(performance.now()), step);
    return () => clearInterval(timer);
  }, [counts, since, step]);
  return Math.max(0, now - since);
}

/** A player's bank; it runs while it is that player's turn. */
export function Clock({ chair }: { chair: Chair }) {
  const elapsed = useElapsed(chair.turn && chair.clock !== null);
  if (chair.clock === null) return null;
  const left = chair.clock - (chair.turn ? elapsed : 0);
  return (
    <span class={`clock${chair.turn && left < 10_000 ? " short" : ""}`} role="timer">
      {clockText(left)}
    </span>
  );
}
