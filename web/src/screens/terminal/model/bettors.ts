/** How many bet on a spot and with what share, from what lies on the layout for everybody to see. */
import type { AreaShown } from "../../../api/types";

export interface Share {
  bets: number;
  percent: number;
}

const BETWEEN = new Set(["player", "banker"]);

/**
 * Bets and share by wager. Player and Banker share the money between them; every other wager has
 * its part of all that lies on the table.
 */
export function sharesOf(areas: Readonly<Record<string, AreaShown>>): Record<string, Share> {
  const found: Record<string, { bets: number; cents: number }> = {};
  for (const { wager, cents, stakes } of Object.values(areas)) {
    const one = (found[wager] ??= { bets: 0, cents: 0 });
    one.bets += stakes.reduce((count, stake) => count + stake.shares.length, 0);
    one.cents += cents;
  }
  const entries = Object.entries(found);
  const all = entries.reduce((total, [, { cents }]) => total + cents, 0);
  const between = entries.reduce((total, [wager, { cents }]) => total + (BETWEEN.has(wager) ? cents : 0), 0);
  return Object.fromEntries(
    entries.map(([wager, { bets, cents }]) => {
      const whole = BETWEEN.has(wager) ? between : all;
      return [wager, { bets, percent: whole === 0 ? 0 : Math.round((100 * cents) / whole) }];
    }),
  );
}
