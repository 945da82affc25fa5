/**
 * What a patron wants on the felt, and which commands bring it there. Pure: amounts by wager in,
 * amounts or a trouble out. Increases wait for Confirm; the server's acceptance alone is solid.
 */
import type { Command, OwnPart, OwnStake, WagerShown } from "../../../api/types";
import type { Left } from "./left";

/** Cents by wager; what is not named is nothing. */
export type Targets = Readonly<Record<string, number>>;

export type TroubleCode =
  | "below_minimum"
  | "above_maximum"
  | "off_step"
  | "not_enough_credit"
  | "precondition"
  | "above_main"
  | "own_stake"
  | "own_loss"
  | "nothing";

/** Why an amount cannot be placed, with the numbers got and allowed. */
export interface Trouble {
  code: TroubleCode;
  wager: string | null;
  cents: number;
  /** What would be allowed: a limit, a balance. */
  limit: number;
  main?: string;
  clause?: string;
}

/** `left`: what the patron's own limits leave; none is set without it. */
export type Own = Pick<OwnPart, "stakes" | "credit_cents"> & { left?: Left | null };

/** What the server has accepted of a patron's stakes, by wager. */
export function acceptedOf(stakes: readonly OwnStake[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const stake of stakes) sums[stake.wager] = (sums[stake.wager] ?? 0) + stake.cents;
  return sums;
}

export const sum = (targets: Targets): number => Object.values(targets).reduce((a, b) => a + b, 0);

/** Amounts that are not nothing, so that equal wishes are equal objects. */
export function tidied(targets: Targets): Record<string, number> {
  return Object.fromEntries(Object.entries(targets).filter(([, cents]) => cents > 0));
}

