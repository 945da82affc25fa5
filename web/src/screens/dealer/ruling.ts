/** What the rulebook does, from a preview or from what the round waits for. */
import type { Hold } from "../../i18n/holds";
import type { Heard, OwnedStake, Previewed, SocketSchemas } from "../../api/types";

export type Step = SocketSchemas["Step"];

export interface RuledStep {
  step: Step;
  clause: string | null;
}

export interface Ruling {
  clause: string | null;
  steps: RuledStep[];
  /** What the round would wait for, and the sentence that everybody reads then. */
  hold: Hold | null;
  /** Who confirms or decides first. */
  positions: readonly string[];
  /** It waits behind what the round waits for already. */
  queued: boolean;
  /** The ruling on the same situation that does not apply; null: none, or it is not said on what that turns. */
  instead: SocketSchemas["Instead"] | null;
}

const named = (events: readonly Heard[], name: string): Heard | undefined => events.find((event) => event.name === name);

/** The ruling of a report that was previewed; null: nothing would happen. */
export function rulingOf(preview: Previewed): Ruling | null {
  const events = (preview.change?.events ?? []) as Heard[];
  const reported = named(events, "irregularity_reported")?.facts ?? named(events, "report_queued")?.facts;
  if (reported === undefined) return null;
  const held = named(events, "hold_placed")?.facts;
  const steps = (reported["steps"] ?? []) as Step[];
  const clauses = new Map((held?.["steps"] ?? []) as [Step, string][]);
  const taken = events.filter(({ name }) => name === "step_taken").map(({ facts }) => [facts["step"], facts["clause"]]);
  for (const [step, clause] of taken as [Step, string][]) if (!clauses.has(step)) clauses.set(step, clause);
  const view = (preview.change?.view ?? {}) as { hold?: Ruling["hold"]; dealer?: Part; pit?: Part };
  const part = view.dealer ?? view.pit;
  return {
    clause: (reported["clause"] as string | null) ?? null,
    steps: steps.map((step) => ({ step, clause: clauses.get(step) ?? null })),
    hold: view.hold ?? null,
    positions: part?.next?.positions ?? [],
    queued: named(events, "report_queued") !== undefined,
    instead: part?.hold?.instead ?? part?.ruled?.instead ?? null,
  };
}

interface Part {
  next?: { positions?: readonly string[] };
  hold?: Pick<SocketSchemas["OpenHold"], "instead"> | null;
  ruled?: Pick<SocketSchemas["RuledShown"], "instead"> | null;
}

/** Two rulings may stand in one clause: what they do tells them apart. */
export const differs = (one: Ruling, other: Ruling): boolean =>
  one.clause !== other.clause || one.steps.map(({ step }) => step).join() !== other.steps.map(({ step }) => step).join();

export type Who = "you" | "patrons" | "staff" | "house";

const WHO: Record<Step, Who> = {
  stand: "house",
  not_honoured: "you",
  remains: "house",
  earlier_stand: "house",
  expose: "you",
  reconstruct: "you",
  take_up: "you",
  void: "house",
  offer_any: "patrons",
  offer_undecided: "patrons",
  offer_remaining: "patrons",
  offer_all: "patrons",
  set_order: "staff",
  reset_device: "staff",
  reopen: "you",
  retrieve: "you",
  dealer_exposes: "you",
  reserve_cards: "staff",
  sort_cards: "you",
  deduce_missing: "house",
  substitute: "you",
  conclude: "you",
  replace_cards: "you",
  takes_part: "house",
  no_part: "house",
  refer: "staff",
};

export const whoDoes = (step: Step): Who => WHO[step];

export const isOffer = (step: Step): boolean => WHO[step] === "patrons";

/** How many patrons have how much in play: they are asked, or get it back. */
export function atStake(stakes: readonly OwnedStake[]): { patrons: number; cents: number } {
  const names = new Set(stakes.flatMap((stake) => stake.shares.map(({ patron }) => patron)));
  return { patrons: names.size, cents: stakes.reduce((sum, { cents }) => sum + cents, 0) };
}

/** Which of all steps are done: those before the rest that the round still waits for. */
export function progress(all: readonly Step[], rest: readonly Step[]): { step: Step; state: "done" | "now" | "later" }[] {
  const tail = all.slice(all.length - rest.length).every((step, i) => step === rest[i]) && all.length >= rest.length;
  const steps = tail ? all : rest;
  const at = steps.length - rest.length;
  return steps.map((step, i) => ({ step, state: i < at ? "done" : i === at ? "now" : "later" }));
}
