/** The foot of screens that are about one thing: buttons at the left, a line, the primary at the right. */
import type { ComponentChildren } from "preact";
import { away } from "../../api/live";
import type { Problem } from "../../api/types";
import { say as common } from "../../i18n/common";
import { Trouble } from "../../parts/Trouble";
import { say } from "./say";

export function Foot(props: {
  left?: ComponentChildren;
  line?: ComponentChildren;
  /** Why the primary was not done: it stands beside the button that was pressed. */
  problem?: Problem | null;
  title?: string;
  primary: string;
  enabled: boolean;
  busy?: boolean;
  onPrimary: () => void;
}) {
  const off = away.value;
  const problem = props.problem ?? null;
  return (
    <footer class="foot">
      {props.left}
      <div id="foot-line" class={off || problem !== null ? "sp told" : "sp"}>
        {off ? common("awayNote") : problem === null ? props.line : <Trouble problem={problem} title={props.title ?? say("notDone")} />}
      </div>
      <button class="btn primary tall" disabled={!props.enabled || props.busy || off} aria-describedby={props.enabled ? undefined : "foot-line"} onClick={props.onPrimary}>
        {props.busy && !off ? say("sending") : props.primary}
      </button>
    </footer>
  );
}
