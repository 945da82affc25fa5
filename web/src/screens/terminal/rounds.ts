/** Own finished rounds, and what was staked in the newest of a table: Repeat needs it after a reload. */
import { useEffect } from "preact/hooks";
import type { OwnRound } from "../../api/types";
import { somebody } from "../../app/session";
import { useLoaded } from "../../state/loaded";
import type { Betting } from "./betting";
import { acceptedOf } from "./model/slip";

export type Round = OwnRound & { table: string };

/** Own finished rounds, asked again whenever one more is over. */
export function useRounds(over: string): Round[] | null {
  const patron = somebody.value?.kind === "patron";
  const [loaded, again] = useLoaded<Round[]>(patron ? "/me/rounds?limit=40" : null);
  useEffect(() => again(), [over]);
  return loaded.value.value;
}

/** What was staked last stands ready for Repeat; what this page saw accepted is newer. */
export function useLastStakes(name: string, betting: Betting, rounds: readonly Round[] | null): void {
  useEffect(() => {
    const last = rounds?.find((round) => round.table === name);
    if (last === undefined) return;
    betting.recalled(last.round, acceptedOf(last.stakes.map((stake) => ({ ...stake, number: stake.stake, whole_cents: stake.cents, found: false, placed_by: null }))));
  }, [rounds, betting]);
}
