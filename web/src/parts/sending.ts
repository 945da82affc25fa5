/** Sending from a form or a button: on its way, done, or why not; one thing at a time. */
import { useSignal, useSignalEffect } from "@preact/signals";
import { Refused } from "../api/http";
import { connection } from "../api/live";
import type { Problem } from "../api/types";

/** Send something; what was refused is shown. False: it was refused, or another is on its way. */
export function useSending() {
  const sending = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  useSignalEffect(() => {
    // Who is back is not told any more that the house was away.
    if (connection.value === "live" && problem.peek()?.code === "unreached") problem.value = null;
  });
  const send = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (sending.peek()) return false;
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
