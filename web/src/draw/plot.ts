// A win against the band in which it is expected: solid is what happened, long dashes what is
// expected, the tint between dotted lines the band. Text is never scaled, so a phone gets a
// drawing of its own.
import { drawing, lettering, paint, round, type Anchor, type Drawing } from "./svg.ts";

export interface BandData {
  /** Rising; rounds or minutes. */
  readonly xs: readonly number[];
  /** What happened, at each x. */
  readonly line: readonly number[];
  /** What was expected, at each x. */
  readonly expected: readonly number[];
  /** Half the width of the band, at each x. */
  readonly half: readonly number[];
  readonly ticks: readonly { readonly x: number; readonly text: string }[];
  readonly notes?: readonly Note[];
  /** The plot in a sentence. */
  readonly label: string;
  /** From, to and step of the lines across; made to fit where it is left out. */
  readonly scale?: Scale;
  /** How a value is written beside its line; signed, thousands separated, where left out. */
  readonly format?: (value: number) => string;
}

/** A point of the line with words beside it. */
export interface Note {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly anchor?: Anchor;
  readonly below?: boolean;
  /** Left out where there is little room. */
  readonly minor?: boolean;
}

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const DESKTOP: Size = { width: 1100, height: 310 };
export const SHEET: Size = { width: 520, height: 158 };
export const PHONE: Size = { width: 340, height: 250 };

/** Less than this is little room. */
const NARROW = 600;
const PAD = { top: 14, right: 16, bottom: 30, left: 62 } as const;
/** The width of a figure of the lettering beside the lines; long amounts push the plot aside. */
const FIGURE = 7;

/** Whole steps of 1, 2 or 5 times a power of ten that hold all values, and zero. */
export function scaleOf(values: readonly number[], lines = 5): Scale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = (high - low || 1) / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((digit) => digit * power >= rough) ?? 10);
  const [min, max] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  return { min, max: max > min ? max : min + step, step };
}

/** +20,000, −45,000 and 0: with the true minus sign. */
export function signed(value: number): string {
  const sign = value > 0 ? "+" : value < 0 ? "−" : "";
  return sign + Math.abs(value).toLocaleString("en-SG");
}

interface Frame {
  readonly left: number;
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly scale: Scale;
}

function frameOf(data: BandData, { width, height }: Size, format: (value: number) => string): Frame {
  const [first = 0, last = first] = [data.xs[0], data.xs.at(-1)];
  const edges = data.expected.flatMap((middle, i) => [middle + (data.half[i] ?? 0), middle - (data.half[i] ?? 0)]);
  const scale = data.scale ?? scaleOf([...data.line, ...edges]);
  const left = Math.max(PAD.left, 14 + FIGURE * Math.max(format(scale.min).length, format(scale.max).length));
  return {
    left,
    x: (value) => left + ((value - first) / (last - first || 1)) * (width - left - PAD.right),
    y: (value) => PAD.top + ((scale.max - value) / (scale.max - scale.min)) * (height - PAD.top - PAD.bottom),
    scale,
  };
}

function linesAcross({ left, y, scale }: Frame, width: number, format: (value: number) => string): string {
  let lines = "";
  const first = Math.ceil(scale.min / scale.step);
  for (let i = first; i * scale.step <= scale.max; i += 1) {
    const value = i * scale.step;
    lines += `<path d="M${left} ${round(y(value))}H${width - PAD.right}" ${paint({ stroke: i === 0 ? "line-strong" : "line" })} stroke-width="1"/>`;
    lines += lettering(format(value), left - 8, y(value) + 4, { size: 12, colour: "text-2", anchor: "end" });
  }
  return lines;
}

/** Words below, kept inside the picture; three of them where there is little room. */
function ticksBelow(data: BandData, { x }: Frame, { width, height }: Size): string {
  const { ticks } = data;
  const middle = Math.floor((ticks.length - 1) / 2);
  const shown = width < NARROW && ticks.length > 3 ? [ticks[0], ticks[middle], ticks.at(-1)] : ticks;
  return shown
    .map((tick) => {
      if (!tick) return "";
      const half = tick.text.length * 3.4;
      const at = Math.min(width - half, Math.max(half, x(tick.x)));
      return lettering(tick.text, at, height - 9, { size: 12, colour: "text-2" });
    })
    .join("");
}

