import en from "../../i18n/en/reports.json";
import { words } from "../../i18n/words";

export const say = words("reports", en);

/** The words for a value of the wire, such as `how.cut_card`; a name that a house gave stays. */
export function named(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in en ? say(key as keyof typeof en) : value.replaceAll("_", " ");
}
