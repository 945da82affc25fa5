/** Stakes on Player and Banker are too far apart: whoever may bring them nearer is asked here. */
import { clock, money } from "../../i18n/money";
import { Trouble } from "../../parts/Trouble";
import { values } from "../../state/may";
import { useActs } from "./acts";
import { excess, nearest } from "./model/nearer";
import { useHere } from "./table";
import { nameOf, say, sideName } from "./words";

export function BalancePanel() {
  const { view, own } = useHere();
  const { open, act, problem, sending } = useActs();
  const [lower, remove, raise] = [open("lower_wager"), open("remove_wager"), open("raise_wager")];
  const { differential, hold } = view;
  const heavier = differential?.heavier ?? "player";
  const lighter = heavier === "player" ? "banker" : "player";
  const give = (type: string, stake: number, cents?: number): void =>
    void act({ type, stake, ...(cents === undefined ? {} : { cents }) }, hold === null ? {} : { hold: hold.since });
  const lowers = lower !== undefined || remove !== undefined;
  const title = say(lowers ? "balanceTitle" : "balanceRaiseTitle", { side: sideName(lowers ? heavier : lighter) });
  return (
    <section class="hold short" aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p>
          {say("balanceText", { side: sideName(heavier), cents: money(differential?.cents ?? 0), limit: money(differential?.limit_cents ?? 0) })}{" "}
          {say("balanceNone")} {hold?.moment != null && `${say("heldSince", { time: clock(hold.moment, true) })} `}
          {hold?.clause != null && <span class="cite">{hold.clause}</span>}
        </p>
      </div>
      <div class="stack8">
        {own.stakes.map((stake) => {
          const wager = nameOf(view, stake.wager);
          const [less, more] = [nearest(lower, stake.number, excess(view)), nearest(raise, stake.number, excess(view))];
          return (
            <div key={stake.number} class="stack8">
              {less !== null && less < stake.cents && (
                <button class="btn primary tall wide" disabled={sending} onClick={() => give("lower_wager", stake.number, less)}>
                  {say("takeBackPart", { cents: money(less), wager })}
                </button>
              )}
              {values(remove, "stake").includes(stake.number) && (
                <button class="btn quiet wide" disabled={sending} onClick={() => give("remove_wager", stake.number)}>
                  {say("takeBackStake", { wager, cents: money(stake.cents) })}
                </button>
              )}
              {more !== null && (
                <button class="btn wide" disabled={sending} onClick={() => give("raise_wager", stake.number, more)}>
                  {say("addToStake", { cents: money(more), wager })}
                </button>
              )}
            </div>
          );
        })}
        <Trouble problem={problem} />
      </div>
    </section>
  );
}
