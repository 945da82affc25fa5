// The bars of a ticket preview: decoration, not a code that can be read.
import { drawing, type Drawing } from "./svg.ts";

const WIDTH = 240;
const HEIGHT = 44;

export function ticketBars(): Drawing {
  let bars = "";
  for (let x = 0, seed = 7; x < WIDTH; ) {
    seed = (seed * 73 + 41) % 97;
    const width = 1 + (seed % 4);
    bars += `M${x} 0h${width}v${HEIGHT}h${-width}z`;
    x += width + 1 + ((seed >> 2) % 3);
  }
  return drawing("bars", WIDTH, HEIGHT, `<path d="${bars}" fill="#171C1E"/>`);
}
