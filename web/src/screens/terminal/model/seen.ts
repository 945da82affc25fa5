/**
 * Roots of shoes, kept by this browser while they were in play. An answer that agrees with itself
 * proves little: what was shown before the cards were known is what it is held against.
 */
import type { ShoeKnown } from "../../../api/types";
import { moment } from "../../../state/clock";

const PLACE = "croupier.roots";
/** Of so many shoes; the oldest are forgotten. */
const MOST = 200;

interface Root {
  table: string;
  shoe: string;
  root: string;
  /** When it was first seen here, in milliseconds of the house's clock. */
  at: number;
}

function roots(): Root[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(found) ? (found as Root[]) : [];
  } catch {
    return [];
  }
}

type Promised = Pick<ShoeKnown, "table" | "shoe" | "root" | "in_play" | "sealed">;

const ofShoe = (shoe: Promised, one: Root): boolean => one.table === shoe.table && one.shoe === shoe.shoe;

/** Keep the root of a shoe in play; what is known already stays as it was first seen. */
export function rememberRoot(shoe: Promised): void {
  const { table, root } = shoe;
  const before = roots();
  if (!shoe.in_play || root === null || before.some((one) => ofShoe(shoe, one) && one.root === root)) return;
  try {
    localStorage.setItem(PLACE, JSON.stringify([...before, { table, shoe: shoe.shoe, root, at: moment() }].slice(-MOST)));
  } catch {
    // A browser that keeps nothing says that it has not seen the shoe before.
  }
}

/** What this browser knows of a root: since when, that it was another one, or nothing. */
export type Sight = { kind: "same" | "other"; at: number } | { kind: "none" };

export function sightOf(shoe: Promised): Sight {
  // A later shoe may have the name again, after a house began anew: what was seen before this one was sealed is not of it.
  const seen = roots().filter((one) => ofShoe(shoe, one) && (one.root === shoe.root || one.at >= Date.parse(shoe.sealed)));
  const other = seen.find((one) => one.root !== shoe.root);
  if (other !== undefined) return { kind: "other", at: other.at };
  const same = seen[0];
  return same === undefined ? { kind: "none" } : { kind: "same", at: same.at };
}
