/** Calling an attendant to a table: the call, what became of it, and what was asked before. */
import { say } from "../i18n/calls";
import { clock } from "../i18n/money";
import { tableWords } from "../i18n/tables";
import { type Call, callAttendant, takeBack, useCall, useCalls } from "../state/calls";
import { announce } from "./announce";
import { Icon } from "./Icon";
import { useSending } from "./sending";
import { Trouble } from "./Trouble";

/** What became of a question about a round. */
export function Asked({ call }: { call: Call }) {
  const [icon, text] =
    call.seen === null ? (["clock", say("asked", { time: clock(call.moment) })] as const) : (["check", say("answered", { time: clock(call.seen) })] as const);
  return (
    <div class="tip" role="status">
      <Icon name={icon} />
      <div>
        {text}
        {call.answer !== null && <p class="bold">{say("answer", { answer: call.answer })}</p>}
      </div>
    </div>
  );
}

function Earlier() {
  const asked = useCalls().filter((one) => one.code === "round_asked");
  if (asked.length === 0) return null;
  return (
    <section class="stack8" aria-label={say("earlier")}>
      <h3 class="h3">{say("earlier")}</h3>
      {asked.map((one) => (
        <div key={one.number}>
          <p class="sm bold">{say("roundAt", { n: one.round ?? 0, table: tableWords(one.table) })}</p>
          <Asked call={one} />
        </div>
      ))}
    </section>
  );
}

export function Attendant({ table }: { table: string }) {
  const { state, call } = useCall(table);
  const { sending, problem, send } = useSending();
  const ring = (): void => void send(() => callAttendant(table)).then((done) => done && announce(say("calledShort")));
  return (
    <div class="stack16">
      <p class="sm muted">{say("lead")}</p>
      {call !== null && (
        <div class="vres" role="status">
          <span class="n">
            <Icon name={state === "seen" ? "check" : "bell"} />
          </span>
          <b>{state === "seen" ? say("seen", { time: clock(call.seen ?? "") }) : say("called", { time: clock(call.moment) })}</b>
        </div>
      )}
      <Trouble problem={problem.value} />
      {state === "called" ? (
        <button class="btn wide" disabled={sending.value} onClick={() => void send(() => takeBack(table))}>
          {say("takeBack")}
        </button>
      ) : (
        <button class="btn second wide" disabled={sending.value} onClick={ring}>
          <Icon name="bell" />
          {say("callNow", { table: tableWords(table) })}
        </button>
      )}
      <Earlier />
    </div>
  );
}
