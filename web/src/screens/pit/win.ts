/** Win beside what the exact odds expect: the plot, and how far off each line is. */
import type { Schemas } from "../../api/types";
import type { BandData, Note } from "../../draw/plot";

export type WinShown = Schemas["WinShown"];
export type WinLine = Schemas["WinLine"];
export type WinPoint = Schemas["WinPoint"];

export const DAYS = [1, 7, 30] as const;

/** Whole dollars: a plot has no room for cents. */
const dollars = (cents: number): number => Math.round(cents / 100);

const TICKS = 5;

/** So many points, evenly apart, the first and the last among them. */
export function ticksOf<T>(points: readonly T[], most = TICKS): { index: number; point: T }[] {
  const n = Math.min(most, points.length);
  const indices = Array.from({ length: n }, (_, i) => (n === 1 ? 0 : Math.round((i * (points.length - 1)) / (n - 1))));
  return [...new Set(indices)].flatMap((index) => {
    const point = points[index];
    return point === undefined ? [] : [{ index, point }];
  });
}

/** The point at which a round moved the win most, where that stands out. */
export function largestStep(series: readonly WinPoint[]): number | null {
  let [best, index] = [0, 0];
  for (let i = 1; i < series.length; i++) {
    const step = Math.abs((series[i]?.win_cents ?? 0) - (series[i - 1]?.win_cents ?? 0));
    if (step > best) [best, index] = [step, i];
  }
  const all = Math.max(...series.map(({ win_cents }) => Math.abs(win_cents)), 1);
  return best > all / 3 && index < series.length - 1 ? index : null;
}

/** Rounds of one minute say that minute once. */
const apart = <T extends { text: string }>(ticks: readonly T[]): T[] => ticks.filter(({ text }, i) => text !== ticks[i - 1]?.text);

export interface PlotWords {
  tick: (point: WinPoint) => string;
  money: (cents: number) => string;
  note: (point: WinPoint, moved: number) => string;
  label: string;
}

/** The plot of a series that begins at nothing. */
export function plotOf(series: readonly WinPoint[], words: PlotWords): BandData | null {
  const last = series.at(-1);
  if (series.length < 2 || last === undefined) return null;
  const xs = series.map((_, i) => i + 1);
  const notes: Note[] = [{ x: series.length, y: dollars(last.win_cents), text: words.money(last.win_cents), anchor: "end", below: last.win_cents < last.expected_cents }];
  const at = largestStep(series);
  const point = at === null ? undefined : series[at];
  if (at !== null && point !== undefined && at < series.length * 0.85) {
    const moved = point.win_cents - (series[at - 1]?.win_cents ?? 0);
    notes.push({ x: at + 1, y: dollars(point.win_cents), text: words.note(point, moved), anchor: at > series.length / 2 ? "end" : "start", below: moved < 0, minor: true });
  }
  return {
    xs: [0, ...xs],
    line: [0, ...series.map(({ win_cents }) => dollars(win_cents))],
    expected: [0, ...series.map(({ expected_cents }) => dollars(expected_cents))],
    half: [0, ...series.map(({ lower_cents, upper_cents }) => dollars((upper_cents - lower_cents) / 2))],
    ticks: apart(ticksOf(series).map(({ index, point: one }) => ({ x: index + 1, text: words.tick(one) }))),
    notes,
    label: words.label,
  };
}

/** A deviation as a bar from the middle: to which side, how long in percent, and whether outside. */
export function barOf(z: number): { left: boolean; width: number; outside: boolean } {
  const FULL = 3;
  const OUTSIDE = 1.96;
  return { left: z < 0, width: (Math.min(FULL, Math.abs(z)) / FULL) * 50, outside: Math.abs(z) > OUTSIDE };
}

/** 11.5 %, with a true minus sign. */
export function percent(part: number | null, digits = 1): string {
  if (part === null) return "–";
  const figure = (Math.abs(part) * 100).toFixed(digits);
  return `${part < 0 && Number(figure) !== 0 ? "−" : ""}${figure} %`;
}

/** +0.6 %: beside amounts that have their sign. */
export const signedPercent = (part: number | null): string => {
  const shown = percent(part);
  return part !== null && part > 0 && !/^0\.0 /.test(shown) ? `+${shown}` : shown;
};
