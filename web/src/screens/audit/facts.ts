/** What the journal has on record, in words: names of commands and facts, and their values. */
import en from "../../i18n/en/record.json";
import { say as common } from "../../i18n/common";
import { clock, day, money } from "../../i18n/money";
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

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+/;
const VALUE_GROUPS = ["situation", "decision", "held", "ruled"] as const;

function text(fact: string, value: string): string {
  if (MOMENT.test(value)) return `${day(value)} ${clock(value, true)}`;
  if (value === "player" || value === "banker" || value === "tie") return common(value);
  if (fact === "room") return roomName(value);
  if (fact === "row") return rowName(value);
  if (fact === "wager" || fact === "optional" || fact === "limits") return wagerAlone(value);
  if (["position", "approved_as", "higher_manager", "acting_for"].includes(fact)) return positionName(value);
  if (fact === "kind" || fact === "situation" || fact === "decision" || fact === "step" || fact === "steps") {
    return own("value", value) ?? worded(value, VALUE_GROUPS.map((group) => atTable(group, value)));
  }
  return ["rounding", "dealt_by", "counted", "limit", "result", "source"].includes(fact) ? (own("value", value) ?? value) : value;
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
