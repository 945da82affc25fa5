/** A display speaks English and Chinese together, whatever this browser is set to. */
import en from "../../i18n/en/display.json";
import { filled, type Values } from "../../i18n/words";
import names from "../../i18n/zh-Hans/names.json";
import zh from "../../i18n/zh-Hans/display.json";

export type Key = keyof typeof en;

export const english = (key: Key, values: Values = {}): string => filled("en", en[key], values);
export const chinese = (key: Key, values: Values = {}): string => filled("zh-Hans", zh[key], values);

/** The Chinese name of a wager alone. */
export const wagerChinese = (slug: string): string => (names as Record<string, string>)[`wager.${slug}`] ?? "";

/** Both in one line, the English first. */
export function Both(props: { of: Key; with?: Values; zhWith?: Values }) {
  return (
    <>
      <span lang="en">{english(props.of, props.with)}</span>{" "}
      <span lang="zh-Hans" class="zh">
        {chinese(props.of, props.zhWith ?? props.with)}
      </span>
    </>
  );
}

const DAYS = [
  ["en-GB", { weekday: "short", day: "numeric", month: "short" }],
  ["zh-Hans", { weekday: "short", day: "numeric", month: "long" }],
] as const;

/** The day in both languages. */
export const bothDays = (moment: number, zone?: string): string[] =>
  DAYS.map(([language, parts]) => new Intl.DateTimeFormat(language, { ...parts, ...(zone === undefined ? {} : { timeZone: zone }) }).format(moment));
