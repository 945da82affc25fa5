/** By how much an own stake would bring Player and Banker near enough to each other. */
import type { Open, TableView } from "../../../api/types";
import { fieldOf, possible } from "../../../state/may";

/** What is too much between the two hands now. */
export const excess = (view: Pick<TableView, "differential">): number =>
  Math.max(0, (view.differential?.cents ?? 0) - (view.differential?.limit_cents ?? 0));

type Range = { minimum: number; maximum: number; step?: number };

/** Ranges of an amount, each with its own steps: of the field, and of the ways. */
function rangesOf(open: Open): Range[] {
  const allowed = [fieldOf(open, "cents")?.allowed, ...(open.ways ?? []).flat().map((way) => way["cents"])];
  return allowed.filter((one): one is Range => typeof one === "object" && one !== null && !Array.isArray(one));
}

/** The least amount that is enough, or else the most that may be lowered or raised; null: none. */
export function nearest(open: Open | undefined, stake: number, wanted: number): number | null {
  if (open === undefined) return null;
  const found = rangesOf(open)
    .flatMap(({ minimum, maximum, step = 1 }) => [minimum + Math.ceil(Math.max(0, wanted - minimum) / step) * step, maximum])
    .filter((cents) => possible(open, { stake, cents }))
    .sort((a, b) => a - b);
  return found.find((cents) => cents >= wanted) ?? found.at(-1) ?? null;
}
