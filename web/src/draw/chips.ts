// Chips, in a box of 100 by 100. Colour, number of edge marks and printed value all differ.
// Values are integer cents, as all money is; cents themselves are never chips.
import { drawing, round, type Drawing, type Language } from "./svg.ts";
import { word } from "./word.ts";

export const DENOMINATIONS = [
  100, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
] as const;

/** The value of a chip in cents. */
export type Denomination = (typeof DENOMINATIONS)[number];

interface Chip {
  readonly text: string;
  readonly colour: string;
  readonly ink: string;
  readonly marks: number;
  /** The colour of the edge marks. */
  readonly inlay: string;
}

const CREAM = "#FFF8EC";
const PALE_GOLD = "#F3E3BC";
const INLAY = "#F7EFDC";

const CHIPS: Record<Denomination, Chip> = {
  100: { text: "1", colour: "#CFCBBF", ink: "#23292C", marks: 4, inlay: "#5C6668" },
  500: { text: "5", colour: "#A8483D", ink: CREAM, marks: 5, inlay: INLAY },
  1_000: { text: "10", colour: "#4D6F92", ink: CREAM, marks: 6, inlay: INLAY },
  2_500: { text: "25", colour: "#2F6B4C", ink: CREAM, marks: 6, inlay: INLAY },
  5_000: { text: "50", colour: "#B5672B", ink: CREAM, marks: 7, inlay: INLAY },
  10_000: { text: "100", colour: "#22282B", ink: PALE_GOLD, marks: 8, inlay: INLAY },
  50_000: { text: "500", colour: "#5E4293", ink: CREAM, marks: 8, inlay: INLAY },
  100_000: { text: "1K", colour: "#D6A032", ink: "#2A1E05", marks: 10, inlay: INLAY },
  500_000: { text: "5K", colour: "#1C6478", ink: CREAM, marks: 10, inlay: INLAY },
  1_000_000: { text: "10K", colour: "#8C3361", ink: CREAM, marks: 12, inlay: INLAY },
  2_500_000: { text: "25K", colour: "#3E4C2A", ink: PALE_GOLD, marks: 12, inlay: INLAY },
  5_000_000: { text: "50K", colour: "#6A4526", ink: PALE_GOLD, marks: 14, inlay: INLAY },
  10_000_000: { text: "100K", colour: "#EDE3CB", ink: "#5A430F", marks: 16, inlay: "#B08A3E" },
};

/** Height of the printed value by its number of characters. */
const VALUE_HEIGHTS = [0, 38, 32, 26, 21] as const;

function body(denomination: Denomination): string {
  const { text, colour, ink, marks, inlay } = CHIPS[denomination];
  const r = 42;
  const part = (2 * Math.PI * r) / marks;
  const height = VALUE_HEIGHTS[text.length] ?? 21;
  return [
    `<circle cx="50" cy="50" r="48.5" fill="${colour}"/><circle cx="50" cy="50" r="48" fill="none" stroke="#000" stroke-opacity=".28" stroke-width="1"/>`,
    `<circle cx="50" cy="50" r="${r}" fill="none" stroke="${inlay}" stroke-width="11" stroke-dasharray="${round(part * 0.42)} ${round(part * 0.58)}" stroke-dashoffset="${round(part * 0.21)}" transform="rotate(-90 50 50)"/>`,
    `<circle cx="50" cy="50" r="34.5" fill="${colour}" stroke="${inlay}" stroke-opacity=".85" stroke-width="1.5"/><circle cx="50" cy="50" r="34" fill="#000" fill-opacity=".10"/>`,
    '<path d="M22 36A31.5 31.5 0 0 1 78 36" fill="none" stroke="#fff" stroke-opacity=".18" stroke-width="1.5"/>',
    word(text, 50, 50 - height / 2, height, { colour: ink, weight: 14 }),
  ].join("");
}

/** Whole dollars with thousands separated, such as 1,000. */
export function dollars(cents: number): string {
  return Math.floor(cents / 100).toLocaleString("en-SG");
}

const CHIP: Record<Language, string> = { en: "Chip of", zh: "筹码", ms: "Cip", ta: "சிப்" };

/** One chip. */
export function chip(denomination: Denomination, language: Language = "en"): Drawing {
  const value = dollars(denomination);
  return drawing("chip", 100, 100, body(denomination), `${CHIP[language]} ${value}`);
}

/** Stacks are made of the fewest kinds that a dealer would use: no tens and no fifties. */
const STACKED: readonly Denomination[] = DENOMINATIONS.filter((value) => value !== 1_000 && value !== 5_000).reverse();

/** The largest chips that make up a stake, highest first, at most so many. */
export function breakUp(cents: number, most = Infinity): Denomination[] {
  const chips: Denomination[] = [];
  let rest = cents;
  for (const value of STACKED) {
    for (; rest >= value && chips.length < most; rest -= value) chips.push(value);
  }
  return chips;
}

const STEP = 9;

/** A stack, highest chip on top, at most five drawn; the sum is written beside it. Cents alone: nothing. */
export function stack(cents: number, most = 5): Drawing {
  const chips = breakUp(cents, most).reverse();
  const height = 106 + STEP * Math.max(0, chips.length - 1);
  const shadow = chips.length ? `<ellipse cx="50" cy="${height - 48}" rx="49" ry="48" fill="#000" opacity=".28"/>` : "";
  const layers = chips.map(
    (value, i) => `<g transform="translate(0 ${height - 106 - i * STEP})"><circle cx="50" cy="54" r="48.5" fill="#000" fill-opacity=".35"/>${body(value)}</g>`,
  );
  return drawing("stack", 100, height, shadow + layers.join(""));
}
