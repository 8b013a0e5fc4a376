/** A game with real cards: what people wrote down, and what follows from it by the table of its rules. */
import type { PayTable, Redeal } from "../wire.ts";
import { priceOf, type Took } from "./prices.ts";

/** A deal that was played to its end. People are numbered round the table from 0. */
export interface Played extends Took {
  kind: "played";
  caller: number;
  /** The caller himself for one who was alone. */
  partner: number;
  target: number;
  /** The points were counted; else they are the first of a band that pays alike. */
  exact: boolean;
}

export type Deal = (Played | { kind: "all_pass" | "claim" }) & {
  /** Where another dealt than whose turn it was. */
  dealer?: number;
}

export interface Game {
  table: PayTable;
  names: string[];
  /** Who dealt first. */
  dealer: number;
  deals: Deal[];
}

export interface Row {
  deal: Deal;
  dealer: number;
  /** Carried into this deal from earlier ones. */
  multiplier: number;
  ended: "win" | "loss" | "draw" | "all_pass" | "claim";
  /** By person. */
  payoff: number[];
  /** What everybody has after it. */
  sums: number[];
}

export interface Followed {
  rows: Row[];
  scores: number[];
  /** Deals that were made or failed. */
  scored: number;
  /** Of the next deal. */
  dealer: number;
  multiplier: number;
  /** By the end that the rules give a game. */
  over: boolean;
}

/** The five who play: the dealer and the four after him, lowest number first. */
export function playersOf(people: number, dealer: number): number[] {
  return [0, 1, 2, 3, 4].map((right) => (dealer + right) % people).sort((one, other) => one - other);
}

export function follow({ table, names, dealer: first, deals }: Game): Followed {
  const people = names.length;
  const found: Followed = { rows: [], scores: names.map(() => 0), scored: 0, dealer: first, multiplier: 1, over: false };
  for (const deal of deals) {
    const dealer = deal.dealer ?? found.dealer;
    const after = (same: boolean) => (same ? dealer : (dealer + 1) % people);
    const { multiplier } = found;
    if (deal.kind !== "played") {
      const redeal: Redeal | null = table[deal.kind];
      found.multiplier *= redeal?.multiplier ?? 1;
      found.dealer = after(redeal?.same_dealer ?? true);
      found.rows.push({ deal, dealer, multiplier, ended: deal.kind, payoff: names.map(() => 0), sums: found.scores });
      continue;
    }
    const { ended } = priceOf(table, deal.target, deal);
    const payoff = payoffOf(table, deal, playersOf(people, dealer), multiplier, people);
    found.scores = found.scores.map((sum, person) => sum + payoff[person]!);
    found.scored += ended === "draw" ? 0 : 1;
    found.multiplier = ended === "draw" ? multiplier * table.draw : 1;
    found.dealer = after(!table.rotates);
    found.rows.push({ deal, dealer, multiplier, ended, payoff, sums: found.scores });
  }
  found.over = isOver(table, found);
  return found;
}

/** What a deal pays everybody; those who sat it out get nothing. */
export function payoffOf(table: PayTable, deal: Played, playing: number[], multiplier: number, people: number): number[] {
  const [caller, partner, defender, alone, against] = priceOf(table, deal.target, deal).pay as [number, number, number, number, number];
  const solo = deal.partner === deal.caller;
  return Array.from({ length: people }, (_, person) => {
    if (!playing.includes(person)) return 0;
    if (person === deal.caller) return multiplier * (solo ? alone : caller);
    return multiplier * (solo ? against : person === deal.partner ? partner : defender);
  });
}

/** Asked after scored deals alone. */
function isOver(table: PayTable, now: Followed): boolean {
  const last = now.rows.at(-1);
  return last !== undefined && isScored(last) && isReached(table, now) && (table.tie !== "play_on" || leaders(now.scores) === 1);
}

function isScored({ ended }: Row): boolean {
  return ended === "win" || ended === "loss";
}

function isReached(table: PayTable, { scores, scored }: Followed): boolean {
  return (table.session === "deals" && scored >= table.end) || (table.session === "points" && Math.max(...scores) >= table.end);
}

function leaders(scores: number[]): number {
  return scores.filter((score) => score === Math.max(...scores)).length;
}

/** The end is reached, but the first are level and the rules let them play on. */
export function playsOn({ table }: Game, now: Followed): boolean {
  return table.tie === "play_on" && isReached(table, now) && leaders(now.scores) > 1;
}

export type Tiebreak = PayTable["tiebreaks"][number];

/** One tie-break of a person, more being better: as the rules' own engine counts it. */
function measure({ rows }: Followed, person: number, by: Tiebreak): number[] {
  const counted = rows.filter(isScored);
  const gains = counted.map(({ payoff }) => payoff[person]!);
  if (by === "deals_won") return [gains.filter((gain) => gain > 0).length];
  if (by === "calls_made")
    return [counted.filter(({ deal, ended }) => ended === "win" && deal.kind === "played" && deal.caller === person).length];
  if (by === "peak_score") return [gains.length ? Math.max(...counted.map(({ sums }) => sums[person]!)) : 0];
  return gains.toReversed(); // countback: the latest deal in which two differ decides
}

function compare(one: number[], other: number[]): number {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at < 0 ? 0 : other[at]! - one[at]!;
}

export interface Place {
  person: number;
  /** Shared by those whom nothing tells apart. */
  place: number;
  score: number;
}

/** Who stands where, best first; `breaks`: the tie-breaks that count, all that the rules have. */
export function standing({ table }: Game, now: Followed, breaks: Tiebreak[] = table.tiebreaks): Place[] {
  const keys = now.scores.map((score, person) => [score, ...breaks.flatMap((by) => measure(now, person, by))]);
  return keys
    .map((key, person) => ({ person, score: key[0]!, place: 1 + keys.filter((other) => compare(key, other) > 0).length }))
    .sort((one, other) => one.place - other.place || one.person - other.person);
}

/** The tie-break that found the first place, where the score alone did not. */
export function decidedBy(game: Game, now: Followed): Tiebreak | null {
  const first = (breaks: Tiebreak[]) => standing(game, now, breaks).filter(({ place }) => place === 1).length;
  const all = game.table.tiebreaks;
  const end = first(all);
  return first([]) === end ? null : all.find((_, at) => first(all.slice(0, at + 1)) === end)!;
}

/** How often something was done, and how often with success. */
export interface Tally {
  n: number;
  made: number;
}

export interface Roles {
  deals: number;
  called: Tally;
  partnered: Tally;
  alone: Tally;
  defended: Tally;
  score: number;
}

/** By person: the roles that they had in deals that were made or failed. */
export function rolesOf({ names }: Game, { rows, scores }: Followed): Roles[] {
  const none = (): Tally => ({ n: 0, made: 0 });
  return names.map((_, person) => {
    const roles: Roles = { deals: 0, called: none(), partnered: none(), alone: none(), defended: none(), score: scores[person]! };
    for (const { deal, dealer, ended } of rows) {
      if (deal.kind !== "played" || ended === "draw" || !playersOf(names.length, dealer).includes(person)) continue;
      const solo = deal.caller === deal.partner;
      const ours = person === deal.caller || person === deal.partner;
      const tally = !ours ? roles.defended : solo ? roles.alone : person === deal.caller ? roles.called : roles.partnered;
      roles.deals += 1;
      tally.n += 1;
      tally.made += ours === (ended === "win") ? 1 : 0;
    }
    return roles;
  });
}
