/** What is asked for at the cage: from the fields that somebody filled to a command, or why not yet. */
import type { Command, Schemas } from "../../api/types";
import { centsOf } from "../../i18n/money";
import { validationTyped } from "../../i18n/validation";

export type CageOpen = Schemas["CageOpen"];

/** What was typed, by field. */
export type Typed = Record<string, string>;

/** The most that may be moved beside what was typed; null: no amount is asked for. */
export function most(open: CageOpen, typed: Typed): number | null {
  if (open.tables) return open.tables.find((one) => one.table === typed["table"])?.most_cents ?? null;
  return open.most_cents;
}

/** The most that any command may carry, in cents: a bound of the ledger that tells a Cashier nothing. */
const CARRIED = 10 ** 12;

/** The most that is worth saying beside an amount: what a wallet or a tray holds. */
export function mostShown(open: CageOpen, typed: Typed): number | null {
  const limit = most(open, typed);
  return limit === null || limit >= CARRIED ? null : limit;
}

/** What the ledger says a count comes to; null: nothing is counted, or no table is chosen. */
export function expected(open: CageOpen, typed: Typed): number | null {
  return open.tables?.find((one) => one.table === typed["table"])?.expected_cents ?? null;
}

/** By how much a count differs from the ledger; 0 as long as nothing is counted. */
export function difference(open: CageOpen, typed: Typed): number {
  const cents = centsOf(typed["cents"] ?? "");
  const said = expected(open, typed);
  return cents === null || said === null ? 0 : cents - said;
}

type TicketShown = Schemas["TicketShown"];

/** The ticket whose number was typed; null: none is known, or none was asked for. */
export function ticketTyped(open: CageOpen, typed: Typed, tickets: readonly TicketShown[]): TicketShown | null {
  if (!open.fields.includes("ticket")) return null;
  const number = (typed["ticket"] ?? "").replaceAll(/\s/g, "");
  return tickets.find((ticket) => ticket.number === number) ?? null;
}

/** The command that was typed; null: something is missing, or is no amount, or too much. */
export function ordered(open: CageOpen, typed: Typed): Command | null {
  const command: Command = { type: open.command };
  for (const field of open.fields) {
    const text = (typed[field] ?? "").trim();
    if (field === "cents") {
      const cents = centsOf(text);
      const limit = most(open, typed);
      if (cents === null || (limit !== null && cents > limit)) return null;
      // A count of nothing is a count; nothing else moves no money.
      if (cents === 0 && expected(open, typed) === null) return null;
      command["cents"] = cents;
    } else if (text === "") return null;
    else command[field] = field === "validation" ? validationTyped(text) : field === "ticket" ? text.replaceAll(/\s/g, "") : text;
  }
  return command;
}
