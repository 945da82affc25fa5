/** Wallet, credit at the table, and tickets: bring, take, cash out, take a ticket in. */
import { useSignal } from "@preact/signals";
import { give, Refused, type Done } from "../../../api/http";
import type { Command, Problem } from "../../../api/types";
import { house } from "../../../app/session";
import { mark } from "../../../draw/house";
import { Svg } from "../../../draw/Svg";
import { centsOf, clock, day, money } from "../../../i18n/money";
import { drawLanguage } from "../../../parts/Card";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { now } from "../../../state/clock";
import { amounts, opening } from "../../../state/may";
import { useMine } from "../../../state/table";
import { amountInWords } from "../model/figures";
import { Amount, quickAmounts } from "../Seat";
import { currency, openSheet, useHere } from "../table";
import { say } from "../words";
import { Choices } from "./parts";

type Tab = "in" | "out" | "tickets";
interface Ticket {
  number: string;
  validation: string;
  cents: number;
  at: number;
}

/** Tickets of this page, newest first: the validation is told once. */
const MOST_KEPT = 35;

function usePaying() {
  const sending = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const pay = async (where: string, content: Command): Promise<Done | null> => {
    sending.value = true;
    problem.value = null;
    try {
      return await give(where, content);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem.value = error.problem;
      return null;
    } finally {
      sending.value = false;
    }
  };
  return { sending, problem, pay };
}

function Slip(props: { cents: number; ticket: Ticket | null }) {
  const { own } = useHere();
  const { ticket } = props;
  return (
    <section class="tick" aria-label={say(ticket === null ? "ticketPreview" : "ticket")}>
      <div class="hd">
        <i>
          <Svg of={mark()} label="" />
        </i>
        {house.value?.name}
        <span class="end xs">{say(ticket === null ? "ticketPreview" : "ticket")}</span>
      </div>
      <div class="am">
        {currency()} {money(props.cents)}
      </div>
      <div class="wd2">{amountInWords(props.cents, drawLanguage())}</div>
      <div class="cut" />
      <dl>
        <dt>{say("seatLabel")}</dt>
        <dd>{own.seat ?? "–"}</dd>
        <dt>{say("issued")}</dt>
        <dd>
          {day(ticket?.at ?? now.value)}, {clock(ticket?.at ?? now.value, ticket !== null)}
        </dd>
        <dt>{say("number")}</dt>
        <dd>{ticket?.number ?? "–"}</dd>
        <dt>{say("validation")}</dt>
        <dd class="val">{ticket === null ? "•••• •••• ••••" : ticket.validation}</dd>
      </dl>
    </section>
  );
}

function BringIn(props: { wallet: number }) {
  const { name, view } = useHere();
  const { sending, problem, pay } = usePaying();
  const quick = quickAmounts(view.rules?.wagers ?? []);
  const text = useSignal(money(Math.min(props.wallet, quick[1] ?? props.wallet)));
  const cents = centsOf(text.value);
  const able = cents !== null && cents > 0 && cents <= props.wallet;
  return (
    <>
      <Amount label={say("bring", { currency: currency() })} help={say("inWallet", { cents: money(props.wallet) })} text={text.value} quick={quick} most={props.wallet} onText={(next) => void (text.value = next)} />
      <Trouble problem={problem.value} />
      <button class="btn second wide" disabled={!able || sending.value} onClick={() => void pay("cage", { type: "send_to_table", table: name, cents })}>
        {say("bringNow", { cents: money(cents ?? 0) })}
      </button>
    </>
  );
}

