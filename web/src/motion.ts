/** Cards slide from where they were: the difference of two Scenes, never in anybody's way. */

import { slowness } from "./settings.ts";

const places = new Map<string, DOMRect>();

/** Nothing shall move: the system says so, or the page is set so. */
export function reducedMotion(): boolean {
  return slowness.value === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Notes where hand cards and seats are, before the next Scene is drawn. */
export function rememberPlaces(): void {
  places.clear();
  for (const element of document.querySelectorAll<HTMLElement>("[data-place]"))
    places.set(element.dataset.place!, element.getBoundingClientRect());
}

/** Slides an element that has just appeared from the first of these places that is known. */
export function slideFrom(element: HTMLElement, from: string[]): void {
  const start = from.map((name) => places.get(name)).find(Boolean);
  if (!start || reducedMotion()) return;
  const end = element.getBoundingClientRect();
  const dx = start.x + start.width / 2 - (end.x + end.width / 2);
  const dy = start.y + start.height / 2 - (end.y + end.height / 2);
  element.animate(
    [
      { translate: `${dx}px ${dy}px`, scale: String(Math.min(1.2, Math.max(0.4, start.height / end.height))), opacity: 0.6 },
      { translate: "0 0", scale: "1", opacity: 1 },
    ],
    { duration: 260 * slowness.value, easing: "cubic-bezier(.2,.8,.3,1)" },
  );
}

/** The cards of a finished trick go to the plate of the one who took it; call before the next Scene is drawn. */
export function sweep(winner: number): void {
  const target = document.querySelector(`[data-place="seat-${winner}"] .avatar`)?.getBoundingClientRect();
  if (!target || reducedMotion() || document.hidden) return;
  for (const card of document.querySelectorAll<HTMLImageElement>(".felt .trick-card img")) {
    const from = card.getBoundingClientRect();
    const ghost = document.createElement("img");
    ghost.src = card.src;
    ghost.alt = "";
    ghost.className = "ghost";
    // The card leans, the ghost does not: same middle, the card's own width.
    const [width, height] = [card.clientWidth, card.clientHeight];
    const [left, top] = [from.x + (from.width - width) / 2, from.y + (from.height - height) / 2];
    Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
    document.body.append(ghost);
    const dx = target.x + target.width / 2 - (from.x + from.width / 2);
    const dy = target.y + target.height / 2 - (from.y + from.height / 2);
    const slide = ghost.animate([{}, { translate: `${dx}px ${dy}px`, scale: "0.3", opacity: 0.2 }], { duration: 320 * slowness.value, easing: "ease-in" });
    slide.onfinish = () => ghost.remove();
  }
}
