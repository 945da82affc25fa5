/** Alarms in words: what one is called, and its places and numbers. */
import type { Schemas } from "../api/types";
import { settings } from "../state/settings";
import { say as common } from "./common";
import en from "./en/alarms.json";
import { money } from "./money";
import { wagerBySlug } from "./names";
import { tableWords } from "./tables";
import { words } from "./words";

type Alarm = Schemas["Alarm"];
const say = words("alarms", en);

const percent = ({ cents, limit_cents: limit }: Alarm): number => (cents == null || !limit ? 0 : Math.floor((cents * 100) / limit));

/** "Scan mismatch"; "Differential at 92 %". */
export const alarmName = (alarm: Alarm): string => say(alarm.code, { percent: percent(alarm) });

/** The same where its figures are not at hand. */
export const alarmWord = (code: string): string => (code === "differential" ? say("apart") : code in en ? say(code as keyof typeof en) : code.replaceAll("_", " "));

const side = (wager: string): string => (wager === "player" || wager === "banker" ? common(wager) : wager);

/** What was counted beside what the ledger has, and by how much it is over or short. */
function counted({ cents, limit_cents: limit, counted: what }: Alarm): string[] {
  const [found, due] = [cents ?? 0, limit ?? 0];
  const sums = { cents: money(found), limit: money(due) };
  return [say(what === "drop" ? "counted_drop" : "counted_closer", sums), say(found > due ? "over" : "short", { cents: money(Math.abs(found - due)) })];
}

/** Where it was raised: a table, or the house where it concerns all of them. */
export const alarmPlace = ({ table }: Pick<Alarm, "table">): string => (table === "house" ? say("theHouse") : tableWords(table));

/** What only alarms of this kind say. */
function details(alarm: Alarm): string[] {
  const { cents, wager, rate, usual, limit_cents: limit } = alarm;
  switch (alarm.code) {
    case "big_win":
    case "stake_found":
      return [say("amountOn", { cents: money(cents ?? 0), wager: wagerBySlug(wager ?? "") })];
    case "differential":
      return [say("ahead", { side: side(wager ?? ""), cents: money(cents ?? 0), limit: money(limit ?? 0) })];
    case "slow":
    case "fast":
      return [say("pace", { rate: rate ?? 0, usual: usual ?? 0 })];
    case "device_silent":
      return [say("silent", { seconds: rate ?? 0, usual: usual ?? 0 })];
    case "waits":
      return [say("waited", { seconds: rate ?? 0, usual: usual ?? 0 })];
    case "shoe_ends":
      return [say("cutCard")];
    case "round_void":
      return [say("wentBack", { cents: money(cents ?? 0) })];
    case "count_differs":
      return counted(alarm);
    case "clock_skew":
      return [say((rate ?? 0) > 0 ? "clockAhead" : "clockBehind", { seconds: Math.abs(rate ?? 0), usual: usual ?? 0 })];
    case "supervisor_called":
      return alarm.staff == null ? [] : [say("calledBy", { who: alarm.staff })];
    case "round_asked":
      return alarm.note == null ? [] : [say("says", { note: alarm.note })];
    default:
      return [];
  }
}

/** Where it is and what it counts; in English the server's own sentence, of a device or of nothing else. */
export function alarmText(alarm: Alarm): string {
  if (alarm.device != null && settings.value.language === "en") return alarm.sentence;
  const parts = alarm.device == null ? [] : [alarm.device];
  if (alarm.position != null) parts.push(say(alarm.code === "terminal_lost" ? "terminal" : "seat", { n: alarm.position }));
  if (alarm.patron != null) parts.push(alarm.patron);
  parts.push(...details(alarm));
  if (alarm.round != null) parts.push(say("round", { n: alarm.round }));
  if (alarm.shoe != null) parts.push(say("shoe", { n: alarm.shoe }));
  if (alarm.card != null) parts.push(say("card", { n: alarm.card + 1 }));
  if (parts.length > 0 || settings.value.language !== "en") return parts.join(" · ");
  return alarm.sentence;
}

/** Its place and its text, which not every alarm has in every language. */
export const alarmFacts = (alarm: Alarm): string => [alarmPlace(alarm), alarmText(alarm)].filter(Boolean).join(" · ");
