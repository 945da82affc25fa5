/** Alarms: open ones first, until somebody acknowledges them; then who did, and when. */
import { useSignal } from "@preact/signals";
import { somebody } from "../../app/session";
import { alarmFacts, alarmName, alarmPlace } from "../../i18n/alarms";
import { clock } from "../../i18n/money";
import { Icon } from "../../parts/Icon";
import { type Column, Listing } from "../../parts/Listing";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { inOrderOfTables } from "../../state/tables";
import { type AlarmEnded, type AlarmFilter, type AlarmRow, ICONS, medianSeen, rowsOf, weightOf } from "./alarms";
import { AlarmActs, useAnswering } from "./Answer";
import { span } from "./floor";
import { Shell } from "./Shell";
import { named, say } from "./say";
import { useAcknowledging } from "./Side";
import type { PitState } from "./usePit";

/** More tables than these are a list to choose from. */
const PILLS = 5;

const FILTERS: readonly AlarmFilter[] = ["open", "all", "critical", "mine"];

/** What became of an alarm. */
function outcome(ended: AlarmEnded | null): string {
  if (ended === null) return say("openWord");
  if (ended.answer != null) return say("answered", { answer: ended.answer });
  if (ended.acknowledged_by !== null) return say("seenWord");
  return ended.code === "attendant_called" ? say("takenBack") : say("settledItself");
}

export function AlarmsPage({ pit, table }: { pit: PitState; table: string | null }) {
  const filter = useSignal<AlarmFilter>("all");
  const only = useSignal<string | null>(table);
  const [history, again] = useLoaded<AlarmEnded[]>("/alarms/history?limit=200", 15_000);
  const [problem, acknowledge] = useAcknowledging(pit.alarms, again);
  const [dialog, answer] = useAnswering(acknowledge);
  const over = history.value.value ?? [];
  const rows = rowsOf(pit.alarms, over, filter.value, only.value, somebody.value?.name ?? "");
  const tables = inOrderOfTables([...new Set([...pit.alarms, ...over].map((alarm) => alarm.table)).add(only.value ?? "")].filter((name) => name !== ""), (name) => name);
  const many = tables.length > PILLS;
  const columns: Column<AlarmRow>[] = [
    {
      name: say("alarm"),
      words: true,
      cell: ({ alarm }) => (
        <>
          <span class={`wt ${weightOf(alarm)}`}>
            <Icon name={ICONS[weightOf(alarm)]} />
          </span>
          <b>{alarmName(alarm)}</b>
        </>
      ),
    },
    { name: say("weight"), words: true, cell: ({ alarm }) => named("weight", weightOf(alarm)) },
    { name: say("place"), words: true, wraps: true, cell: ({ alarm }) => alarmFacts(alarm) },
    { name: say("raised"), cell: ({ alarm }) => clock(alarm.moment, true) },
    {
      name: say("acknowledgedWord"),
      words: true,
      cell: ({ alarm, ended }) => {
        if (ended !== null) return ended.acknowledged_by === null ? clock(ended.ended, true) : `${clock(ended.ended, true)} ${ended.acknowledged_by}`;
        return <AlarmActs alarm={alarm} small="btn small" onAcknowledge={(one) => void acknowledge(one)} onAnswer={answer} />;
      },
    },
    { name: say("outcome"), words: true, wraps: true, cell: ({ ended }) => outcome(ended) },
  ];
  const medians = (["crit", "warn", "note"] as const).flatMap((weight) => {
    const found = medianSeen(over, weight);
    return found === null ? [] : [`${span(found)} ${named("weight", weight)}`];
  });
  const last = over.find((alarm) => alarm.acknowledged_by !== null);
  return (
    <Shell pit={pit} at="alarms" title={say("nav.alarms")}>
      <div class="hd">
        <div>
          <h2>{say("nav.alarms")}</h2>
          <p>{say("alarmsNote", { open: pit.alarms.length, over: over.length })}</p>
        </div>
      </div>
      <div class="filts">
        <div class="filt" role="group" aria-label={say("filter")}>
          {FILTERS.map((one) => (
            <button key={one} aria-pressed={filter.value === one} onClick={() => void (filter.value = one)}>
              {named("alarms", one)} {one === "open" && pit.alarms.length}
            </button>
          ))}
          {!many &&
            tables.map((name) => (
              <button key={name} aria-pressed={only.value === name} onClick={() => void (only.value = only.value === name ? null : name)}>
                {alarmPlace({ table: name })}
              </button>
            ))}
        </div>
        {many && (
          <label class="fld">
            {say("tableWord")}
            <select class="in" value={only.value ?? ""} onChange={(event) => void (only.value = event.currentTarget.value || null)}>
              <option value="">{say("allTables")}</option>
              {tables.map((name) => (
                <option key={name} value={name} selected={name === only.value}>
                  {alarmPlace({ table: name })}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Trouble problem={problem ?? history.value.problem} />
      <section class="pan" aria-label={say("nav.alarms")}>
        <Listing
          label={say("nav.alarms")}
          columns={columns}
          rows={rows}
          keyOf={({ alarm }) => alarm.number}
          none={last === undefined ? say("noAlarms") : say("noAlarmsLast", { time: clock(last.ended), name: last.acknowledged_by ?? "" })}
        />
      </section>
      {dialog}
      <p class="xs muted">
        {medians.length > 0 && say("median", { times: medians.join(", ") })} {say("ackNote")}
      </p>
    </Shell>
  );
}
