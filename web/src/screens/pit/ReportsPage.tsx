/** Reports in the pit; a round of theirs is recalled here. */
import { type Place, Reports } from "../reports/Reports";
import { say } from "../reports/say";
import { Shell } from "./Shell";
import type { PitState } from "./usePit";

const HERE: Place = { at: "/pit/reports", recallOf: (table, round) => `/pit/${encodeURIComponent(table)}/recall/${round}` };

export function ReportsPage({ pit, part }: { pit: PitState; part: string | null }) {
  return (
    <Shell pit={pit} at="reports" title={say("reports")}>
      <Reports place={HERE} part={part} />
    </Shell>
  );
}
