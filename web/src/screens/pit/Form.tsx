/** Whatever is open to this position at a table, as a form: the same one that the Dealer has. */
import { useSignal } from "@preact/signals";
import type { TableView } from "../../api/types";
import type { Desk, Mode, Over } from "../dealer/context";
import { FormDialog } from "../dealer/CommandForm";
import { useActing } from "../../parts/acting";

/** What the forms of the Dealer's console need of a table. */
export function useDesk(table: string, view: TableView | null): Desk | null {
  const acting = useActing(table);
  const mode = useSignal<Mode>({ kind: "round" });
  const over = useSignal<Over | null>(null);
  const part = view?.pit;
  if (view === null || part === undefined) return null;
  return { table, view, part, mode, over, busy: acting.sending || acting.away, away: acting.away, problem: acting.problem, act: acting.act, clear: acting.clear };
}

export function PitForm(props: { table: string; view: TableView | null; commands: readonly string[]; onBack: () => void }) {
  const desk = useDesk(props.table, props.view);
  return desk === null ? null : <FormDialog desk={desk} commands={props.commands} onBack={props.onBack} />;
}
