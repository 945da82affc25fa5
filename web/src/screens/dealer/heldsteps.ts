/** The whole ruling of which the round waits for a step, as the table has it: the same at every console. */
import type { SocketSchemas } from "../../api/types";
import { progress } from "./ruling";

type Hold = Pick<SocketSchemas["OpenHold"], "kind" | "steps" | "ruling" | "confirms" | "confirmed">;

type Ruled = ReturnType<typeof progress>[number];

export interface HeldSteps {
  /** Who confirms the report first, or has, and when; null: it needs nobody. */
  confirming: { position: string; done: string | null } | null;
  steps: Ruled[];
}

export function heldSteps({ kind, steps, ruling, confirms, confirmed }: Hold): HeldSteps {
  const shown = progress(ruling, steps);
  // Nothing of it is done before the report is confirmed.
  return {
    confirming: confirms === null ? null : { position: confirms, done: confirmed },
    steps: kind === "report" ? shown.map((step) => ({ ...step, state: "later" as const })) : shown,
  };
}
