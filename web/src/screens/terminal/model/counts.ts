/** What a terminal counts of a shoe beside results, pairs and naturals: the events of the game's own. */
import type { ResultShown, WagerShown } from "../../../api/types";
import { coupsOf } from "../../../state/coups";

export type Own = "tigers" | "sixes" | "fours" | "powers";

/** The events of games, as the badges of their roads; the first one that comes with a game's wagers is counted. */
const EVENTS: readonly { own: Own; wagers: readonly string[]; badges: readonly string[] }[] = [
  { own: "tigers", wagers: ["tiger"], badges: ["small tiger", "big tiger"] },
  { own: "sixes", wagers: ["super-six", "super-6", "fortune-six"], badges: ["6"] },
  { own: "fours", wagers: ["player-fabulous-4"], badges: ["P4", "B4"] },
  { own: "powers", wagers: ["player-natural-8"], badges: ["98"] },
];

/** How often the event of the game's own came; null: it counts none. */
export function ownOf(results: readonly ResultShown[], wagers: readonly Pick<WagerShown, "slug">[]): { name: Own; count: number } | null {
  const slugs = wagers.map(({ slug }) => slug);
  const event = EVENTS.find((one) => one.wagers.some((slug) => slugs.includes(slug)));
  if (event === undefined) return null;
  const coups = coupsOf(results, slugs);
  return { name: event.own, count: coups.filter((coup) => event.badges.some((badge) => coup.badges?.includes(badge))).length };
}
