/** A problem in words: what was not done, the sentence, and the clause where there is one. */
import type { Problem } from "../api/types";

export function Trouble(props: { problem: Problem | null; title?: string }) {
  if (props.problem === null) return null;
  return (
    <div class="err" role="alert">
      <div>
        {props.title !== undefined && <b>{props.title} </b>}
        {props.problem.detail} {props.problem.clause !== null && <span class="cite">{props.problem.clause}</span>}
      </div>
    </div>
  );
}
