/** What all sections of the pit share: the floor, its alarms, and the tables that wait for somebody. */
import { useEffect, useMemo } from "preact/hooks";
import { follow } from "../../api/live";
import type { Problem, TableView } from "../../api/types";
import { useLoaded } from "../../state/loaded";
import { useAlarms, useTables } from "../../state/table";
import { type Alarm, standing } from "./alarms";
import { freshened, type PitFloor, type PitTable, titleOf } from "./floor";
import { followed, inOrder, type Matter, mattersOf } from "./waiting";

const EVERY_MS = 3_000;
const OLD_MS = 5_000;

/** Follow several tables at once; the views of those that are there. */
function useViews(names: readonly string[]): Map<string, TableView> {
  const key = names.join("\n");
  const all = useMemo(() => names.map((name) => ({ name, following: follow<TableView>(`table:${name}`) })), [key]);
  useEffect(() => () => all.forEach(({ following: [, leave] }) => leave()), [all]);
  const views = new Map<string, TableView>();
  for (const { name, following } of all) {
    const topic = following[0].value;
    if (topic !== null) views.set(name, topic.view);
  }
  return views;
}

export interface PitState {
  floor: PitFloor | null;
  tables: PitTable[];
  problem: Problem | null;
  /** When the floor was asked last, where that is too long ago; else null. */
  oldSince: number | null;
  alarms: Alarm[];
  views: Map<string, TableView>;
  matters: Matter[];
  again: () => void;
}

export function usePit(): PitState {
  const [loaded, again] = useLoaded<PitFloor>("/pit/floor", EVERY_MS);
  const summaries = useTables();
  const alarms = useAlarms();
  const { value: floor, problem, at } = loaded.value;
  const tables = floor === null ? [] : freshened(floor, summaries.value?.view ?? null);
  const views = useViews(followed(tables));
  const matters = inOrder([...views].flatMap(([name, view]) => mattersOf(name, view)));
  const old = floor !== null && Date.now() - at > OLD_MS;
  return { floor, tables, problem, oldSince: old ? at : null, alarms: standing(alarms.value?.view), views, matters, again };
}

export const tableOf = (pit: PitState, name: string): PitTable | undefined => pit.tables.find(({ summary }) => summary.name === name);

/** What a table is called; its name alone where the floor does not know it. */
export function tableTitle(pit: PitState, name: string): string {
  const table = tableOf(pit, name);
  return table === undefined ? name : titleOf(table.summary);
}
