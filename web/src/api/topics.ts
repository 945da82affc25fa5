/** A topic is a fold over a snapshot and its changes: a pure reducer, as the protocol has it. */
import type { SocketSchemas } from "./types";

export type Snapshot = SocketSchemas["Snapshot"];
export type Change = SocketSchemas["Changed"];
export type Heard = SocketSchemas["Heard"];

export interface Topic<View> {
  sequence: number;
  time: string;
  view: View;
  /** What was heard with the last message; a snapshot comes without events. */
  events: readonly Heard[];
}

type Loose = Record<string, unknown>;

/** `areas` alone is merged one level deep, and null removes. */
function mergedAreas(before: Loose | undefined, changed: Loose): Loose {
  const areas: Loose = { ...before, ...changed };
  for (const [name, area] of Object.entries(areas)) if (area === null) delete areas[name];
  return areas;
}

export function folded<View extends object>(
  topic: Topic<View> | null,
  message: Snapshot | Change,
): Topic<View> | null {
  const { sequence, time } = message;
  if (message.type === "snapshot") {
    return { sequence, time, view: message.view as unknown as View, events: [] };
  }
  if (topic === null) return null;
  const before = topic.view as Loose;
  const changed = message.view as Loose;
  const view: Loose = { ...before, ...changed };
  const areas = changed["areas"];
  if (message.topic.startsWith("table:") && areas !== undefined) {
    view["areas"] = mergedAreas(before["areas"] as Loose | undefined, areas as Loose);
  }
  return { sequence, time, view: view as View, events: message.events };
}
