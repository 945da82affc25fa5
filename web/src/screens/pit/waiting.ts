/** What a table waits for that the pit decides, and whether this position may. */
import type { Open, PitPart, Situation, TableView } from "../../api/types";
import { byNumber } from "../../state/tables";
import type { PitTable } from "./floor";

type HoldKind = NonNullable<PitPart["hold"]>["kind"];

/** By which commands a hold is answered, whoever gives them. */
export const ANSWERS: Record<HoldKind, readonly string[]> = {
  report: ["confirm_report", "dismiss_report"],
  balance: ["take_off_wager"],
  withdrawal: ["end_option"],
  order: ["set_order"],
  reset: ["reset_device"],
  reserve: ["reserve_cards", "decide_referral"],
  sort: ["record_sorting", "decide_referral"],
  substitute: ["substitute", "decide_referral"],
  referral: ["decide_referral"],
};

export type MatterKind = HoldKind | "replacement" | "terminal" | "step";

export interface Matter {
  table: string;
  kind: MatterKind;
  situation: Situation | null;
  /** The sentence of the server, where there is one. */
  why: string | null;
  clause: string | null;
  since: string | null;
  /** The record with which this very question began; another one of its kind has another. */
  hold?: number | null;
  /** What this position may give to settle it; empty: somebody else does. */
  answers: Open[];
  /** Who is waited for otherwise. */
  positions: readonly string[];
  patrons: readonly string[];
  /** Terminals that it is about, in which round. */
  terminals?: PitPart["flagged"];
}

/** Whoever decides what no rule covers decides on a terminal that failed, in every rulebook that has terminals. */
const DECIDES_TERMINALS: readonly string[] = ["Gaming Shift Manager"];

const openTo = (pit: PitPart, commands: readonly string[]): Open[] => pit.may.filter((open) => commands.includes(open.command));

/** What a table waits for, as its view for the pit has it. */
export function mattersOf(table: string, view: TableView): Matter[] {
  const { pit } = view;
  if (pit === undefined) return [];
  const matters: Matter[] = [];
  const { hold, next } = pit;
  const who = { positions: next.positions, patrons: next.patrons };
  if (hold !== null) {
    matters.push({
      table,
      kind: hold.kind,
      situation: hold.situation,
      why: next.why,
      clause: hold.clause,
      since: hold.since,
      hold: view.hold?.since ?? null,
      answers: openTo(pit, ANSWERS[hold.kind]),
      ...who,
    });
  }
  if (pit.replacement_due) {
    const answers = openTo(pit, ["decide_replacement"]);
    matters.push({ table, kind: "replacement", situation: null, why: null, clause: answers[0]?.clause ?? null, since: null, answers, ...who });
  }
  if (pit.flagged.length > 0) {
    const answers = openTo(pit, ["decide_terminal"]);
    const clause = answers[0]?.clause ?? null;
    matters.push({ table, kind: "terminal", situation: null, why: null, clause, since: null, answers, positions: DECIDES_TERMINALS, patrons: [], terminals: pit.flagged });
  }
  return matters;
}

/** Which question it is: another one of the same table and kind is another question. */
export const questionOf = ({ table, kind, hold }: Pick<Matter, "table" | "kind" | "hold">): string => `${table}/${kind}/${hold ?? ""}`;

const PIT: readonly string[] = ["Pit Supervisor", "Pit Manager", "Assistant Casino Manager", "Gaming Shift Manager"];

/** Tables that must be followed to tell what they wait for. */
export const followed = (tables: readonly PitTable[]): string[] =>
  tables
    .filter(({ hold, waits, summary }) => hold !== null || summary.kind === "electronic" || (waits?.positions ?? []).some((one) => PIT.includes(one)))
    .map(({ summary }) => summary.name);

/** Whether this position may settle it. */
const isMine = ({ answers }: Matter): boolean => answers.length > 0;

/** What one's own position may settle comes first; then the longest wait. */
export function inOrder(matters: readonly Matter[]): Matter[] {
  const mine = (matter: Matter): number => (isMine(matter) ? 0 : 1);
  const at = ({ since }: Matter): number => (since === null ? Infinity : Date.parse(since));
  return [...matters].sort((a, b) => mine(a) - mine(b) || at(a) - at(b) || byNumber({ name: a.table }, { name: b.table }));
}

/** What waits for this position, and what waits for somebody else. */
export const apart = (matters: readonly Matter[]): [mine: Matter[], others: Matter[]] => [matters.filter(isMine), matters.filter((matter) => !isMine(matter))];

export const waitsForMe = (matters: readonly Matter[]): number => apart(matters)[0].length;

/** How near the stakes are to the differential that is set, in percent; null: none is set. */
export function differentialAt(view: Pick<TableView, "differential">): number | null {
  const differential = view.differential;
  if (differential?.limit_cents == null || differential.limit_cents === 0) return null;
  return Math.round((100 * differential.cents) / differential.limit_cents);
}
