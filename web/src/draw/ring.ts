// The countdown ring. It steps once a second; from five seconds its arc is wider.
import { drawing, lettering, paint, round, type Drawing } from "./svg.ts";

const RADIUS = 44;
const LAST_BETS = 5;

/** Seconds left of so many; decoration, as the timer beside it speaks. */
export function ring(left: number, of: number): Drawing {
  const length = 2 * Math.PI * RADIUS;
  const part = of > 0 ? Math.min(1, Math.max(0, left / of)) : 0;
  const width = left <= LAST_BETS ? 10 : 7;
  const arc = part
    ? `<circle cx="50" cy="50" r="${RADIUS}" fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-dasharray="${round(length * part)} ${round(length)}" transform="rotate(-90 50 50)"/>`
    : "";
  const track = `<circle cx="50" cy="50" r="${RADIUS}" ${paint({ stroke: "line" })} stroke-width="7"/>`;
  return drawing("ring", 100, 100, track + arc + lettering(String(left), 50, 63.5, { size: 38, colour: "text", weight: 600 }));
}
