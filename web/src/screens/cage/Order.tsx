/** One act at the cage, as a question: its fields, what the ledger says, and the second person. */
import { useSignal } from "@preact/signals";
import type { Command, Schemas } from "../../api/types";
import { say as common } from "../../i18n/common";
import { centsOf, money, signed } from "../../i18n/money";
import { positionName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { useActing } from "../../parts/acting";
import { Dialog } from "../../parts/Dialog";
import { SecondPerson } from "../../parts/SecondPerson";
import { Trouble } from "../../parts/Trouble";
import { inOrderOfTables } from "../../state/tables";
import { type CageOpen, difference, expected, mostShown, ordered, ticketTyped, type Typed } from "./orders";
import { named, say } from "./say";
import { expired, ticketState } from "./tickets";

type TicketShown = Schemas["TicketShown"];

function TypedField(props: { open: CageOpen; field: string; typed: Typed; patrons: readonly string[]; onType: (text: string) => void; onLeave: () => void }) {
  const { open, field, typed } = props;
  const value = typed[field] ?? "";
  const limit = field === "cents" ? mostShown(open, typed) : null;
  if (field === "table") {
    return (
      <label class="fld">
        {named("field", field)}
        <select class="in" value={value} onChange={(event) => props.onType(event.currentTarget.value)}>
          <option value="" />
          {inOrderOfTables(open.tables ?? [], ({ table }) => table).map((one) => (
            <option key={one.table} value={one.table}>
              {tableWords(one.table)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <label class="fld">
      {named("field", field)}
      <input
        class={field === "cents" ? "in num" : "in"}
        value={value}
        inputMode={field === "cents" ? "decimal" : "text"}
        autocomplete="off"
        list={field === "patron" ? "cage-patrons" : undefined}
        onInput={(event) => props.onType(event.currentTarget.value)}
        onBlur={props.onLeave}
      />
      {limit !== null && <small>{say("most", { amount: money(limit) })}</small>}
      {field === "patron" && (
        <datalist id="cage-patrons">
          {props.patrons.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </label>
  );
}

function Count(props: { open: CageOpen; typed: Typed }) {
  const said = expected(props.open, props.typed);
  if (said === null) return null;
  const off = difference(props.open, props.typed);
  if (off === 0) return <p class="sm muted">{say("expected", { amount: money(said) })}</p>;
  return <p class="tip alert">{say("differs", { amount: signed(off) })}</p>;
}

/** What is known of the ticket whose number was typed: its amount, and whether it can be paid. */
function TicketFound({ ticket, typed }: { ticket: TicketShown | null; typed: string }) {
  if (typed.trim() === "") return null;
  if (ticket === null) return <p class="tip alert">{say("ticketUnknown")}</p>;
  const pays = ticket.state === "open" && !expired(ticket);
  return (
    <p class={pays ? "tip" : "tip alert"} role="status">
      <b>{ticket.figures}</b> {ticketState(ticket)}
    </p>
  );
}

export function Order(props: { open: CageOpen; patrons: readonly string[]; tickets: readonly TicketShown[]; onDone: (sentence: string) => void; onBack: () => void }) {
  const { open } = props;
  const typed = useSignal<Typed>({});
  const second = useSignal<Command | null>(null);
  const { act, sending, away, problem } = useActing("cage");
  const command = ordered(open, typed.value);
  const redeems = open.fields.includes("ticket");
  const ticket = ticketTyped(open, typed.value, props.tickets);
  const sure = useSignal(false);
  const words = {
    amount: money(ticket?.cents ?? centsOf(typed.value["cents"] ?? "") ?? 0),
    table: typed.value["table"] ? tableWords(typed.value["table"]) : "",
    ticket: typed.value["ticket"] ?? "",
    patron: typed.value["patron"] ?? "",
  };
  const send = async (given: Command, approval?: string): Promise<void> => {
    const done = await act(given, approval === undefined ? {} : { approval });
    if (done === null) return;
    const key = `done.${open.command}`;
    const paid = done.events.find(({ name }) => name === "ticket_paid")?.facts["cents"];
    const told = typeof paid === "number" ? { ...words, amount: money(paid) } : words;
    props.onDone(key === "done.buy_in" || key === "done.pay_ticket" || key === "done.pay_out" ? say(key, told) : say("done.other", { sequence: done.sequence }));
  };
  const asks = open.approvers.length > 0;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (command === null) return;
    if (redeems && !sure.value) sure.value = true;
    else if (asks) second.value = command;
    else void send(command);
  };
  return (
    <Dialog title={named("ask", open.command)} above={<span class="tag brass">{named("act", open.command)}</span>} onBack={props.onBack}>
      <form class="stack16" id="cage-order" onSubmit={submit}>
        {open.fields.map((field) => (
          <TypedField
            key={field}
            open={open}
            field={field}
            typed={typed.value}
            patrons={props.patrons}
            onType={(text) => {
              typed.value = { ...typed.peek(), [field]: text };
              second.value = null;
              sure.value = false;
            }}
            onLeave={() => {
              // An amount is read more easily as it is written elsewhere.
              const cents = field === "cents" ? centsOf(typed.peek()[field] ?? "") : null;
              if (cents !== null) typed.value = { ...typed.peek(), [field]: money(cents) };
            }}
          />
        ))}
        {redeems && <TicketFound ticket={ticket} typed={typed.value["ticket"] ?? ""} />}
        {redeems && sure.value && (
          <p class="tip brass" role="alert">
            {ticket === null ? say("payUnknownAsk") : say("payAsk", words)}
          </p>
        )}
        <Count open={open} typed={typed.value} />
        <Trouble problem={problem} />
        {second.value === null && (
          <div class="dfoot">
            <button type="button" class="btn" onClick={props.onBack}>
              {common("cancel")}
            </button>
            <span class="sp" id="order-left">
              {command === null && say("fillAll")}
            </span>
            <button class="btn primary" disabled={command === null || sending || away} aria-describedby="order-left">
              {redeems && !sure.value ? say("checkTicket") : asks ? say("next") : redeems && ticket === null ? say("askHouse") : say(`do.${open.command}` as "do.buy_in", words)}
            </button>
          </div>
        )}
      </form>
      {second.value !== null && (
        <SecondPerson
          position={open.approvers.map(positionName).join(" / ")}
          table="cage"
          command={second.value}
          label={say(`do.${open.command}` as "do.buy_in", words)}
          onBack={props.onBack}
          onApproved={(approval) => void send(second.value as Command, approval)}
        />
      )}
    </Dialog>
  );
}
