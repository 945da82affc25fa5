/** What to do and why: the largest text of the console. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { announce } from "../../parts/announce";
import { SideDisc } from "../../parts/HandCards";
import { Icon, type IconName } from "../../parts/Icon";

export function Prompt(props: {
  title: string;
  why?: ComponentChildren;
  clause?: string | null;
  side?: "player" | "banker" | "tie" | null;
  icon?: IconName;
  number?: number;
  alert?: boolean;
  tag?: ComponentChildren;
}) {
  useEffect(() => announce(props.title), [props.title]);
  const sign =
    props.side != null ? (
      <SideDisc side={props.side} />
    ) : (
      <span class={props.alert ? "holdic" : "bigic"}>{props.number !== undefined ? <b>{props.number}</b> : <Icon name={props.icon ?? "arrow"} />}</span>
    );
  return (
    <div class={props.alert ? "prompt held" : "prompt"} role="status">
      {sign}
      <div>
        <b>{props.title}</b>
        <p>
          {props.why} {props.clause && <span class="cite">{props.clause}</span>}
        </p>
      </div>
      {props.tag}
    </div>
  );
}
