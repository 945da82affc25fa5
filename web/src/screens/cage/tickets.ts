/** A ticket in words: what became of it. */
import type { Schemas } from "../../api/types";
import { clock, day } from "../../i18n/money";
import { moment } from "../../state/clock";
import { say } from "./say";

type TicketShown = Schemas["TicketShown"];

/** A ticket that was not paid in its time is paid no more. */
export const expired = ({ state, payable_until: until }: Pick<TicketShown, "state" | "payable_until">): boolean =>
  state === "expired" || (state === "open" && until !== null && Date.parse(until) <= moment());

export function ticketState(ticket: TicketShown): string {
  if (expired(ticket)) return say("ticket.expired", { day: day(ticket.payable_until ?? "") });
  if (ticket.state === "open") {
    return ticket.payable_until == null ? say("ticket.openEver") : say("ticket.open", { day: day(ticket.payable_until) });
  }
  const time = ticket.ended == null ? "" : clock(ticket.ended);
  return ticket.state === "paid" ? say("ticket.paid", { time, by: ticket.ended_by ?? "" }) : say("ticket.taken_in", { time });
}
