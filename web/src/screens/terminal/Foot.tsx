/** Below: money, chips and what may be done with them; one primary button that confirms. */
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { connection } from "../../api/live";
import { chip as drawChip, type Denomination } from "../../draw/chips";
import { Svg } from "../../draw/Svg";
import { centsOf, dollars, money, signed } from "../../i18n/money";
import { drawLanguage } from "../../parts/Card";
import { Icon, type IconName } from "../../parts/Icon";
import { amountTrouble, chosenChip, trayOf } from "./model/chips";
import { netOf, roundNet } from "./model/outcome";
import { sum } from "./model/slip";
import { prefer, preferences } from "./preferences";
import { messageId, type Press, stopId, useSlipActs } from "./slipacts";
import { isDown, openSheet, useHere, type Here } from "./table";
import { say } from "./words";

interface Figure {
  label: string;
  value: string;
  win?: boolean;
}

/** What the round that is shown brought; before it is settled, what the newest winning one did. */
function lastWin({ own, rounds, view }: Here): Figure {
  const net = netOf(own.lines);
  const now = own.lines.length > 0 && (view.phase === "SETTLED" || view.phase === "IDLE");
  if (now) return { label: say(net > 0 ? "lastWin" : "netResult"), value: signed(net), win: net > 0 };
  const before = rounds?.map(roundNet).find((won) => won > 0) ?? 0;
  return { label: say("lastWin"), value: money(before) };
}

function figuresOf(here: Here): Figure[] {
  const { betting, own, view } = here;
  const accepted = sum(betting.accepted.value);
  const balance = { label: say("balance"), value: money(betting.free.value) };
  const sending = Object.values(betting.sending.value).reduce((total, cents) => total + Math.max(0, cents), 0);
  if (sending > 0) {
    const label = connection.value === "live" ? say("sendingSum") : say("unknownSum");
    return [balance, { label: say("acceptedSum"), value: money(accepted) }, { label, value: money(sending) }];
  }
  const unsent = betting.unsent.value;
  if (unsent > 0) return [balance, { label: say("acceptedSum"), value: money(accepted) }, { label: say("unsentSum"), value: money(unsent) }];
  const back = sum(betting.staked.value);
  if (view.phase === "VOID" && back > 0) return [balance, { label: say("returnedSum"), value: money(back) }, lastWin(here)];
  const staked = own.lines.reduce((total, line) => total + line.cents, 0);
  return [balance, { label: say(view.hold === null ? "totalBet" : "inPlay"), value: money(accepted || staked) }, lastWin(here)];
}

const MONEY = "money";

function Money() {
  const here = useHere();
  return (
    <button class="moneybox" onClick={() => openSheet(here.name, here.sheet === "wallet" ? null : "wallet")}>
      <span class="sr">{say("moneyButton")}</span>
      <dl class="money" id={MONEY}>
        {figuresOf(here).map(({ label, value, win }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class={win ? "win" : ""}>{value}</dd>
          </div>
        ))}
      </dl>
    </button>
  );
}

export function useTray(): Denomination[] {
  const { view, own } = useHere();
  const wagers = view.rules?.wagers ?? [];
  const tray = trayOf(wagers, Math.max(own.credit_cents, 0));
  const { chip, amount } = preferences.value;
  // An amount of one's own stays chosen when the balance falls below it: a tap then says so.
  const chosen = amount !== null && chip === amount ? amount : chosenChip(tray, chip);
  useEffect(() => {
    if (chosen !== null && chosen !== chip) prefer("chip", chosen);
  }, [chosen]);
  return tray;
}

export function Tray(props: { able: boolean }) {
  const tray = useTray();
  const here = useHere();
  const { own } = here;
  const { chip } = preferences.value;
  return (
    <div class="tray" style={{ "--chips": tray.length }} role="radiogroup" aria-label={say("chips")} aria-describedby={stopId(here)}>
      {tray.map((value, place) => (
        <button
          key={value}
          role="radio"
          aria-checked={props.able && value === chip}
          aria-label={drawChip(value, drawLanguage()).label}
          aria-keyshortcuts={String(place + 1)}
          disabled={!props.able || value > own.credit_cents}
          aria-describedby={value > own.credit_cents ? MONEY : undefined}
          onClick={() => prefer("chip", value)}
        >
          <span class="ch">
            <Svg of={drawChip(value, drawLanguage())} label="" />
          </span>
        </button>
      ))}
    </div>
  );
}

/** The chips, and an amount of one's own beside them. */
function Chips(props: { able: boolean }) {
  const open = useSignal(false);
  const here = useHere();
  const { chip, amount } = preferences.value;
  if (open.value && props.able) return <OtherAmount onDone={() => void (open.value = false)} />;
  return (
    <div class="chips">
      <Tray able={props.able} />
      <button
        class="other"
        aria-label={say("otherAmount")}
        aria-pressed={props.able && amount !== null && chip === amount}
        disabled={!props.able}
        aria-describedby={stopId(here)}
        onClick={() => void (open.value = true)}
      >
        {amount !== null && chip === amount ? dollars(amount) : <Icon name="plus" />}
      </button>
    </div>
  );
}

