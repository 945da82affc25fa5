/** Commands of this patron at this table, from buttons that `may` offers. */
import { command } from "../../api/live";
import type { Command, Open, Problem } from "../../api/types";
import { useSending } from "../../parts/sending";
import { opening } from "../../state/may";
import { useHere } from "./table";

export interface Acts {
  sending: boolean;
  problem: Problem | null;
  /** The opening of a command, or undefined: then no button is shown. */
  open: (name: string) => Open | undefined;
  act: (content: Command, conditions?: { round?: number; hold?: number }) => Promise<boolean>;
}

export function useActs(): Acts {
  const { name, own } = useHere();
  const { sending, problem, send } = useSending();
  return {
    get sending() {
      return sending.value;
    },
    get problem() {
      return problem.value;
    },
    open: (wanted) => opening(own.may, wanted),
    act: (content, conditions = {}) => send(() => command(name, content, conditions)),
  };
}
