/** The pay list row by row: losing wagers are taken first, then pays in the order of the table. */
import type { OwnedStake, PatronLine } from "../../api/types";

export type Doing = "take" | "pay" | "back";

export interface PayRow {
  line: PatronLine;
  seat: number | null;
  /** Other patrons have rows of this seat: its number does not tell whose row it is. */
  shared: boolean;
  doing: Doing;
  /** What goes over the layout: what is taken, paid or handed back. */
  cents: number;
  state: "done" | "now" | "later";
}

export interface Sitting {
  patron: string;
  position: number;
}

const ORDER: Record<Doing, number> = { take: 0, pay: 1, back: 2 };

function doingOf(line: PatronLine): Doing {
  if (line.won_cents < 0) return "take";
  return line.won_cents > 0 ? "pay" : "back";
}

/** What is handed back beside winnings: a push, or what of a stake was not settled. */
export const centsOf = (line: PatronLine): number =>
  line.won_cents === 0 ? line.cents : Math.abs(line.won_cents);

/** A row that was ticked off: whose it is, and what went over the layout for it. */
export interface Tick {
  whose: string;
  what: string;
}

/**
 * Where a settlement is put right, its rows may be as many as before and yet others: a tick holds
 * for its stake and for what was taken or paid, never for a place in the list.
 */
export const tickOf = (line: PatronLine): Tick => ({
  whose: `${line.stake}/${line.patron}`,
  what: [line.wager, line.cents, line.settled_cents, line.result, line.won_cents, line.commission_cents].join("/"),
});

const same = (one: Tick, other: Tick): boolean => one.whose === other.whose && one.what === other.what;

/** The ticks with one more; what went over the layout last for a stake is what counts. */
export function ticked(ticks: readonly Tick[], line: PatronLine): Tick[] {
  const tick = tickOf(line);
  return [...ticks.filter(({ whose }) => whose !== tick.whose), tick];
}

/** The ticks without the last one that is seen in the list. */
export function unticked(ticks: readonly Tick[], lines: readonly PatronLine[]): Tick[] {
  const last = ticks.findLastIndex((tick) => lines.some((line) => same(tickOf(line), tick)));
  return ticks.filter((_, i) => i !== last);
}

/** Rows of the list; those that were ticked off are done. */
export function payRows(
  lines: readonly PatronLine[],
  stakes: readonly OwnedStake[],
  patrons: readonly Sitting[],
  ticks: readonly Tick[],
): PayRow[] {
  const at = new Map(stakes.map((stake) => [stake.number, stake.position]));
  const sits = new Map(patrons.map(({ patron, position }) => [patron, position]));
  const seatOf = (line: PatronLine): number | null => at.get(line.stake) ?? sits.get(line.patron) ?? null;
  const rows = lines.map((line) => ({
    line,
    seat: seatOf(line),
    shared: lines.some((other) => other.patron !== line.patron && seatOf(other) === seatOf(line)),
    doing: doingOf(line),
    cents: centsOf(line),
  }));
  rows.sort((a, b) => ORDER[a.doing] - ORDER[b.doing] || (a.seat ?? 0) - (b.seat ?? 0) || a.line.stake - b.line.stake);
  const done = rows.map(({ line }) => ticks.some((tick) => same(tickOf(line), tick)));
  const now = done.indexOf(false);
  return rows.map((row, i) => ({ ...row, state: done[i] ? "done" : i === now ? "now" : "later" }));
}

/** What is next on the list, and whether all losing wagers lie with the house. */
export function nextOf(rows: readonly PayRow[]): { row: PayRow | null; taken: boolean } {
  const row = rows.find(({ state }) => state === "now") ?? null;
  const taken = rows.some(({ doing }) => doing === "take") && !rows.some(({ doing, state }) => doing === "take" && state !== "done");
  return { row, taken };
}

export interface PaySums {
  taken: number;
  paid: number;
  commission: number;
}

export function paySums(lines: readonly PatronLine[]): PaySums {
  const sums: PaySums = { taken: 0, paid: 0, commission: 0 };
  for (const line of lines) {
    if (line.won_cents < 0) sums.taken -= line.won_cents;
    else sums.paid += line.won_cents;
    sums.commission += line.commission_cents ?? 0;
  }
  return sums;
}
