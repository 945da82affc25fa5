/** The whole ruling of a round, from when it was first seen: steps that are done stay in the list. */
import type { SocketSchemas } from "../../api/types";
import { keep, kept, ownPlace } from "../../state/kept";
import type { Step } from "./ruling";

type Hold = Pick<SocketSchemas["OpenHold"], "kind" | "situation" | "steps" | "since">;

export interface Known {
  /** The round and the report that it is about. */
  of: string;
  steps: readonly Step[];
  /** Positions of which one had to confirm the report; null: none, or it was not seen. */
  confirms: readonly string[] | null;
  /** When that was done; null: not yet. */
  confirmed: string | null;
}

/** What is known of a ruling when the round waits for something of it, by what was known before. */
export function learnt(before: Known | null, of: string, hold: Hold, positions: readonly string[]): Known {
  const known = before?.of === of ? before : null;
  const waits = hold.kind === "report";
  const steps = (known?.steps.length ?? 0) < hold.steps.length ? hold.steps : (known?.steps ?? []);
  const confirms = waits ? positions : (known?.confirms ?? null);
  const confirmed = waits || confirms === null ? null : (known?.confirmed ?? hold.since);
  return { of, steps, confirms, confirmed };
}

const places = new Map<string, Known>();

/** The same, kept for a page that is loaded anew. */
export function rulingKnown(table: string, round: number | null, hold: Hold, positions: readonly string[]): Known {
  const place = ownPlace("ruling", table);
  const before = places.get(place) ?? (kept(place) as Known | null);
  const known = learnt(before, `${round}/${hold.situation}`, hold, positions);
  if (JSON.stringify(known) !== JSON.stringify(before)) keep(place, known);
  places.set(place, known);
  return known;
}
