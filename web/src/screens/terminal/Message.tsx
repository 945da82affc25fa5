/** The one message line: refusal over result over hint, always in the same place. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { connection } from "../../api/live";
import { barredWords } from "../../i18n/barred";
import { happenedBefore, type Hold, waitsWords } from "../../i18n/holds";
import { listed, told } from "../../i18n/lists";
import { clock, money, signed } from "../../i18n/money";
import { announce } from "../../parts/announce";
import { Icon } from "../../parts/Icon";
import { balances } from "./model/asked";
import { netOf, paidWords } from "./model/outcome";
import type { Happened } from "./model/happened";
import { barredFromEntering } from "./model/left";
import { reasonOf } from "./model/reasons";
import { sum } from "./model/slip";
import { dealt, downClause, isDown, openSheet, useHere, type Here } from "./table";
import { Closing } from "./Closing";
import { NearNote, useNear } from "./Near";
import { TicketNote } from "./TicketNote";
import { reminder } from "./reminder";
import { messageId } from "./slipacts";
import { isEarlier, Told, useTold } from "./Told";
import { veil } from "./veil";
import { mendedWords, nameOf, noticeWords, reasonWords, resultWords, say } from "./words";
import { voidReason } from "../../i18n/voids";
import { oddsName } from "../../i18n/rows";

const Clause = (props: { clause: string | null }) => (props.clause === null ? null : <span class="cite">{props.clause}</span>);

function Toast(props: { icon: "alert" | "info"; title: string; children: ComponentChildren; button?: { label: string; act: () => void } | null }) {
  return (
    <div class="toast" role="alert">
      <Icon name={props.icon} />
      <div>
        <b>{props.title}</b>
        <p>{props.children}</p>
      </div>
      {props.button && (
        <button class="btn" onClick={props.button.act}>
          {props.button.label}
        </button>
      )}
    </div>
  );
}

function Refusal() {
  const { view, betting } = useHere();
  const notice = betting.notice.value;
  if (notice === null) return null;
  const { title, sentence, clause } = noticeWords(notice, view);
  const { remedy, wager } = notice;
  const button = remedy === null || wager === null || !betting.open.value ? null : { label: say("place", { cents: money(remedy) }), act: () => betting.place(wager, remedy) };
  return (
    <Toast icon="alert" title={title} button={button}>
      {sentence} <Clause clause={clause} />
    </Toast>
  );
}

/** While a round is void: whoever had a stake in it is told apart, until that was read. */
function Void() {
  const { name, view, rounds, betting } = useHere();
  const mine = sum(betting.staked.value);
  const round = rounds?.find((one) => one.table === name && one.round === view.round);
  const why = round?.void ? voidReason(round.void.why) : `${say("voidWhy")} `;
  if (mine === 0) return <Toast icon="info" title={say("voidTitle")}>{say("voidNoStake", { why })}</Toast>;
  return (
    <p class="hint">
      {say("voidTitle")} {say("voidText", { why, cents: money(mine) })} <Clause clause={round?.void?.clause ?? null} />
    </p>
  );
}

/** What was paid, in words: winning rows first. */
function paid({ own, view }: Here): string {
  return paidWords(own.lines)
    .filter((line) => line.result !== "loses")
    .map((line) => `${nameOf(view, line.wager)} ${say(line.result === "wins" ? "winsLow" : "pushesLow")}${line.pays !== null && line.pays !== "Push" ? ` ${oddsName(line.pays)}` : ""}`)
    .join(" · ");
}

