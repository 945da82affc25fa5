/** Wallet, credit at the table, and tickets: bring, take, cash out, take a ticket in. */
import { currency, house } from "../../../app/session";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { give, Refused, type Done } from "../../../api/http";
import type { Command, Problem, Schemas } from "../../../api/types";
import { mark } from "../../../draw/house";
import { Svg } from "../../../draw/Svg";
import { ticketBars } from "../../../draw/ticket";
import { centsOf, clock, day, money } from "../../../i18n/money";
import { tableWords } from "../../../i18n/tables";
import { Sheet } from "../../../parts/Sheet";
import { BarredNote } from "../../../parts/BarredNote";
import { Icon } from "../../../parts/Icon";
import { printAlone } from "../../../parts/printing";
import { Trouble } from "../../../parts/Trouble";
import { now } from "../../../state/clock";
import { useLoaded } from "../../../state/loaded";
import { amounts, opening } from "../../../state/may";
import { inGroups, validationTyped } from "../../../i18n/validation";
import { settings } from "../../../state/settings";
import { useMine } from "../../../state/table";
import { Amount, quickAmounts } from "../Seat";
import { openSheet, useHere, useTyped } from "../table";
import { type Barred, barredFromEntering } from "../model/left";
import { notBrought } from "../bringing";
import { awaited, cashOut, forgetRefusal, printed, type Printed, putAway, refused } from "../tickets";
import { say } from "../words";
import { Choices } from "./parts";

type Tab = "in" | "out" | "tickets";
type Ticket = Schemas["TicketShown"];
type Preview = Schemas["TicketPreview"];

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

interface SlipFacts {
  title: string;
  figures: string;
  words: Record<string, string>;
  facts: [string, string][];
  /** The number that is printed in bars; a preview has none yet. */
  bars?: string;
}

