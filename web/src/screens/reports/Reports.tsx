/** Reports of a gaming day, or of a shift of it: on the page, on paper, and as a file. */
import { useSignal, useSignalEffect } from "@preact/signals";
import type { Schemas } from "../../api/types";
import { go } from "../../app/router";
import { house } from "../../app/session";
import { say as common } from "../../i18n/common";
import { clock, day as dayWords } from "../../i18n/money";
import { approved } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { Icon } from "../../parts/Icon";
import { NotForYou, notFor } from "../../parts/NotForYou";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { inOrderOfTables } from "../../state/tables";
import { useTables } from "../../state/table";
import { csvOf, download } from "./csv";
import { type ExceptionsReport, KINDS, type Kind, MOST, ofExceptions } from "./exceptions";
import "./reports.css";
import { named, say } from "./say";
import { fileOf, type Section } from "./sections";
import { ofShoes, type ShoesReport } from "./shoes";
import { ofShift, type ShiftReport } from "./tables";

type Period = Schemas["ReportPeriod"];
type Report = ShiftReport | ShoesReport | ExceptionsReport;

const NAMES = ["shift", "shoes", "exceptions"] as const;
export type Name = (typeof NAMES)[number];
const EVERY_MS = 30_000;
const DAY_MS = 86_400_000;

/** Where a report is, and where a round is recalled from it. */
export interface Place {
  at: string;
  recallOf: (table: string, round: number) => string;
}

/** All days of which there are reports, today first. */
function daysOf({ first_day, today }: Period): string[] {
  const [first, last] = [Date.parse(first_day), Date.parse(today)];
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, i) => new Date(last - i * DAY_MS).toISOString().slice(0, 10));
}

function Choice(props: { label: string; value: string; options: readonly (readonly [value: string, name: string])[]; onChoose: (value: string) => void }) {
  return (
    <label class="fld">
      {props.label}
      <select class="in" value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {props.options.map(([value, name]) => (
          <option key={value} value={value} selected={value === props.value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What a report is of: its name, the house, the time, and what of it was chosen. */
export function subject(name: Name, period: Period, table: string, kind: Kind | null): string[] {
  const shift = period.shift === null ? say("wholeDay") : named("shift", period.shift);
  const time = say("from", { day: dayWords(period.day), shift, begins: clock(period.begins), ends: clock(period.ends) });
  const of = [table === "" ? say("allTables") : tableWords(table), ...(kind === null ? [] : [named("kind", kind)])];
  return [say(`report.${name}`), house.value?.name ?? "", time, ...of].filter(Boolean);
}

/** A report's name, and the time it is of: what stands above it on paper and in the file, too. */
function Heading({ name, period, of, sections }: { name: Name; period: Period | null; of: readonly string[]; sections: readonly Section[] }) {
  const file = `${name}-${period?.day ?? ""}${period?.shift == null ? "" : `-${period.shift}`}.csv`;
  return (
    <div class="hd">
      <div>
        <h2>{say(`report.${name}`)}</h2>
        <p>{of.slice(1).join(" · ")}</p>
      </div>
      <div class="end">
        {sections.length > 0 && (
          <>
            <button class="btn small" onClick={() => print()}>
              <Icon name="print" size="small" />
              {say("print")}
            </button>
            <button class="btn small" onClick={() => download(file, csvOf(fileOf(of, sections)))}>
              <Icon name="down" size="small" />
              CSV
            </button>
          </>
        )}
      </div>
    </div>
  );
}

function Ways({ at, name }: { at: string; name: Name }) {
  return (
    <div class="seg" role="radiogroup" aria-label={say("reports")}>
      {NAMES.map((one) => (
        <button key={one} role="radio" aria-checked={one === name} onClick={() => go(one === "shift" ? at : `${at}/${one}`)}>
          {say(`report.${one}`)}
        </button>
      ))}
    </div>
  );
}

function Kinds(props: { counts: Record<string, number>; chosen: Kind | null; onChoose: (kind: Kind | null) => void }) {
  return (
    <div class="filt" role="group" aria-label={say("kinds")}>
      <button aria-pressed={props.chosen === null} onClick={() => props.onChoose(null)}>
        {say("all")}
      </button>
      {KINDS.filter((kind) => props.counts[kind] || kind === props.chosen).map((kind) => (
        <button key={kind} aria-pressed={props.chosen === kind} onClick={() => props.onChoose(kind)}>
          {say("nOfKind", { kind: named("kind", kind), n: props.counts[kind] ?? 0 })}
        </button>
      ))}
    </div>
  );
}

function sectionsOf(report: Report, recallOf: Place["recallOf"]): Section[] {
  if ("tables" in report) return ofShift(report);
  return "shoes" in report ? ofShoes(report) : ofExceptions(report, recallOf);
}

const asked = (query: Record<string, string | null>): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []))
    .join("&");

/** Lines name their games by slugs: their names are those of the house's list. */
function useGames(): void {
  const [games] = useLoaded<Schemas["GameListed"][]>("/games");
  useSignalEffect(() => {
    const all = games.value.value;
    if (all !== null) approved.value = Object.fromEntries(all.map(({ game, name }) => [game, name]));
  });
}

const nameOf = (part: string | null): Name => NAMES.find((one) => one === part) ?? "shift";

export function Reports({ place, part }: { place: Place; part: string | null }) {
  const name = nameOf(part);
  useGames();
  const [day, shift, table] = [useSignal(""), useSignal(""), useSignal("")];
  const kind = useSignal<Kind | null>(null);
  const query = asked({ day: day.value, shift: shift.value, table: table.value, ...(name === "exceptions" ? { kind: kind.value, limit: String(MOST) } : {}) });
  const [loaded] = useLoaded<Report>(`/reports/${name}?${query}`, EVERY_MS);
  const tables = useTables().value?.view ?? {};
  const { value, problem } = loaded.value;
  // What was asked before stays until the next answer; of another report it is nothing.
  const report = value !== null && ("tables" in value ? "shift" : "shoes" in value ? "shoes" : "exceptions") === name ? value : null;
  if (report === null && notFor(problem)) return <NotForYou />;
  const sections = report === null ? [] : sectionsOf(report, place.recallOf);
  const period = value?.period ?? null;
  const of = period === null ? [] : subject(name, period, table.value, name === "exceptions" ? kind.value : null);
  return (
    <>
      <Heading name={name} period={period} of={of} sections={sections} />
      <div class="rpf">
        <Ways at={place.at} name={name} />
        <Choice label={say("day")} value={day.value} onChoose={(one) => void (day.value = one)} options={period === null ? [] : daysOf(period).map((one, i) => [i === 0 ? "" : one, i === 0 ? say("today") : dayWords(one)])} />
        <Choice label={say("shift")} value={shift.value} onChoose={(one) => void (shift.value = one)} options={[["", say("wholeDay")], ...(period?.shifts ?? []).map((one) => [one, named("shift", one)] as const)]} />
        <Choice label={say("table")} value={table.value} onChoose={(one) => void (table.value = one)} options={[["", say("allTables")], ...inOrderOfTables(Object.keys(tables), (one) => one).map((one) => [one, tableWords(one)] as const)]} />
      </div>
      {report !== null && "lines" in report && <Kinds counts={report.counts} chosen={kind.value} onChoose={(one) => void (kind.value = one)} />}
      <Trouble problem={problem} />
      {report === null && problem === null && <p class="none">{common("loading")}</p>}
      {sections.map(({ shown }) => shown)}
    </>
  );
}
