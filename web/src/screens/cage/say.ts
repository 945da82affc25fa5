import en from "../../i18n/en/cage.json";
import { words } from "../../i18n/words";

export const say = words("cage", en);
export type Word = keyof typeof en;

/** The words for a value of the wire, such as `slip.fill`; what has none is shown as it is. */
export function named(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in en ? say(key as Word) : value.replaceAll("_", " ");
}