function Result() {
  const here = useHere();
  const { view, own } = here;
  const text = view.outcome === null ? "" : resultWords(view.outcome);
  const net = own.lines.length > 0 ? signed(netOf(own.lines)) : "";
  useEffect(() => announce(`${text} ${net}`), [text, net]);
  if (view.outcome === null) return null;
  const reasons = (["player", "banker"] as const).map((side) => reasonOf(view.hands, side, true)).filter((one) => one !== null);
  const why = own.lines.length > 0 ? paid(here) : reasons.map(reasonWords).join(" · ");
  return (
    <div class={net === "" ? "result plain" : "result"}>
      <b>{text}</b>
      {why !== "" && <span class="why">{why}</span>}
      {net !== "" && <span class={netOf(own.lines) > 0 ? "sum" : "sum even"}>{net}</span>}
    </div>
  );
}

/** What the round waits for; who is not asked is told whom it concerns. */
function waitsFor(hold: Hold, own: Here["own"], accepted: number): string {
  if (hold.kind === "withdrawal" && own.option === null) return say(accepted > 0 ? "hold_withdrawal_others" : "hold_withdrawal_none");
  return waitsWords(hold);
}

/** What happened, what the round waits for, and what becomes of the own stakes. */
export function holdWords(hold: Hold, own: Here["own"], accepted: number): string {
  const stays = hold.kind !== "withdrawal" && hold.kind !== "balance" && accepted > 0;
  return told(happenedBefore(hold), waitsFor(hold, own, accepted), stays ? say("hold_stays", { cents: money(accepted) }) : "");
}

interface Said {
  text: string;
  /** The house says it itself, in English. */
  english?: boolean;
  clause?: string | null;
  since?: string | null;
}

/** Which hint fits: one sentence, with the clause where it explains something. */
function hintOf({ view, own, betting }: Here): Said {
  const accepted = sum(betting.accepted.value);
  const flying = Object.keys(betting.sending.value);
  if (connection.value !== "live") {
    // The bar above says that the connection is gone; here stands what it means for the own stakes.
    if (flying.length > 0) return { text: say("hintUnknown", { wagers: listed(flying.map((slug) => nameOf(view, slug))) }) };
    return { text: accepted > 0 ? say("hintClosed", { cents: money(accepted) }) : "" };
  }
  if (view.own === undefined) return { text: say("watching") };
  if (betting.barred.value !== null && own.seat !== null && (accepted === 0 || betting.open.value)) {
    return { text: told(barredWords(betting.barred.value), accepted > 0 ? say("hintAccepted", { cents: money(accepted) }) : "") };
  }
  // Whoever is asked reads in the sheet since when.
  if (view.hold !== null) return { text: holdWords(view.hold, own, accepted), clause: view.hold.clause, since: own.option === null ? view.hold.moment : null };
  if (view.phase === "OPEN" && own.seat !== null) {
    if (flying.length > 0) return { text: say("hintSending", { cents: money(betting.unsent.value) }) };
    if (betting.unsent.value > 0) return { text: say("hintConfirm", { cents: money(betting.unsent.value) }) };
    return { text: reminder.value ?? (accepted > 0 ? say("hintAccepted", { cents: money(accepted) }) : say("hint")) };
  }
  if (view.phase === "UNOPENED" || view.phase === "IDLE") return { text: reminder.value ?? say(view.phase === "IDLE" ? "hintWait" : "notOpen") };
  const third = view.next !== null && (view.next.place === "P3" || view.next.place === "B3");
  if (third && view.next !== null) {
    const side = view.next.place === "P3" ? "player" : "banker";
    const reason = reasonOf(view.hands, side, true);
    const clause = view.next.clause;
    return reason === null ? { text: view.next.why, english: true, clause } : { text: reasonWords({ ...reason, act: "draws" }), clause };
  }
  if (dealt(view)) return { text: say("dealing"), clause: view.next?.clause ?? null };
  return { text: own.seat === null ? say("dealing") : accepted > 0 ? say("hintClosed", { cents: money(accepted) }) : say("hintNoStake") };
}

/** Nothing is asked, on its way or on the felt: a hint may wait. */
function calm({ view, own, betting }: Here): boolean {
  const waits = view.hold !== null || betting.barred.value !== null || betting.unsent.value > 0 || Object.keys(betting.sending.value).length > 0;
  return connection.value === "live" && own.seat !== null && !waits && (view.phase === "OPEN" || view.phase === "IDLE");
}

