/** Why a round is void: in Chinese the usual reasons, else the house's own words. */
import { settings } from "../state/settings";

const VOID_REASONS: Record<string, string> = {
  "an extra card": "多出一张牌",
  "a missing card": "缺少一张牌",
  "a foreign card": "发现不属于本副的牌",
  "unshuffled cards": "牌未洗",
  "an altered order": "牌序被改动",
  "too few cards": "牌数不足",
  "a card found face up": "发现牌面朝上的牌",
  "a wrong order": "发牌次序错误",
  "a wrong number of cards": "发牌张数错误",
  "a power failure": "停电",
  "an order altered in movement": "移动中牌序被改动",
};

/** As a part of a sentence. */
export const voidBrief = (why: string): string => (settings.value.language === "zh-Hans" ? VOID_REASONS[why.replace(/\.$/, "")] : undefined) ?? why;

/** As a sentence. */
export function voidReason(why: string): string {
  const plain = why.replace(/\.$/, "");
  const translated = settings.value.language === "zh-Hans" ? VOID_REASONS[plain] : undefined;
  if (translated !== undefined) return `${translated}。`;
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}. `;
}
