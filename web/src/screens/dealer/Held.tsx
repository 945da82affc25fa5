/** The round waits: for a confirmation, for patrons, for an order, a count, a decision; step by step. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { SocketSchemas } from "../../api/types";
import { clock, money } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { Checklist, type ListedStep } from "../../parts/Checklist";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { Trouble } from "../../parts/Trouble";
import { now } from "../../state/clock";
import { openings } from "../../state/may";
import { AlarmsOf } from "./Alarms";
import { listed } from "./Answer";
import { balanceCommand, balanceSteps } from "./balance";
import { Fields } from "./CommandForm";
import type { Desk } from "./context";
import { stillMissing } from "./Fields";
import { Foot } from "./Foot";
import { blank, commandOf, type Draft, missing } from "./form";
import { MiniHands } from "./Hands";
import { Prompt } from "./Prompt";
import { type HeldSteps, heldSteps } from "./heldsteps";
import { atStake } from "./ruling";
import { named, say } from "./say";
import { Seats } from "./Seats";
import { readBy } from "../../i18n/holds";
import { capital, oneOf, seatOf, shares } from "./texts";
import { Top } from "./Top";
import { Suggested } from "./Suggested";
import { WhyNot } from "./WhyNot";
import { Bets } from "./Work";

type Kind = SocketSchemas["HoldKind"];
type Hold = SocketSchemas["OpenHold"];

/** What ends each kind of waiting. */
const ENDS: Record<Kind, string> = {
  report: "confirm_report",
  balance: "ask_to_lower",
  withdrawal: "end_option",
  order: "set_order",
  reset: "reset_device",
  reserve: "reserve_cards",
  sort: "record_sorting",
  substitute: "substitute",
  referral: "decide_referral",
};

/** Who answers, by position; patrons by their number. */
function waitedFor({ part }: Desk): string {
  const { positions, patrons } = part.next;
  return oneOf(positions) || (patrons.length > 0 ? say("nPatrons", { n: patrons.length }) : "");
}

/** A report is confirmed first: the step stays, with when it was done. */
function confirmation({ position, done }: NonNullable<HeldSteps["confirming"]>): ListedStep {
  return {
    title: say(done === null ? "confirmsReport" : "confirmedReport", { who: capital(oneOf([position])) }),
    who: positionName(position),
    note: done === null ? say("hereOrPit") : say("doneAt", { time: clock(done, true) }),
    state: done === null ? "now" : "done",
  };
}

function stepsOf(desk: Desk): ListedStep[] {
  const hold = desk.part.hold;
  if (hold === null) return [];
  const { positions } = desk.part.next;
  const who = positions.map(positionName).join(", ");
  if (hold.kind === "balance") return balanceSteps(desk.view, desk.part, who);
  const { steps, confirming } = heldSteps(hold);
  const shown = listed(desk, steps).map((step) => (step.state === "now" && who !== "" && hold.kind !== "withdrawal" ? { ...step, who } : step));
  return confirming === null ? shown : [confirmation(confirming), ...shown];
}

