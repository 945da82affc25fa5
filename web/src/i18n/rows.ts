/** Rows of a pay table: in English as the rulebook has them, in other languages as they are read. */
import { settings } from "../state/settings";
import { translation } from "./catalogues";
import { say } from "./common";
import { filled } from "./words";

const translated = translation("rows");
const POWER = "Power hand: ";

/** "Banker wins on 6" is found as "{side} wins on {n}". */
function other(label: string): string | undefined {
  const rows = translated.value;
  const { language } = settings.value;
  if (label.startsWith(POWER)) {
    const row = other(label.slice(POWER.length));
    return row === undefined ? undefined : filled(language, rows[`${POWER}{row}`] ?? "{row}", { row });
  }
  const ofSide = label.replace(/^(Player|Banker) /, "{side} ");
  const found = rows[label] ?? rows[ofSide] ?? rows[ofSide.replace(/\d/, "{n}")];
  const side = label.startsWith("Player ") ? "player" : "banker";
  const n = /\d/.exec(label)?.[0] ?? "";
  return found === undefined ? undefined : filled(language, found, { side: say(side), n });
}

/** "8 to 1", "30 · 15 to 1" and the like, wherever they stand in a text. */
export const oddsName = (text: string): string =>
  text.replace(/([\d.]+(?: · [\d.]+)*) to (\d+)/g, (_, won: string, staked: string) => say("odds", { won, staked }));

/** So short a part does not break at all, however small the window. */
const SHORT = 12;
const whole = (text: string): string => text.replaceAll(" ", "\u00a0");

/** Odds break between each other, never within; the dot between them ends a line and begins none. */
export const unbroken = (odds: string): string =>
  odds
    .split(" · ")
    .map((part) => (part.length <= SHORT ? whole(part) : part.replace(/[\d.]+ \S+ [\d.]+/g, whole)))
    .join("\u00a0· ");

export const rowName = (label: string): string => other(label) ?? oddsName(label);
