/** Sending from a form or a button: on its way, done, or why not. */
import { useSignal } from "@preact/signals";
import { Refused } from "../api/http";
import type { Problem } from "../api/types";

/** Send something; what was refused is shown. */
export function useSending() {
  const sending = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const send = async (work: () => Promise<unknown>): Promise<boolean> => {
    sending.value = true;
    problem.value = null;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
      return false;
    } finally {
      sending.value = false;
    }
  };
  return { sending, problem, send };
}
