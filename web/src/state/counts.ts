/** What is counted of a shoe: results, pairs and naturals. */
import type { ResultShown } from "../api/types";

export interface Counts {
  banker: number;
  player: number;
  tie: number;
  playerPairs: number;
  bankerPairs: number;
  naturals: number;
  rounds: number;
}

export function countsOf(results: readonly ResultShown[]): Counts {
  const played = results.filter((result) => !result.void && result.winner !== null);
  const how = (test: (result: ResultShown) => boolean): number => played.filter(test).length;
  return {
    banker: how(({ winner }) => winner === "banker"),
    player: how(({ winner }) => winner === "player"),
    tie: how(({ winner }) => winner === "tie"),
    playerPairs: how((result) => result.player_pair),
    bankerPairs: how((result) => result.banker_pair),
    naturals: how((result) => result.natural),
    rounds: played.length,
  };
}
