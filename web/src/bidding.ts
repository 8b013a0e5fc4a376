/** The auction as it is drawn: chips that never move, and points to step through. */
import type { BidOption, DealScene, RulesTag } from "./wire.ts";

export interface Chip {
  rank: string;
  /** What the tap says; "" where it may not be said now. */
  say: string;
  unit: number;
  /** Can never be bid again in this deal. */
  gone: boolean;
}

/** The ten ranks in the order of the auction. */
export function chips(rules: RulesTag, deal: DealScene, bids: readonly BidOption[]): Chip[] {
  if (rules.auction_kind === "points") return [];
  const standing = deal.standing ? rules.auction_order.indexOf(deal.standing.say.split("@")[0]!) : -1;
  return rules.auction_order.map((rank, index) => {
    const bid = bids.find((one) => one.say === rank);
    return { rank, say: bid?.say ?? "", unit: bid?.unit ?? 0, gone: index <= standing };
  });
}

/** The bids that name points, lowest first. */
export function amounts(rules: RulesTag, bids: readonly BidOption[]): BidOption[] {
  const inPoints = rules.auction_kind === "points";
  return bids.filter((bid) => inPoints || bid.say.includes("@")).sort((one, other) => one.target - other.target);
}

/** Few amounts worth a chip: the least, round ones, and each at which the stake goes up. */
export function stops(offers: readonly BidOption[], most = 8): BidOption[] {
  const picked = offers.filter(
    (bid, index) => index === 0 || bid.unit !== offers[index - 1]!.unit || bid.target % 10 === 0 || index === offers.length - 1,
  );
  if (picked.length <= most) return picked;
  const rises = picked.filter((bid, index) => index === 0 || bid.unit !== picked[index - 1]!.unit || index === picked.length - 1);
  return rises.length > 3 ? rises.slice(0, most) : picked.filter((_, index) => index % Math.ceil(picked.length / most) === 0);
}
