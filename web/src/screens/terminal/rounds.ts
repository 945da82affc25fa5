/** Own finished rounds, for the parts of a terminal and of several tables. */
import { useEffect } from "preact/hooks";
import type { OwnRound } from "../../api/types";
import { somebody } from "../../app/session";
import { useLoaded } from "../../state/loaded";

export type Round = OwnRound & { table: string };

/** Own finished rounds, newest first, asked again whenever one more is over. */
export function useRounds(over: string): Round[] | null {
  const patron = somebody.value?.kind === "patron";
  const [loaded, again] = useLoaded<Round[]>(patron ? "/me/rounds?limit=40" : null);
  useEffect(() => again(), [over]);
  return loaded.value.value;
}
