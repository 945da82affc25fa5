/** What is set at a table now, with which a change of it begins: a command sets all of it anew. */
import type { SocketSchemas, TableView } from "../../api/types";

type Limits = SocketSchemas["Limits"];
export type LimitsByWager = Record<string, Limits>;

const EVERY = "*";

/**
 * Limits of every wager: those that the pit has set, also for what is not offered now; of a table
 * whose settings nobody here may see, those of the wagers that it offers.
 */
export function limitsNow(view: Pick<TableView, "rules" | "pit">): LimitsByWager {
  const set = (view.pit?.settings?.limits ?? {}) as LimitsByWager;
  const offered = (view.rules?.wagers ?? []).map(({ slug, minimum_cents, maximum_cents, step_cents }) => [
    slug,
    set[slug] ?? set[EVERY] ?? { minimum_cents, maximum_cents, step_cents },
  ]);
  return { ...set, ...(Object.fromEntries(offered) as LimitsByWager) };
}

export const CLOCKS = ["betting_ms", "pause_ms", "pace_ms", "answer_ms"] as const;
const USUAL = { betting_ms: 15_000, pause_ms: 5_000, pace_ms: 600, answer_ms: 20_000, waits_for_patrons: true };

export const clocksNow = (view: Pick<TableView, "pit">): Record<string, number | boolean> => ({ ...USUAL, ...view.pit?.settings?.clocks });
