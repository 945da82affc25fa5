/** Decisions on a matter that the rulebook does not cover: which are open, which cannot be, and why. */
import type { Open, PitPart } from "../../api/types";
import { fieldOf, openings } from "../../state/may";

export const DECISIONS = ["continue", "offer_withdrawal", "reconstruct", "void", "exclude_stake", "reset_and_wager_again", "correct_pay_list"] as const;
export type Decision = (typeof DECISIONS)[number];

export interface Decidable {
  decision: Decision;
  /** How it may be given; empty: it cannot be decided now, or not by this position. */
  opens: Open[];
  /** The rulebook, or the point of the round, leaves it open to somebody. */
  possible: boolean;
}

const allows = (open: Open, decision: Decision): boolean => {
  const allowed = fieldOf(open, "decision")?.allowed;
  return Array.isArray(allowed) && (allowed as unknown[]).includes(decision);
};

/** All decisions there are, with what is open of them. */
export function decidables(pit: Pick<PitPart, "may" | "hold">): Decidable[] {
  const all = openings(pit.may, "decide_referral");
  const possible: readonly string[] = pit.hold?.decisions ?? [];
  return DECISIONS.map((decision) => ({
    decision,
    possible: possible.includes(decision),
    opens: all.filter((open) => allows(open, decision)),
  }));
}

/** The opening with the decision fixed in it, for a form of what else it needs. */
export function narrowed(open: Open, decision: Decision): Open {
  return { ...open, fields: (open.fields ?? []).map((field) => (field.name === "decision" ? { ...field, allowed: [decision] } : field)) };
}

/** What a decision needs beside its reason. */
export const furtherFields = (open: Open): string[] =>
  (open.fields ?? []).map(({ name }) => name).filter((name) => name !== "decision" && name !== "reason");
