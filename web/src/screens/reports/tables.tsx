/** The report of a shift: what every table played, what went to its bank and from it, who dealt. */
import type { Schemas } from "../../api/types";
import { count, money, signed } from "../../i18n/money";
import { gameBySlug } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { inOrderOfTables } from "../../state/tables";
import { percent } from "../pit/win";
import { type Cell, sum } from "./csv";
import { say } from "./say";
import { type ReportColumn, type Section, section } from "./sections";

export type ShiftReport = Schemas["ShiftReport"];
type TableReport = Schemas["TableReport"];
type Line = Schemas["WinLine"];

const amount = (name: string, of: (line: Line) => number | null, shown = money): ReportColumn<Line> => ({
  name,
  cell: (line) => {
    const cents = of(line);
    return cents === null ? "" : shown(cents);
  },
  file: (line) => sum(of(line)),
});

const part = (name: string, of: (line: Line) => number | null): ReportColumn<Line> => ({
  name,
  cell: (line) => percent(of(line)),
  file: (line): Cell => of(line)?.toFixed(4) ?? null,
});

const outside = ({ standing }: Line): boolean => standing.startsWith("outside");

function played(report: ShiftReport): Section {
  const all = inOrderOfTables(report.tables, ({ table }) => table).flatMap(({ games }) => games);
  const lines = report.total === null ? all : [...all, report.total];
  const place = (line: Line): string => (line.of["table"] === undefined ? say("total") : tableWords(line.of["table"]));
  const game = (line: Line): string => {
    const slug = line.of["game"];
    return slug === undefined ? "" : gameBySlug(slug);
  };
  const columns: ReportColumn<Line>[] = [
    { name: say("table"), words: true, cell: place, file: place },
    { name: say("game"), words: true, wraps: true, cell: game, file: game },
    { name: say("rounds"), cell: ({ rounds }) => count(rounds), file: ({ rounds }) => rounds },
    { name: say("voids"), cell: ({ voids }) => (voids === 0 ? "" : count(voids)), file: ({ voids }) => voids },
    amount(say("turnover"), (line) => line.turnover_cents),
    amount(say("broughtIn"), (line) => line.drop_cents),
    amount(say("win"), (line) => line.win_cents, signed),
    amount(say("expected"), (line) => line.expected_cents, signed),
    {
      name: say("band"),
      cell: (line) => (
        <span class={outside(line) ? "tag alert" : ""}>
          {signed(line.lower_cents)} … {signed(line.upper_cents)}
        </span>
      ),
      file: (line) => `${sum(line.lower_cents)} … ${sum(line.upper_cents)}`,
    },
    part(say("hold"), (line) => line.hold),
    part(say("holdExpected"), (line) => line.hold_expected),
  ];
  return section({
    title: say("played"),
    note: say("playedNote"),
    columns,
    rows: lines,
    keyOf: (line) => `${line.of["table"] ?? ""}/${line.of["game"] ?? ""}`,
    none: say("nothingPlayed"),
    marked: outside,
    sums: (line) => line === report.total,
  });
}

const several = (n: number, cents: number): string => (n === 0 ? "" : `${count(n)} · ${money(cents)}`);
const known = (cents: number | null): string => (cents === null ? "" : money(cents));

function banks(report: ShiftReport): Section {
  const dealers = ({ dealers: all }: TableReport): string => all.map(({ name, rounds }) => say("dealt", { name, n: rounds })).join(", ");
  const columns: ReportColumn<TableReport>[] = [
    { name: say("table"), words: true, cell: ({ table }) => tableWords(table), file: ({ table }) => tableWords(table) },
    { name: say("opener"), cell: ({ bank }) => known(bank.opener_cents), file: ({ bank }) => sum(bank.opener_cents) },
    { name: say("fills"), cell: ({ bank }) => several(bank.fills, bank.fills_cents), file: ({ bank }) => sum(bank.fills_cents) },
    { name: say("credits"), cell: ({ bank }) => several(bank.credits, bank.credits_cents), file: ({ bank }) => sum(bank.credits_cents) },
    { name: say("closer"), cell: ({ bank }) => known(bank.closer_cents), file: ({ bank }) => sum(bank.closer_cents) },
    { name: say("drop"), cell: ({ bank }) => known(bank.drop_counted_cents), file: ({ bank }) => sum(bank.drop_counted_cents) },
    {
      name: say("difference"),
      cell: ({ bank }) => (bank.over_cents === 0 ? "" : <span class="tag alert">{signed(bank.over_cents)}</span>),
      file: ({ bank }) => sum(bank.over_cents),
    },
    { name: say("dealers"), words: true, wraps: true, cell: dealers, file: dealers },
  ];
  return section({
    title: say("banks"),
    note: say(report.slips_kept ? "banksNote" : "slipsGone"),
    columns,
    rows: inOrderOfTables(report.tables, ({ table }) => table),
    keyOf: ({ table }) => table,
    none: say("noBanks"),
    marked: ({ bank }) => bank.over_cents !== 0,
  });
}

export const ofShift = (report: ShiftReport): Section[] => [played(report), banks(report)];
