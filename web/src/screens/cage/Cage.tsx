/** The cage: sums that add up to nothing, wallets, tickets, banks of tables, and what is done there. */
import "../pit/pit.css";
import "../pit/more.css";
import "./cage.css";
import { useSignal } from "@preact/signals";
import type { Schemas } from "../../api/types";
import type { ScreenProps } from "../../app/App";
import { currency, house, somebody } from "../../app/session";
import { clock, money, shortDay, signed } from "../../i18n/money";
import { tableWords } from "../../i18n/tables";
import { hiddenPart } from "../../i18n/validation";
import { announce } from "../../parts/announce";
import { Frame, type Way } from "../../parts/Frame";
import { Icon } from "../../parts/Icon";
import { type Column, Listing } from "../../parts/Listing";
import { NotForYou, notFor } from "../../parts/NotForYou";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { inOrderOfTables } from "../../state/tables";
import { Order } from "./Order";
import type { CageOpen } from "./orders";
import { named, say } from "./say";
import { atTables, sumOf } from "./sums";
import { ticketState } from "./tickets";

type CageShown = Schemas["CageShown"];
type WalletLine = Schemas["WalletLine"];
type TicketShown = Schemas["TicketShown"];
type Slip = Schemas["Slip"];
type TableBank = Schemas["TableBank"];

const FRESH_MS = 3_000;
/** So many wallets stand there before somebody asks for all. */
const WALLETS = 6;
/** What whoever works there does most often stands first. */
const OFTEN = ["pay_ticket", "fill_table", "buy_in"];

function Figures(props: { cage: CageShown }) {
  const { cage } = props;
  const oldest = cage.oldest_ticket;
  const onTheWay = cage.on_the_way.reduce((sum, one) => sum + one.cents, 0);
  const { cents, inPlay, seats } = atTables(cage.ledger);
  const off = cage.ledger.total_cents !== 0;
  return (
    <div class="figs">
      <div>
        <span>{say("wallets")}</span>
        <b>{money(sumOf(cage.ledger, "wallet"))}</b>
        <small>{say("patrons", { n: cage.wallets.length })}</small>
      </div>
      <div>
        <span>{say("atTables")}</span>
        <b>{money(cents)}</b>
        <small>{inPlay === 0 ? say("seats", { n: seats }) : say("seatsInPlay", { n: seats, amount: money(inPlay) })}</small>
      </div>
      <div>
        <span>{say("underWay")}</span>
        <b>{money(onTheWay)}</b>
        <small>{cage.on_the_way.length === 0 ? say("noTransfer") : say("transfers", { n: cage.on_the_way.length })}</small>
      </div>
      <div>
        <span>{say("ticketsOpen")}</span>
        <b>{money(cage.tickets_open_cents)}</b>
        <small>{oldest == null ? say("ticketsNone") : say("ticketsOldest", { n: cage.tickets_open, day: shortDay(oldest) })}</small>
      </div>
      <div>
        <span>{say("sum")}</span>
        <b class={off ? "alert" : ""}>{money(cage.ledger.total_cents)}</b>
        <small>{off ? say("sumOff") : say("checked", { time: clock(cage.ledger.checked, true) })}</small>
      </div>
    </div>
  );
}

const lastOf = (line: WalletLine): string =>
  line.last == null ? "" : `${clock(line.last.moment)} ${say(`event.${line.last.event}` as "event.sent_to_table", { table: line.last.table == null ? "" : tableWords(line.last.table) })}`;

function Wallets(props: { cage: CageShown }) {
  const wanted = useSignal("");
  const all = useSignal(false);
  const found = props.cage.wallets.filter((line) => line.patron.includes(wanted.value.trim()));
  const rows = all.value ? found : found.slice(0, WALLETS);
  const columns: Column<WalletLine>[] = [
    { name: say("patron"), cell: (line) => line.patron, words: true, wraps: true },
    { name: say("wallet"), cell: (line) => money(line.cents) },
    { name: say("atTables"), cell: (line) => money(line.tables_cents) },
    { name: say("last"), cell: lastOf, words: true, wraps: true },
  ];
  return (
    <section class="pan" aria-labelledby="cage-wallets">
      <header>
        <h3 id="cage-wallets">{say("wallets")}</h3>
        <label class="end">
          <span class="sr">{say("find")}</span>
          <input class="in find" type="search" placeholder={say("find")} value={wanted.value} onInput={(event) => void (wanted.value = event.currentTarget.value)} />
        </label>
      </header>
      <Listing label={say("wallets")} columns={columns} rows={rows} keyOf={(line) => line.patron} none={say("nobody")} marked={(line) => line.on_the_way_cents > 0} />
      {rows.length < found.length && (
        <div class="panel-foot">
          <button class="btn wide" onClick={() => void (all.value = true)}>
            {say("showAll", { n: found.length })}
          </button>
        </div>
      )}
    </section>
  );
}

function Tickets(props: { cage: CageShown }) {
  const places = props.cage.tickets.some(({ terminal }) => terminal !== null);
  const printed = ({ terminal }: TicketShown): string => (terminal === null ? "" : say("printedPlace", { table: tableWords(terminal.table, terminal.number), seat: terminal.position }));
  const columns: Column<TicketShown>[] = [
    { name: say("number"), cell: (ticket) => ticket.number, words: true },
    { name: say("amount"), cell: (ticket) => money(ticket.cents) },
    ...(places ? [{ name: say("printedAt"), words: true, wraps: true, cell: printed }] : []),
    { name: say("validation"), cell: (ticket) => <span class="mono">{hiddenPart(ticket.validation)}</span> },
    { name: say("state"), cell: ticketState, words: true, wraps: true },
  ];
  return (
    <section class="pan" aria-labelledby="cage-tickets">
      <header>
        <h3 id="cage-tickets">{say("tickets")}</h3>
        <span class="end xs muted">{say("ticketsNote")}</span>
      </header>
      <div class="tall" tabIndex={0} role="group" aria-label={say("tickets")}>
        <Listing label={say("tickets")} columns={columns} rows={props.cage.tickets} keyOf={(ticket) => ticket.number} none={say("noTickets")} />
      </div>
    </section>
  );
}

