/** A terminal tells the house when it has displayed the closing of bets (EB4 5.10). */
import { useEffect } from "preact/hooks";
import { connection, shown } from "../api/live";
import type { TableView } from "../api/types";

/** Tell it once the page was painted; the function that is returned takes it back. */
function closingShown(name: string, view: TableView): (() => void) | undefined {
  const closed = view.phase !== "OPEN" && view.phase !== "UNOPENED" && view.closed !== null;
  if (!closed || view.round === null || view.rules?.dealt_by !== "system" || view.own?.seat == null) return undefined;
  const { round } = view;
  const frame = requestAnimationFrame(() => shown(name, round));
  return () => cancelAnimationFrame(frame);
}

export function useClosingShown(name: string, view: TableView): void {
  const closed = view.phase !== "OPEN" && view.phase !== "UNOPENED" && view.closed !== null;
  useEffect(() => closingShown(name, view), [closed, view.round, connection.value]);
}
