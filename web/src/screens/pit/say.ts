import en from "../../i18n/en/pit.json";
import { words } from "../../i18n/words";
import { named as dealerNamed } from "../dealer/say";

export const say = words("pit", en);
export type Word = keyof typeof en;

/** Words for a value of the wire, such as `hold.report`: those of the pit, else of the Dealer. */
export function named(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in en ? say(key as Word) : dealerNamed(group, value);
}
