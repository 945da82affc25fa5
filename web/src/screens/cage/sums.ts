/** What all accounts of the house hold, as the lines below the figures count it. */
import type { Schemas } from "../../api/types";

type Sums = Pick<Schemas["CageShown"]["ledger"], "sums">;

export const sumOf = ({ sums }: Sums, kind: string): number => sums.find((sum) => sum.kind === kind)?.cents ?? 0;

/** What patrons have at tables: credit at their seats and their stakes, as the line of a patron has it. */
export function atTables(ledger: Sums): { cents: number; inPlay: number; seats: number } {
  const inPlay = sumOf(ledger, "stakes");
  const seats = ledger.sums.find((sum) => sum.kind === "seat")?.accounts ?? 0;
  return { cents: sumOf(ledger, "seat") + inPlay, inPlay, seats };
}
