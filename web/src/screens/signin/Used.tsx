import { go } from "../../app/router";
import { Icon } from "../../parts/Icon";
import { Door } from "./Door";
import { say } from "./say";

/** A one-time link that is dead, and what to do about it. */
export function Used(props: { how: string }) {
  return (
    <Door backs>
      <div class="si-body">
        <div>
          <h1>{say("usedTitle")}</h1>
          <p class="lead">{say("usedLead")}</p>
        </div>
        <div class="tip">
          <Icon name="info" />
          <div>{props.how}</div>
        </div>
        <button class="btn primary tall" onClick={() => go("/signin", true)}>
          {say("button")}
        </button>
      </div>
    </Door>
  );
}
