/** Beside the floor: what waits for this position, and alarms until somebody acknowledges them. */
import { useSignal } from "@preact/signals";
import { post, Refused } from "../../api/http";
import type { Problem } from "../../api/types";
import { somebody } from "../../app/session";
import { alarmFacts, alarmName, alarmPlace } from "../../i18n/alarms";
import { listed, told } from "../../i18n/lists";
import { clock } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { announce } from "../../parts/announce";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { Link } from "../../parts/Link";
import { Trouble } from "../../parts/Trouble";
import { useMedia } from "../../parts/useMedia";
import { now } from "../../state/clock";
import { useLoaded } from "../../state/loaded";
import { type Alarm, type AlarmEnded, ICONS, weightOf } from "./alarms";
import { AlarmActs, useAnswering } from "./Answer";
import { span } from "./floor";
import { named, say } from "./say";
import { type PitState, tableTitle } from "./usePit";
import { apart, type Matter } from "./waiting";

/** What a matter is called: the situation that was reported, else what is waited for. */
export function matterTitle(matter: Matter): string {
  if (matter.kind === "order" || matter.kind === "withdrawal" || matter.kind === "balance") return named("hold", matter.kind);
  return matter.situation === null ? named("hold", matter.kind) : named("situation", matter.situation);
}

/** Which terminals it is about, round by round: one may have failed in several. */
function terminalsIn(about: NonNullable<Matter["terminals"]>): string {
  const rounds = [...new Set(about.map(({ round }) => round))];
  const seats = (of: number): number[] => [...new Set(about.flatMap(({ position, round }) => (round === of ? [position] : [])))].sort((a, b) => a - b);
  return told(...rounds.map((round) => say("terminalIn", { round, n: seats(round).length, seats: listed(seats(round)) })));
}

/** What is to be decided; where this position does not, why it waits and for whom. */
export function matterText(matter: Matter): string {
  const terminals = terminalsIn(matter.terminals ?? []);
  const mine = matter.answers.length > 0;
  return told(terminals, mine ? named("question", matter.kind) : named("why", matter.kind), mine ? "" : otherwise(matter));
}

/** Who decides, as a sentence, where this position does not. */
function otherwise(matter: Matter): string {
  if (matter.positions.length > 0) return say("waitsFor", { who: matter.positions.map(positionName).join(", ") });
  return matter.patrons.length > 0 ? say("waitsForPatrons", { n: matter.patrons.length }) : (matter.why ?? "");
}

function HeldSince({ since }: { since: string | null }) {
  if (since === null) return null;
  return <> · {say("held", { span: span(now.value - Date.parse(since)) })}</>;
}

function MatterCard({ matter, pit, onDecide }: { matter: Matter; pit: PitState; onDecide: (matter: Matter) => void }) {
  const title = tableTitle(pit, matter.table);
  const to = `/pit/${encodeURIComponent(matter.table)}`;
  return (
    <article class="ap" aria-label={`${title}: ${matterTitle(matter)}`}>
      <span class="dim xs">
        {title}
        <HeldSince since={matter.since} />
      </span>
      <h3>{matterTitle(matter)}</h3>
      <p>
        {matterText(matter)} {matter.clause !== null && <span class="cite">{matter.clause}</span>}
      </p>
      <div class="bt">
        {matter.kind === "referral" ? (
          <Link class="btn primary" to={`${to}/referral`}>
            {say("decide")}
          </Link>
        ) : (
          <button class="btn primary" onClick={() => onDecide(matter)}>
            {say("decide")}
          </button>
        )}
        <Link class="btn" to={to}>
          {say("seeTable")}
        </Link>
      </div>
    </article>
  );
}

/** What others decide: where, what, who, and the way there; no more room than an alarm has. */
function OthersRow({ matter, pit }: { matter: Matter; pit: PitState }) {
  const title = tableTitle(pit, matter.table);
  const who = told(terminalsIn(matter.terminals ?? []), otherwise(matter));
  return (
    <article class="oth" aria-label={`${title}: ${matterTitle(matter)}`}>
      <b>{matterTitle(matter)}</b>
      <Link class="btn ack" to={`/pit/${encodeURIComponent(matter.table)}`}>
        {say("seeTable")}
      </Link>
      <p>
        {alarmPlace({ table: matter.table })}
        <HeldSince since={matter.since} />
        {who !== "" && ` · ${who}`}
      </p>
    </article>
  );
}

function Matters(props: { title: string; matters: readonly Matter[]; urgent: boolean; none: string; pit: PitState; onDecide: (matter: Matter) => void }) {
  const { title, matters, pit } = props;
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {matters.length > 0 && <span class={props.urgent ? "end tag alert" : "end tag"}>{matters.length}</span>}
      </header>
      {matters.map((matter) =>
        matter.answers.length > 0 ? (
          <MatterCard key={`${matter.table}/${matter.kind}`} matter={matter} pit={pit} onDecide={props.onDecide} />
        ) : (
          <OthersRow key={`${matter.table}/${matter.kind}`} matter={matter} pit={pit} />
        ),
      )}
      {matters.length === 0 && <p class="none">{props.none}</p>}
    </section>
  );
}

