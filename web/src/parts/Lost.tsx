/** The house cannot be reached: since when, and that nothing can be done until it is back. */
import { away, heardAt } from "../api/live";
import { say } from "../i18n/common";
import { clock } from "../i18n/money";
import { inHouse } from "../state/clock";
import { Icon } from "./Icon";

export function Lost() {
  if (!away.value) return null;
  return (
    <div class="lost" role="alert">
      <Icon name="signal" />
      {say("lostSince", { time: clock(inHouse(heardAt.value), true) })}
    </div>
  );
}