/** Any amount in place of a chip, for what chips do not make; what cannot be staked is said here. */
function OtherAmount(props: { onDone: () => void }) {
  const { view, betting } = useHere();
  const text = useSignal(preferences.peek().amount === null ? "" : money(preferences.peek().amount ?? 0));
  const tried = useSignal(false);
  const cents = centsOf(text.value);
  const trouble = cents === null ? null : amountTrouble(cents, view.rules?.wagers ?? [], Math.max(0, betting.free.value));
  const wrong = cents === null ? say("badAmount") : trouble === null ? null : say(`amount_${trouble.code}`, { cents: money(cents), limit: money(trouble.limit), step: money(trouble.step) });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const take = (event: Event): void => {
    event.preventDefault();
    tried.value = true;
    if (cents === null || wrong !== null) return;
    prefer("amount", cents);
    prefer("chip", cents);
    props.onDone();
  };
  const back = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    // Esc leaves this field alone, not the sheet beside the felt too.
    event.stopPropagation();
    props.onDone();
  };
  return (
    <form class="otherbox" aria-label={say("otherAmount")} onSubmit={take} onKeyDown={back}>
      <input
        ref={field}
        class="in num"
        inputMode="decimal"
        aria-label={say("otherAmount")}
        aria-invalid={tried.value && wrong !== null}
        value={text.value}
        onInput={(event) => void (text.value = event.currentTarget.value)}
      />
      <button class="btn">{say("useAmount")}</button>
      <button class="iconbtn" type="button" aria-label={say("cancelAmount")} onClick={props.onDone}>
        <Icon name="clear" />
      </button>
      <p role="alert">{tried.value ? wrong : null}</p>
    </form>
  );
}

/** A button that can always be pressed: where it can do nothing, the message line says why. */
export function Act(props: Press & { icon?: IconName; label: string; keys: string }) {
  const id = useId();
  return (
    <>
      <button class="btn quiet" aria-disabled={!props.able} aria-describedby={props.why === null ? undefined : id} aria-keyshortcuts={props.keys} onClick={props.press}>
        {props.icon !== undefined && <Icon name={props.icon} />}
        {props.label}
      </button>
      {props.why !== null && (
        <span class="sr" id={id}>
          {props.why}
        </span>
      )}
    </>
  );
}

/** The one button, and where it stands why it cannot be pressed. */
export function primaryOf(here: Here): Shown & { told: string | undefined } {
  const shown = shownOf(here);
  return { ...shown, told: shown.able ? undefined : (stopId(here) ?? messageId(here.name)) };
}

interface Shown {
  label: string;
  able: boolean;
  icon?: IconName;
}

/** A check stands only on what confirms, or is confirmed. */
function shownOf(here: Here): Shown {
  const { betting, view } = here;
  if (connection.value !== "live") return { label: say("waiting"), able: false };
  if (Object.keys(betting.sending.value).length > 0) return { label: say("sendingSum"), able: false, icon: "clock" };
  if (betting.open.value) {
    const able = betting.able.value && betting.unsent.value > 0;
    return { label: say(able || sum(betting.accepted.value) === 0 ? "confirm" : "confirmed"), able, icon: "check" };
  }
  if (view.hold !== null) return { label: say("moment"), able: false };
  if (isDown(view)) return { label: say("waiting"), able: false };
  if (view.phase === "RESULT") return { label: say("settling"), able: false };
  const over = view.phase === "SETTLED" || view.phase === "IDLE" || view.phase === "VOID" || view.phase === "UNOPENED";
  return { label: say(over ? "nextRoundButton" : "betsClosed"), able: false };
}

export function Foot() {
  const here = useHere();
  const { betting } = here;
  const able = betting.able.value;
  const acts = useSlipActs();
  const primary = primaryOf(here);
  return (
    <footer class={able ? "foot" : "foot shut"} aria-label={say("controls")} data-region>
      <Money />
      <Chips able={able} />
      <div class="acts">
        <Act icon="undo" label={say("undo")} keys="z" {...acts.undo} />
        <Act icon="clear" label={say("clear")} keys="x" {...acts.clear} />
        <Act icon="repeat" label={say("repeat")} keys="r" {...acts.repeat} />
        <Act icon="x2" label={say("double")} keys="d" {...acts.double} />
        <button class="btn primary" disabled={!primary.able} aria-describedby={primary.told} aria-keyshortcuts="c" onClick={betting.confirm}>
          {primary.icon !== undefined && <Icon name={primary.icon} />}
          {primary.label}
        </button>
      </div>
    </footer>
  );
}
