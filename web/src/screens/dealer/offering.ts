/**
 * The order in which the shoe is offered: by what a patron has on both hands together; among equals
 * the first who placed leads, and the others follow counter-clockwise from there.
 */
import type { TableView } from "../../api/types";
import type { Part } from "./course";

export interface Offered {
  patron: string;
  position: number;
  /** On Player and Banker together. */
  cents: number;
  answer: "holds" | "due" | "";
}

type Seen = Pick<TableView, "shoe_holder"> & { rules?: { positions: number } | null };

export function offered(view: Seen, part: Pick<Part, "patrons" | "stakes" | "shoe_due">): Offered[] {
  const totals = new Map<string, { cents: number; first: number }>();
  for (const stake of part.stakes) {
    if (stake.wager !== "player" && stake.wager !== "banker") continue;
    for (const { patron, cents } of stake.shares) {
      const known = totals.get(patron);
      totals.set(patron, { cents: cents + (known?.cents ?? 0), first: Math.min(stake.number, known?.first ?? stake.number) });
    }
  }
  const rows = part.patrons.flatMap(({ patron, position }) => {
    const total = totals.get(patron);
    if (total === undefined) return [];
    const answer: Offered["answer"] = view.shoe_holder === position ? "holds" : part.shoe_due === patron ? "due" : "";
    return [{ patron, position, ...total, answer }];
  });
  const all = view.rules?.positions ?? Math.max(1, ...rows.map(({ position }) => position));
  const leader = (cents: number) => rows.filter((row) => row.cents === cents).reduce((a, b) => (b.first < a.first ? b : a));
  const turns = ({ cents, position }: { cents: number; position: number }): number => (position - leader(cents).position + all) % all;
  return rows
    .sort((a, b) => b.cents - a.cents || turns(a) - turns(b))
    .map(({ patron, position, cents, answer }) => ({ patron, position, cents, answer }));
}
