/** The tray by chip: how many of each value, and what they come to. */
export const CHIPS_CENTS = [
  10_000_000, 5_000_000, 1_000_000, 500_000, 100_000, 50_000, 10_000, 2_500, 500, 100,
] as const;

export type Tray = Readonly<Record<number, number>>;

export const trayCents = (tray: Tray): number => Object.entries(tray).reduce((sum, [value, n]) => sum + Number(value) * n, 0);

/** How many chips somebody typed; null: it is no number of chips. */
export function chipsOf(text: string): number | null {
  if (text.trim() === "") return 0;
  return /^\d{1,6}$/.test(text.trim()) ? Number(text.trim()) : null;
}