export function same(a: Targets, b: Targets): boolean {
  const [one, other] = [tidied(a), tidied(b)];
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

/** What of the balance is free when all that is wanted lies there. */
export function freeOf(targets: Targets, own: Own): number {
  return own.credit_cents + sum(acceptedOf(own.stakes)) - sum(targets);
}

function limitTrouble(wager: WagerShown, cents: number): Trouble | null {
  const at = { wager: wager.slug, cents };
  if (cents === 0) return null;
  if (cents > wager.maximum_cents) return { ...at, code: "above_maximum", limit: wager.maximum_cents };
  if (cents < wager.minimum_cents) return { ...at, code: "below_minimum", limit: wager.minimum_cents };
  if ((cents - wager.minimum_cents) % wager.step_cents !== 0) return { ...at, code: "off_step", limit: wager.step_cents };
  return null;
}

/** Wagers that need another one: there must be one, and they may not exceed it together. */
function dependsTrouble(wager: WagerShown, targets: Targets): Trouble | null {
  const cents = targets[wager.slug] ?? 0;
  if (cents === 0) return null;
  for (const { main, together, clause } of wager.depends) {
    const has = targets[main] ?? 0;
    const all = together.reduce((total, slug) => total + (targets[slug] ?? 0), 0);
    if (has === 0) return { code: "precondition", wager: wager.slug, cents, limit: 0, main, clause };
    if (all > has) return { code: "above_main", wager: wager.slug, cents: all, limit: has, main, clause };
  }
  return null;
}

/** What the patron's own limits do not leave; taking back is never in the way. */
function ownTrouble(targets: Targets, own: Own, spare: readonly string[] = []): Trouble | null {
  const { stake_cents: most = null, loss_cents: loss = null } = own.left ?? {};
  const accepted = acceptedOf(own.stakes);
  const raised = Object.entries(targets).filter(([slug, cents]) => cents > (accepted[slug] ?? 0));
  const [slug, cents] = raised.find(([one, amount]) => most !== null && amount > most && !spare.includes(one)) ?? [];
  if (slug !== undefined && cents !== undefined && most !== null) return { code: "own_stake", wager: slug, cents, limit: most };
  const more = sum(targets) - sum(accepted);
  return loss === null || raised.length === 0 || more <= loss ? null : { code: "own_loss", wager: null, cents: more, limit: loss };
}

/** The first reason why these amounts cannot all be placed; null: there is none. */
export function troubleOf(targets: Targets, wagers: readonly WagerShown[], own: Own, spare: readonly string[] = []): Trouble | null {
  for (const wager of wagers) {
    if (spare.includes(wager.slug)) continue;
    const trouble = limitTrouble(wager, targets[wager.slug] ?? 0) ?? dependsTrouble(wager, targets);
    if (trouble !== null) return trouble;
  }
  const free = freeOf(targets, own);
  if (free >= 0) return ownTrouble(targets, own, spare);
  const needs = sum(targets) - sum(acceptedOf(own.stakes));
  return { code: "not_enough_credit", wager: null, cents: needs, limit: own.credit_cents };
}

export type Answer = { targets: Record<string, number> } | { trouble: Trouble };

/** Put a chip on a spot; less than the minimum may lie there until it is sent. */
export function withChip(targets: Targets, wager: WagerShown, chip: number, own: Own): Answer {
  const cents = (targets[wager.slug] ?? 0) + chip;
  const wanted = { ...targets, [wager.slug]: cents };
  if (cents > wager.maximum_cents) {
    return { trouble: { code: "above_maximum", wager: wager.slug, cents, limit: wager.maximum_cents } };
  }
  const needs = dependsTrouble(wager, wanted);
  if (needs !== null) return { trouble: needs };
  if (freeOf(wanted, own) < 0) {
    return { trouble: { code: "not_enough_credit", wager: wager.slug, cents: chip, limit: Math.max(0, freeOf(targets, own)) } };
  }
  const limited = ownTrouble(wanted, own);
  return limited === null ? { targets: wanted } : { trouble: { ...limited, wager: wager.slug } };
}

/** Take a spot back, and what cannot be without it. */
export function without(targets: Targets, slug: string, wagers: readonly WagerShown[]): Record<string, number> {
  const left: Record<string, number> = { ...targets, [slug]: 0 };
  for (const wager of wagers) {
    if (wager.depends.some(({ main }) => (left[main] ?? 0) === 0)) left[wager.slug] = 0;
  }
  return tidied(left);
}

/** All or nothing: what was staked in the last round, once more. */
export function repeated(last: Targets, wagers: readonly WagerShown[], own: Own): Answer {
  if (sum(last) === 0) return { trouble: { code: "nothing", wager: null, cents: 0, limit: 0 } };
  const offered = Object.fromEntries(Object.entries(tidied(last)).filter(([slug]) => wagers.some((wager) => wager.slug === slug)));
  // The table plays another game by now: nothing of it could be put down.
  if (sum(offered) === 0) return { trouble: { code: "nothing", wager: null, cents: 0, limit: 0 } };
  const trouble = troubleOf(offered, wagers, own);
  return trouble === null ? { targets: offered } : { trouble };
}

/** All or nothing: twice what is wanted now. */
export function doubled(targets: Targets, wagers: readonly WagerShown[], own: Own): Answer {
  if (sum(targets) === 0) return { trouble: { code: "nothing", wager: null, cents: 0, limit: 0 } };
  const twice = Object.fromEntries(Object.entries(tidied(targets)).map(([slug, cents]) => [slug, cents * 2]));
  const trouble = troubleOf(twice, wagers, own);
  return trouble === null ? { targets: twice } : { trouble };
}

export interface Step {
  wager: string;
  /** By how much the wager changes. */
  cents: number;
  command: Command;
}

function lowered(wager: string, by: number, stakes: readonly OwnStake[]): Step[] {
  const steps: Step[] = [];
  let rest = by;
  for (const { number, cents } of stakes.toReversed()) {
    if (rest <= 0) break;
    const taken = Math.min(rest, cents);
    const command: Command =
      taken === cents ? { type: "remove_wager", stake: number } : { type: "lower_wager", stake: number, cents: taken };
    steps.push({ wager, cents: -taken, command });
    rest -= taken;
  }
  return steps;
}

function raised(wager: string, by: number, stakes: readonly OwnStake[], seat: number, shared: boolean): Step {
  const stake = stakes.find((one) => one.position === seat) ?? stakes[0];
  const command: Command =
    stake === undefined
      ? { type: "place_wager", wager, position: seat, cents: by, ...(shared ? { shared } : {}) }
      : { type: "raise_wager", stake: stake.number, cents: by };
  return { wager, cents: by, command };
}

/**
 * The commands that bring the felt from what is accepted to what is wanted. First what comes back,
 * dependent wagers before the one they need; then what is added, in the other order.
 */
export function plan(
  targets: Targets,
  stakes: readonly OwnStake[],
  wagers: readonly WagerShown[],
  seat: number,
  shared = false,
): Step[] {
  const accepted = acceptedOf(stakes);
  const ordered = [...wagers].sort((a, b) => a.depends.length - b.depends.length).map((wager) => wager.slug);
  const by = (slug: string): number => (targets[slug] ?? 0) - (accepted[slug] ?? 0);
  const mine = (slug: string): OwnStake[] => stakes.filter((stake) => stake.wager === slug);
  const down = ordered.toReversed().flatMap((slug) => (by(slug) < 0 ? lowered(slug, -by(slug), mine(slug)) : []));
  const up = ordered.flatMap((slug) => (by(slug) > 0 ? [raised(slug, by(slug), mine(slug), seat, shared)] : []));
  return [...down, ...up];
}

/** What an amount would have to be to be placed; null: there is none. */
export function remedy({ code, cents, limit, wager }: Trouble, wagers: readonly WagerShown[], free: number): number | null {
  const limits = wagers.find((one) => one.slug === wager);
  if (limits === undefined) return null;
  const most = Math.min(limits.maximum_cents, free);
  const fits = (amount: number): number | null => {
    const down = amount - ((amount - limits.minimum_cents) % limits.step_cents);
    return down >= limits.minimum_cents && down <= most ? down : null;
  };
  if (code === "below_minimum" || code === "above_maximum" || code === "own_stake") return fits(limit);
  if (code === "not_enough_credit" || code === "off_step") return fits(Math.min(most, cents));
  return null;
}
