/** How often the Dealer has shaken the die in this round, as far as this page heard it. */
import { signal } from "@preact/signals";
import type { Heard } from "../../api/types";

export const shakes = signal(0);

export function heardShakes(events: readonly Heard[]): void {
  for (const { name, facts } of events) {
    if (name === "bets_opened") shakes.value = 0;
    if (name === "die_shaken") shakes.value = Number((facts as { times?: number }).times ?? shakes.peek() + 1);
  }
}
