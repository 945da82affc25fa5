/** What the pit does about an alarm: acknowledge it, or look at the round and answer. */
import { useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { alarmName } from "../../i18n/alarms";
import { say as common } from "../../i18n/common";
import { Dialog } from "../../parts/Dialog";
import { Link } from "../../parts/Link";
import { acknowledgeable, type Alarm } from "./alarms";
import { say } from "./say";

const ANSWER_MOST = 300;

/** An answer goes to the patron's terminal; without words it says that somebody looked. */
function AnswerDialog(props: { alarm: Alarm; onAnswer: (answer: string) => void; onBack: () => void }) {
  const { alarm } = props;
  const answer = useSignal("");
  const patron = alarm.patron ?? "";
  const submit = (event: Event): void => {
    event.preventDefault();
    props.onAnswer(answer.peek());
  };
  return (
    <Dialog title={say("answerTitle", { n: alarm.round ?? 0 })} onBack={props.onBack}>
      <form class="stack16" onSubmit={submit}>
        <p>{alarm.note == null ? say("asksPlain", { patron }) : say("asks", { patron, note: alarm.note })}</p>
        <label class="fld">
          {say("answerIt")}
          <small>{say("answerLead")}</small>
          <textarea class="in" rows={3} maxLength={ANSWER_MOST} value={answer.value} onInput={(event) => void (answer.value = event.currentTarget.value)} />
        </label>
        <div class="row wrap">
          <button class="btn primary">{say("answerSend")}</button>
          <button type="button" class="btn" onClick={props.onBack}>
            {common("back")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The dialog of a question that is being answered, and what opens it. */
export function useAnswering(acknowledge: (alarm: Alarm, answer: string) => Promise<void>): [ComponentChild, (alarm: Alarm) => void] {
  const answering = useSignal<Alarm | null>(null);
  const alarm = answering.value;
  const back = (): void => void (answering.value = null);
  const send = (answer: string): void => {
    if (alarm !== null) void acknowledge(alarm, answer);
    back();
  };
  return [alarm === null ? null : <AnswerDialog alarm={alarm} onBack={back} onAnswer={send} />, (one) => void (answering.value = one)];
}

const roundAt = (alarm: Alarm): string => `/pit/${encodeURIComponent(alarm.table)}/recall/${alarm.round ?? 0}`;

/** The buttons of an alarm that stands. */
export function AlarmActs(props: { alarm: Alarm; small: string; onAcknowledge: (alarm: Alarm) => void; onAnswer: (alarm: Alarm) => void }) {
  const { alarm } = props;
  if (!acknowledgeable(alarm)) return <span class="seen">{say("stands")}</span>;
  if (alarm.code === "round_asked") {
    return (
      <span class="row wrap">
        <Link class={props.small} to={roundAt(alarm)}>
          {say("openAsked", { n: alarm.round ?? 0 })}
        </Link>
        <button class={props.small} data-alarm={alarm.number} aria-haspopup="dialog" onClick={() => props.onAnswer(alarm)}>
          {say("answerIt")}
        </button>
      </span>
    );
  }
  return (
    <button class={props.small} data-alarm={alarm.number} aria-label={`${say("acknowledge")}: ${alarmName(alarm)}`} onClick={() => props.onAcknowledge(alarm)}>
      {say("acknowledge")}
    </button>
  );
}
