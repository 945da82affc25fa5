/** The 24 situations under what a Dealer sees, and what must be said of each. */
import type { Command, Field, Open, Situation } from "../../api/types";
import type { IconName } from "../../parts/Icon";
import { openings } from "../../state/may";
import type { Part } from "./course";
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

export const SITUATION = "about.situation";

const situationsOf = (open: Open): readonly unknown[] => {
  const allowed = open.fields?.find(({ name }) => name === SITUATION)?.allowed;
  return Array.isArray(allowed) ? allowed : [];
};

/** The openings of a report on a situation: with and without how the cards lay. */
export const reportsOn = (may: readonly Open[], situation: Situation): Open[] =>
  openings(may, "report").filter((open) => situationsOf(open).includes(situation));

/** Whether a situation can be reported now; one of another way of dealing is reported as something else. */
export const canReport = (part: Pick<Part, "may" | "not_here">, situation: Situation): boolean =>
  !part.not_here.includes(situation) && reportsOn(part.may, situation).length > 0;

/** As much as a report must say, so that the table tells why it cannot be one now. */
const LEAST: Partial<Record<Situation, Record<string, unknown>>> = {
  drawn_together: { count: 2, order_known: true },
  wrong_order: { laid: ["P1"] },
  wrong_number: { order_known: false },
  order_altered: { order_known: false },
  altered_in_movement: { order_known: false },
  late_increase: { patron: "-" },
  late_removal: { stake: 0 },
  wrong_patron: { side: "player", patron: "-" },
  exposed_in_error: { position: "P1" },
  handler_absent: { side: "player" },
  left_with_cards: { patron: "-" },
  terminal_failure: { terminal: 1 },
};

export const leastOf = (situation: Situation): Command => ({ type: "report", about: { situation, ...LEAST[situation] } }) as Command;

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
