/** One player's plate at the felt. */
import { corner, type Slot } from "../geometry.ts";
import { markable } from "../notes.ts";
import { inPlay } from "../seats.ts";
import { bidName, bidShort } from "../speech.ts";
import type { Chair, Scene } from "../wire.ts";
import { count, t } from "../words.ts";
import { Clock } from "./Clock.tsx";
import { Avatar } from "./Card.tsx";
import { Spoken } from "./Phrases.tsx";
import { NoteMark } from "./NoteMark.tsx";

export function roleWord(chair: Chair, alone: boolean): string {
  if (chair.role === "caller") return alone ? t("role_alone") : t("role_caller");
  if (chair.role === "partner") return t("role_partner");
  return chair.role === "defender" ? t("role_defender") : "";
}

/** All that the plate shows, in one sentence. */
export function seatLabel(scene: Scene, index: number): string {
  const chair = scene.chairs[index]!;
  const deal = scene.deal;
  const parts = [index === scene.table.you ? t("you") : chair.name];
  if (chair.kind === "bot" || chair.stand_in) parts.push(t(chair.stand_in ? "stand_in" : "bot"));
  if (chair.turn) parts.push(t("has_turn"));
  if (chair.dealer) parts.push(t("dealer"));
  const role = roleWord(chair, deal?.partner === index);
  if (role) parts.push(role);
  if (deal && !inPlay(deal) && chair.said) parts.push(bidName(chair.said, scene));
  parts.push(count("card", chair.cards));
  if (deal && inPlay(deal)) parts.push(count("point", chair.points));
  return parts.join(", ");
}

export function Seat({ scene, index, slot }: { scene: Scene; index: number; slot: Slot }) {
  const chair = scene.chairs[index]!;
  const deal = scene.deal;
  const classes = ["seat", corner(slot, scene.table.rules.direction), chair.role];
  if (chair.turn) classes.push("turn");
  if (isBidding(scene) && chair.passed) classes.push("passed");
  if (chair.kind === "person" && !chair.here) classes.push("absent");
  return (
    <div class={classes.join(" ")} role="group" aria-label={seatLabel(scene, index)} data-place={`seat-${index}`}>
      <div class="portrait">
        {markable(scene, index) ? <NoteMark scene={scene} index={index} /> : <Avatar chair={chair} index={index} />}
        {chair.dealer && (
          <span class="dealer" title={t("dealer")}>
            {t("dealer_letter")}
          </span>
        )}
      </div>
      <div class="seat-text">
        <span class="seat-name">{chair.name}</span>
        <span class="seat-facts" aria-hidden="true">
          <span class="backs">
            <i />
            {chair.cards}
          </span>
          {deal && inPlay(deal) && <span class="captured">{chair.points}</span>}
        </span>
        <RoleTag scene={scene} index={index} />
        <Clock chair={chair} />
      </div>
      <Bubble scene={scene} index={index} />
      <Spoken index={index} />
    </div>
  );
}

/** The last word in the auction. */
export function Bubble({ scene, index }: { scene: Scene; index: number }) {
  const said = scene.chairs[index]!.said;
  if (!said || !isBidding(scene)) return null;
  return (
    <span class={`bubble${said === "pass" ? " quiet" : ""}`} aria-hidden="true">
      {bidShort(said, scene)}
    </span>
  );
}

/** Do the words of the auction matter still? Not once cards lie on the table. */
function isBidding(scene: Scene): boolean {
  const deal = scene.deal;
  return deal !== null && !deal.trick && (deal.phase === "auction" || deal.phase === "claim" || deal.phase === "call");
}

export function RoleTag({ scene, index }: { scene: Scene; index: number }) {
  const chair = scene.chairs[index]!;
  const role = roleWord(chair, scene.deal?.partner === index);
  if (role) return <span class={`role role-${chair.role}`}>{role}</span>;
  if (chair.stand_in) return <span class="role away">{t("stand_in")}</span>;
  // In play its line is kept free, so that the reveal pushes nothing.
  return scene.deal && inPlay(scene.deal) ? <span class="role role-room">–</span> : null;
}
