/** Where the wagers of a game lie: side wagers above, Player left, Tie between, Banker right. */
import type { TableView, WagerShown } from "../../../api/types";

export type SpotSide = "player" | "banker" | "tie" | null;

export interface Spot {
  wager: WagerShown;
  side: SpotSide;
  /** Player, Tie and Banker: larger, in the lower row, with a letter. */
  main: boolean;
  /** Columns of 60 on the felt, and of 6 on a phone. */
  span: number;
  phoneSpan: number;
}

export interface Layout {
  upper: Spot[];
  lower: Spot[];
  /** Live Baccarat: Tie takes both rows, between the pairs. */
  tallTie: boolean;
}

const COLUMNS = 60;
const PHONE_COLUMNS = 6;
/** The columns of a spot of which a phone has three beside each other. */
export const THREE_IN_A_ROW = PHONE_COLUMNS / 3;
const MAIN = ["player", "tie", "banker"] as const;

/** The upper row from left to right; a game has a part of it. */
const ORDER = [
  "player-natural-8",
  "player-natural-9",
  "player-precious-pair",
  "player-pair",
  "player-fabulous-4",
  "player-dragon-bonus",
  "tiger",
  "small-tiger",
  "big-tiger",
  "tiger-tie",
  "tiger-pair",
  "super-six",
  "super-6",
  "fortune-six",
  "banker-dragon-bonus",
  "banker-fabulous-4",
  "banker-pair",
  "banker-precious-pair",
  "banker-natural-8",
  "banker-natural-9",
];

export function sideOf(slug: string): SpotSide {
  if (slug === "tie") return "tie";
  if (slug.startsWith("player")) return "player";
  return slug.startsWith("banker") ? "banker" : null;
}

const isMain = (slug: string): boolean => (MAIN as readonly string[]).includes(slug);

/** A wager that the order does not know lies in the middle. */
function rank(slug: string): number {
  const found = ORDER.indexOf(slug);
  return found < 0 ? ORDER.indexOf("tiger") : found;
}

/** Two or three in a row on a phone, so that every row is full. */
function phoneSpan(count: number, place: number): number {
  if (count % 2 === 0) return PHONE_COLUMNS / 2;
  const threes = count === 1 ? 0 : 3;
  if (place < threes) return THREE_IN_A_ROW;
  return count === 1 ? PHONE_COLUMNS : PHONE_COLUMNS / 2;
}

export function layoutOf(wagers: readonly WagerShown[], live: boolean): Layout {
  const sides = wagers.filter((wager) => !isMain(wager.slug)).sort((a, b) => rank(a.slug) - rank(b.slug));
  const tie = sides.length === 6 ? 10 : 12;
  const upper = sides.map((wager, place) => ({
    wager,
    side: sideOf(wager.slug),
    main: false,
    span: Math.floor(COLUMNS / sides.length),
    phoneSpan: phoneSpan(sides.length, place),
  }));
  const lower = MAIN.flatMap((slug) => {
    const wager = wagers.find((one) => one.slug === slug);
    if (wager === undefined) return [];
    const span = slug === "tie" ? tie : (COLUMNS - tie) / 2;
    return [{ wager, side: sideOf(slug), main: true, span, phoneSpan: slug === "tie" ? PHONE_COLUMNS : PHONE_COLUMNS / 2 }];
  });
  return { upper, lower, tallTie: live && sides.length === 2 };
}

/** An electronic table is dealt by its system. */
export const isLive = (rules: TableView["rules"]): boolean => rules !== null && rules?.dealt_by !== "system";

const POWER = /^Power hand: /;
const TO_ONE = /^([\d.]+) to 1$/;

export interface Pay {
  /** Odds as the rulebook writes them; `on`: the total for which they hold. */
  pays: string;
  on: number | null;
  push: boolean;
  /** Better odds of a Power hand, and for what they hold: a natural, some totals, pairs of some ranks. */
  power: boolean;
  when: { what: "natural" | "totals" | "pairs"; a: string; b: string } | null;
}

/** "tie on 8 or 9" holds for two totals, "pair of 8's or 9's" for two ranks, a natural by itself. */
function whenOf(label: string): Pay["when"] {
  if (/ with a natural$/.test(label)) return { what: "natural", a: "", b: "" };
  const found = / (on|pair of) (\d)(?:'s)? or (\d)(?:'s)?$/.exec(label);
  return found === null ? null : { what: found[1] === "on" ? "totals" : "pairs", a: found[2] ?? "", b: found[3] ?? "" };
}

/** The total of which a row speaks at its end. */
export const totalOf = (label: string): number | null => {
  const found = / on (\d)$/.exec(label);
  return found === null ? null : Number(found[1]);
};

/** The odds of a spot: the usual one first; pushes on a tie go without saying. */
export function paysOf(wager: WagerShown, power: boolean): Pay[] {
  const rows = wager.rows.filter((row) => !(row.pays === "Push" && /tie$/i.test(row.label)));
  const shown = rows.filter((row) => power || !POWER.test(row.label));
  const main = isMain(wager.slug);
  const pays = shown.map((row) => ({
    pays: row.pays,
    on: main && wager.slug !== "tie" ? totalOf(row.label) : null,
    push: row.pays === "Push",
    power: POWER.test(row.label),
    when: POWER.test(row.label) ? whenOf(row.label) : null,
  }));
  const order = (pay: Pay): number => (pay.power ? 2 : pay.on === null ? 0 : 1);
  return pays.sort((a, b) => order(a) - order(b));
}

/** "12 · 20 to 1": odds to one are written once; the same odds too. */
export function joined(pays: readonly string[]): string {
  const different = [...new Set(pays)];
  const numbers = different.map((one) => TO_ONE.exec(one)?.[1]);
  if (different.length > 1 && numbers.every((one) => one !== undefined)) return `${numbers.join(" · ")} to 1`;
  return different.join(" · ");
}
