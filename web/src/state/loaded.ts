/** What is asked over HTTP while something is shown: the answer, or why there is none. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, passes, Refused } from "../api/http";
import type { Problem } from "../api/types";

export interface Loaded<T> {
  value: T | null;
  problem: Problem | null;
  loading: boolean;
  /** When it was asked last, in milliseconds of this machine. */
  at: number;
}

const AGAIN_SECONDS = 2;

/**
 * Ask `path` now, when it changes, and every `everyMs`; null asks nothing. Where the house could not
 * be reached it is asked again until it answers.
 */
export function useLoaded<T>(path: string | null, everyMs = 0): [Signal<Loaded<T>>, () => void] {
  const loaded = useSignal<Loaded<T>>({ value: null, problem: null, loading: path !== null, at: 0 });
  const turn = useSignal(0);
  useEffect(() => {
    if (path === null) return undefined;
    let gone = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      loaded.value = { ...loaded.peek(), loading: true };
      try {
        const value = await get<T>(path);
        if (!gone) loaded.value = { value, problem: null, loading: false, at: Date.now() };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (gone) return;
        loaded.value = { ...loaded.peek(), problem: error.problem, loading: false };
        if (everyMs === 0 && passes(error.problem)) again = setTimeout(() => void ask(), 1_000 * (error.retrySeconds ?? AGAIN_SECONDS));
      }
    };
    void ask();
    const timer = everyMs > 0 ? setInterval(() => void ask(), everyMs) : undefined;
    return () => {
      gone = true;
      clearInterval(timer);
      clearTimeout(again);
    };
  }, [path, everyMs, turn.value]);
  return [loaded, () => void (turn.value += 1)];
}
