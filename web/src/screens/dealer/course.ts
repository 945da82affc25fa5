/** Where a round is, and what the one primary button does: both follow from the table's `next`. */
import type { DealerPart, Open, TableView } from "../../api/types";
import { opening } from "../../state/may";

export const STEPS = ["bets", "closed", "shake", "deal", "result", "settle"] as const;
export type StepName = (typeof STEPS)[number];

const AT: Partial<Record<string, StepName>> = {
  OPEN: "bets",
  CLOSED: "closed",
  SHAKE: "shake",
  DEALING: "deal",
  RESULT: "result",
  SETTLED: "settle",
};

export interface StepShown {
  name: StepName;
  state: "done" | "now" | "later";
}

/** Steps of the round; the shake is there where the game has a die. Once it is paid, all are done. */
export function stepsOf(view: Pick<TableView, "phase" | "rules">, part: Pick<Part, "next">): StepShown[] {
  const hasDie = view.rules?.game === "power-98";
  const names = STEPS.filter((name) => name !== "shake" || hasDie);
  const now = AT[view.phase];
  const paid = view.phase === "SETTLED" && between(view, part);
  const at = now === undefined ? -1 : paid ? names.length : names.indexOf(now);
  return names.map((name, i) => ({ name, state: i < at ? "done" : i === at ? "now" : "later" }));
}

/** Somebody of staff sees the Dealer's part: the Dealer, or the pit whose part has more. */
export type Part = DealerPart;
export const partOf = (view: TableView): Part | null => view.dealer ?? (view.pit as Part | undefined) ?? null;

export interface Due {
  /** The command of the usual course, and how it is open to whoever works here. */
  command: string | null;
  open: Open | null;
  /** What it says, where nothing is left to choose. */
  said: Record<string, string | number | boolean | null> | null;
  /** Whether a face must come with it, or may. */
  face: "none" | "may" | "must";
}

/** Fields that hold exactly one value are said by themselves. */
function saidBy(open: Open): Due["said"] {
  const said: NonNullable<Due["said"]> = {};
  for (const field of open.fields ?? []) {
    if (field.house || !field.required) continue;
    const allowed = field.allowed;
    const only = Array.isArray(allowed) && allowed.length === 1 ? allowed[0] : undefined;
    if (only === undefined) return null;
    said[field.name] = only;
  }
  return (open.ways ?? []).length > 0 ? null : said;
}

/** What is due from whoever works here. */
export function dueOf(part: Part): Due {
  const { command } = part.next;
  const open = command === null ? null : (opening(part.may, command) ?? null);
  if (open === null) return { command, open, said: null, face: "none" };
  const cards = (open.fields ?? []).find((field) => field.house && field.kind === "cards");
  const face = cards === undefined ? "none" : cards.required ? "must" : "may";
  return { command, open, said: saidBy(open), face };
}

/** Whether the house deals and nobody has taken over. */
export const houseDeals = (view: TableView, part: Part): boolean =>
  view.rules?.dealt_by === "house" && part.dealer === null;

/** Whether the house still deals the round that was on when a Dealer took the table over. */
export const houseFinishes = (view: TableView, part: Part): boolean =>
  view.rules?.dealt_by === "house" && part.dealer !== null && part.next.system && !between(view, part);

/** Which card of the round comes next, counted from 1. */
export const cardNumber = (view: Pick<TableView, "hands">): number =>
  view.hands.reduce((sum, hand) => sum + hand.cards.length, 0) + 1;

export const sideOfPlace = (place: string): "player" | "banker" => (place.startsWith("P") ? "player" : "banker");

/** No round is on: nothing was called for yet, the last one was void, or it is settled and paid. */
export const between = (view: Pick<TableView, "phase">, part: Pick<Part, "next">): boolean =>
  ["IDLE", "VOID"].includes(view.phase) || (view.phase === "SETTLED" && part.next.command !== "confirm_payment");
