/** A finished round step by step: the table as it was after each step, and how the time was spent. */
import type { Heard, RoundStep } from "../api/types";

export interface Felt {
  /** By place, such as P1: a face, or null for a card that lies face down. */
  cards: Record<string, string | null>;
  player: number | null;
  banker: number | null;
  winner: string | null;
  /** Cards beside the device that wait for their turn. */
  waiting: number;
  /** Cards that no hand takes. */
  aside: number;
  inPlay: number;
  stakes: Record<number, number>;
  die: number | null;
  void: boolean;
  held: boolean;
}

const EMPTY: Felt = {
  cards: {},
  player: null,
  banker: null,
  winner: null,
  waiting: 0,
  aside: 0,
  inPlay: 0,
  stakes: {},
  die: null,
  void: false,
  held: false,
};

type Facts = Record<string, unknown>;

const number = (facts: Facts, name: string): number => Number(facts[name] ?? 0);
const numbers = (facts: Facts, name: string): number[] => (facts[name] as number[] | undefined) ?? [];

interface Placed {
  position: string;
  card: string | null;
}

/** Stakes by their number, and what they come to. */
function staked(felt: Felt, stakes: Record<number, number>): Felt {
  return { ...felt, stakes, inPlay: Object.values(stakes).reduce((sum, cents) => sum + cents, 0) };
}

const without = (felt: Felt, gone: readonly number[]): Felt =>
  staked(felt, Object.fromEntries(Object.entries(felt.stakes).filter(([stake]) => !gone.includes(Number(stake)))));

const FOLDS: Record<string, (felt: Felt, facts: Facts) => Felt> = {
  wager_placed: (felt, facts) => staked(felt, { ...felt.stakes, [number(facts, "stake")]: (felt.stakes[number(facts, "stake")] ?? 0) + number(facts, "cents") }),
  wager_raised: (felt, facts) => staked(felt, { ...felt.stakes, [number(facts, "stake")]: (felt.stakes[number(facts, "stake")] ?? 0) + number(facts, "cents") }),
  wager_lowered: (felt, facts) => staked(felt, { ...felt.stakes, [number(facts, "stake")]: (felt.stakes[number(facts, "stake")] ?? 0) - number(facts, "cents") }),
  stake_found: (felt, facts) => staked(felt, { ...felt.stakes, [number(facts, "stake")]: number(facts, "cents") }),
  wager_returned: (felt, facts) => without(felt, [number(facts, "stake")]),
  wagers_withdrawn: (felt, facts) => without(felt, numbers(facts, "stakes")),
  wagers_settled: (felt) => staked(felt, {}),
  die_announced: (felt, facts) => ({ ...felt, die: number(facts, "die") }),
  card_drawn: (felt, facts) => ({
    ...felt,
    cards: { ...felt.cards, [String(facts["position"])]: null },
    waiting: facts["waited"] === true ? Math.max(0, felt.waiting - 1) : felt.waiting,
  }),
  card_exposed: (felt, facts) => ({ ...felt, cards: { ...felt.cards, [String(facts["position"])]: String(facts["card"]) } }),
  card_corrected: (felt, facts) => ({ ...felt, cards: { ...felt.cards, [String(facts["position"])]: String(facts["after"]) }, player: null, banker: null }),
  cards_taken_up: (felt, facts) => ({ ...felt, waiting: felt.waiting + number(facts, "count") }),
  cards_set_aside: (felt, facts) => ({
    ...felt,
    aside: felt.aside + number(facts, "count"),
    waiting: facts["waited"] === true ? Math.max(0, felt.waiting - number(facts, "count")) : felt.waiting,
  }),
  cards_reconstructed: (felt, facts) => {
    const placed = ((facts["after"] as Placed[] | undefined) ?? []).filter(({ position }) => typeof position === "string");
    return { ...felt, cards: Object.fromEntries(placed.map(({ position, card }) => [position, card ?? null])), player: null, banker: null };
  },
  device_reset: (felt, facts) => ({ ...felt, cards: {}, player: null, banker: null, aside: felt.aside + number(facts, "cards") }),
  totals_announced: (felt, facts) => ({ ...felt, player: number(facts, "player"), banker: number(facts, "banker") }),
  outcome_announced: (felt, facts) => ({ ...felt, player: number(facts, "player"), banker: number(facts, "banker"), winner: String(facts["winner"]) }),
  round_voided: (felt) => ({ ...staked(felt, {}), void: true, held: false }),
  hold_placed: (felt) => ({ ...felt, held: true }),
  hold_resumed: (felt) => ({ ...felt, held: true }),
  hold_suspended: (felt) => ({ ...felt, held: false }),
  hold_lifted: (felt) => ({ ...felt, held: false }),
};

export function folded(felt: Felt, events: readonly Heard[]): Felt {
  return events.reduce((now, { name, facts }) => FOLDS[name]?.(now, facts as Facts) ?? now, felt);
}

/** The table after each step. */
export function feltsOf(steps: readonly RoundStep[]): Felt[] {
  let felt = EMPTY;
  return steps.map((step) => (felt = folded(felt, step.accepted ? step.events : [])));
}

/** The cards of a side in their places. */
export const handOf = (felt: Felt, side: "player" | "banker"): (string | null)[] =>
  [1, 2, 3].map((n) => `${side === "player" ? "P" : "B"}${n}`).flatMap((place) => (place in felt.cards ? [felt.cards[place] ?? null] : []));

const POINTS: Record<string, number> = { A: 1, T: 0, J: 0, Q: 0, K: 0, Shou: 0, Lu: 0, Fu: 0, S: 0, L: 0, F: 0 };

/** The points of faces; null while a card lies face down, or there is none. */
export function pointsOf(cards: readonly (string | null)[]): number | null {
  if (cards.length === 0 || cards.includes(null)) return null;
  const of = (face: string): number => {
    const rank = face.includes("-") ? face.slice(0, face.indexOf("-")) : face.slice(0, -1);
    return POINTS[rank] ?? Number(rank);
  };
  return (cards as string[]).reduce((sum, face) => sum + of(face), 0) % 10;
}

export type SpanKind = "bets" | "dealing" | "held" | "settling";

export interface TimeSpan {
  kind: SpanKind;
  from: number;
  to: number;
}

const STARTS: Record<string, SpanKind> = {
  bets_opened: "bets",
  bets_reopened: "bets",
  bets_closed: "dealing",
  outcome_announced: "settling",
  round_voided: "settling",
};

/** How the time of a round was spent: bets, dealing, held, settling. */
export function spansOf(steps: readonly RoundStep[]): TimeSpan[] {
  const spans: TimeSpan[] = [];
  let kind: SpanKind = "bets";
  let held = false;
  const begin = (next: SpanKind, at: number): void => {
    const last = spans.at(-1);
    if (last !== undefined && last.kind === next) return;
    if (last !== undefined) last.to = at;
    spans.push({ kind: next, from: at, to: at });
  };
  for (const step of steps) {
    if (!step.accepted) continue;
    const at = Date.parse(step.moment);
    for (const { name } of step.events) {
      kind = STARTS[name] ?? kind;
      if (name === "hold_placed" || name === "hold_resumed") held = true;
      if (name === "hold_lifted" || name === "hold_suspended" || name === "round_voided") held = false;
    }
    begin(held ? "held" : kind, at);
    const last = spans.at(-1);
    if (last !== undefined) last.to = at;
  }
  return spans.filter(({ from, to }) => to > from);
}
