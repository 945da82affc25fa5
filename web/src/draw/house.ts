// The mark of the house: an open C whose mouth holds one pip.
import { drawing, type Drawing } from "./svg.ts";

/** The mark around (0, 0), about 44 wide, for use inside another drawing. */
export function houseMark(colour: string): string {
  return `<path d="M15.6 -15.6A22 22 0 1 0 15.6 15.6" fill="none" stroke="${colour}" stroke-width="6"/><path d="M14 -8C17 -3.5 19.5 -1.5 23 0C19.5 1.5 17 3.5 14 8C11 3.5 8.5 1.5 5 0C8.5 -1.5 11 -3.5 14 -8Z" fill="${colour}"/>`;
}

/** The mark by itself, in the colour of the text around it. */
export function mark(): Drawing {
  return drawing("mark", 60, 60, `<g transform="translate(28 30)">${houseMark("currentColor")}</g>`);
}
