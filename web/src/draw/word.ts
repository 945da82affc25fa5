// Numerals and letters of card indices and chips, drawn with one pen, so that no font is needed.
import { round, type Anchor } from "./svg.ts";

/** Each in a box 60 wide and 100 high. */
const GLYPHS = {
  "0": "M8 30A22 24 0 0 1 52 30V70A22 24 0 0 1 8 70Z",
  "1": "M12 25L33 8V94",
  "2": "M9 31C9 15 18 6 30 6C43 6 51 15 51 28C51 39 46 46 38 55L10 94H53",
  "3": "M10 21C13 11 20 6 30 6C42 6 50 14 50 27C50 40 42 47 31 47H25M31 47C44 47 52 56 52 70C52 86 43 94 30 94C20 94 12 89 8 78",
  "4": "M36 6L8 71H56M42 44V94",
  "5": "M49 6H15L12 47C17 41 24 38 31 38C44 38 52 48 52 65C52 84 43 94 29 94C19 94 12 89 8 79",
  "6": "M42 6L14 52C10 58 8 63 8 70A22 24 0 1 0 52 70A22 24 0 1 0 9 63",
  "7": "M7 6H51L23 94",
  "8": "M30 6A19 20 0 1 1 30 47A19 20 0 1 1 30 6M30 47A22 23.5 0 1 1 30 94A22 23.5 0 1 1 30 47",
  "9": "M18 94L46 48C50 42 52 37 52 30A22 24 0 1 0 8 30A22 24 0 1 0 51 37",
  A: "M4 95L30 6L56 95M13 66H47",
  J: "M44 5V70C44 86 37 94 25 94C15 94 8 87 7 75",
  Q: "M8 30A22 24 0 0 1 52 30V70A22 24 0 0 1 8 70ZM34 68L55 99",
  K: "M11 5V95M52 5L12 57M25 42L55 95",
  S: "M50 23C47 11 40 6 30 6C18 6 10 13 10 25C10 38 20 43 31 48C43 53 52 58 52 72C52 86 43 94 30 94C18 94 10 88 7 76",
  L: "M12 5V94H53",
  F: "M12 95V6H51M12 48H45",
  ".": "M8 94V80",
} as const;

type Glyph = keyof typeof GLYPHS;

const GAP = 9;

function widthOf(glyph: Glyph): number {
  if (glyph === "1") return 48;
  return glyph === "." ? 20 : 60;
}

function isGlyph(text: string): text is Glyph {
  return text in GLYPHS;
}

export interface Pen {
  readonly anchor?: Anchor;
  readonly weight?: number;
  readonly colour?: string;
}

/** Write a short word with its top at y; characters that have no glyph are left out. */
export function word(text: string, x: number, y: number, height: number, pen: Pen = {}): string {
  const { anchor = "middle", weight = 13, colour = "currentColor" } = pen;
  const scale = height / 100;
  const glyphs = [...text].filter(isGlyph);
  const width = glyphs.reduce((sum, glyph) => sum + widthOf(glyph) + GAP, -GAP) * scale;
  let left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor];
  const paths = glyphs.map((glyph) => {
    const path = `<path d="${GLYPHS[glyph]}" transform="translate(${round(left)} ${round(y)}) scale(${round(scale * 100) / 100})"/>`;
    left += (widthOf(glyph) + GAP) * scale;
    return path;
  });
  return `<g fill="none" stroke="${colour}" stroke-width="${weight}" stroke-linejoin="round">${paths.join("")}</g>`;
}
