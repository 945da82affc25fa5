/** The time of a round as a line: spans with their names, a dot for each step, the moment looked at. */
import { drawing, type Drawing, lettering, paint, round } from "../../draw/svg";
import type { SpanKind, TimeSpan } from "../../state/recall";

const WIDTH = 1100;
/** For screens on which the usual width would scale its words. */
export const WIDE = 1740;
const HEIGHT = 92;
const EDGE = 48;
const FILLS = { bets: "brass-tint", dealing: "surface-3", held: "alert-tint", settling: "surface-3" } as const satisfies Record<SpanKind, string>;
/** Dots closer than this would lie on each other: each step has room, the rest is time. */
const STEP = 20;
/** Words closer than this would touch. */
const APART = 84;

export interface TimelineData {
  spans: readonly TimeSpan[];
  moments: readonly number[];
  at: number;
  nameOf: (span: TimeSpan) => string;
  timeOf: (moment: number) => string;
  label: string;
  width?: number;
}

/** Which moments have room for their time below, each time once: the first, the one looked at, then what fits. */
export function labelled(xs: readonly number[], at: number, times: readonly string[] = []): number[] {
  const kept: number[] = [];
  for (const i of [at, 0, xs.length - 1, ...xs.keys()]) {
    const x = xs[i];
    if (x === undefined || kept.includes(i) || kept.some((other) => times[i] !== undefined && times[other] === times[i])) continue;
    if (kept.every((other) => Math.abs((xs[other] ?? 0) - x) >= APART)) kept.push(i);
  }
  return kept.sort((a, b) => a - b);
}

/** Where each step stands: as far from the one before as its time, and never so near that it hides it. */
export function placesOf(moments: readonly number[], width: number): number[] {
  const [first = 0, last = first] = [moments[0], moments.at(-1)];
  const room = width - 2 * EDGE;
  const least = Math.min(STEP, room / Math.max(1, moments.length - 1));
  const free = last > first ? room - least * (moments.length - 1) : 0;
  return moments.map((moment, i) => EDGE + i * least + ((moment - first) / (last - first || 1)) * free);
}

export function timeline({ spans, moments, at, nameOf, timeOf, label, width = WIDTH }: TimelineData): Drawing {
  const xs = placesOf(moments, width);
  const x = (moment: number): number => xs[Math.max(0, moments.indexOf(moment))] ?? EDGE;
  const named = (span: TimeSpan): string => {
    const name = nameOf(span);
    if (x(span.to) - x(span.from) < name.length * 7) return "";
    return lettering(name, (x(span.from) + x(span.to)) / 2, 20, { size: 12, colour: "text-2" });
  };
  const boxes = spans.map(
    (span) => `<rect x="${round(x(span.from))}" y="30" width="${round(x(span.to) - x(span.from))}" height="20" ${paint({ fill: FILLS[span.kind] })}/>${named(span)}`,
  );
  const dots = moments.map((_, i) =>
    i === at ? "" : `<circle cx="${round(xs[i] ?? EDGE)}" cy="50" r="5.5" ${paint({ fill: "surface-1", stroke: "text-2" })} stroke-width="2"/>`,
  );
  const here = xs[at];
  const now = here === undefined ? "" : `<circle cx="${round(here)}" cy="50" r="9" ${paint({ fill: "brass" })}/>`;
  const words = moments.map(timeOf);
  const times = labelled(xs, at, words).map((i) => lettering(words[i] ?? "", xs[i] ?? EDGE, 80, { size: 12, colour: "text-2" }));
  const line = `<path d="M${EDGE} 50H${width - EDGE}" ${paint({ stroke: "line-strong" })}/>`;
  return drawing("timeline", width, HEIGHT, [...boxes, line, ...dots, now, ...times].join(""), label);
}
