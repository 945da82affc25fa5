/** The foot of screens that are about one thing: buttons at the left, a line, the primary at the right. */
import type { ComponentChildren } from "preact";
import { say } from "./say";

export function Foot(props: {
  left?: ComponentChildren;
  line?: ComponentChildren;
  primary: string;
  enabled: boolean;
  busy?: boolean;
  onPrimary: () => void;
}) {
  return (
    <footer class="foot">
      {props.left}
      <div class="sp">{props.line}</div>
      <button class="btn primary tall" disabled={!props.enabled || props.busy} onClick={props.onPrimary}>
        {props.busy ? say("sending") : props.primary}
      </button>
    </footer>
  );
}
