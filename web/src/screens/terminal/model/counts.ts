/** What is counted of a shoe: results, pairs, naturals, and the events of the game's own. */
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

export interface Counts {
  banker: number;
  player: number;
  tie: number;
  playerPair: number;
  bankerPair: number;
  natural: number;
  /** What this game counts beside; null: nothing. */
  own: { name: Own; count: number } | null;
}

export function countsOf(results: readonly ResultShown[], wagers: readonly Pick<WagerShown, "slug">[]): Counts {
  const valid = results.filter((result) => !result.void && result.winner !== null);
  const how = (test: (result: ResultShown) => boolean): number => valid.filter(test).length;
  const slugs = wagers.map(({ slug }) => slug);
  const event = EVENTS.find((one) => one.wagers.some((slug) => slugs.includes(slug)));
  const shown = (badges: readonly string[]): number => coupsOf(valid, slugs).filter((coup) => badges.some((badge) => coup.badges?.includes(badge))).length;
  return {
    banker: how(({ winner }) => winner === "banker"),
    player: how(({ winner }) => winner === "player"),
    tie: how(({ winner }) => winner === "tie"),
    playerPair: how((result) => result.player_pair),
    bankerPair: how((result) => result.banker_pair),
    natural: how((result) => result.natural),
    own: event === undefined ? null : { name: event.own, count: shown(event.badges) },
  };
}
