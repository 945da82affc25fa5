/** Time and result of the day beside what was to be expected, and limits that patrons set themselves. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { give, Refused } from "../../../api/http";
import type { Command, Problem, Schemas } from "../../../api/types";
import { bandPlot, PHONE, SHEET } from "../../../draw/plot";
import { Svg } from "../../../draw/Svg";
import { centsOf, clock, moment, money, signed } from "../../../i18n/money";
import { BarredNote } from "../../../parts/BarredNote";
import { Icon } from "../../../parts/Icon";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { barredFromEntering } from "../model/left";
import { nearKey, type Near } from "../model/near";
import { leftWords, read } from "../Near";
import { askPlay, duration, play, type Played } from "../played";
import { prefer, preferences } from "../preferences";
import { openSheet, useHere, useTyped } from "../table";
import { say } from "../words";
import { BreakDialog } from "./Break";
import { SwitchRow } from "./parts";

type Limit = Schemas["LimitShown"];
const REMIND_MINUTES = 30;

/** Dollars by minutes, for the plot. */
function Plot(props: { played: Played }) {
  const { series, day: sums } = props.played;
  const first = series[0];
  const last = series.at(-1);
  if (first === undefined || last === undefined || series.length < 2) return <p class="xs muted">{say("plotLater")}</p>;
  const start = Date.parse(first.moment);
  const xs = series.map((point) => (Date.parse(point.moment) - start) / 60_000);
  const end = xs.at(-1) ?? 1;
  const data = {
    xs,
    line: series.map((point) => point.result_cents / 100),
    expected: series.map((point) => point.expected_cents / 100),
    half: series.map((point) => (point.upper_cents - point.lower_cents) / 200),
    ticks: [
      { x: 0, text: clock(first.moment) },
      { x: end, text: clock(last.moment) },
    ],
    notes: [{ x: end, y: last.result_cents / 100, text: signed(last.result_cents), anchor: "end" as const }],
    label: say("plotLabel", { from: clock(first.moment), result: signed(sums.result_cents) }),
  };
  return (
    <div>
      <div class="wideplot">
        <Svg of={bandPlot(data, SHEET)} />
      </div>
      <div class="phoneplot">
        <Svg of={bandPlot(data, PHONE)} />
      </div>
      <p class="xs muted">{say("plotText", { expected: signed(sums.expected_cents) })}</p>
    </div>
  );
}

const shown = (limit: Limit["limit"], value: number): string => (limit === "time" ? duration(value) : money(value));

function LimitRow(props: { limit: Limit; near: Near | undefined }) {
  const { limit, value, used, then, since } = props.limit;
  const part = value === null || used === null || value === 0 ? null : Math.min(100, Math.max(0, (100 * used) / value));
  return (
    <div class={props.near === undefined ? "lim2" : "lim2 near"} data-limit={limit}>
      <b class="bold">{say(`limit_${limit}`)}</b>
      <span>{value === null ? say("noLimit") : used === null ? shown(limit, value) : say("usedOf", { used: shown(limit, Math.max(0, used)), value: shown(limit, value) })}</span>
      {part !== null && (
        <span class="bar2">
          <i style={{ width: `${part}%` }} />
        </span>
      )}
      {props.near !== undefined && <span class="sub al">{leftWords(props.near)}</span>}
      {since !== null && (
        <span class="sub">{say("limitThen", { value: then === null ? say("noLimit") : shown(limit, then), time: moment(since) })}</span>
      )}
    </div>
  );
}

const COMMANDS = { stake: "set_stake_limit", loss: "set_loss_limit", time: "set_time_limit" } as const;

/** What was written, in cents or minutes; an empty field is no limit, undefined is no amount. */
function written(limit: Limit["limit"], text: string): number | null | undefined {
  if (text.trim() === "") return null;
  if (limit !== "time") return centsOf(text) ?? undefined;
  return /^\d{1,4}$/.test(text.trim()) ? Number(text) : undefined;
}

