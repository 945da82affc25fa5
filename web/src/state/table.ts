/** Topics for components: what is followed while something is shown. */
import type { Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { follow } from "../api/live";
import type { Topic } from "../api/topics";
import type { Schemas, SocketSchemas, TableSummary, TableView } from "../api/types";

function useTopic<View extends object>(name: string): Signal<Topic<View> | null> {
  const [topic, leave] = useMemo(() => follow<View>(name), [name]);
  useEffect(() => leave, [leave]);
  return topic;
}

/** A table as whoever is signed in sees it. */
export const useTable = (name: string): Signal<Topic<TableView> | null> => useTopic<TableView>(`table:${name}`);

/** The lobby: summaries by name. */
export const useTables = (): Signal<Topic<Record<string, TableSummary>> | null> => useTopic("tables");

/** The own wallet, and messages of the house. */
export const useMine = (): Signal<Topic<SocketSchemas["Mine"]> | null> => useTopic("me");

/** Alarms that stand, by table, for staff. */
export const useAlarms = (): Signal<Topic<Record<string, Schemas["Alarm"][]>> | null> => useTopic("alarms");
