/** A ticket whose number must not be lost, or whose answer is awaited, is said wherever its sheet is not open. */
import { money } from "../../i18n/money";
import { openSheet, useHere } from "./table";
import { awaited, printed } from "./tickets";
import { say } from "./words";

export function TicketNote() {
  const { name, own, sheet } = useHere();
  const [ticket] = printed.value;
  const wait = awaited.value;
  if (sheet === "wallet" && own.option === null) return null;
  if (wait?.late) return <p class="hint">{say("ticketAwaited", { cents: money(wait.cents) })}</p>;
  if (ticket === undefined) return null;
  return (
    <p class="hint">
      {say("ticketHere", { cents: money(ticket.cents) })}{" "}
      {own.option === null && (
        <button class="btn small" onClick={() => openSheet(name, "wallet")}>
          {say("ticketShow")}
        </button>
      )}
    </p>
  );
}
