/** The 24 situations under what a Dealer sees, and what must be said of each. */
import type { Field, Open, Situation } from "../../api/types";
import type { IconName } from "../../parts/Icon";
import { openings } from "../../state/may";
import type { Draft } from "./form";

export interface Group {
  name: "cards" | "patrons" | "device" | "wagers" | "table";
  icon: IconName;
  situations: readonly Situation[];
}

export const GROUPS: readonly Group[] = [
  {
    name: "cards",
    icon: "cards",
    situations: [
      "drawn_together",
      "wrong_order",
      "wrong_number",
      "exposed_in_error",
      "face_up_card",
      "extra_card",
      "missing_card",
      "foreign_card",
      "unshuffled_cards",
    ],
  },
  { name: "patrons", icon: "users", situations: ["wrong_patron", "not_passed", "handler_absent", "left_with_cards"] },
  {
    name: "device",
    icon: "shoe",
    situations: ["order_altered", "insufficient_cards", "device_reset", "exposed_in_movement", "altered_in_movement"],
  },
  { name: "wagers", icon: "chip", situations: ["late_increase", "late_removal"] },
  { name: "table", icon: "table", situations: ["power_failure", "display_wrong", "terminal_failure", "other"] },
];

const SITUATION = "about.situation";

const situationsOf = (open: Open): readonly unknown[] => {
  const allowed = open.fields?.find(({ name }) => name === SITUATION)?.allowed;
  return Array.isArray(allowed) ? allowed : [];
};

/** The openings of a report on a situation: with and without how the cards lay. */
export const reportsOn = (may: readonly Open[], situation: Situation): Open[] =>
  openings(may, "report").filter((open) => situationsOf(open).includes(situation));

/** The fields that are questions, in order; how cards lay and what was noted stand apart. */
export function questionsOf(opens: readonly Open[]): Field[] {
  const found = new Map<string, Field>();
  for (const open of opens) {
    for (const field of open.fields ?? []) {
      if ([SITUATION, "about.laid", "note", "cards"].includes(field.name)) continue;
      const known = found.get(field.name);
      if (known === undefined || (known.allowed != null && field.allowed == null)) found.set(field.name, field);
    }
  }
  return [...found.values()];
}

export const layOf = (open: Open): Field | undefined => open.fields?.find(({ name }) => name === "about.laid");

const knownFits = (open: Open, draft: Draft): boolean => {
  const allowed = open.fields?.find(({ name }) => name === "about.order_known")?.allowed;
  return !Array.isArray(allowed) || draft["about.order_known"] === undefined || allowed.includes(draft["about.order_known"] as never);
};

/** The opening that fits the answers: with how the cards lay where that is told, or must be. */
export function openingFor(opens: readonly Open[], draft: Draft, tellsLay: boolean): Open | undefined {
  const fitting = opens.filter((open) => knownFits(open, draft));
  const bare = fitting.find((open) => layOf(open) === undefined);
  const laid = fitting.find((open) => layOf(open) !== undefined);
  return tellsLay ? (laid ?? bare) : (bare ?? laid);
}

export const tellsSituation = (draft: Draft, situation: Situation): Draft => ({ ...draft, [SITUATION]: situation });

/** The situations that a word or a number finds, by the names that are shown. */
export function found(situations: readonly Situation[], words: string, nameOf: (situation: Situation) => string): Situation[] {
  const wanted = words.trim().toLowerCase();
  return situations.filter((situation) => wanted === "" || nameOf(situation).toLowerCase().includes(wanted));
}
