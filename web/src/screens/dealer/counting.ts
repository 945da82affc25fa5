/** Sorting cards after some were taken away: how many of each face there are, and what is short. */
import { type Deck, deckOf } from "../../draw/cards";

export type Counts = Readonly<Record<string, number>>;

/** Every face as often as the decks have it, less what lies in play. */
export function fullCounts(deck: Deck, decks: number, inPlay: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const face of deckOf(deck)) counts[face] = decks;
  for (const face of inPlay) counts[face] = (counts[face] ?? 0) - 1;
  return counts;
}

export const counted = (counts: Counts): number => Object.values(counts).reduce((sum, n) => sum + n, 0);

/** Faces of which fewer were counted than there should be, with how many are short. */
export function short(counts: Counts, full: Counts): [face: string, cards: number][] {
  return Object.entries(full)
    .map(([face, n]): [string, number] => [face, n - (counts[face] ?? 0)])
    .filter(([, cards]) => cards !== 0);
}

/** Change one count; it stays between none and what the decks have. */
export const changed = (counts: Counts, face: string, by: number, most: number): Counts => ({
  ...counts,
  [face]: Math.min(most, Math.max(0, (counts[face] ?? 0) + by)),
});

export interface Conclusion {
  kind: "countsFit" | "countsDiffer" | "countsOver";
  /** Cards that the counts leave missing. */
  short: number;
  /** Cards that must be missing: those beside the device, and those that were taken. */
  due: number;
  /** A face that was counted more often than it can be there. */
  over: string | null;
}

/** What the counts say: whether just the cards are missing that lie elsewhere or are gone. */
export function concluded(counts: Counts, full: Counts, reserved: number, taken: number): Conclusion {
  const differs = short(counts, full);
  const over = differs.find(([, cards]) => cards < 0)?.[0] ?? null;
  const missing = differs.reduce((sum, [, cards]) => sum + cards, 0);
  const due = reserved + taken;
  return { kind: over !== null ? "countsOver" : missing === due ? "countsFit" : "countsDiffer", short: missing, due, over };
}
