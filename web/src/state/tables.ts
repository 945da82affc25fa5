/** Tables as a list sees them: what state one is in, how it is named, and who fits a filter. */
import type { Phase, TableSummary, Wallet } from "../api/types";
import { house } from "../app/session";

export type TableState = "closed" | "held" | "open" | "last" | "waiting" | "stopped" | "shake" | "dealing" | "result" | "settled" | "void";

const STATES: Record<Phase, TableState> = {
  UNOPENED: "closed",
  IDLE: "waiting",
  OPEN: "open",
  CLOSED: "stopped",
  SHAKE: "shake",
  DEALING: "dealing",
  RESULT: "result",
  SETTLED: "settled",
  VOID: "void",
};

/** From so many seconds on it is "Last bets". */
export const LAST_BETS = 5;

/** The state of a table; `left` are the seconds until bets close, where that is known. */
export function stateOf(table: { phase: Phase; hold?: unknown }, left: number | null): TableState {
  if (table.phase === "UNOPENED") return "closed";
  if (table.hold != null) return "held";
  if (table.phase === "OPEN" && left !== null && left <= LAST_BETS) return "last";
  return STATES[table.phase];
}

/** The number over a table, of two figures at least: 08, 31; null: it has none that we know of. */
export function numberOf(table: { name: string; number?: number | null }): string | null {
  const number = table.number ?? house.value?.numbers[table.name];
  return number === undefined ? null : String(number).padStart(2, "0");
}

/** The order of a list: tables by their number, then those without one by name. */
export function byNumber(a: { name: string; number?: number | null }, b: { name: string; number?: number | null }): number {
  const [one, other] = [numberOf(a), numberOf(b)];
  if (one === null || other === null) return Number(one === null) - Number(other === null) || a.name.localeCompare(b.name);
  return Number(one) - Number(other);
}

/** Rows that are each of a table, in the order of the tables. */
export const inOrderOfTables = <Row>(rows: readonly Row[], tableOf: (row: Row) => string): Row[] =>
  rows.toSorted((a, b) => byNumber({ name: tableOf(a) }, { name: tableOf(b) }));

/** What stands large before a table: its number, else its rulebook. */
export const tableMark = (table: { name: string; number?: number | null; rulebook: string | null }): string =>
  numberOf(table) ?? table.rulebook ?? "–";

export interface Filter {
  kind: "all" | "live" | "electronic";
  /** Limits that begin at so many cents; null: all. */
  from: number | null;
  free: boolean;
}

export const EVERYTHING: Filter = { kind: "all", from: null, free: false };

export const seatsFree = ({ seats }: TableSummary): number => Math.max(0, seats.positions - seats.taken);

export const fitting = (tables: readonly TableSummary[], filter: Filter): TableSummary[] =>
  tables.filter(
    (table) =>
      (filter.kind === "all" || table.kind === filter.kind) &&
      (filter.from === null || table.limits?.minimum_cents === filter.from) &&
      (!filter.free || (table.phase !== "UNOPENED" && seatsFree(table) > 0)),
  );

const FROM_MOST = 3;

/** Where limits begin, the lowest first: so many that a choice makes sense. */
export function minima(tables: readonly TableSummary[]): number[] {
  const found = new Set(tables.flatMap(({ limits }) => (limits == null ? [] : [limits.minimum_cents])));
  return found.size < 2 ? [] : [...found].sort((a, b) => a - b).slice(0, FROM_MOST);
}

/** Open tables in the order of the house, then closed ones. */
export function ordered(tables: Record<string, TableSummary>): TableSummary[] {
  const all = Object.values(tables);
  return [...all.filter(({ phase }) => phase !== "UNOPENED"), ...all.filter(({ phase }) => phase === "UNOPENED")];
}

export interface Figures {
  balance: number;
  inPlay: number;
}

/** What somebody has: in the wallet, on the way and at tables; and what is in play. */
export function figuresOf(wallet: Wallet | null | undefined): Figures | null {
  if (wallet == null) return null;
  const sum = (of: "credit_cents" | "in_play_cents" | "reserved_cents"): number => wallet.seats.reduce((all, seat) => all + seat[of], 0);
  return { balance: wallet.cents + wallet.in_transit_cents + sum("credit_cents") + sum("reserved_cents"), inPlay: sum("in_play_cents") };
}

export const seatAt = (wallet: Wallet | null | undefined, table: string): number | null =>
  wallet?.seats.find((seat) => seat.table === table)?.position ?? null;

/**
 * How long bets are open in all: a list tells only when they close, so the most that was seen of
 * a round counts.
 */
export class Spans {
  private readonly most = new Map<string, { closes: string; seconds: number }>();

  of(name: string, closes: string | null | undefined, left: number | null): number {
    if (closes == null || left === null) return 0;
    const before = this.most.get(name);
    const seconds = before?.closes === closes ? Math.max(before.seconds, left) : left;
    this.most.set(name, { closes, seconds });
    return seconds;
  }
}
