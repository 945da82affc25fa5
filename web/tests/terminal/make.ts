/** Wagers, stakes and hands as the wire has them, for tests. */
import type { HandShown, OwnLine, OwnStake, Side, WagerShown } from "../../src/api/types";

export function wager(slug: string, more: Partial<WagerShown> = {}): WagerShown {
  const name = slug.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return { slug, name, minimum_cents: 2_500, maximum_cents: 100_000, step_cents: 500, area: null, depends: [], rows: [], ...more };
}

export const stake = (number: number, slug: string, cents: number, more: Partial<OwnStake> = {}): OwnStake => ({
  number,
  position: 2,
  wager: slug,
  cents,
  whole_cents: cents,
  shared: false,
  found: false,
  placed_by: null,
  ...more,
});

export const line = (slug: string, result: string, cents: number, won: number, more: Partial<OwnLine> = {}): OwnLine => ({
  stake: 1,
  wager: slug,
  cents,
  settled_cents: cents,
  result,
  row: null,
  pays: null,
  clause: null,
  won_cents: won,
  commission_cents: null,
  breach: null,
  breach_clause: null,
  corrected: null,
  ...more,
});

export function hand(side: Side, ...faces: (string | null)[]): HandShown {
  const letter = side === "player" ? "P" : "B";
  const cards = faces.map((face, place) => ({ place: `${letter}${place + 1}` as "P1", face, face_down: face === null }));
  return { side, cards, points: null, squeezed: false, squeezed_by: null };
}
