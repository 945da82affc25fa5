import en from "../../i18n/en/audit.json";
import { tableWords } from "../../i18n/tables";
import { words } from "../../i18n/words";
import { tableOf } from "./verification";

export const say = words("audit", en);
export type Word = keyof typeof en;

/** The words for a value of the wire, such as `check.chain`; what has none is shown as it is. */
export function named(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in en ? say(key as Word) : value.replaceAll("_", " ");
}

/** A stream by the number of its table; those of the house in words. */
export function streamName(stream: string): string {
  const table = tableOf(stream);
  return table === null ? named("stream", stream) : tableWords(table);
}
