/** The die of Power 98: the shaker on the felt, and a panel for whoever holds it. */
import { die as drawDie, shaker, type Pips } from "../../draw/die";
import { Svg } from "../../draw/Svg";
import { money } from "../../i18n/money";
import { drawLanguage } from "../../parts/Card";
import { Trouble } from "../../parts/Trouble";
import { useActs } from "./acts";
import { useHere } from "./table";
import { shakes } from "./shakes";
import { nameOf, say } from "./words";

const DEALER_SHAKES = 3;
const POWER_DIE = 3;

function Dots() {
  const done = Math.min(DEALER_SHAKES, shakes.value);
  if (done === 0) return null;
  return (
    <div class="dots" role="status">
      {Array.from({ length: DEALER_SHAKES }, (_, i) => (
        <b key={i} class={i < done ? "on" : ""} />
      ))}
      {say("dealerShook", { done, all: DEALER_SHAKES })}
    </div>
  );
}

export function Stage() {
  const { view } = useHere();
  const state = view.die === null ? "moving" : (view.die as Pips);
  return (
    <div class="stage">
      <Svg of={shaker(state, drawLanguage())} />
      <Dots />
    </div>
  );
}

/** The largest of the own stakes, by which the shaker comes to somebody. */
function largest(accepted: Readonly<Record<string, number>>): [string, number] | null {
  const all = Object.entries(accepted).sort(([, a], [, b]) => b - a);
  return all[0] ?? null;
}

export function ShakerPanel() {
  const { view, betting } = useHere();
  const { open, act, problem, sending } = useActs();
  const [confirm, opens, refuse] = [open("confirm_shake"), open("open_shaker"), open("refuse_shaker")];
  const mine = largest(betting.accepted.value);
  return (
    <section class="hold short" aria-label={say("shakerTitle")}>
      <div>
        <h2>{say("shakerTitle")}</h2>
        <p>
          {mine !== null && say("shakerWhy", { cents: money(mine[1]), wager: nameOf(view, mine[0]) })} {say("shakerText")}{" "}
          {confirm?.clause != null && <span class="cite">{confirm.clause}</span>}
        </p>
      </div>
      <dl class="facts">
        <dt class="row">
          <span class="dieface">
            <Svg of={drawDie(POWER_DIE, drawLanguage())} label="" />
          </span>
          {say("dieShows", { die: POWER_DIE })}
        </dt>
        <dd>{say("powerForAll")}</dd>
        <dt>{say("otherValue")}</dt>
        <dd>{say("usualOdds")}</dd>
      </dl>
      <div class="stack8">
        {confirm !== undefined && (
          <button class="btn primary tall wide" disabled={sending} onClick={() => void act({ type: "confirm_shake" })}>
            {say("shakeDie")}
          </button>
        )}
        {opens !== undefined && (
          <button class="btn primary tall wide" disabled={sending} onClick={() => void act({ type: "open_shaker" })}>
            {say("openShaker")}
          </button>
        )}
        {refuse !== undefined && (
          <button class="btn quiet wide" disabled={sending} onClick={() => void act({ type: "refuse_shaker" })}>
            {say("nextShakes")}
          </button>
        )}
        <Trouble problem={problem} />
      </div>
    </section>
  );
}
