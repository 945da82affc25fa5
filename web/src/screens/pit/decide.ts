/** What somebody of the pit may choose about a matter: each choice as the command that it is. */
import type { Command, Open } from "../../api/types";
import { fieldOf, values } from "../../state/may";
import type { Matter } from "./waiting";

export interface Choice {
  id: string;
  open: Open;
  /** Without its reason. */
  command: Command;
}

/** All orders of a few things. */
export function orders<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((thing, i) => orders([...things.slice(0, i), ...things.slice(i + 1)]).map((rest) => [thing, ...rest]));
}

/** More cards than these have too many orders to list. */
const LISTED = 3;

function choicesOfOpen(open: Open): Choice[] | null {
  const type = open.command;
  const one = (more: Record<string, unknown>, id: string = JSON.stringify(more)): Choice => ({ id: `${type}/${id}`, open, command: { type, ...more } });
  switch (type) {
    case "confirm_report":
    case "dismiss_report":
    case "end_option":
    case "reset_device":
      return [one({})];
    case "set_order": {
      const allowed = fieldOf(open, "order")?.allowed;
      if (!Array.isArray(allowed) || allowed.length > LISTED) return null;
      return orders(allowed).map((order) => one({ order }));
    }
    case "take_off_wager":
      return values(open, "stake").map((stake) => one({ stake }));
    case "decide_replacement":
      return flags(open, "replace").map((replace) => one({ replace }));
    case "decide_terminal":
      return values(open, "position").flatMap((position) => flags(open, "stands").map((stands) => one({ position, stands })));
    default:
      return null;
  }
}

const flags = (open: Open, name: string): unknown[] => {
  const allowed = values(open, name);
  return allowed.length > 0 ? allowed : [true, false];
};

/** The choices of a matter; null: they are more than a list holds, and a form asks for them. */
export function choicesOf(matter: Matter): Choice[] | null {
  const all = matter.answers.map(choicesOfOpen);
  return all.some((choices) => choices === null) ? null : all.flatMap((choices) => choices ?? []);
}

export const reasonNeeded = (open: Open): boolean => fieldOf(open, "reason")?.required ?? false;
export const takesReason = (open: Open): boolean => fieldOf(open, "reason") !== undefined;

/** What to do before a decision can be given, by the names of the fields that are empty. */
export const wantedWord = (left: readonly string[]): "reasonFirst" | "restFirst" => (left.some((field) => field !== "reason") ? "restFirst" : "reasonFirst");

/** The command with the reason that was written, where there is one. */
export function withReason(command: Command, reason: string): Command {
  const words = reason.trim();
  return words === "" ? command : { ...command, reason: words };
}