function SlipState(props: { slip: Slip }) {
  const { kind, cents, expected_cents: said } = props.slip;
  if (kind === "fill" || kind === "opener") return <>{say("slipDone")}</>;
  if (kind === "credit") return <>{say("slipBack")}</>;
  const off = said == null ? 0 : cents - said;
  return (
    <>
      {say("slipCounted")} {off !== 0 && <span class="tag alert">{signed(off)}</span>}
    </>
  );
}

function Slips(props: { cage: CageShown }) {
  const columns: Column<Slip>[] = [
    { name: say("slipNo"), cell: (slip) => String(slip.number), words: true },
    { name: say("table"), cell: (slip) => tableWords(slip.table), words: true },
    { name: say("kind"), cell: (slip) => named("slip", slip.kind), words: true },
    { name: say("amount"), cell: (slip) => money(slip.cents) },
    { name: say("when"), cell: (slip) => `${shortDay(slip.moment)} ${clock(slip.moment)}`, words: true },
    { name: say("signed"), cell: (slip) => [slip.by, slip.second].filter(Boolean).join(", "), words: true },
    { name: say("state"), cell: (slip) => <SlipState slip={slip} />, words: true },
  ];
  return (
    <section class="pan" aria-labelledby="cage-slips">
      <header>
        <h3 id="cage-slips">{say("slips")}</h3>
      </header>
      <Listing label={say("slips")} columns={columns} rows={props.cage.slips} keyOf={(slip) => slip.number} none={say("noSlips")} />
    </section>
  );
}

function Banks(props: { cage: CageShown }) {
  const columns: Column<TableBank>[] = [
    { name: say("table"), cell: (bank) => tableWords(bank.table), words: true },
    { name: say("opener"), cell: (bank) => money(bank.opener_cents) },
    { name: say("fills"), cell: (bank) => money(bank.fills_cents) },
    { name: say("credits"), cell: (bank) => money(bank.credits_cents) },
    { name: say("tray"), cell: (bank) => money(bank.tray_cents) },
    { name: say("box"), cell: (bank) => money(bank.box_cents) },
    { name: say("difference"), cell: (bank) => (bank.over_cents === 0 ? "" : <span class="tag alert">{signed(bank.over_cents)}</span>) },
    { name: say("win"), cell: (bank) => signed(bank.win_cents) },
  ];
  return (
    <section class="pan" aria-labelledby="cage-banks">
      <header>
        <h3 id="cage-banks">{say("banks")}</h3>
      </header>
      <Listing label={say("banks")} columns={columns} rows={inOrderOfTables(props.cage.banks, ({ table }) => table)} keyOf={(bank) => bank.table} none={say("noBanks")} />
    </section>
  );
}

function Acts(props: { may: readonly CageOpen[]; onChoose: (open: CageOpen) => void }) {
  if (props.may.length === 0) return <p class="end muted sm">{say("readOnly")}</p>;
  const rank = (open: CageOpen): number => OFTEN.indexOf(open.command);
  const shown = [...props.may].sort((a, b) => rank(a) - rank(b));
  return (
    <div class="end">
      {shown.map((open) => (
        <button key={open.command} class={open.command === "buy_in" ? "btn primary" : "btn"} onClick={() => props.onChoose(open)}>
          {named("act", open.command)}
        </button>
      ))}
    </div>
  );
}

function ways(): Way[] {
  const all: Way[] = [{ to: "/cage", icon: "cash", name: say("cage") }];
  if (somebody.value?.kind === "auditor") all.push({ to: "/audit", icon: "lock", name: say("audit") });
  return all;
}

export default function Cage(_: ScreenProps) {
  const [cage, again] = useLoaded<CageShown>("/cage", FRESH_MS);
  const [may, mayAgain] = useLoaded<Schemas["MayAtCage"]>("/cage/may", FRESH_MS);
  const chosen = useSignal<CageOpen | null>(null);
  const said = useSignal<string | null>(null);
  const { value, problem, at } = cage.value;
  if (value === null && notFor(problem)) return <NotForYou />;
  const old = at > 0 && problem !== null ? clock(at, true) : null;
  const done = (sentence: string): void => {
    chosen.value = null;
    said.value = sentence;
    announce(sentence);
    again();
    mayAgain();
  };
  return (
    <Frame title={say("cage")} at="/cage" ways={ways()} age={old}>
      <div class="hd">
        <div>
          <h2>{say("cage")}</h2>
          <p>{say("amounts", { house: house.value?.name ?? "", currency: currency() })}</p>
        </div>
        <Acts may={may.value.value?.may ?? []} onChoose={(open) => void (chosen.value = open)} />
      </div>
      {said.value !== null && (
        <p class="tip brass" role="status">
          <Icon name="check" />
          {said.value}
        </p>
      )}
      <Trouble problem={problem} />
      {value !== null && (
        <>
          <Figures cage={value} />
          <div class="c2 even">
            <Wallets cage={value} />
            <Tickets cage={value} />
          </div>
          <Slips cage={value} />
          <Banks cage={value} />
        </>
      )}
      {chosen.value !== null && (
        <Order open={chosen.value} patrons={value?.wallets.map((line) => line.patron) ?? []} tickets={value?.tickets ?? []} onDone={done} onBack={() => void (chosen.value = null)} />
      )}
    </Frame>
  );
}
