/** Small questions to a Scene. */
import type { DealScene, Scene } from "./wire.ts";

/** The name of a chair's person. */
export function nameOf(scene: Scene, chair: number | null | undefined): string {
  return chair === null || chair === undefined ? "" : (scene.chairs[chair]?.name ?? "");
}

/** The Scene with a name for every bot, which have none of their own: by chair, and none that a person has. */
export function nameBots(scene: Scene, names: readonly string[]): Scene {
  const taken = new Set(scene.chairs.map((chair) => chair.name));
  const free = names.filter((name) => !taken.has(name));
  const chairs = scene.chairs.map((chair, index) =>
    chair.kind === "bot" && !chair.name ? { ...chair, name: free[index % free.length] ?? "" } : chair,
  );
  return { ...scene, chairs };
}

export function rankOf(card: string): string {
  return card.slice(0, -1);
}

/** `C H D S`, or `?` where only the rank may be seen. */
export function suitOf(card: string): string {
  return card.slice(-1);
}

/** Card points of the caller's side and of the others, once the sides are known. */
export function sidePoints(scene: Scene): { ours: number; theirs: number } | null {
  const deal = scene.deal;
  if (!deal || deal.partner === null) return null;
  let [ours, theirs] = [0, 0];
  for (const chair of scene.chairs) {
    if (chair.role === "caller" || chair.role === "partner") ours += chair.points;
    else theirs += chair.points;
  }
  return { ours, theirs };
}

/** Has play begun (or ended), so that points say something? */
export function inPlay(deal: DealScene): boolean {
  return deal.phase === "play" || deal.phase === "trump" || deal.phase === "done" || deal.tricks_done > 0;
}

/** `deals 10` → ["deals", 10]; `open` → ["open", 0]. */
export function sessionOf(scene: Scene): [string, number] {
  const [kind = "open", number = "0"] = scene.table.rules.session.split(" ");
  return [kind, Number(number)];
}