/** What this position decides, counted; apart from it what tables wait for from others. */
export function Waiting({ pit, onDecide }: { pit: PitState; onDecide: (matter: Matter) => void }) {
  const [mine, others] = apart(pit.matters);
  const none = say(others.length === 0 ? "nothingWaits" : "nothingYours");
  return (
    <>
      <Matters title={say("waiting")} matters={mine} urgent none={none} pit={pit} onDecide={onDecide} />
      {others.length > 0 && <Matters title={say("waitingOthers")} matters={others} urgent={false} none="" pit={pit} onDecide={onDecide} />}
    </>
  );
}

/** Acknowledge an alarm, by its button or by A while that has the focus; nothing changes at the table. */
export function useAcknowledging(alarms: readonly Alarm[], onDone: () => void): [Problem | null, (alarm: Alarm, answer?: string) => Promise<void>] {
  const problem = useSignal<Problem | null>(null);
  const acknowledge = async (alarm: Alarm, answer = ""): Promise<void> => {
    problem.value = null;
    try {
      await post(`/tables/${encodeURIComponent(alarm.table)}/alarms/${alarm.number}/acknowledged`, { answer });
      announce(say("acknowledged", { alarm: alarmName(alarm) }));
      onDone();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
    }
  };
  useKeys({
    a: {
      does: say("keyAcknowledge"),
      press: () => {
        const number = Number((document.activeElement as HTMLElement | null)?.dataset["alarm"]);
        const alarm = alarms.find((one) => one.number === number);
        if (alarm === undefined) return false;
        void acknowledge(alarm);
        return true;
      },
    },
  });
  return [problem.value, acknowledge];
}

function AlarmRow({ alarm, onAcknowledge, onAnswer }: { alarm: Alarm; onAcknowledge: (alarm: Alarm) => void; onAnswer: (alarm: Alarm) => void }) {
  return (
    <li class={weightOf(alarm)}>
      <span class="ic">
        <Icon name={ICONS[weightOf(alarm)]} />
      </span>
      <b>{alarmName(alarm)}</b>
      <AlarmActs alarm={alarm} small="btn ack" onAcknowledge={onAcknowledge} onAnswer={onAnswer} />
      <p>
        {alarmFacts(alarm)} · {clock(alarm.moment, true)}
      </p>
    </li>
  );
}

const SEEN = 3;

/** So many stand before the floor on a phone, until all are asked for. */
const FIRST = 4;

export function Alarms({ pit }: { pit: PitState }) {
  const [history, again] = useLoaded<AlarmEnded[]>(`/alarms/history?limit=${SEEN}`, 15_000);
  const [problem, acknowledge] = useAcknowledging(pit.alarms, again);
  const over = history.value.value ?? [];
  const last = over.find((alarm) => alarm.acknowledged_by !== null);
  const [dialog, answer] = useAnswering(acknowledge);
  const all = useSignal(false);
  const few = useMedia("(max-width: 560px)") && !all.value && pit.alarms.length > FIRST;
  return (
    <section class="panel" aria-label={say("nav.alarms")}>
      <header>
        <h2>{say("nav.alarms")}</h2>
        <span class="end dim xs">{say("untilAcknowledged")}</span>
      </header>
      <Trouble problem={problem} />
      <ul class="al-list">
        {pit.alarms.slice(0, few ? FIRST : undefined).map((alarm) => (
          <AlarmRow key={alarm.number} alarm={alarm} onAcknowledge={(one) => void acknowledge(one)} onAnswer={answer} />
        ))}
        {(few ? [] : over).map((alarm) => (
          <li key={alarm.number} class="note">
            <span class="ic">
              <Icon name="info" />
            </span>
            <b>{alarmName(alarm)}</b>
            <span class="seen">{alarm.acknowledged_by === null ? say("settledItself") : say("seen", { name: alarm.acknowledged_by })}</span>
            <p>
              {alarmFacts(alarm)} · {clock(alarm.moment, true)}
            </p>
          </li>
        ))}
      </ul>
      {few && (
        <button class="btn quiet wide" onClick={() => void (all.value = true)}>
          {say("showAll", { n: pit.alarms.length })}
        </button>
      )}
      {dialog}
      {pit.alarms.length === 0 && over.length === 0 && <p class="none">{say("noAlarms")}</p>}
      {pit.alarms.length === 0 && last !== undefined && (
        <p class="none">{say("noAlarmsLast", { time: clock(last.ended), name: last.acknowledged_by ?? somebody.value?.name ?? "" })}</p>
      )}
    </section>
  );
}
