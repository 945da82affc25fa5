/** Commands of this patron at this table, from buttons that `may` offers. */
import { useSignal } from "@preact/signals";
import { Refused } from "../../api/http";
import { command } from "../../api/live";
import type { Command, Open, Problem } from "../../api/types";
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
  const sending = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  return {
    get sending() {
      return sending.value;
    },
    get problem() {
      return problem.value;
    },
    open: (wanted) => opening(own.may, wanted),
    act: async (content, conditions = {}) => {
      sending.value = true;
      problem.value = null;
      try {
        await command(name, content, conditions);
        return true;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        problem.value = error.problem;
        return false;
      } finally {
        sending.value = false;
      }
    },
  };
}