/** held 0:34 */
function heldFor(since: string): string {
  const seconds = Math.max(0, Math.floor((now.value - Date.parse(since)) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function titleOf(desk: Desk, mine: boolean): string {
  const kind = desk.part.hold?.kind ?? "report";
  if (mine || kind === "withdrawal" || kind === "balance") return named("held", kind);
  return say("waitsFor", { who: waitedFor(desk) || say("anotherPerson") });
}

function HeldPrompt({ desk, mine }: { desk: Desk; mine: boolean }) {
  const hold = desk.part.hold;
  const power = hold?.situation === "power_failure";
  const steps = stepsOf(desk);
  const at = steps.findIndex(({ state }) => state === "now");
  const cards = desk.view.hands.flatMap((hand) => hand.cards);
  const why = power
    ? say("powerCards", { cards: cards.length, known: cards.filter(({ face }) => face !== null).length })
    : hold?.situation
      ? say("situationSaid", {
          what: named("situation", hold.situation),
          sent: hold.report ? say("sentAt", { time: clock(hold.report.moment, true), name: hold.report.by }) : "",
        })
      : desk.view.hold === null
        ? ""
        : readBy(desk.view.hold);
  const title = power && hold?.report ? say("powerReturned", { time: clock(hold.report.moment, true) }) : titleOf(desk, mine);
  return (
    <Prompt
      icon={power ? "bolt" : "pause"}
      alert
      title={title}
      why={why}
      clause={hold?.clause ?? null}
      tag={
        <span class="row">
          {at >= 0 && steps.length > 1 && <span class="tag brass">{say("stepOf", { n: at + 1, all: steps.length })}</span>}
          {hold?.since != null && <span class="tag alert">{say("heldTime", { time: heldFor(hold.since) })}</span>}
        </span>
      }
    />
  );
}

/** Who was asked to withdraw or play on, and who has answered. */
function Answers({ desk }: { desk: Desk }) {
  const hold = desk.part.hold;
  if (hold === null || hold.asked.length === 0) return null;
  const answers = (["withdraw", "keep_wagers"] as const).map((command) => [command, openings(desk.part.may, command)] as const);
  return (
    <section class="panel" aria-label={say("patronsAsked")}>
      <header>
        <h2>{say("patronsAsked")}</h2>
        <span class="end sm muted">{say("answeredOf", { answered: hold.answered.length, asked: hold.asked.length })}</span>
      </header>
      <div class="betlist pairs">
        {hold.asked.map((patron) => (
          <div key={patron} class="betrow">
            <span class="grow">
              <b>{capital(seatOf(desk.part, patron))}</b> {!shares(desk.part, patron) && <small>{patron}</small>}
            </span>
            {hold.answered.includes(patron) ? (
              <span class="tag">
                <Icon name="check" /> {say("answered")}
              </span>
            ) : answers.every(([, opens]) => opens.length === 0) ? (
              <span class="tag brass">{say("asked")}</span>
            ) : (
              answers.map(
                ([command, opens]) =>
                  opens.length > 0 && (
                    <button key={command} class="btn small" onClick={() => void (desk.over.value = { kind: "form", command, start: { patron } })}>
                      {named("command", command)}
                    </button>
                  ),
              )
            )}
          </div>
        ))}
      </div>
    </section>
  );
}

/** After a power failure, until it is confirmed: what is known of the house itself. */
function Back({ desk }: { desk: Desk }) {
  const hold = desk.part.hold;
  if (hold?.situation !== "power_failure" || hold.kind !== "report") return null;
  const { view } = desk;
  const positions = view.rules?.positions ?? 0;
  const staked = atStake(desk.part.stakes);
  return (
    <div class="dev">
      <div>
        {say("journal")}
        <b>{say("complete", { n: view.hold?.since ?? 0 })}</b>
      </div>
      <div>
        {say("shoe")}
        <b>{view.shoe === null ? say("noShoe") : say("cardsLeft", { n: view.shoe.left })}</b>
      </div>
      <div>
        {say("inPlayNow")}
        <b>{say("patronsWith", { n: staked.patrons, amount: money(staked.cents) })}</b>
      </div>
      {view.rules?.dealt_by === "system" && (
        <div>
          {say("terminals")}
          <b>{say("terminalsBack", { n: positions - view.lost_terminals.length, all: positions })}</b>
        </div>
      )}
    </div>
  );
}

/** The act that ends this waiting, as it is being put together. */
function useEnding(desk: Desk) {
  const kind = desk.part.hold?.kind ?? "report";
  const command = kind === "balance" ? balanceCommand(desk.part) : ENDS[kind];
  const opens = openings(desk.part.may, command);
  const open = opens[0];
  const draft = useSignal<Draft>({});
  const missingFaces = desk.part.hold?.missing ?? [];
  useEffect(() => {
    if (open === undefined) draft.value = {};
    else draft.value = command === "substitute" ? { ...blank(open), cards: missingFaces } : blank(open);
  }, [command, open === undefined, desk.view.hold?.since]);
  const ready = open !== undefined && missing(open, draft.value).length === 0;
  const act = (): void => {
    if (open === undefined) return;
    const { command: given, more } = commandOf(open, draft.value);
    if (open.approver || opens.length > 1) desk.over.value = { kind: "form", command, start: draft.value };
    else void desk.act(given, { ...more, ...(desk.view.hold?.since ? { hold: desk.view.hold.since } : {}) });
  };
  return { command, opens, open, draft, ready: ready || opens.length > 1 || Boolean(open?.approver), act };
}

/** The steps of the ruling, with the one that is current. */
function Ruled({ desk, hold }: { desk: Desk; hold: Hold }) {
  return (
    <section class="panel rul" aria-label={say("whatRulebookDoes")}>
      <header>
        <h2>{say("whatRulebookDoes")}</h2>
        {hold.clause && <span class="end cite">{hold.clause}</span>}
      </header>
      <Checklist label={say("whatRulebookDoes")} steps={stepsOf(desk)} />
    </section>
  );
}

/** What is suggested, what waits behind, and what patrons read. */
function Notes({ desk, hold }: { desk: Desk; hold: Hold }) {
  return (
    <>
      <WhyNot instead={hold.instead} />
      {hold.suggestion !== null && (
        <div class="tip brass">
          <div>
            <b>{say("suggested")}</b> <Suggested hold={hold} />
          </div>
        </div>
      )}
      {hold.queued.length > 0 && (
        <div class="tip">
          <Icon name="list" />
          <div>
            <b>{say("queued")}</b> {hold.queued.map(({ situation }) => named("situation", situation)).join(", ")}
          </div>
        </div>
      )}
      {hold.behind.length > 0 && (
        <div class="tip">
          <Icon name="pause" />
          <div>
            <b>{say("behindThis")}</b> {hold.behind.map((kind) => named("held", kind)).join(", ")}
          </div>
        </div>
      )}
      {desk.view.hold !== null && (
        <div class="tip">
          <Icon name="eye" />
          <div>
            <b>{say("patronsRead")}</b> {readBy(desk.view.hold)}
          </div>
        </div>
      )}
    </>
  );
}

/** Who is waited for where the step is not open here; else what it still needs said. */
function footLine(desk: Desk, kind: string, left: readonly string[] | null): string {
  if (kind === "report") return say("onlyDismiss", { who: oneOf(desk.part.next.positions) });
  return left === null ? say("waitsFor", { who: waitedFor(desk) || say("anotherPerson") }) : stillMissing(left);
}

export function Held({ desk }: { desk: Desk }) {
  const hold = desk.part.hold;
  const { command, opens, open, draft, ready, act } = useEnding(desk);
  useKeys({ F4: { does: say("key.f4"), press: () => void (desk.over.value = { kind: "here", command }) } });
  if (hold === null) return null;
  const wide = hold.kind === "sort";
  const inline = open !== undefined && opens.length === 1 && (open.fields ?? []).some(({ name }) => name !== "reason");
  const work = inline && (
    <section class="panel" aria-label={named("command", command)}>
      <header>
        <h2>{named("command", command)}</h2>
        {open.clause && <span class="end cite">{open.clause}</span>}
      </header>
      <div class="in3">
        <Fields desk={desk} open={open} draft={draft.value} onDraft={(next) => void (draft.value = next)} />
      </div>
    </section>
  );
  const list = <Ruled desk={desk} hold={hold} />;
  return (
    <div class={`dealer app ${wide ? "full" : "wide"}`}>
      <Top desk={desk} />
      <main class="mid" tabIndex={0} aria-label={say("ruling")}>
        <AlarmsOf desk={desk} />
        <HeldPrompt desk={desk} mine={open !== undefined} />
        <Trouble problem={desk.problem} title={say("notDone")} />
        {!wide && <MiniHands desk={desk} />}
        <Back desk={desk} />
        {wide && work ? (
          <div class="split s2">
            {work}
            {list}
          </div>
        ) : (
          <>
            {work}
            <Answers desk={desk} />
            {hold.kind === "balance" && <Bets desk={desk} />}
            {list}
          </>
        )}
        <Notes desk={desk} hold={hold} />
      </main>
      {!wide && <Seats desk={desk} />}
      <Foot
        left={
          <>
            <button class="btn" onClick={() => void (desk.mode.value = { kind: "report" })}>
              {say("addReport")}
            </button>
            <button class="btn quiet" onClick={() => void (desk.over.value = { kind: "acts" })}>
              {say("allActs")}
            </button>
            {open === undefined && (
              <button class="btn quiet" onClick={() => void (desk.over.value = { kind: "here", command })}>
                <Icon name="seat" />
                {say(hold.kind === "report" ? "signHereTo" : "signHereToAct")}
              </button>
            )}
          </>
        }
        line={footLine(desk, hold.kind, open === undefined ? null : missing(open, draft.value))}
        primary={open === undefined && (hold.kind === "withdrawal" || hold.kind === "balance") ? say("patronsDecide") : named("do", command)}
        enabled={ready}
        busy={desk.busy}
        onPrimary={act}
      />
    </div>
  );
}
