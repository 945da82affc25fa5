/** Rows of a pay table: in English as the rulebook has them, in Chinese as they are read. */
import { settings } from "../state/settings";

const SIDES: Record<string, string> = { Player: "闲", Banker: "庄" };

const WHOLE: Record<string, string> = {
  Tie: "和局",
  Push: "退回",
  "Natural tie": "例牌和局",
  "Player Pair": "闲对",
  "Banker Pair": "庄对",
  "Diamond pair": "方块对子",
  "Gold pair": "金对子",
  "Pair of Diamond 4's": "方块 4 对子",
  "Pair of Gold 4's": "金 4 对子",
  "Other pair of 4's": "其他 4 对子",
  "Other pair": "其他对子",
  "Tie on Element Eights": "五行八和局",
  "Single: one hand pairs": "单对：一手成对",
  "Double: both hands pair, on different ranks": "双对：两手成对，点数不同",
  "Twin: both hands pair on one rank": "孪对：两手成对，点数相同",
  "tie on 8 or 9": "8 点或 9 点和局",
};

type Said = (...found: string[]) => string;
const PATTERNS: readonly [RegExp, Said][] = [
  [/^(Player|Banker) wins$/, (side) => `${side}赢`],
  [/^(Player|Banker) wins on any other total$/, (side) => `${side}以其他点数赢`],
  [/^(Player|Banker) wins on (\d) with two cards$/, (side, n) => `${side}以两张牌 ${n} 点赢`],
  [/^(Player|Banker) wins on (\d) with three cards$/, (side, n) => `${side}以三张牌 ${n} 点赢`],
  [/^(Player|Banker) wins on (\d)$/, (side, n) => `${side}以 ${n} 点赢`],
  [/^(Player|Banker) wins by (\d), no natural$/, (side, n) => `${side}非例牌赢 ${n} 点`],
  [/^(Player|Banker) wins with a natural$/, (side) => `${side}以例牌赢`],
  [/^(Player|Banker) wins with a natural (\d)$/, (side, n) => `${side}以例牌 ${n} 赢`],
  [/^(Player|Banker) pair of 8's or 9's$/, (side) => `${side} 8 或 9 对子`],
  [/^Tie on (\d)$/, (n) => `${n} 点和局`],
];

function chinese(label: string): string | undefined {
  const power = "Power hand: ";
  if (label.startsWith(power)) {
    const rest = chinese(label.slice(power.length));
    return rest === undefined ? undefined : `Power hand：${rest}`;
  }
  for (const [pattern, said] of PATTERNS) {
    const found = pattern.exec(label);
    if (found !== null) return said(...found.slice(1).map((part) => SIDES[part] ?? part));
  }
  return WHOLE[label];
}

export const rowName = (label: string): string => (settings.value.language === "zh-Hans" ? (chinese(label) ?? label) : label);
