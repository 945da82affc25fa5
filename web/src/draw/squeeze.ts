// The squeeze: a card held face down is folded over a line, and the flap shows its face.
import { HEIGHT, WIDTH, back, face, type Deck } from "./cards.ts";
import { drawing, round, uniqueId, type Drawing, type Language, type Point } from "./svg.ts";

export type Edge = "short" | "long" | "corner";

export interface SqueezeOptions {
  /** `short` lifts the near end, `long` the near side, `corner` a corner. */
  readonly edge?: Edge;
  /** How far it is lifted, 0 to 1. */
  readonly amount?: number;
  readonly deck?: Deck;
  /** Show the index too; thumbs cover it until the card is turned. */
  readonly index?: boolean;
  readonly language?: Language;
  /** Begins the ids inside; give the same one at each render (`useId`) to keep the markup equal. */
  readonly id?: string;
}

interface Fold {
  readonly at: Point;
  /** The unit vector towards the lifted half. */
  readonly towards: Point;
  /** How far the card reaches beyond the line. */
  readonly reach: number;
}

const MARGIN = 20;
const LIFT = 0.55;
const CORNER_LIFT = 170;

function foldOf(edge: Edge, amount: number): Fold {
  switch (edge) {
    case "short":
      return { at: [WIDTH / 2, HEIGHT - amount * HEIGHT * LIFT], towards: [0, 1], reach: amount * HEIGHT * LIFT };
    case "long":
      return { at: [WIDTH - amount * WIDTH * LIFT, HEIGHT / 2], towards: [1, 0], reach: amount * WIDTH * LIFT };
    case "corner":
      return {
        at: [WIDTH - amount * CORNER_LIFT, HEIGHT - amount * CORNER_LIFT],
        towards: [Math.SQRT1_2, Math.SQRT1_2],
        reach: amount * HEIGHT * LIFT,
      };
  }
}

/** The reflection over the fold line, as a transform. */
function reflection({ at: [px, py], towards: [nx, ny] }: Fold): string {
  const d = px * nx + py * ny;
  const matrix = [1 - 2 * nx * nx, -2 * nx * ny, -2 * nx * ny, 1 - 2 * ny * ny, 2 * d * nx, 2 * d * ny];
  return `matrix(${matrix.map(round).join(" ")})`;
}

/** The lifted half of the plane (1) or the one that stays (-1), as far as anybody sees. */
function half({ at: [px, py], towards: [nx, ny] }: Fold, way: 1 | -1): string {
  const far = 900;
  const corner = (along: number, beyond: number) => `${round(px - ny * along + nx * beyond)},${round(py + nx * along + ny * beyond)}`;
  const beyond = way * far;
  return [corner(far, 0), corner(-far, 0), corner(-far, beyond), corner(far, beyond)].join(" ");
}

const STOPS = [
  [0, "#1a120a", 0.5], [0.07, "#1a120a", 0.26], [0.2, "#1a120a", 0.05], [0.34, "#fff", 0.35], [0.6, "#fff", 0], [1, "#1a120a", 0.1],
] as const;

function definitions(fold: Fold, id: string): string {
  const { at: [px, py], towards: [nx, ny], reach } = fold;
  const stops = STOPS.map(([offset, colour, opacity]) => `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join("");
  return [
    "<defs>",
    `<clipPath id="${id}-lifted"><polygon points="${half(fold, 1)}"/></clipPath>`,
    `<clipPath id="${id}-kept"><polygon points="${half(fold, -1)}"/></clipPath>`,
    `<linearGradient id="${id}-bend" gradientUnits="userSpaceOnUse" x1="${round(px)}" y1="${round(py)}" x2="${round(px + nx * reach)}" y2="${round(py + ny * reach)}">${stops}</linearGradient>`,
    `<filter id="${id}-blur" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="9"/></filter>`,
    "</defs>",
  ].join("");
}

const HELD: Record<Language, string> = {
  en: "Card held face down, one edge lifted",
  zh: "牌面朝下，掀起一边",
  ms: "Kad tertutup, satu tepi diangkat",
  ta: "முகம் கீழே, ஒரு விளிம்பு தூக்கிய சீட்டு",
};

/** A card that is being squeezed; the face is told by nothing but the picture. */
export function squeeze(text: string, options: SqueezeOptions = {}): Drawing {
  const { edge = "short", deck = text.includes("-") ? 65 : 52, index = false, language = "en", id = uniqueId() } = options;
  const amount = Math.min(1, Math.max(0, options.amount ?? 0.3));
  const [width, height] = [WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN];
  if (amount === 0) {
    return drawing("card squeeze", width, height, `<g transform="translate(${MARGIN} ${MARGIN})">${back(deck)}</g>`, HELD[language]);
  }
  const fold = foldOf(edge, amount);
  const folded = reflection(fold);
  const [nx, ny] = fold.towards;
  const card = `<rect width="${WIDTH}" height="${HEIGHT}" rx="18"`;
  const shadow = `<g transform="${folded}" opacity=".55" filter="url(#${id}-blur)"><g clip-path="url(#${id}-lifted)">${card} transform="translate(${round(nx * 10)} ${round(ny * 10)})"/></g></g>`;
  const flap = `<g transform="${folded}"><g clip-path="url(#${id}-lifted)"><g transform="translate(${WIDTH} 0) scale(-1 1)">${face(text, { index })}</g>${card} fill="url(#${id}-bend)"/></g></g>`;
  const body = `${definitions(fold, id)}<g transform="translate(${MARGIN} ${MARGIN})"><g clip-path="url(#${id}-kept)">${back(deck)}${shadow}</g>${flap}</g>`;
  return drawing("card squeeze", width, height, body, HELD[language]);
}
