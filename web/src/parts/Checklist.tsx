/** Steps of a ruling: done, the one that is current, and later ones. */
import type { ComponentChildren } from "preact";
import { Icon } from "./Icon";

export interface ListedStep {
  title: string;
  who?: string;
  note?: ComponentChildren;
  state: "done" | "now" | "later";
}

export function Checklist(props: { steps: readonly ListedStep[]; label: string }) {
  return (
    <ol class="ck" aria-label={props.label}>
      {props.steps.map((step, i) => (
        <li key={i} class={step.state} aria-current={step.state === "now" ? "step" : undefined}>
          <span class="n">{step.state === "done" ? <Icon name="check" size="small" /> : i + 1}</span>
          <b>{step.title}</b>
          {step.who !== undefined && <span class="tag">{step.who}</span>}
          {step.note !== undefined && <p>{step.note}</p>}
        </li>
      ))}
    </ol>
  );
}
