/** Which chips lie in the tray: those of the table's amounts, none above the balance. */
import type { WagerShown } from "../../../api/types";
import { DENOMINATIONS, type Denomination } from "../../../draw/chips";

const TRAY_MAX = 7;
/** Tens and fifties are left out: fives, twenty-fives and hundreds make them. */
const LEFT_OUT: readonly number[] = [1_000, 5_000];

export function trayOf(wagers: readonly WagerShown[], balance: number): Denomination[] {
  if (wagers.length === 0) return [];
  const least = Math.min(...wagers.map((wager) => wager.minimum_cents));
  const step = Math.min(...wagers.map((wager) => wager.step_cents));
  const most = Math.max(...wagers.map((wager) => wager.maximum_cents));
  const fitting = DENOMINATIONS.filter((chip) => chip % step === 0 && chip <= most && (!LEFT_OUT.includes(chip) || chip === least));
  const first = fitting.findLastIndex((chip) => chip <= least);
  return fitting.slice(Math.max(0, first), Math.max(0, first) + TRAY_MAX).filter((chip) => chip <= balance);
}

/** The chip to begin with: the one chosen before, or the smallest that is a minimum of Player. */
export function chosenChip(tray: readonly number[], before: number | null): number | null {
  if (before !== null && tray.includes(before)) return before;
  const below = tray.filter((chip) => before === null || chip <= before);
  return below.at(before === null ? Math.min(2, below.length - 1) : -1) ?? tray[0] ?? null;
}