function Slip(props: SlipFacts & { house: string }) {
  const words = props.words[settings.value.language] ?? props.words["en"] ?? "";
  return (
    <section class="tick" aria-label={props.title}>
      <div class="hd">
        <i>
          <Svg of={mark()} label="" />
        </i>
        {props.house}
        <span class="end xs">{props.title}</span>
      </div>
      <div class="am">{props.figures}</div>
      <div class="wd2">{words}</div>
      <div class="cut" />
      <dl>
        {props.facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {props.bars !== undefined && <Svg of={ticketBars(props.bars)} />}
    </section>
  );
}

const moment = (time: string | number): string => `${day(time)}, ${clock(time, true)}`;
const until = (time: string | null): [string, string][] => (time === null ? [] : [[say("payableUntil"), day(time)]]);

/** The table and the position at which a ticket is printed. */
const printedAt = (terminal: Ticket["terminal"]): [string, string][] =>
  terminal === null ? [] : [[say("seatLabel"), say("seatN", { table: tableWords(terminal.table, terminal.number), seat: terminal.position })]];

function PreviewSlip(props: { cents: number }) {
  const [loaded] = useLoaded<Preview>(props.cents > 0 ? `/me/tickets/preview?cents=${props.cents}` : null);
  const preview = loaded.value.value;
  if (preview === null) return null;
  const facts: [string, string][] = [
    ...printedAt(preview.terminal),
    [say("issued"), moment(now.value)],
    [say("number"), say("whenPrinted")],
    [say("validation"), "•••• •••• •••• ••••"],
    ...until(preview.payable_until),
  ];
  return <Slip house={preview.house} title={say("ticketPreview")} figures={preview.figures} words={preview.words as Record<string, string>} facts={facts} />;
}

/** A ticket whose number was told here stays until its patron says that the number is noted. */
function PutAway({ number, told }: { number: string; told: boolean }) {
  const asked = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const print = (): void => {
    const slip = box.current?.previousElementSibling;
    if (slip) printAlone(slip);
  };
  return (
    <div class="stack8" ref={box}>
      {asked.value && <p role="status">{say("ticketNoted")}</p>}
      {!told && <p class="err">{say("ticketNoProof")}</p>}
      <div class="row wrap">
        {asked.value ? (
          <>
            <button class="btn" onClick={() => void (asked.value = false)}>
              {say("ticketKeep")}
            </button>
            <button class="btn second" onClick={() => putAway(number)}>
              {say("ticketHave")}
            </button>
          </>
        ) : (
          <>
            {told && (
              <button class="btn second" onClick={print}>
                {say("ticketPrint")}
              </button>
            )}
            <button class="btn" onClick={() => (told ? void (asked.value = true) : putAway(number))}>
              {say("ticketAway")}
            </button>
          </>
        )}
      </div>
    </div>
  );
}

/** What was told of a ticket, where the house says nothing more of it now. */
function ToldSlip({ printed: { number, cents, validation } }: { printed: Printed }) {
  const facts: [string, string][] = [
    [say("number"), number],
    [say("validation"), validation === null ? "•••• •••• •••• ••••" : inGroups(validation)],
  ];
  return <Slip bars={number} house={house.value?.name ?? ""} title={say("ticket")} figures={`${currency()} ${money(cents)}`} words={{}} facts={facts} />;
}

function TicketSlip(props: { ticket: Ticket; printed: Printed | null }) {
  const { ticket, printed } = props;
  const facts: [string, string][] = [
    ...printedAt(ticket.terminal),
    [say("number"), ticket.number],
    [say("sequenceLabel"), String(ticket.sequence)],
    [say("issued"), moment(ticket.issued)],
    [say("validation"), inGroups(printed?.validation ?? ticket.validation)],
    [say("stateLabel"), say(`ticket_${ticket.state}`)],
    ...until(ticket.payable_until),
  ];
  return <Slip bars={ticket.number} house={ticket.house} title={say("ticket")} figures={ticket.figures} words={ticket.words as Record<string, string>} facts={facts} />;
}

/** What a tab shows, and the act that stands in the foot of the sheet. */
interface Shown {
  body: ComponentChildren;
  foot?: ComponentChildren;
}

function useBringIn(wallet: number, barred: Barred | null): Shown {
  const { name, view } = useHere();
  const { sending, problem, pay } = usePaying();
  const quick = quickAmounts(view.rules?.wagers ?? []);
  const written = useTyped<string | null>("in", null);
  const text = written.value ?? money(Math.min(wallet, quick[1] ?? wallet));
  const cents = centsOf(text);
  const wrong = amountWrong(cents, wallet);
  const able = wrong === null && barred === null;
  const bring = async (): Promise<void> => {
    notBrought.value = null;
    if ((await pay("cage", { type: "send_to_table", table: name, cents })) !== null) written.value = null;
  };
  return {
    body: (
      <>
        <Amount label={say("bring", { currency: currency() })} help={say("inWallet", { cents: money(wallet) })} text={text} quick={quick} most={wallet} onText={(next) => void (written.value = next)} />
        {wrong !== null && <Need words={wrong} bad={written.value !== null} />}
        {notBrought.value?.table === name && <Trouble title={say("notBrought")} problem={notBrought.value.problem} />}
        <Trouble problem={problem.value} />
      </>
    ),
    foot: (
      <button class="btn second" disabled={!able || sending.value} aria-describedby={`${NEED} ${BARRED}`} onClick={() => void bring()}>
        {say("bringNow", { cents: money(cents ?? 0) })}
      </button>
    ),
  };
}

const NEED = "wallet-need";
const BARRED = "wallet-barred";
const AWAITED = "wallet-awaited";

/** The answer to a cash-out did not come yet. */
function AwaitedNote() {
  const one = awaited.value;
  if (one === null || !one.late) return null;
  return (
    <div class="tip brass" role="status" id={AWAITED}>
      <Icon name="clock" />
      <div>{say("ticketAwaited", { cents: money(one.cents) })}</div>
    </div>
  );
}

/** What an amount still needs, beside the field; it is an error only once something was written. */
function Need(props: { words: string; bad: boolean }) {
  return (
    <p class={props.bad ? "err" : "sm muted"} role={props.bad ? "alert" : undefined} id={NEED}>
      {props.words}
    </p>
  );
}

/** Why an amount cannot be moved out of the wallet. */
function amountWrong(cents: number | null, wallet: number): string | null {
  if (wallet === 0) return say("walletEmpty");
  if (cents === null) return say("badAmount");
  if (cents === 0) return say("moreThanNothing");
  return cents > wallet ? say("aboveWallet", { cents: money(cents), limit: money(wallet) }) : null;
}

/** Cash-out: nothing is chosen for somebody, and a ticket is asked for twice. */
function useCashOut(wallet: number): Shown {
  const { name, view, own } = useHere();
  const { sending, problem, pay } = usePaying();
  const room = amounts(opening(own.may, "take_credit"), "cents");
  const text = useTyped("out", "");
  const asked = useSignal(false);
  const empty = text.value.trim() === "";
  const cents = centsOf(text.value);
  const wrong = amountWrong(cents, wallet);
  const bad = wrong !== null && (!empty || wallet === 0);
  const ready = wrong === null && cents !== null;
  const write = (next: string): void => {
    text.value = next;
    asked.value = false;
    forgetRefusal();
  };
  const print = async (): Promise<void> => {
    if (cents === null) return;
    if (!asked.peek()) return void (asked.value = true);
    asked.value = false;
    await cashOut(cents);
    if (refused.peek() === null) write("");
  };
  const help = own.in_play_cents > 0 ? say("inPlayHelp", { cents: money(own.in_play_cents) }) : say("inWallet", { cents: money(wallet) });
  return {
    body: (
      <>
        <Amount label={say("cashOutLabel", { currency: currency() })} help={help} bad={bad} text={text.value} quick={quickAmounts(view.rules?.wagers ?? [])} most={wallet} onText={write} />
        {wrong !== null && <Need words={wrong} bad={bad} />}
        {ready && <PreviewSlip key={cents} cents={cents} />}
        <Trouble problem={problem.value ?? refused.value} />
        {asked.value && ready && <p role="status">{say("printAsk", { currency: currency(), cents: money(cents) })}</p>}
      </>
    ),
    foot: (
      <>
        {asked.value ? (
          <button class="btn" onClick={() => void (asked.value = false)}>
            {say("printNo")}
          </button>
        ) : (
          room !== null && (
            <button class="btn" disabled={sending.value} onClick={() => void pay(name, { type: "take_credit", cents: room.maximum })}>
              {say("moveToWallet", { cents: money(room.maximum) })}
            </button>
          )
        )}
        <button class="btn second" disabled={!ready || sending.value || awaited.value !== null} aria-describedby={awaited.value !== null ? AWAITED : ready ? undefined : NEED} onClick={() => void print()}>
          {ready ? say(asked.value ? "printYes" : "printTicket", { cents: money(cents) }) : say("printNone")}
        </button>
      </>
    ),
  };
}

function TakeIn(props: { barred: Barred | null }) {
  const { sending, problem, pay } = usePaying();
  const [ticket, validation] = [useTyped("ticket", ""), useTyped("validation", "")];
  const taken = useSignal(false);
  const unwritten = ticket.value === "" || validation.value === "";
  const take = async (): Promise<void> => {
    taken.value = (await pay("cage", { type: "take_in_ticket", ticket: ticket.peek().trim(), validation: validationTyped(validation.peek()) })) !== null;
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
      {unwritten && <Need words={say("ticketNeeds")} bad={false} />}
      <button class="btn second wide" disabled={sending.value || unwritten || props.barred !== null} aria-describedby={`${NEED} ${BARRED}`} onClick={() => void take()}>
        {say("takeTicket")}
      </button>
    </>
  );
}

function Tickets(props: { barred: Barred | null }) {
  const [loaded, again] = useLoaded<Ticket[]>("/me/tickets");
  const tickets = loaded.value.value ?? [];
  const told = printed.value;
  const newest = useRef(told[0]?.number);
  useEffect(() => {
    if (newest.current !== told[0]?.number) again();
    newest.current = told[0]?.number;
  }, [told[0]?.number]);
  return (
    <>
      {told.some(({ validation }) => validation !== null) && <p class="xs muted">{say("validationOnce")}</p>}
      {told.map((one) => {
        const ticket = tickets.find(({ number }) => number === one.number);
        return (
          <div key={one.number} class="stack8">
            {ticket === undefined ? <ToldSlip printed={one} /> : <TicketSlip ticket={ticket} printed={one} />}
            <PutAway number={one.number} told={one.validation !== null} />
          </div>
        );
      })}
      {tickets
        .filter(({ number }) => told.every((one) => one.number !== number))
        .map((ticket) => (
          <TicketSlip key={ticket.number} ticket={ticket} printed={null} />
        ))}
      <TakeIn barred={props.barred} />
    </>
  );
}

export function Wallet() {
  const { name, own } = useHere();
  const mine = useMine();
  const wallet = mine.value?.view.wallet ?? null;
  const chosen = useTyped<Tab | null>("tab", null);
  const newest = printed.value[0]?.number;
  const before = useRef(newest);
  useEffect(() => {
    if (newest !== undefined && newest !== before.current) chosen.value = "tickets";
    before.current = newest;
  }, [newest]);
  const cents = wallet?.cents ?? 0;
  const barred = barredFromEntering(mine.value?.view.left ?? null);
  // A ticket that was not put away comes first; whoever may bring nothing in comes to take out.
  const tab = chosen.value ?? (newest !== undefined ? "tickets" : barred === null ? "in" : "out");
  const [bring, cash] = [useBringIn(cents, barred), useCashOut(cents)];
  const shown: Shown = { in: bring, out: cash, tickets: { body: <Tickets barred={barred} /> } }[tab];
  const close = (): void => {
    notBrought.value = null;
    openSheet(name, null);
  };
  const figures: [string, number][] = [
    [say("walletLabel"), cents],
    [say("atTable"), own.credit_cents],
    [say("inPlay"), own.in_play_cents],
  ];
  return (
    <Sheet title={say("moneyButton")} sub={`${currency()} · ${tableWords(name)}`} onClose={close} foot={shown.foot}>
      <div class="figs">
        {figures.map(([label, value]) => (
          <div key={label}>
            <span>{label}</span>
            <b>{money(value)}</b>
          </div>
        ))}
      </div>
      {barred !== null && <BarredNote barred={barred} table={null} id={BARRED} />}
      {own.reserved_cents > 0 && <p class="xs muted">{say("reserved", { cents: money(own.reserved_cents) })}</p>}
      {(wallet?.in_transit_cents ?? 0) > 0 && <p class="xs muted">{say("inTransit", { cents: money(wallet?.in_transit_cents ?? 0) })}</p>}
      <AwaitedNote />
      <Choices
        label={say("moneyButton")}
        value={tab}
        choices={[
          ["in", say("tabIn")],
          ["out", say("tabOut")],
          ["tickets", say("tabTickets")],
        ]}
        onChoose={(one) => void (chosen.value = one)}
      />
      {shown.body}
    </Sheet>
  );
}
