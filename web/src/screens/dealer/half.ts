/** A report that is half written: kept in this tab until it is sent, left, or open no more. */
import type { Field, Open, Situation } from "../../api/types";
import { fieldOf } from "../../state/may";
import { keep, kept, ownPlace } from "../../state/kept";
import type { Part } from "./course";
import { blank, choicesOf, type Draft, fits, type Held, type Single } from "./form";
import { canReport, reportsOn, SITUATION, tellsSituation } from "./situations";

export interface Half {
  situation: Situation;
  draft: Draft;
  /** How the cards lay is told, where it need not be. */
  tells: boolean;
}

type Reports = Pick<Part, "may" | "not_here">;

/** The start of a report: what has one value only, and what was noted before. */
export function begun(part: Reports, situation: Situation, note: string): Half {
  const [first] = reportsOn(part.may, situation);
  return { situation, draft: { ...(first ? blank(first) : {}), ...tellsSituation({}, situation), note }, tells: false };
}

/** Whether an answer, or as much of it as was given, is one that the field still takes. */
function keeps(open: Open, field: Field, held: Held): boolean {
  const { allowed, kind } = field;
  if (Array.isArray(held)) {
    if (Array.isArray(allowed)) return held.every((one) => (allowed as unknown[]).includes(one));
    return allowed == null || held.length <= allowed.maximum;
  }
  if (kind !== "choice" && kind !== "flag") return fits(open, { [field.name]: held }, field);
  const values = choicesOf(open, {}, field);
  return values.length === 0 ? typeof held === "boolean" : values.includes(held as Single);
}

/** What is left of a report when the table has moved: null where it cannot be made any more. */
export function stillOpen(part: Reports, half: Half): Half | null {
  if (!canReport(part, half.situation)) return null;
  const opens = reportsOn(part.may, half.situation);
  const taken = (name: string, held: Held): boolean =>
    opens.some((open) => {
      const field = fieldOf(open, name);
      return field !== undefined && keeps(open, field, held);
    });
  const said = Object.entries(half.draft);
  const left = said.filter(([name, held]) => {
    if (name === SITUATION) return true;
    return name === "note" ? typeof held === "string" : held !== undefined && taken(name, held);
  });
  return left.length === said.length ? half : { ...half, draft: Object.fromEntries(left) };
}

const place = (table: string): string => ownPlace("report", table);

export const keepHalf = (table: string, round: number | null, half: Half): void => keep(place(table), { round, ...half });
export const dropHalf = (table: string): void => keep(place(table), null);

/** The report that waits in this round, as far as the table still takes it. */
export function keptHalf(table: string, round: number | null, part: Reports): Half | null {
  const found = kept(place(table)) as (Half & { round: number | null }) | null;
  if (found === null || found.round !== round || typeof found.draft !== "object") return null;
  const { situation, draft, tells } = found;
  return stillOpen(part, { situation, draft: tellsSituation(draft, situation), tells });
}
