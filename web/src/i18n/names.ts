/** Names of wagers, games and positions: as approved, with the translation where it is read. */
import { settings, type Language } from "../state/settings";

const WAGERS: Record<string, string> = {
  player: "闲",
  banker: "庄",
  tie: "和",
  "player-pair": "闲对",
  "banker-pair": "庄对",
  "player-precious-pair": "闲珍贵对",
  "banker-precious-pair": "庄珍贵对",
  "player-fabulous-4": "闲神奇四",
  "banker-fabulous-4": "庄神奇四",
  "player-natural-8": "闲例牌 8",
  "player-natural-9": "闲例牌 9",
  "banker-natural-8": "庄例牌 8",
  "banker-natural-9": "庄例牌 9",
  "fortune-six": "幸运六",
  "super-six": "超级六",
  "super-6": "超级 6",
  "player-dragon-bonus": "闲龙宝",
  "banker-dragon-bonus": "庄龙宝",
  tiger: "老虎",
  "small-tiger": "小老虎",
  "big-tiger": "大老虎",
  "tiger-tie": "老虎和",
  "tiger-pair": "老虎对",
};

/** Drafts for a native reader, of the wagers that every game has. */
const DRAFTS: Partial<Record<Language, Record<string, string>>> = {
  ms: { player: "Pemain", banker: "Banker", tie: "Seri", "player-pair": "Pasangan Pemain", "banker-pair": "Pasangan Banker" },
  ta: { player: "ஆட்டக்காரர்", banker: "வங்கியாளர்", tie: "சமநிலை", "player-pair": "ஆட்டக்காரர் ஜோடி", "banker-pair": "வங்கியாளர் ஜோடி" },
};

const POSITIONS: Record<string, string> = {
  Dealer: "荷官",
  "Pit Supervisor": "赌区主管",
  "Pit Manager": "赌区经理",
  "Assistant Casino Manager": "赌场副经理",
  "Gaming Shift Manager": "值班经理",
  Cashier: "出纳",
  "Cage Supervisor": "账房主管",
  Surveillance: "监控",
  Technician: "技术员",
  Auditor: "审计",
  Administrator: "管理员",
};

/** The Chinese name of a wager alone, for what speaks both languages. */
export const wagerChinese = (slug: string): string => WAGERS[slug] ?? "";

const chinese = (): boolean => settings.value.language === "zh-Hans";

/** A wager's name as approved; in other languages with the translation before it. */
export function wagerName(slug: string, name: string): string {
  const { language } = settings.value;
  const translated = language === "zh-Hans" ? WAGERS[slug] : DRAFTS[language]?.[slug];
  return translated !== undefined && translated !== name ? `${translated} ${name}` : name;
}

export function positionName(position: string): string {
  const translated = POSITIONS[position];
  return chinese() && translated !== undefined ? translated : position;
}

const titled = (slug: string): string =>
  slug
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");

/** The name of a wager by its slug alone. */
export const wagerBySlug = (slug: string): string => wagerName(slug, titled(slug));
