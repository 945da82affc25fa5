/** What the journal has on record, in words: names of commands and facts, and their values. */
import en from "../../i18n/en/record.json";
import { say as common } from "../../i18n/common";
import { clock, day, money } from "../../i18n/money";
import { cardName } from "../../draw/cards";
import { drawLanguage } from "../../parts/Card";
import { positionName, roomName, wagerAlone } from "../../i18n/names";
import { rowName } from "../../i18n/rows";
import { words } from "../../i18n/words";
import { named as atCage } from "../cage/say";
import { named as atTable, say as dealer } from "../dealer/say";

const say = words("record", en);

/** Words of this catalogue; null where it has none. */
function own(group: string, name: string): string | null {
  const key = `${group}.${name}`;
  return key in en ? say(key as keyof typeof en) : null;
}

/** The first of some names that is in words: a name of the wire has underscores. */
function worded(name: string, found: readonly string[]): string {
  const plain = name.replaceAll("_", " ");
  return found.find((one) => one !== plain && one !== name) ?? plain;
}

/** A command in the words of the screen that gives it. */
export const commandName = (type: string): string => own("command", type) ?? worded(type, [atTable("command", type), atCage("act", type)]);

export const factName = (name: string): string => own("field", name) ?? worded(name, [atTable("field", name)]);

/** Facts in the words of whoever gave them, or of the rulebook. */
export const FREE: ReadonlySet<string> = new Set(["question", "options", "choice", "reason", "why", "note", "clause", "correction"]);
/** Facts that name somebody or something by a name of its own. */
const NAMED: ReadonlySet<string> = new Set(["patron", "user", "dealer", "name", "table", "shoe", "device", "game", "rulebook", "designee", "by"]);
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+/;
const CARD = /^(?:10|[2-9TJQKA])[SHDC]$|-(?:Fire|Gold|Earth|Wood|Water)$/;
const GROUPS = ["situation", "decision", "held", "ruled", "phase", "dealt_by"] as const;

/** How the clocks of a table were set, as the journal writes it. */
const CLOCKS = /^betting (?<betting>\d+) ms, pause (?<pause>\d+) ms, pace (?<pace>\d+) ms, answer (?<answer>\d+) ms$/;

function clocksWords(value: string): string | null {
  const found = CLOCKS.exec(value)?.groups;
  if (found === undefined) return null;
  return say("clocks", Object.fromEntries(Object.entries(found).map(([name, ms]) => [name, Number(ms) / 1000])));
}

function text(fact: string, value: string): string {
  if (NAMED.has(fact)) return value;
  const clocks = clocksWords(value);
  if (clocks !== null) return clocks;
  const known = own("value", value.replaceAll(" ", "_"));
  if (known !== null) return known;
  if (FREE.has(fact) && value.includes(" ")) return value;
  if (MOMENT.test(value)) return `${day(value)} ${clock(value, true)}`;
  if (CARD.test(value)) return cardName(value, drawLanguage());
  if (value === "player" || value === "banker" || value === "tie") return common(value);
  if (fact === "room") return roomName(value);
  if (fact === "row" || fact === "pays") return rowName(value);
  const wager = wagerAlone(value);
  if (wager !== value) return wager;
  const position = positionName(value);
  if (position !== value) return position;
  return worded(value, GROUPS.map((group) => atTable(group, value)));
}

/** A value that stands in one line; null: it has facts of its own. */
export function factValue(fact: string, value: unknown): string | null {
  if (typeof value === "boolean") return dealer(value ? "yes" : "no");
  if (typeof value === "number") return fact === "cents" || fact.endsWith("_cents") ? money(value) : String(value);
  if (typeof value === "string") return text(fact, value);
  if (!Array.isArray(value)) return null;
  const each = value.map((one) => factValue(fact, one));
  return each.includes(null) ? null : each.join(", ");
}

/** The facts of an object or a list, as names and values; what is empty is left out. */
export function factsOf(fact: string, value: object): [name: string, key: string, value: unknown][] {
  if (Array.isArray(value)) return value.map((one, i) => [String(i + 1), fact, one]);
  const held = Object.entries(value).filter(([, one]) => one !== null && one !== "" && !(Array.isArray(one) && one.length === 0));
  return held.map(([name, one]) => [fact === "limits" ? wagerAlone(name) : factName(name), name, one]);
}
