/** The order in which the shoe is offered: by the highest wager on Player or Banker. */
import type { TableView } from "../../api/types";
import type { Part } from "./course";

export interface Offered {
  patron: string;
  position: number;
  wager: string;
  cents: number;
  answer: "holds" | "due" | "";
}

export function offered(view: Pick<TableView, "shoe_holder">, part: Pick<Part, "patrons" | "stakes" | "shoe_due">): Offered[] {
  const best = new Map<string, { wager: string; cents: number }>();
  for (const stake of part.stakes) {
    if (stake.wager !== "player" && stake.wager !== "banker") continue;
    for (const { patron, cents } of stake.shares) {
      if (cents > (best.get(patron)?.cents ?? 0)) best.set(patron, { wager: stake.wager, cents });
    }
  }
  return part.patrons
    .flatMap(({ patron, position }) => {
      const highest = best.get(patron);
      if (highest === undefined) return [];
      const answer: Offered["answer"] = view.shoe_holder === position ? "holds" : part.shoe_due === patron ? "due" : "";
      return [{ patron, position, ...highest, answer }];
    })
    .sort((a, b) => b.cents - a.cents);
}
