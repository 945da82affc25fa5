/** What somebody asks for by a button: the answer, or why there is none. */
import { type Signal, useSignal } from "@preact/signals";
import { Refused } from "../../api/http";
import type { Problem } from "../../api/types";

export interface Asked<T> {
  value: Signal<T | null>;
  problem: Signal<Problem | null>;
  sending: Signal<boolean>;
  ask: (work: () => Promise<T>) => Promise<void>;
}

export function useAsked<T>(): Asked<T> {
  const value = useSignal<T | null>(null);
  const problem = useSignal<Problem | null>(null);
  const sending = useSignal(false);
  const ask = async (work: () => Promise<T>): Promise<void> => {
    sending.value = true;
    problem.value = null;
    value.value = null;
    try {
      value.value = await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
    } finally {
      sending.value = false;
    }
  };
  return { value, problem, sending, ask };
}
