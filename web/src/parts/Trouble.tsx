/** A problem in words: what was not done, the sentence, and the clause where there is one. */
import type { Problem } from "../api/types";
import { refusal } from "../i18n/refusals";
import { Icon } from "./Icon";

/** The sentence, and beside a translation the house's own with its figures. */
export function Refusal({ problem }: { problem: Problem }) {
  const { sentence, own } = refusal(problem);
  return (
    <>
      {sentence}{" "}
      {own !== null && (
        <span class="xs" lang="en">
          {own}{" "}
        </span>
      )}
      {problem.clause !== null && <span class="cite">{problem.clause}</span>}
    </>
  );
}

/** `icon`: it stands below the fields that were refused, with the sign of an alert. */
export function Trouble(props: { problem: Problem | null; title?: string; icon?: boolean }) {
  if (props.problem === null) return null;
  return (
    <div class="err" role="alert">
      {props.icon && <Icon name="alert" />}
      <div>
        {props.title !== undefined && <b>{props.title} </b>}
        <Refusal problem={props.problem} />
      </div>
    </div>
  );
}
