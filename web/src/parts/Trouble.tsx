/** A problem in words: what was not done, the sentence, and the clause where there is one. */
import type { Problem } from "../api/types";
import { refusal } from "../i18n/refusals";

export function Trouble(props: { problem: Problem | null; title?: string }) {
  if (props.problem === null) return null;
  const { sentence, own } = refusal(props.problem);
  return (
    <div class="err" role="alert">
      <div>
        {props.title !== undefined && <b>{props.title} </b>}
        {sentence}{" "}
        {own !== null && (
          <span class="xs" lang="en">
            {own}{" "}
          </span>
        )}
        {props.problem.clause !== null && <span class="cite">{props.problem.clause}</span>}
      </div>
    </div>
  );
}
