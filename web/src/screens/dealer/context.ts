/** What all parts of the console share: the table as it is seen, and how commands are given. */
import { type Signal, useSignal } from "@preact/signals";
import type { Done } from "../../api/http";
import type { Command, Problem, Situation, TableView } from "../../api/types";
import { useActing } from "../../parts/acting";
import type { Part } from "./course";
import type { Draft } from "./form";

/** What fills the middle; `round` follows the table by itself. */
export type Mode =
  | { kind: "round" }
  | { kind: "report"; situation?: Situation; note?: string }
  | { kind: "shoe" }
  | { kind: "close" };

/** What is asked over the console. */
export type Over =
  | { kind: "form"; command: string; start?: Draft }
  | { kind: "acts" }
  | { kind: "here"; command?: string }
  | { kind: "keys" }
  | { kind: "giveBack" };

export interface Desk {
  table: string;
  view: TableView;
  part: Part;
  mode: Signal<Mode>;
  over: Signal<Over | null>;
  /** A command is on its way, its change is not here yet, or none can be given. */
  busy: boolean;
  /** Nothing can be given now: the house cannot be reached. */
  away: boolean;
  problem: Problem | null;
  act: (command: Command, more?: Record<string, unknown>) => Promise<Done | null>;
  clear: () => void;
}

/** Give commands one at a time: the next only when the change of the last one was seen. */
export function useGiving(table: string, sequence: number): Pick<Desk, "busy" | "away" | "problem" | "act" | "clear"> {
  const acting = useActing(table);
  const until = useSignal(0);
  // From the press until it is known which change to wait for: no moment between is free.
  const giving = useSignal(false);
  const act = async (command: Command, more: Record<string, unknown> = {}): Promise<Done | null> => {
    giving.value = true;
    try {
      const done = await acting.act(command, more);
      if (done !== null) until.value = done.sequence;
      return done;
    } finally {
      giving.value = false;
    }
  };
  return { busy: giving.value || acting.sending || acting.away || sequence < until.value, away: acting.away, problem: acting.problem, act, clear: acting.clear };
}
