/** Chips that were not sent, kept in this tab so that loading the page again does not drop them. */
import { somebody } from "../../app/session";
import type { Targets } from "./model/slip";

const place = (table: string): string => `croupier.slip.${somebody.peek()?.name ?? ""}.${table}`;

export function keepSlip(table: string, round: number | null, targets: Targets): void {
  try {
    if (round === null || Object.keys(targets).length === 0) sessionStorage.removeItem(place(table));
    else sessionStorage.setItem(place(table), JSON.stringify({ round, targets }));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** What waited in this round; nothing of another round, and nothing that is no amount. */
export function keptSlip(table: string, round: number | null): Targets {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(table)) ?? "null") as { round: number; targets: Targets } | null;
    if (kept === null || round === null || kept.round !== round) return {};
    return Object.fromEntries(Object.entries(kept.targets).filter(([, cents]) => Number.isSafeInteger(cents) && cents >= 0));
  } catch {
    return {};
  }
}
