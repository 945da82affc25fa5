/** Why a hand got its third card, or none: the tableau in plain facts. */
import type { HandShown, Side } from "../../../api/types";
import { pointsOf } from "./outcome";

export interface Reason {
  side: Side;
  /** `barred`: the other hand has a natural, so nobody draws. */
  act: "natural" | "draws" | "stands" | "barred";
  /** The points of the first two cards. */
  points: number;
  /** The points of the Player's third card, where the Banker drew or stood against it. */
  against: number | null;
}

const NATURAL = 8;

/** Two faces that everybody has seen; null while one is missing. */
function firstTwo(hand: HandShown | undefined): string[] | null {
  const faces = (hand?.cards ?? []).slice(0, 2).map((card) => card.face);
  return faces.length === 2 && faces.every((face) => face !== null) ? (faces as string[]) : null;
}

/** `over`: no card will follow, so a hand without a third card stands. */
export function reasonOf(hands: readonly HandShown[], side: Side, over: boolean): Reason | null {
  const hand = hands.find((one) => one.side === side);
  const mine = firstTwo(hand);
  if (mine === null || hand === undefined) return null;
  const points = pointsOf(mine);
  const player = hands.find((one) => one.side === "player");
  const third = player?.cards[2]?.face ?? null;
  const against = side === "banker" && third !== null ? pointsOf([third]) : null;
  if (hand.cards.length > 2) return { side, act: "draws", points, against };
  if (points >= NATURAL) return { side, act: "natural", points, against: null };
  const other = firstTwo(hands.find((one) => one.side !== side));
  if (other !== null && pointsOf(other) >= NATURAL) return { side, act: "barred", points, against: null };
  const bankerDrew = (hands.find((one) => one.side === "banker")?.cards.length ?? 0) > 2;
  return over || (side === "player" && bankerDrew) ? { side, act: "stands", points, against } : null;
}

/** Why a stake may still be taken back, or not; without a plain fact, only that. */
export type WhyOpen =
  | { key: "undecided" }
  | { key: "decided" }
  | { key: "undecidedHands"; player: number; banker: number }
  | { key: "undecidedPair" }
  | { key: "decidedPair"; a: string; b: string }
  | { key: "decidedNoPair"; a: string; b: string };

const PAIRS: Readonly<Record<string, Side>> = { "player-pair": "player", "banker-pair": "banker" };
const MAIN = ["player", "banker", "tie"];
const rankOf = (face: string): string => (face.startsWith("T") ? "10" : face.slice(0, 1));

/** Main wagers lie open while both hands count; a pair is decided by the first two cards of its hand. */
export function whyOf(hands: readonly HandShown[], wager: string, free: boolean): WhyOpen {
  const of = (side: Side): HandShown | undefined => hands.find((one) => one.side === side);
  const [player, banker] = [of("player")?.points ?? null, of("banker")?.points ?? null];
  if (free && MAIN.includes(wager) && player !== null && banker !== null) return { key: "undecidedHands", player, banker };
  const side = PAIRS[wager];
  if (side === undefined) return { key: free ? "undecided" : "decided" };
  const [a, b] = firstTwo(of(side)) ?? [];
  if (free) return a === undefined ? { key: "undecidedPair" } : { key: "undecided" };
  if (a === undefined || b === undefined) return { key: "decided" };
  return { key: rankOf(a) === rankOf(b) ? "decidedPair" : "decidedNoPair", a: rankOf(a), b: rankOf(b) };
}
