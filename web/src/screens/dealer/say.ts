/** The words of the dealer console. */
import en from "../../i18n/en/dealer.json";
import { type Say, words } from "../../i18n/words";

export type Key = keyof typeof en;
export const say: Say<Key> = words<Key>("dealer", en);

/** Words for a name of the wire; the name itself where there are none. */
export function named(group: string, name: string): string {
  const key = `${group}.${name}`;
  return key in en ? say(key as Key) : name.replaceAll("_", " ");
}
