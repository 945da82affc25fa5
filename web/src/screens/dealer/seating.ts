/** Seats and stakes as the Dealer reads them: a row for each position, a column for each wager. */
import type { OwnedStake, TableView, WagerShown } from "../../api/types";
import { dollars } from "../../i18n/money";
import { wagerAlone } from "../../i18n/names";
import { settings } from "../../state/settings";
import type { Part } from "./course";

export interface SeatRow {
  position: number;
  /** Who is here: several may share a position. */
  patrons: readonly string[];
  /** Cents by wager. */
  stakes: Readonly<Record<string, number>>;
  holds: readonly ("player" | "banker" | "shoe" | "shaker")[];
}

function staked(stakes: readonly OwnedStake[], position: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const stake of stakes) {
    if (stake.position === position) sums[stake.wager] = (sums[stake.wager] ?? 0) + stake.cents;
  }
  return sums;
}

/** Stakes as they lie; once they are settled, as the pay list has them. */
export function lying(view: Pick<TableView, "phase">, part: Pick<Part, "stakes" | "lines" | "patrons">): OwnedStake[] {
  if (part.stakes.length > 0 || view.phase !== "SETTLED") return [...part.stakes];
  const sits = new Map(part.patrons.map(({ patron, position }) => [patron, position]));
  return part.lines.map(({ stake, wager, cents, patron }) => ({
    number: stake,
    position: sits.get(patron) ?? 0,
    wager,
    cents,
    shared: false,
    found: false,
    shares: [{ patron, cents, placed_by: null }],
  }));
}

export function seatRows(view: TableView, part: Part): SeatRow[] {
  const stakes = lying(view, part);
  return Array.from({ length: view.rules?.positions ?? 0 }, (_, i) => {
    const position = i + 1;
    const patrons = part.patrons.filter((one) => one.position === position).map(({ patron }) => patron);
    const has = (patron: string | null | undefined): boolean => patron != null && patrons.includes(patron);
    const holds: SeatRow["holds"][number][] = part.hands.filter(({ held_by }) => has(held_by)).map(({ side }) => side);
    if (view.shoe_holder === position) holds.push("shoe");
    if (has(part.shaker?.held_by)) holds.push("shaker");
    return { position, patrons, stakes: staked(stakes, position), holds };
  });
}

const MAIN = ["player", "banker", "tie"];

/** Wagers in the order of the layout, Player left of Banker; of others those with a stake, so that figures have room. */
export function columnsOf(wagers: readonly WagerShown[], stakes: readonly OwnedStake[], most = 5): WagerShown[] {
  const used = new Set(stakes.map(({ wager }) => wager));
  const main = MAIN.flatMap((slug) => wagers.filter((wager) => wager.slug === slug));
  const others = wagers.filter(({ slug }) => used.has(slug) && !MAIN.includes(slug));
  return [...main, ...others].slice(0, Math.max(most, MAIN.length));
}

/** What fits beside the seat at the width of the column, in figures of the usual size. */
const FIGURES = 26;

/** Whether the figures of the columns, a gap before each, are too long to stand side by side. */
export const tooLong = (sums: Readonly<Record<string, number>>, columns: readonly WagerShown[], percent: number): boolean =>
  columns.reduce((all, { slug }) => all + dollars(sums[slug] ?? 0).length + 1, 0) * percent > FIGURES * 100;

/** A short heading for a wager: P, B, T, and the first letters of others; in Chinese its name. */
export function shortName(wager: WagerShown): string {
  if (settings.value.language === "zh-Hans") return wagerAlone(wager.slug);
  const fixed: Record<string, string> = { player: "P", banker: "B", tie: "Tie", "player-pair": "P pr", "banker-pair": "B pr" };
  const short = fixed[wager.slug];
  if (short !== undefined) return short;
  return wager.slug
    .split("-")
    .map((word) => (/^\d/.test(word) ? word : word[0]?.toUpperCase()))
    .join("");
}

export function totals(stakes: readonly OwnedStake[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { wager, cents } of stakes) sums[wager] = (sums[wager] ?? 0) + cents;
  return sums;
}

type Apart = NonNullable<TableView["differential"]>;

/** How far Player and Banker are apart, by the stakes that the list shows. */
export function apartBy(shown: Apart, sums: Readonly<Record<string, number>>): Apart {
  const cents = (sums["player"] ?? 0) - (sums["banker"] ?? 0);
  return { ...shown, cents: Math.abs(cents), heavier: cents === 0 ? null : cents > 0 ? "player" : "banker" };
}

/** How far Player and Banker are apart, of the limit: from 80 % near, over it exceeded. */
export function meterOf(cents: number, limit: number | null | undefined): { part: number; word: "" | "near" | "exceeded" } {
  if (!limit) return { part: 0, word: "" };
  const part = cents / limit;
  return { part: Math.min(1, part), word: part > 1 ? "exceeded" : part >= 0.8 ? "near" : "" };
}
