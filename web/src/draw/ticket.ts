// The bars of a ticket: its number in Code 128, which every scanner of a cage reads.
import { drawing, type Drawing } from "./svg.ts";

/** Widths of bars and gaps by value; the last one ends a code. */
const WIDTHS = (
  "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 " +
  "113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 " +
  "212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 " +
  "113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 " +
  "314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 " +
  "241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 " +
  "214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 " +
  "211232 2331112"
).split(" ");
const START_CHARACTERS = 104;
const START_PAIRS = 105;
const STOP = 106;
const CHECK = 103;
/** White on either side, in bars of the least width. */
const QUIET = 10;
const HEIGHT = 12;

/** The values of a code: figures in pairs where they are even in number, else characters. */
function valuesOf(text: string): number[] {
  const pairs = /^(?:\d\d)+$/.test(text);
  const values = pairs ? (text.match(/\d\d/g) ?? []).map(Number) : [...text].map((one) => one.charCodeAt(0) - 32);
  const start = pairs ? START_PAIRS : START_CHARACTERS;
  const sum = values.reduce((all, value, place) => all + value * (place + 1), start);
  return [start, ...values, sum % CHECK, STOP];
}

/** Widths of bars and gaps in turn, a bar first. */
export const barsOf = (text: string): number[] => valuesOf(text).flatMap((value) => [...(WIDTHS[value] ?? "")].map(Number));

export function ticketBars(number: string): Drawing {
  let [path, x] = ["", QUIET];
  barsOf(number).forEach((width, place) => {
    if (place % 2 === 0) path += `M${x} 0h${width}v${HEIGHT}h${-width}z`;
    x += width;
  });
  return drawing("bars", x + QUIET, HEIGHT, `<path d="${path}" fill="#171C1E"/>`);
}
