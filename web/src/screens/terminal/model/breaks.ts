/** Breaks that patrons give themselves: leaving for now, or an exclusion, with or without an end. */
import type { Barred } from "./left";

export const EXCLUSIONS = ["day", "week", "month", "half", "open"] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];
export type Break = "leave" | Exclusion;

const DAYS: Partial<Record<Exclusion, number>> = { day: 1, week: 7 };
const MONTHS: Partial<Record<Exclusion, number>> = { month: 1, half: 6 };

/** So many months on; the last day of a month that is too short. */
function monthsOn(from: number, months: number): number {
  const date = new Date(from);
  const wanted = date.getUTCMonth() + months;
  date.setUTCMonth(wanted);
  if (date.getUTCMonth() !== wanted % 12) date.setUTCDate(0);
  return date.getTime();
}

/** When an exclusion that begins now is over; null: it has no end. */
export function endOf(one: Exclusion, now: number): string | null {
  if (one === "open") return null;
  const end = now + (DAYS[one] ?? 0) * 86_400_000;
  return new Date(monthsOn(end, MONTHS[one] ?? 0)).toISOString();
}

/** What may be chosen: an exclusion is never shortened, so whoever is excluded chooses a longer one. */
export function offeredBreaks(now: number, barred: Barred | null): Break[] {
  const longer = (one: Exclusion): boolean => {
    if (barred?.code !== "excluded") return true;
    if (barred.until === null) return false;
    const end = endOf(one, now);
    return end === null || Date.parse(end) > Date.parse(barred.until);
  };
  return ["leave", ...EXCLUSIONS.filter(longer)];
}
