/** The report of exceptions: each with its moment, its table and round, who, and its clause. */
import type { Schemas } from "../../api/types";
import { eventName } from "../../i18n/events";
import { clock, money, signed } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { refusalName } from "../../i18n/refusals";
import { alarmPlace, alarmWord } from "../../i18n/alarms";
import { tableWords } from "../../i18n/tables";
import { Link } from "../../parts/Link";
import { commandName } from "../audit/facts";
import { named as dealerNamed } from "../dealer/say";
import { sum } from "./csv";
import { named, say } from "./say";
import { type ReportColumn, type Section, section } from "./sections";

export type ExceptionsReport = Schemas["ExceptionsReport"];
export type Exceptional = Schemas["Exceptional"];
export type Kind = Schemas["ExceptionKind"];

/** As many as the house gives at once. */
export const MOST = 2_000;

export const KINDS = ["void", "withdrawal", "report", "ruling", "referral", "correction", "refused", "second_person", "count", "alarm"] as const satisfies readonly Kind[];

/** What happened, by the names that the screens have for events, commands, refusals and alarms. */
export function what({ kind, code }: Exceptional): string {
  switch (kind) {
    case "alarm":
      return alarmWord(code);
    case "refused":
      return refusalName(code);
    case "second_person":
      return commandName(code);
    default:
      return code === "confirm_report" ? commandName(code) : eventName(code);
  }
}

/** What it was about: a situation, a decision, what was counted, what was to be done. */
export function aboutWhat({ kind, about }: Exceptional): string {
  if (about === null) return "";
  if (kind === "refused") return commandName(about);
  if (kind === "count") return named("counted", about);
  return dealerNamed(kind === "referral" ? "decision" : "situation", about);
}

const placeOf = ({ table, kind }: Exceptional): string => (table === null ? say("cage") : kind === "alarm" ? alarmPlace({ table }) : tableWords(table));

const people = ({ by, position }: Exceptional): string => (by === null ? say("system") : position === null ? by : `${by}, ${positionName(position)}`);

/** How many there are, and what of them is not here. */
function notesOf({ left_off, lines, exceptions_kept }: ExceptionsReport): string[] {
  const shown = left_off > 0 ? say("leftOff", { n: left_off }) : say("newestFirst", { n: lines.length });
  return exceptions_kept ? [shown] : [shown, say("exceptionsGone")];
}

export function ofExceptions(report: ExceptionsReport, recallOf: (table: string, round: number) => string): Section[] {
  const place = (one: Exceptional) =>
    one.table === null || one.round === null ? (
      placeOf(one)
    ) : (
      <Link class="linkb" to={recallOf(one.table, one.round)}>
        {say("tableRound", { table: placeOf(one), n: one.round })}
      </Link>
    );
  const columns: ReportColumn<Exceptional>[] = [
    { name: say("when"), words: true, cell: ({ moment }) => clock(moment, true), file: ({ moment }) => moment },
    { name: say("place"), words: true, cell: place, file: placeOf },
    {
      name: say("what"),
      words: true,
      wraps: true,
      cell: (one) => (
        <span class="twol">
          {what(one)}
          <small>{[named("kind", one.kind), aboutWhat(one), one.patron ?? ""].filter(Boolean).join(" · ")}</small>
        </span>
      ),
      file: (one) => [named("kind", one.kind), what(one), aboutWhat(one)].filter(Boolean).join(": "),
    },
    { name: say("by"), words: true, wraps: true, cell: people, file: people },
    { name: say("second"), words: true, cell: ({ second }) => second ?? "", file: ({ second }) => second },
    { name: say("amount"), cell: (one) => (one.cents === 0 ? "" : one.kind === "count" ? signed(one.cents) : money(one.cents)), file: ({ cents }) => sum(cents) },
    { name: say("clause"), words: true, cell: ({ clause }) => clause ?? "", file: ({ clause }) => clause },
  ];
  return [
    section({
      title: say("exceptions"),
      note: notesOf(report).join(" · "),
      columns,
      rows: report.lines,
      keyOf: (one) => `${one.table}/${one.sequence}/${one.kind}/${one.code}/${one.moment}/${one.patron}`,
      none: say("noExceptions"),
      marked: ({ kind }) => kind === "void" || kind === "count",
    }),
  ];
}
