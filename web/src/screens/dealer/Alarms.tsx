/** Alarms of this table: they stand until somebody looks, or the table knows of the card. */
import { useSignal } from "@preact/signals";
import { post, Refused } from "../../api/http";
import type { Problem, Schemas, Situation } from "../../api/types";
import { alarmName, alarmText } from "../../i18n/alarms";
import { clock } from "../../i18n/money";
import { Icon } from "../../parts/Icon";
import { Trouble } from "../../parts/Trouble";
import { opening } from "../../state/may";
import { useAlarms } from "../../state/table";
import { begin } from "./Acts";
import type { Desk } from "./context";
import { named, say } from "./say";

type Alarm = Schemas["Alarm"];

/** What fits an alarm now: a command, or a report of a situation. */
function Fits({ desk, fit }: { desk: Desk; fit: string }) {
  const [command = "", situation] = fit.split(" ");
  if (opening(desk.part.may, command) === undefined) return null;
  const act = (): void => {
    if (command === "report") desk.mode.value = { kind: "report", situation: situation as Situation };
    else begin(desk, command);
  };
  return (
    <button class="btn small" onClick={act}>
      {situation === undefined ? named("command", command) : named("situation", situation)}
    </button>
  );
}

function Row({ desk, alarm }: { desk: Desk; alarm: Alarm }) {
  const problem = useSignal<Problem | null>(null);
  const acknowledge = async (): Promise<void> => {
    try {
      await post(`/tables/${desk.table}/alarms/${alarm.number}/acknowledged`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
    }
  };
  return (
    <li class="tip alert">
      <Icon name="alert" />
      <div class="grow">
        <b>{alarmName(alarm)}</b> {alarmText(alarm)} <span class="dim">{[alarm.device, clock(alarm.moment, true)].filter(Boolean).join(" · ")}</span>
        <Trouble problem={problem.value} />
        <div class="row wrap">
          {(alarm.fits ?? []).map((fit) => (
            <Fits key={fit} desk={desk} fit={fit} />
          ))}
          {alarm.code !== "left_shoe" && alarm.code !== "die_not_due" && (
            <button class="btn small quiet" onClick={() => void acknowledge()}>
              {say("acknowledge")}
            </button>
          )}
        </div>
      </div>
    </li>
  );
}

export function AlarmsOf({ desk }: { desk: Desk }) {
  const alarms = useAlarms();
  const mine = (alarms.value?.view[desk.table] ?? []).filter((alarm) => !alarm.for_pit);
  if (mine.length === 0) return null;
  return (
    <ul class="alarms stack8" role="alert" aria-label={say("alarms")}>
      {mine.map((alarm) => (
        <Row key={alarm.number} desk={desk} alarm={alarm} />
      ))}
    </ul>
  );
}
