/** A table of the floor map. */
import { useMemo } from "preact/hooks";
import type { TableView } from "../../api/types";
import { road } from "../../draw/roadmap";
import { drawRoads } from "../../draw/roads";
import { Svg } from "../../draw/Svg";
import { alarmName } from "../../i18n/alarms";
import { range } from "../../i18n/money";
import { drawLanguage } from "../../parts/Card";
import { Icon } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { secondsUntil } from "../../state/clock";
import { numberOf, tableMark } from "../../state/tables";
import { clock } from "../../i18n/money";
import { gameTitle } from "../../i18n/names";
import { type Alarm, weightOf } from "./alarms";
import { type PitTable, short, shortSigned, span, stateOf } from "./floor";
import { named, say } from "./say";
import { differentialAt } from "./waiting";

const COLUMNS = 22;

function MiniRoad({ winners }: { winners: PitTable["summary"]["winners"] }) {
  const drawn = useMemo(
    () => road(drawRoads(winners.map((winner) => ({ winner }))), "big", { columns: COLUMNS, cell: 11, language: drawLanguage() }),
    [winners, drawLanguage()],
  );
  return (
    <span class="rd">
      <Svg of={drawn} />
    </span>
  );
}

/** Who deals, and how. */
export function sourceOf({ summary, dealer }: Pick<PitTable, "summary" | "dealer">): string {
  if (summary.game === null) return "";
  const who = dealer ?? (summary.kind === "electronic" ? say("terminals", { n: summary.seats.positions }) : say(summary.dealt_by === "house" ? "byHouse" : "byDealer"));
  const name = numberOf(summary) !== null || summary.name === summary.game ? "" : summary.name;
  return [name, who, summary.method === null ? "" : say("method", { method: summary.method })].filter(Boolean).join(" · ");
}

export function StateTag({ summary, class: cls = "ph" }: { summary: PitTable["summary"]; class?: string }) {
  const state = stateOf(summary);
  const left = state === "state.open" ? secondsUntil(summary.closes_at) : null;
  const look = state === "state.hold" ? " hold" : state === "state.open" ? " open" : "";
  return (
    <span class={cls + look}>
      {state === "state.hold" && <Icon name="pause" />}
      {say(state)}
      {left !== null && ` ${span(left * 1000)}`}
    </span>
  );
}

const NEAR = 80;

/** What somebody should look at: of all that is so the weightiest. */
export function alarmLine(table: PitTable, view: TableView | null, alarms: readonly Alarm[]): { icon: "stop" | "alert" | "clock"; text: string } | null {
  if (table.hold !== null) {
    const { situation, kind } = table.hold;
    return { icon: "stop", text: situation === null ? named("hold", kind) : named("situation", situation) };
  }
  const [first, ...more] = alarms;
  if (first !== undefined) {
    const text = more.length === 0 ? alarmName(first) : say("alarmAndMore", { alarm: alarmName(first), n: more.length });
    return { icon: weightOf(first) === "crit" ? "stop" : "alert", text };
  }
  if (table.alarms > 0) return { icon: "stop", text: say("alarmsOpen", { n: table.alarms }) };
  const lost = view?.lost_terminals ?? [];
  if (lost.length > 0) return { icon: "alert", text: say("terminalsLost", { n: lost.length, seats: lost.join(", ") }) };
  const near = view === null ? null : differentialAt(view);
  if (near !== null && near >= NEAR) return { icon: "alert", text: say("differentialAt", { percent: near }) };
  if (table.summary.table_closes !== null) return { icon: "clock", text: say("closesAt", { time: clock(table.summary.table_closes) }) };
  return null;
}

function Figures({ table }: { table: PitTable }) {
  const { seats } = table.summary;
  return (
    <dl>
      <div>
        <dt>{say("seats")}</dt>
        <dd>
          {seats.taken}/{seats.positions}
        </dd>
      </div>
      <div>
        <dt>{say("pace")}</dt>
        <dd>{table.rounds_an_hour === null ? "–" : Math.round(table.rounds_an_hour)}</dd>
      </div>
      <div>
        <dt>{say("turnover")}</dt>
        <dd>{short(table.turnover_cents)}</dd>
      </div>
      <div>
        <dt>{say("win")}</dt>
        <dd>{shortSigned(table.win_cents)}</dd>
      </div>
    </dl>
  );
}

export function Tile({ table, view, alarms }: { table: PitTable; view: TableView | null; alarms: readonly Alarm[] }) {
  const { summary } = table;
  const shut = summary.phase === "UNOPENED";
  const line = alarmLine(table, view, alarms);
  const markText = tableMark(summary);
  const numbered = /^\d+$/.test(markText);
  const limits = shut ? null : summary.limits;
  const source = [numbered ? "" : markText, shut ? (numbered ? "" : summary.name) : sourceOf(table)].filter(Boolean).join(" · ");
  const look = table.hold !== null ? " hold" : shut ? " shut" : line !== null && line.icon !== "clock" ? " warn" : "";
  return (
    <div class="tileof" data-tile={summary.name}>
      <Link class={`tt${look}`} to={`/pit/${encodeURIComponent(summary.name)}`}>
        <span class="r1">
          {numbered && <span class="no">{markText}</span>}
          <span class="gm">{gameTitle({ game: summary.game, name: summary.title ?? summary.name })}</span>
        </span>
        <span class="r2">
          {source !== "" && <span class="src whole">{source}</span>}
          {limits !== null && <span class="src nowrap">{range(limits.minimum_cents, limits.maximum_cents)}</span>}
          <StateTag summary={summary} />
        </span>
        {!shut && <MiniRoad winners={summary.winners} />}
        <span class="ft">
          {!shut && <Figures table={table} />}
          {line !== null && (
            <span class={line.icon === "clock" ? "al calm" : "al"}>
              <Icon name={line.icon} />
              {line.text}
            </span>
          )}
        </span>
      </Link>
    </div>
  );
}