/** How high the line is anywhere between two places across: its top and its foot there. */
function reachOf({ xs, line }: BandData, { x, y }: Frame, from: number, to: number): { top: number; foot: number } {
  const heights = xs.slice(1).flatMap((end, i) => {
    const [a, b] = [x(xs[i] ?? 0), x(end)];
    if (b < from || a > to) return [];
    const [ya, yb] = [y(line[i] ?? 0), y(line[i + 1] ?? 0)];
    const at = (place: number): number => ya + ((place - a) / (b - a || 1)) * (yb - ya);
    return [at(Math.max(a, from)), at(Math.min(b, to))];
  });
  return { top: Math.min(...heights), foot: Math.max(...heights) };
}

/** Letters stand so far above their point or below it, and reach so far up and down from their line. */
const LETTERS = { above: -13, below: 23, up: 11, down: 3 } as const;

/** How far from its point a note is written: on the side where the line is not, else beyond the line. */
function offsetOf(note: Note, data: BandData, frame: Frame, { height }: Size): number {
  const { text, anchor = "middle" } = note;
  const wide = text.length * FIGURE;
  const left = frame.x(note.x) - (anchor === "end" ? wide : anchor === "middle" ? wide / 2 : 0);
  const point = frame.y(note.y);
  const reach = reachOf(data, frame, left, left + wide);
  const [top, foot] = [Math.min(0, reach.top - point), Math.max(0, reach.foot - point)];
  const above = top > LETTERS.above + LETTERS.down ? LETTERS.above : top + LETTERS.above;
  const below = foot < LETTERS.below - LETTERS.up ? LETTERS.below : foot + LETTERS.below;
  const sides = note.below ? [below, above] : [above, below];
  const fits = sides.filter((at) => point + at >= LETTERS.up && point + at + LETTERS.down <= height - PAD.bottom);
  const free = fits.find((at) => at === LETTERS.above || at === LETTERS.below);
  const [nearest = sides[0] ?? 0] = [...fits].sort((one, other) => Math.abs(one) - Math.abs(other));
  return free ?? nearest;
}

function notes(data: BandData, frame: Frame, size: Size): string {
  return (data.notes ?? [])
    .filter((note) => !(note.minor && size.width < NARROW))
    .map((note) => {
      const [at, value] = [frame.x(note.x), frame.y(note.y)];
      const dot = `<circle cx="${round(at)}" cy="${round(value)}" r="4.5" ${paint({ fill: "surface-1", stroke: "text" })} stroke-width="2.25"/>`;
      return dot + lettering(note.text, at, value + offsetOf(note, data, frame, size), { size: 12.5, colour: "text", weight: 600, anchor: note.anchor ?? "middle" });
    })
    .join("");
}

/** The plot in one size: `DESKTOP` and `PHONE` are shown in turn by the width of the page. */
export function bandPlot(data: BandData, size: Size = DESKTOP): Drawing {
  const frame = frameOf(data, size, data.format ?? signed);
  const points = (values: readonly number[]) => values.map((value, i) => `${round(frame.x(data.xs[i] ?? 0))} ${round(frame.y(value))}`);
  const path = (values: readonly number[]) => (values.length ? `M${points(values).join("L")}` : "");
  const upper = data.expected.map((middle, i) => middle + (data.half[i] ?? 0));
  const lower = data.expected.map((middle, i) => middle - (data.half[i] ?? 0));
  const area = upper.length ? `M${[...points(upper), ...points(lower).reverse()].join("L")}Z` : "";
  const dashed = (values: readonly number[], dashes: string) =>
    `<path d="${path(values)}" ${paint({ stroke: "brass" })} stroke-width="1.5" stroke-dasharray="${dashes}"/>`;
  const body = [
    linesAcross(frame, size.width, data.format ?? signed),
    `<path d="${area}" ${paint({ fill: "brass-tint" })}/>`,
    dashed(upper, "2 4"),
    dashed(lower, "2 4"),
    dashed(data.expected, "8 5"),
    `<path d="${path(data.line)}" ${paint({ stroke: "text" })} stroke-width="2.25" stroke-linejoin="round"/>`,
    notes(data, frame, size),
    ticksBelow(data, frame, size),
  ].join("");
  return drawing("plot", size.width, size.height, body, data.label);
}
