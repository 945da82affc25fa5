/** What a decision would do, read out of its preview: to cards, to patrons, to the money. */
import type { Heard, PitPart, Previewed } from "../../api/types";

export interface Consequence {
  /** The round would be void. */
  voids: boolean;
  /** What would come back to patrons' seats, and to how many. */
  backCents: number;
  backTo: number;
  /** Patrons who would be asked whether they withdraw, and what they may take back. */
  asked: number;
  askedCents: number;
  allOrNone: boolean;
  reopens: boolean;
  resets: boolean;
  reorders: boolean;
  /** Settled lines would be reversed. */
  reverses: boolean;
  /** What the round would wait for afterwards; null: it goes on. */
  waitsFor: string | null;
  /** By how much the bank would change. */
  bankCents: number | null;
  effects: Previewed["effects"];
}

const factsOf = (events: readonly Heard[], name: string): Record<string, unknown> | null =>
  (events.find((event) => event.name === name)?.facts as Record<string, unknown> | undefined) ?? null;

const list = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

/** The steps of a hold are pairs of a step and its clause, or steps alone. */
const stepsOf = (facts: Record<string, unknown> | null): string[] =>
  list<string | string[]>(facts?.["steps"]).map((step) => (Array.isArray(step) ? (step[0] ?? "") : step));

export function consequenceOf(preview: Previewed, stakes: PitPart["stakes"]): Consequence {
  const events = preview.change?.events ?? [];
  const placed = factsOf(events, "hold_placed");
  const steps = stepsOf(placed);
  const withdrawal = placed?.["kind"] === "withdrawal";
  const offered = new Set(list<number>(placed?.["stakes"]));
  const back = preview.effects.filter(({ credit_cents }) => credit_cents > 0);
  return {
    voids: factsOf(events, "round_voided") !== null,
    backCents: back.reduce((sum, { credit_cents }) => sum + credit_cents, 0),
    backTo: back.length,
    asked: withdrawal ? list<string>(placed?.["patrons"]).length : 0,
    askedCents: withdrawal ? stakes.filter(({ number }) => offered.has(number)).reduce((sum, { cents }) => sum + cents, 0) : 0,
    allOrNone: steps[0] === "offer_all" || steps[0] === "offer_remaining",
    reopens: factsOf(events, "bets_reopened") !== null || steps.includes("reopen"),
    resets: steps.includes("reset_device"),
    reorders: factsOf(events, "cards_reconstructed") !== null,
    reverses: factsOf(events, "settlement_reversed") !== null,
    waitsFor: placed === null ? null : String(placed["kind"]),
    bankCents: preview.bank_cents ?? null,
    effects: preview.effects,
  };
}

/** Patrons, each once, whose stakes are in play, and how much that is. */
export function inPlay(stakes: PitPart["stakes"]): { patrons: number; cents: number } {
  const owners = new Set(stakes.flatMap(({ shares }) => shares.map(({ patron }) => patron)));
  return { patrons: owners.size, cents: stakes.reduce((sum, { cents }) => sum + cents, 0) };
}