function CashOut(props: { wallet: number; onTicket: (ticket: Ticket) => void }) {
  const { name, own } = useHere();
  const { sending, problem, pay } = usePaying();
  const room = amounts(opening(own.may, "take_credit"), "cents");
  const text = useSignal(money(props.wallet));
  const cents = centsOf(text.value);
  const able = cents !== null && cents > 0 && cents <= props.wallet;
  const print = async (): Promise<void> => {
    if (cents === null) return;
    const done = await pay("cage", { type: "cash_out", cents });
    if (done?.ticket === undefined) return;
    props.onTicket({ number: String(done.ticket), validation: done.validation ?? "", cents, at: now.peek() });
  };
  return (
    <>
      {room !== null && (
        <button class="btn wide" disabled={sending.value} onClick={() => void pay(name, { type: "take_credit", cents: room.maximum })}>
          {say("moveToWallet", { cents: money(room.maximum) })}
        </button>
      )}
      <label class="fld">
        {say("cashOutLabel", { currency: currency() })}
        <small>{own.in_play_cents > 0 ? say("inPlayHelp", { cents: money(own.in_play_cents) }) : say("inWallet", { cents: money(props.wallet) })}</small>
        <input class="in num" inputMode="decimal" value={text.value} onInput={(event) => void (text.value = event.currentTarget.value)} />
      </label>
      <Slip cents={cents ?? 0} ticket={null} />
      <Trouble problem={problem.value} />
      <button class="btn second wide" disabled={!able || sending.value} onClick={() => void print()}>
        {say("printTicket", { cents: money(cents ?? 0) })}
      </button>
    </>
  );
}

function TakeIn() {
  const { sending, problem, pay } = usePaying();
  const [ticket, validation] = [useSignal(""), useSignal("")];
  const taken = useSignal(false);
  const take = async (): Promise<void> => {
    taken.value = (await pay("cage", { type: "take_in_ticket", ticket: ticket.peek().trim(), validation: validation.peek().trim() })) !== null;
  };
  return (
    <>
      <label class="fld">
        {say("number")}
        <input class="in" value={ticket.value} onInput={(event) => void (ticket.value = event.currentTarget.value)} />
      </label>
      <label class="fld">
        {say("validation")}
        <input class="in" autocomplete="off" value={validation.value} onInput={(event) => void (validation.value = event.currentTarget.value)} />
      </label>
      <Trouble problem={problem.value} />
      {taken.value && (
        <p class="sm" role="status">
          {say("ticketTaken")}
        </p>
      )}
      <button class="btn second wide" disabled={sending.value || ticket.value === "" || validation.value === ""} onClick={() => void take()}>
        {say("takeTicket")}
      </button>
    </>
  );
}

export function Wallet() {
  const { name, own } = useHere();
  const mine = useMine();
  const wallet = mine.value?.view.wallet ?? null;
  const tab = useSignal<Tab>("in");
  const tickets = useSignal<readonly Ticket[]>([]);
  const printed = (ticket: Ticket): void => {
    tickets.value = [ticket, ...tickets.peek()].slice(0, MOST_KEPT);
    tab.value = "tickets";
  };
  const cents = wallet?.cents ?? 0;
  return (
    <Sheet title={say("moneyButton")} sub={`${currency()} · ${name}`} onClose={() => openSheet(name, null)}>
      <div class="figs">
        <div>
          <span>{say("walletLabel")}</span>
          <b>{money(cents)}</b>
        </div>
        <div>
          <span>{say("atTable")}</span>
          <b>{money(own.credit_cents)}</b>
        </div>
        <div>
          <span>{say("inPlay")}</span>
          <b>{money(own.in_play_cents)}</b>
        </div>
      </div>
      {own.reserved_cents > 0 && <p class="xs muted">{say("reserved", { cents: money(own.reserved_cents) })}</p>}
      {(wallet?.in_transit_cents ?? 0) > 0 && <p class="xs muted">{say("inTransit", { cents: money(wallet?.in_transit_cents ?? 0) })}</p>}
      <Choices
        label={say("moneyButton")}
        value={tab.value}
        choices={[
          ["in", say("tabIn")],
          ["out", say("tabOut")],
          ["tickets", say("tabTickets")],
        ]}
        onChoose={(chosen) => void (tab.value = chosen)}
      />
      {tab.value === "in" && <BringIn wallet={cents} />}
      {tab.value === "out" && <CashOut wallet={cents} onTicket={printed} />}
      {tab.value === "tickets" && (
        <>
          {tickets.value.map((ticket) => (
            <Slip key={ticket.number} cents={ticket.cents} ticket={ticket} />
          ))}
          {tickets.value.length > 0 && <p class="xs muted">{say("validationOnce")}</p>}
          <TakeIn />
        </>
      )}
    </Sheet>
  );
}
