// The signs 庄 闲 和 寿 禄 福 火 金 土 木 水 as outlines of brush strokes: no Chinese font is needed.
import { drawing, round, type Drawing, type Point } from "./svg.ts";

/** Horizontal, vertical, falling left, falling right, dot, corner, and corner or line with a hook. */
type Stroke = "h" | "v" | "p" | "a" | "d" | "z" | "g";

/** How wide the brush is along a stroke: pairs of the part of its length and the width there. */
const PROFILES: Record<Stroke, readonly Point[]> = {
  h: [[0, 0.95], [0.12, 0.72], [0.75, 0.62], [0.92, 1.05], [1, 0.7]],
  v: [[0, 1.1], [0.12, 0.85], [0.8, 0.85], [1, 1]],
  p: [[0, 1.15], [0.3, 0.95], [1, 0.1]],
  a: [[0, 0.35], [0.5, 0.8], [0.82, 1.35], [1, 0.12]],
  d: [[0, 0.25], [0.6, 1.15], [1, 0.85]],
  z: [[0, 0.9], [0.2, 0.7], [0.45, 1], [0.85, 0.85], [1, 0.9]],
  g: [[0, 1.05], [0.2, 0.85], [0.82, 1], [1, 0.12]],
};

/** The left part that 禄 and 福 share. */
const SPIRIT = "d24,5,32,15 h8,27,37,25 p37,25,28,44,6,62 v25,44,25,96 d31,46,41,56";

/** Each in a box of 100 by 100: strokes in writing order, a kind and the points it goes through. */
const SIGNS = {
  banker: "d48,5,56,16 h20,23,88,20 p25,23,24,60,8,94 h38,52,82,49 v59,34,59,86 h30,88,92,85",
  player: "d16,6,25,17 v15,26,15,95 g34,14,86,13,86,92,76,85 h29,48,73,46 v51,28,51,86 p50,49,42,64,29,74 a52,49,60,63,74,73",
  tie: "p44,7,32,15,14,19 h6,37,54,34 v31,18,31,95 p30,38,22,57,5,74 d34,46,51,62 v62,34,64,82 z62,36,93,34,90,80 h64,75,90,74",
  shou: "h24,17,76,14 h28,32,74,29 h8,48,92,44 p53,3,43,50,8,95 h38,65,92,62 g72,50,72,93,60,86 d46,74,55,85",
  lu: `${SPIRIT} z50,12,85,10,83,41 h54,27,81,25 h44,43,95,40 g69,43,69,94,59,87 d50,53,57,62 d48,82,65,68 p87,50,82,56,74,61 a72,61,80,73,94,83`,
  fu: `${SPIRIT} h47,13,94,10 v54,25,56,44 z54,26,87,24,84,43 h56,42,84,41 v50,55,50,95 z50,56,91,54,91,95 h52,75,89,74 v70,56,70,92 h51,92,90,91`,
  fire: "d20,34,29,51 p82,29,78,40,68,48 p52,6,48,56,10,95 a53,46,66,74,94,93",
  gold: "p50,3,34,26,5,43 a50,6,70,28,95,41 h32,43,69,41 h24,61,77,58 v50,43,50,90 d29,70,37,81 p73,68,69,75,62,81 h9,94,92,91",
  earth: "h24,43,77,40 v50,8,50,88 h7,91,94,88",
  wood: "h10,34,91,31 v50,5,50,96 p49,34,33,62,5,81 a51,34,68,62,95,79",
  water: "g50,5,50,93,38,84 h12,34,39,32 p39,32,30,58,9,79 p85,21,76,34,60,44 a57,40,73,66,95,83",
} as const;

export type SignName = keyof typeof SIGNS;

export const SIGN_NAMES = Object.keys(SIGNS) as readonly SignName[];

/** What each sign says. */
export const SIGN_WORDS: Record<SignName, Record<"en" | "zh", string>> = {
  banker: { en: "Banker", zh: "庄" },
  player: { en: "Player", zh: "闲" },
  tie: { en: "Tie", zh: "和" },
  shou: { en: "Shou", zh: "寿" },
  lu: { en: "Lu", zh: "禄" },
  fu: { en: "Fu", zh: "福" },
  fire: { en: "Fire", zh: "火" },
  gold: { en: "Gold", zh: "金" },
  earth: { en: "Earth", zh: "土" },
  wood: { en: "Wood", zh: "木" },
  water: { en: "Water", zh: "水" },
};