export function LimitField(props: { limit: Limit }) {
  const { limit, value, since } = props.limit;
  const text = useTyped(`${limit} ${value ?? ""}`, value === null ? "" : limit === "time" ? String(value) : money(value));
  const problem = useSignal<Problem | null>(null);
  const wanted = written(limit, text.value);
  // What holds now is set once more to take back a higher one that waits.
  const takesBack = wanted === value && since !== null;
  const same = wanted === value && since === null;
  const save = async (): Promise<void> => {
    const content: Command = limit === "time" ? { type: COMMANDS.time, minutes: wanted } : { type: COMMANDS[limit], cents: wanted };
    problem.value = null;
    try {
      await give("accounts", content);
      await askPlay();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
    }
  };
  return (
    <>
      <div class="limfield">
        <label class="fld">
          {say(`limit_${limit}`)}
          <input class="in num" inputMode="decimal" placeholder={say("noLimit")} value={text.value} onInput={(event) => void (text.value = event.currentTarget.value)} />
          <small id={`limit-${limit}`}>{wanted === undefined ? say(limit === "time" ? "badMinutes" : "badAmount") : same ? say("limitSame") : takesBack ? say("limitTakesBack") : ""}</small>
        </label>
        <button class="btn" disabled={wanted === undefined || same} aria-describedby={`limit-${limit}`} onClick={() => void save()}>
          {say("setLimit")}
        </button>
      </div>
      <Trouble problem={problem.value} />
    </>
  );
}

export function Time() {
  const { name, betting } = useHere();
  const [changing, pausing] = [useTyped("changing", false), useSignal(false)];
  const near = betting.left.value?.near ?? [];
  useEffect(() => void askPlay(), []);
  // Here it stands how near a limit is: it need not be told once more.
  useEffect(() => read(near), [near.map(nearKey).join()]);
  const barred = barredFromEntering(betting.left.value);
  const played = play.value;
  const on = preferences.value.remindMinutes > 0;
  return (
    <Sheet
      title={say("timeButton")}
      sub={say("todayAll")}
      onClose={() => openSheet(name, null)}
      foot={
        <>
          <button class="btn" aria-expanded={changing.value} onClick={() => void (changing.value = !changing.value)}>
            {say("changeLimits")}
          </button>
          <button class="btn" aria-haspopup="dialog" onClick={() => void (pausing.value = true)}>
            <Icon name="moon" />
            {say("takeBreak")}
          </button>
          <button class="btn second" onClick={() => openSheet(name, null)}>
            {say("backToTable")}
          </button>
        </>
      }
    >
      {barred !== null && <BarredNote barred={barred} table={name} />}
      {played === null ? (
        <p class="sm muted">{say("oneMoment")}</p>
      ) : (
        <>
          <div class="figs">
            <div>
              <span>{say("timePlayed")}</span>
              <b>{duration(played.day.seconds / 60)}</b>
            </div>
            <div>
              <span>{say("netResult")}</span>
              <b>{signed(played.day.result_cents)}</b>
            </div>
            <div>
              <span>{say("stakedSum")}</span>
              <b>{money(played.day.turnover_cents)}</b>
            </div>
          </div>
          <Plot played={played} />
          <div class="limits">
            {played.limits.map((limit) => (
              <LimitRow key={limit.limit} limit={limit} near={near.find((one) => one.limit === limit.limit)} />
            ))}
          </div>
          <p class="xs muted rule">{say("limitRule")}</p>
          {changing.value && played.limits.map((limit) => <LimitField key={`${limit.limit} ${limit.value ?? ""}`} limit={limit} />)}
        </>
      )}
      <SwitchRow label={say("tellMe", { minutes: REMIND_MINUTES })} help={say("tellMeHelp")} on={on} onChange={(to) => prefer("remindMinutes", to ? REMIND_MINUTES : 0)} />
      {pausing.value && <BreakDialog onBack={() => void (pausing.value = false)} />}
    </Sheet>
  );
}
