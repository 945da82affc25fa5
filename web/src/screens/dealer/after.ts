/** What a waiting left behind: the round simply goes on, and the Dealer reads by which clause. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Heard, Situation, TableView } from "../../api/types";
import type { Part } from "./course";

export interface After {
  round: number | null;
  situation: Situation;
  clause: string | null;
  /** When it was reported. */
  moment: string | null;
  dismissed: boolean;
}

type Seen = Pick<TableView, "round" | "hold" | "phase">;
export interface Waited {
  seen: Seen;
  hold: Part["hold"];
}

const OVER: readonly TableView["phase"][] = ["UNOPENED", "IDLE", "VOID"];

/** The note of a waiting that ended, the one that stands, or none any more. */
export function afterOf(before: Waited | null, now: Waited, events: readonly Heard[], stands: After | null): After | null {
  const { round, phase, hold } = now.seen;
  if (OVER.includes(phase) || hold !== null) return null;
  const waited = before?.seen.round === round ? before.hold : null;
  if (before !== null && before.seen.hold !== null && waited !== null && waited.situation !== null) {
    const dismissed = events.some(({ name }) => name === "report_dismissed");
    return { round, situation: waited.situation, clause: waited.clause, moment: waited.report?.moment ?? null, dismissed };
  }
  const reported = events.find(({ name }) => name === "irregularity_reported")?.facts as Reported | undefined;
  if (reported?.situation !== undefined) {
    // Nothing waited for it: whoever reported reads that it was taken.
    return { round, situation: reported.situation, clause: reported.clause, moment: null, dismissed: false };
  }
  return stands?.round === round ? stands : null;
}

interface Reported {
  situation?: Situation;
  clause: string | null;
}

export function useAfter(view: TableView, part: Part, events: readonly Heard[], sequence: number): After | null {
  const before = useSignal<Waited | null>(null);
  const after = useSignal<After | null>(null);
  useEffect(() => {
    const now = { seen: view, hold: part.hold };
    after.value = afterOf(before.peek(), now, events, after.peek());
    before.value = now;
  }, [sequence]);
  return after.value;
}
