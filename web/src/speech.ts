/** Cards, bids and events as people say them. */
import type { Change } from "./changes.ts";
import { deck } from "./decks.ts";
import { nameOf, rankOf, suitOf } from "./seats.ts";
import type { DealScene, RulesTag, Scene } from "./wire.ts";
import { count, t, told } from "./words.ts";

/** The index letter of a rank: `R` for the re in Italian, `K` in English; other letters for French courts. */
export function rankLetter(rank: string, suits = "latin"): string {
  return told(`cards.${suits === "french" ? "french_" : ""}letter_${rank}`, {}, told(`cards.letter_${rank}`, {}, rank));
}

export function rankName(rank: string, suits = "latin"): string {
  return told(`cards.${suits === "french" ? "french_" : ""}rank_${rank}`, {}, told(`cards.rank_${rank}`, {}, rank));
}

export function suitName(suit: string, suits = "latin"): string {
  return told(`cards.${suits === "french" ? "french_" : ""}suit_${suit}`, {}, suit);
}

/** The letter of an Italian suit, the same in every language: D C S B. */
export function suitLetter(suit: string): string {
  return told(`cards.suit_letter_${suit}`);
}

/** "tre di spade"; of a covered card the rank only. */
export function cardName(card: string, suits = "latin"): string {
  const rank = rankName(rankOf(card), suits);
  if (suitOf(card) === "?") return told("cards.covered", { rank });
  return told("cards.card", { rank, suit: suitName(suitOf(card), suits) });
}

/** The name of a rule set; one that has none in the locales is of the table's own making. */
export function rulesName(id: string): string {
  return told(`rules.${id}.name`, {}, id === "custom" ? t("rules_of_your_own") : id);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Card points of a card. */
export function pointsOf(card: string, rules: RulesTag): number {
  return rules.card_points[rules.ranks.indexOf(rankOf(card))] ?? 0;
}

/** A card as a screen reader says it: "tre di spade, 10 punti, briscola, la carta chiamata". */
export function spokenCard(card: string, scene: Scene, suits: string): string {
  const deal = scene.deal;
  const parts = [capital(cardName(card, suits))];
  const points = pointsOf(card, scene.table.rules);
  if (points) parts.push(count("point", points));
  if (deal?.trump && suitOf(card) === deal.trump) parts.push(t("trump"));
  if (deal?.called === card) parts.push(t("the_called_card"));
  return parts.join(", ");
}

/** The words of the auction that are no bids; "" for a bid. */
function plainWord(say: string): string {
  if (say === "pass") return t("word_pass");
  if (say === "claim") return t("word_claim");
  return say === "keep" ? t("word_keep") : "";
}

/** A bid in few letters: `R`, `2 · 65`, `75`, `passo`. */
export function bidShort(say: string, scene: Scene): string {
  const word = plainWord(say);
  if (word) return word;
  const [rank = "", points] = say.split("@");
  if (points) return `${rankLetter(rank, deck.value.suits)} · ${points}`;
  return scene.table.rules.auction_kind === "points" ? say : rankLetter(rank, deck.value.suits);
}

/** A bid in full: "cavallo", "due a 65", "75 punti". */
export function bidName(say: string, scene: Scene): string {
  const word = plainWord(say);
  if (word) return word;
  const [rank = "", points] = say.split("@");
  if (points) return t("rank_at", { rank: rankName(rank, deck.value.suits), points });
  return scene.table.rules.auction_kind === "points" ? count("point", Number(say)) : rankName(rank, deck.value.suits);
}

/** How a deal ended, in one line. */
export function resultLine(deal: DealScene, scene: Scene): string {
  const result = deal.result;
  if (!result) return "";
  if (result.kind === "all_pass") return t("result_all_pass");
  if (result.kind === "claim") return t("result_claim");
  const values = { name: nameOf(scene, deal.caller), points: result.points, target: deal.target };
  if (result.kind === "draw") return t("result_draw", values);
  const alone = deal.partner === deal.caller;
  if (alone) return t(result.made ? "result_made_alone" : "result_lost_alone", values);
  const both = { ...values, partner: nameOf(scene, deal.partner) };
  return t(result.made ? "result_made" : "result_lost", both);
}

/** What is said aloud of a change; "" where nothing need be. */
export function sentence(change: Change, scene: Scene, suits: string): string {
  const name = "chair" in change ? whoIs(scene, change.chair) : "";
  switch (change.what) {
    case "dealt":
      return t("say_dealt", { n: change.number });
    case "said":
      return `${name}: ${bidName(change.say, scene)}.`;
    case "won":
      return t("say_won", { name: nameOf(scene, change.chair), target: change.target });
    case "called":
      return t("say_called", { name: nameOf(scene, change.chair), card: cardName(change.card, suits), target: change.target });
    case "trump":
      return t("say_trump", { suit: suitName(change.suit, suits) });
    case "played":
      return `${name}: ${cardName(change.card, suits)}.`;
    case "taken":
      return t("say_taken", { name: nameOf(scene, change.chair), points: count("point", change.points) });
    case "revealed":
      return revealLine(change, scene, suits);
    case "ended":
      return resultLine(change.deal, scene);
    case "over":
      return t("say_over", { names: change.winners.map((chair) => nameOf(scene, chair)).join(", ") });
    case "away":
      return t("say_away", { name });
    case "back":
      return t("say_back", { name });
    case "spoke":
      return t("said_by", { name, words: told(`phrases.${change.phrase}`) });
    case "wrote":
      return t("said_by", { name, words: change.text });
    case "turn":
      return t("your_turn");
  }
}

/** "Due di spade. Elena è con Anna. 34 a 21, servono 71." */
export function revealLine(
  reveal: { caller: number; partner: number; card: string; ours: number; theirs: number; target: number },
  scene: Scene,
  suits: string,
): string {
  const caller = nameOf(scene, reveal.caller);
  const who =
    reveal.caller === reveal.partner
      ? t("reveal_alone", { name: caller })
      : t("reveal_partner", { partner: nameOf(scene, reveal.partner), name: caller });
  const { ours, theirs, target } = reveal;
  return `${capital(cardName(reveal.card, suits))}. ${who} ${t("reveal_points", { ours, theirs, target })}`;
}

function whoIs(scene: Scene, chair: number): string {
  return chair === scene.table.you ? t("you") : nameOf(scene, chair);
}
