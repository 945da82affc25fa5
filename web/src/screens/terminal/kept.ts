/** Chips that were not sent, kept in this tab so that loading the page again does not drop them. */
import { keep, kept, ownPlace } from "../../state/kept";
import type { Targets } from "./model/slip";

const place = (table: string): string => ownPlace("slip", table);

export function keepSlip(table: string, round: number | null, targets: Targets): void {
  keep(place(table), round === null || Object.keys(targets).length === 0 ? null : { round, targets });
}

/** What waited in this round; nothing of another round, and nothing that is no amount. */
export function keptSlip(table: string, round: number | null): Targets {
  const found = kept(place(table)) as { round?: number; targets?: Targets } | null;
  if (round === null || found?.round !== round) return {};
  return Object.fromEntries(Object.entries(found.targets ?? {}).filter(([, cents]) => Number.isSafeInteger(cents) && cents >= 0));
}
