/** Why the other ruling on what happened does not apply, and what it would do. */
import type { SocketSchemas } from "../../api/types";
import { Icon } from "../../parts/Icon";
import { named, say } from "./say";

export type Instead = SocketSchemas["Instead"];

/** The clause without its rulebook, which stands beside it already. */
const numberOf = (clause: string): string => clause.slice(clause.indexOf(" ") + 1);

export function WhyNot({ instead }: { instead: Instead | null }) {
  if (instead === null) return null;
  return (
    <div class="tip">
      <Icon name="info" />
      <div>
        <b>{say("whyNot", { clause: numberOf(instead.clause) })}</b> {named("whyNot", instead.condition)}{" "}
        {instead.steps.map((step) => named("ruled", step)).join("; ")}. <span class="cite">{instead.clause}</span>
      </div>
    </div>
  );
}
