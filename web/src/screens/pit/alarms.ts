/** Alarms by weight, and which of them somebody may acknowledge. */
import type { Schemas } from "../../api/types";
import type { IconName } from "../../parts/Icon";

export type Alarm = Schemas["Alarm"];
export type AlarmEnded = Schemas["AlarmEnded"];
export type Weight = "crit" | "warn" | "note";

const WEIGHTS: Record<Alarm["code"], Weight> = {
  left_shoe: "crit",
  scan_mismatch: "crit",
  die_mismatch: "crit",
  out_of_order: "warn",
  misread: "warn",
  die_not_due: "note",
  device_silent: "warn",
  extra_card: "crit",
  round_void: "crit",
  count_differs: "crit",
  clock_skew: "warn",
  attendant_called: "warn",
  round_asked: "warn",
  supervisor_called: "warn",
  terminal_lost: "warn",
  differential: "warn",
  stake_found: "warn",
  slow: "warn",
  fast: "warn",
  waits: "warn",
  big_win: "note",
  shoe_ends: "note",
};

export const weightOf = (alarm: Pick<Alarm, "code">): Weight => WEIGHTS[alarm.code];

export const ICONS: Record<Weight, IconName> = { crit: "stop", warn: "alert", note: "info" };

/** A card that left the shoe is settled by the table, not by looking at it. */
export const acknowledgeable = (alarm: Pick<Alarm, "code">): boolean => alarm.code !== "left_shoe";

const HEAVY: Record<Weight, number> = { crit: 0, warn: 1, note: 2 };

/** All that stand, the heaviest first, then the newest. */
export function standing(byTable: Record<string, readonly Alarm[]> | null | undefined): Alarm[] {
  const all = Object.values(byTable ?? {}).flat();
  return all.sort((a, b) => HEAVY[weightOf(a)] - HEAVY[weightOf(b)] || b.number - a.number);
}

export type AlarmFilter = "open" | "all" | "critical" | "mine";

export interface AlarmRow {
  alarm: Alarm;
  ended: AlarmEnded | null;
}

/** Rows of the list: open ones first, then those that are over, the newest first. */
export function rowsOf(open: readonly Alarm[], over: readonly AlarmEnded[], filter: AlarmFilter, table: string | null, me: string): AlarmRow[] {
  const rows: AlarmRow[] = [...open.map((alarm) => ({ alarm, ended: null })), ...over.map((alarm) => ({ alarm, ended: alarm }))];
  return rows.filter(({ alarm, ended }) => {
    if (table !== null && alarm.table !== table) return false;
    if (filter === "open") return ended === null;
    if (filter === "critical") return weightOf(alarm) === "crit";
    return filter === "all" || ended?.acknowledged_by === me;
  });
}

/** The middle of how long alarms of a weight stood until somebody looked; null: none was. */
export function medianSeen(over: readonly AlarmEnded[], weight: Weight): number | null {
  const spans = over
    .filter((alarm) => alarm.acknowledged_by !== null && weightOf(alarm) === weight)
    .map((alarm) => Date.parse(alarm.ended) - Date.parse(alarm.moment))
    .sort((a, b) => a - b);
  if (spans.length === 0) return null;
  const half = (spans.length - 1) / 2;
  return ((spans[Math.floor(half)] ?? 0) + (spans[Math.ceil(half)] ?? 0)) / 2;
}
