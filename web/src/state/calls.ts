/** Whom a patron called and what was asked, and what became of it. */
import { call, post } from "../api/http";
import type { Schemas } from "../api/types";
import { now } from "./clock";
import { useMine } from "./table";

export type Call = Schemas["CallShown"];
export type CallState = "none" | "called" | "seen";

/** For so long a terminal says that somebody is on the way. */
const SEEN_MS = 5 * 60_000;

/** The newest call for an attendant to a table, while it says something; the newest call is first. */
export function callAt(calls: readonly Call[], table: string, at: number): { state: CallState; call: Call | null } {
  const newest = calls.find((one) => one.code === "attendant_called" && one.table === table);
  if (newest === undefined) return { state: "none", call: null };
  if (newest.seen === null) return { state: "called", call: newest };
  return at - Date.parse(newest.seen) > SEEN_MS ? { state: "none", call: null } : { state: "seen", call: newest };
}

/** What was asked about a round last; null: nothing. */
export const askedAbout = (calls: readonly Call[], table: string, round: number): Call | null =>
  calls.find((one) => one.code === "round_asked" && one.table === table && one.round === round) ?? null;

export const useCalls = (): readonly Call[] => useMine().value?.view.calls ?? [];

export const useCall = (table: string): { state: CallState; call: Call | null } => callAt(useCalls(), table, now.value);

const at = (table: string): string => `/tables/${encodeURIComponent(table)}`;
export const callAttendant = (table: string): Promise<Call> => post<Call>(`${at(table)}/attendant`);
export const takeBack = (table: string): Promise<void> => call<void>("DELETE", `${at(table)}/attendant`);
export const askAbout = (table: string, round: number, note: string): Promise<Call> => post<Call>(`${at(table)}/rounds/${round}/asked`, { note });
