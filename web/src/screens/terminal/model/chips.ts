/** Which chips lie in the tray, and which amounts may take the place of a chip. */
import type { WagerShown } from "../../../api/types";
import { DENOMINATIONS, type Denomination } from "../../../draw/chips";

const TRAY_MAX = 7;
/** Tens and fifties are left out: fives, twenty-fives and hundreds make them. */
const LEFT_OUT: readonly number[] = [1_000, 5_000];

/** The chips of the table's amounts, none above the balance; all of them when it has none left. */
export function trayOf(wagers: readonly WagerShown[], balance: number): Denomination[] {
  if (wagers.length === 0) return [];
  const least = Math.min(...wagers.map((wager) => wager.minimum_cents));
  const step = Math.min(...wagers.map((wager) => wager.step_cents));
  const most = Math.max(...wagers.map((wager) => wager.maximum_cents));
  const fitting = DENOMINATIONS.filter((chip) => chip % step === 0 && chip <= most && (!LEFT_OUT.includes(chip) || chip === least));
  const first = fitting.findLastIndex((chip) => chip <= least);
  const tray = fitting.slice(Math.max(0, first), Math.max(0, first) + TRAY_MAX);
  const within = tray.filter((chip) => chip <= balance);
  return within.length > 0 ? within : tray;
}

/** The chip to begin with: the one chosen before, or the smallest that is a minimum of Player. */
export function chosenChip(tray: readonly number[], before: number | null): number | null {
  if (before !== null && tray.includes(before)) return before;
  const below = tray.filter((chip) => before === null || chip <= before);
  return below.at(before === null ? Math.min(2, below.length - 1) : -1) ?? tray[0] ?? null;
}

/** Why an amount cannot be used in place of a chip, and the nearest one that can. */
export interface AmountTrouble {
  code: "above_balance" | "above_maximum" | "below_minimum" | "off_step";
  limit: number;
  step: number;
}

/** The most that a spot takes of an amount: down to its maximum, then to its step. */
const partOf = (wager: WagerShown, cents: number): number => {
  const most = Math.min(cents, wager.maximum_cents);
  return most - ((most - wager.minimum_cents) % wager.step_cents);
};

/** An amount must fit the balance, and one spot at least. */
export function amountTrouble(cents: number, wagers: readonly WagerShown[], balance: number): AmountTrouble | null {
  const least = Math.min(...wagers.map((wager) => wager.minimum_cents));
  const most = Math.max(...wagers.map((wager) => wager.maximum_cents));
  const step = Math.min(...wagers.map((wager) => wager.step_cents));
  if (cents > balance && balance <= most) return { code: "above_balance", limit: balance, step };
  if (cents > most) return { code: "above_maximum", limit: most, step };
  if (cents < least) return { code: "below_minimum", limit: least, step };
  const limit = Math.max(...wagers.filter((wager) => wager.minimum_cents <= cents).map((wager) => partOf(wager, cents)));
  return limit === cents ? null : { code: "off_step", limit, step };
}
