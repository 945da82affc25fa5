/** Why a round is void, as a sentence. */
import { settings } from "../state/settings";
import { voidBrief } from "./names";

export function voidReason(why: string): string {
  const plain = voidBrief(why.replace(/\.$/, ""));
  return settings.value.language === "zh-Hans" ? `${plain}。` : `${plain.charAt(0).toUpperCase()}${plain.slice(1)}. `;
}
