/** What may be decided where the rulebook is silent, in words; the house's own where there are no others. */
import type { SocketSchemas } from "../../api/types";
import { named } from "./say";

export function Suggested({ hold }: { hold: Pick<SocketSchemas["OpenHold"], "suggestion" | "suggested"> }) {
  if (hold.suggested !== null) return <>{named("suggest", hold.suggested)}</>;
  return <span lang="en">{hold.suggestion}</span>;
}
