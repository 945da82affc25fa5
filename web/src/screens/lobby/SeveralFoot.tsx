/** Below several tables: the money, the chips and the one Confirm of the table in hand. */
import { dollars, money } from "../../i18n/money";
import { say as tables } from "../../i18n/tables";
import { numberOf } from "../../state/tables";
import { Act, primaryOf, Tray } from "../terminal/Foot";
import { layoutOf } from "../terminal/model/spots";
import { useSlipActs } from "../terminal/slipacts";
import { useHere } from "../terminal/table";
import { say as terminal } from "../terminal/words";
import { say } from "./saySeveral";
import { shortName } from "./PinnedTable";
import type { Pinned } from "./usePinned";

export function SeveralFoot(props: { all: readonly Pinned[]; sideOpen: boolean; onSide: () => void }) {
  const here = useHere();
  const { betting, view } = here;
  const able = betting.able.value;
  const inPlay = props.all.reduce((sum, { topic }) => sum + (topic.value?.view.own?.in_play_cents ?? 0), 0);
  const sides = layoutOf(view.rules?.wagers ?? [], false).upper.map(({ wager }) => wager.slug);
  const onSides = sides.reduce((sum, slug) => sum + (betting.wanted.value[slug] ?? 0), 0);
  const acts = useSlipActs();
  const primary = primaryOf(here);
  const table = shortName(here);
  const number = numberOf(here);
  const named = number === null ? table : tables("tableInText", { number });
  return (
    <footer class="mfoot" aria-label={say("tableOf", { table })} data-region>
      <dl>
        <div>
          <dt>{say("balanceAt", { table })}</dt>
          <dd>{money(betting.free.value)}</dd>
        </div>
        <div>
          <dt>{say("inPlayAll")}</dt>
          <dd>{money(inPlay)}</dd>
        </div>
      </dl>
      <div class="chips">
        <Tray able={able} />
      </div>
      <div class="acts">
        <div class="four">
          <Act icon="undo" label={terminal("undo")} keys="z" {...acts.undo} />
          <Act icon="clear" label={terminal("clear")} keys="x" {...acts.clear} />
          <Act icon="repeat" label={terminal("repeat")} keys="r" {...acts.repeat} />
          <Act icon="x2" label={terminal("double")} keys="d" {...acts.double} />
        </div>
        {sides.length > 0 && (
          <button class="btn quiet" aria-expanded={props.sideOpen} aria-keyshortcuts="s" onClick={props.onSide}>
            {props.sideOpen ? say("road") : onSides > 0 ? say("sideWith", { cents: dollars(onSides) }) : say("side")}
          </button>
        )}
        <button class="btn primary" disabled={!primary.able} aria-describedby={primary.told} aria-keyshortcuts="c" onClick={betting.confirm}>
          {able ? say("confirmAt", { table: named }) : primary.label}
        </button>
      </div>
    </footer>
  );
}