function widthAt(profile: readonly Point[], part: number): number {
  let [from, width] = profile[0] ?? [0, 1];
  for (const [to, next] of profile.slice(1)) {
    if (part <= to) return width + ((next - width) * (part - from)) / (to - from);
    [from, width] = [to, next];
  }
  return width;
}

/** Points on straight lines, ten to each. */
function alongLines(through: readonly Point[]): Point[] {
  return through.flatMap((to, i) => {
    const from = through[i - 1];
    if (!from) return [to];
    return Array.from({ length: 10 }, (_, k): Point => {
      const t = (k + 1) / 10;
      return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
    });
  });
}

/** Points on the parabola that goes through three. */
function alongCurve([a, b, c]: readonly [Point, Point, Point]): Point[] {
  const at = (axis: 0 | 1, t: number) => {
    const control = 2 * b[axis] - (a[axis] + c[axis]) / 2;
    return (1 - t) * (1 - t) * a[axis] + 2 * (1 - t) * t * control + t * t * c[axis];
  };
  return Array.from({ length: 17 }, (_, k): Point => [at(0, k / 16), at(1, k / 16)]);
}

/** The outline of a stroke: down one side of its points and back on the other. */
function outline(stroke: Stroke, through: readonly Point[], weight: number): string {
  const [a, b, c] = through;
  const curved = stroke !== "z" && stroke !== "g" && a && b && c;
  const points = curved ? alongCurve([a, b, c]) : alongLines(through);
  const steps = points.map(([x, y], i) => {
    const [px, py] = points[i - 1] ?? [x, y];
    return Math.hypot(x - px, y - py);
  });
  const total = steps.reduce((sum, step) => sum + step, 0);
  const left: Point[] = [];
  const right: Point[] = [];
  let gone = 0;
  points.forEach(([x, y], i) => {
    gone += steps[i] ?? 0;
    const before = points[i - 1] ?? [x, y];
    const after = points[i + 1] ?? [x, y];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const reach = ((weight / 2) * widthAt(PROFILES[stroke], gone / total)) / (Math.hypot(dx, dy) || 1);
    left.push([x - dy * reach, y + dx * reach]);
    right.unshift([x + dy * reach, y - dx * reach]);
  });
  return `M${[...left, ...right].map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}Z`;
}

const outlines = new Map<string, string>();

/** The outline of a sign; computed once for each weight, as a road may show a hundred. */
function pathOf(name: SignName, weight: number): string {
  const key = `${name} ${weight}`;
  const known = outlines.get(key);
  if (known) return known;
  const path = SIGNS[name]
    .split(" ")
    .map((text) => {
      const numbers = text.slice(1).split(",").map(Number);
      const through = numbers.flatMap((x, i): Point[] => (i % 2 ? [] : [[x, numbers[i + 1] ?? 0]]));
      return outline(text[0] as Stroke, through, weight);
    })
    .join("");
  outlines.set(key, path);
  return path;
}

export interface Brush {
  /** A colour attribute, such as `fill="#fff"` or a class of the theme. */
  readonly paint?: string;
  readonly weight?: number;
}

/** A sign with its top left corner at (x, y), for use inside another drawing. */
export function signPath(name: SignName, x: number, y: number, size: number, brush: Brush = {}): string {
  const { paint = 'fill="currentColor"', weight = 11 } = brush;
  return `<path d="${pathOf(name, weight)}" ${paint} transform="translate(${round(x)} ${round(y)}) scale(${round(size) / 100})"/>`;
}

/** A sign by itself, in the colour of the text around it. */
export function sign(name: SignName, { weight = 11, language = "en" }: { weight?: number; language?: "en" | "zh" } = {}): Drawing {
  return drawing("sign", 100, 100, signPath(name, 0, 0, 100, { weight }), SIGN_WORDS[name][language]);
}