/** The terminal does not count as connected: nothing that it sends is taken, and why. */
function Down() {
  const { view, betting } = useHere();
  const accepted = sum(betting.accepted.value);
  return (
    <Toast icon="alert" title={say("downTitle")}>
      {told(say("terminalDown"), accepted > 0 ? say("hold_stays", { cents: money(accepted) }) : "")} <Clause clause={downClause(view)} />
    </Toast>
  );
}

function Hint() {
  const here = useHere();
  const near = useNear();
  const { name, view, own, betting } = here;
  const least = Math.min(...(view.rules?.wagers ?? []).map((wager) => wager.minimum_cents));
  if (betting.able.value && own.credit_cents < least && sum(betting.accepted.value) === 0) {
    return (
      <p class="hint boxed">
        <Icon name="info" />
        <span>{say("hintNoCredit", { least: money(least) })}</span>{" "}
        <button class="btn small" onClick={() => openSheet(name, "wallet")}>
          {say("bringCredit")}
        </button>
      </p>
    );
  }
  if (near !== null && calm(here)) return <NearNote near={near} />;
  const { text, english, clause, since } = hintOf(here);
  const barred = own.seat !== null && barredFromEntering(betting.left.value) !== null;
  return (
    <p class={barred ? "hint boxed" : "hint"}>
      {barred && <Icon name="info" />}
      {english ? <span lang="en">{text}</span> : <span>{told(text, since == null ? "" : say("heldSince", { time: clock(since, true) }))}</span>}{" "}
      {clause != null && <span class="cite">{clause}</span>}
      {barred && (
        <button class="btn small" onClick={() => openSheet(name, "wallet")}>
          {say("moneyButton")}
        </button>
      )}
    </p>
  );
}

/** What happens now comes before what happened in an earlier round. */
function chosen(here: Here, told: Happened | null, hint: ComponentChildren): ComponentChildren {
  const { view, betting } = here;
  if (isDown(view)) return <Down />;
  if (told !== null && betting.open.value && betting.barred.value !== null) return <Told of={told} />;
  // Who may put nothing down need not hear why one chip did not fit.
  if (betting.open.value && betting.barred.value !== null) return hint;
  const notice = betting.notice.value;
  if (notice !== null && (view.hold === null || notice.kind === "unable")) return <Refusal />;
  if (view.hold !== null) return hint;
  if (told !== null && !isEarlier(told, view)) return <Told of={told} />;
  if (view.phase === "VOID") return <Void />;
  const looking = Object.keys(veil.value).length > 0 && view.phase === "RESULT";
  if (view.outcome !== null && view.phase !== "OPEN" && !looking) return <Result />;
  return told === null ? hint : <Told of={told} />;
}

/** Beside a panel that says what to do, only what the panel does not know: that the round waits, or the connection is gone. */
const panelSuffices = ({ view, own }: Here): boolean => connection.value === "live" && (view.hold === null || balances(view.hold, own));

/** The last thing that was put right in this round, under whatever else is said. */
function PutRight() {
  const { mended } = useHere().view;
  const text = mended === null ? "" : mendedWords(mended);
  useEffect(() => {
    if (text !== "") announce(text);
  }, [text]);
  if (text === "") return null;
  return (
    <p class="hint mended">
      {text} <Clause clause={mended?.clause ?? null} />
    </p>
  );
}

/** It stands beside a panel, too; what else belongs to it stands below. */
export function Message(props: { panel: boolean; children?: ComponentChildren }) {
  const here = useHere();
  const told = useTold();
  return (
    <div class="msg" id={messageId(here.name)}>
      {chosen(here, told, props.panel && panelSuffices(here) ? null : <Hint />)}
      <PutRight />
      <Closing />
      <TicketNote />
      {props.children}
    </div>
  );
}
