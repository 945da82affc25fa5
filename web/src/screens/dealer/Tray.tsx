/** The tray by chip, and its count recorded at the cage by a Cashier with a second person. */
import { type Signal, signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { currency } from "../../app/session";
import { chip } from "../../draw/chips";
import { Svg } from "../../draw/Svg";
import { say as common } from "../../i18n/common";
import { dollars, money, signed } from "../../i18n/money";
import { Dialog } from "../../parts/Dialog";
import { useSending } from "../../parts/sending";
import { type Signed, SigningFields } from "../../parts/Signing";
import { Trouble } from "../../parts/Trouble";
import type { Desk } from "./context";
import { countBy } from "./inplace";
import { named, say } from "./say";
import { CHIPS_CENTS, chipsOf, type Tray, trayCents } from "./tray";

type Counting = "opening" | "closing";

/** The chips as they were counted at this console, and over which of its screens they were last. */
const trays = new Map<string, { tray: Signal<Tray>; at: Counting }>();

/**
 * The count of a table's chips. What was counted at closing is there for the Cashier once the
 * table is closed; what was counted before play says nothing of the chips after it.
 */
export function useTray(table: string, at: Counting): Signal<Tray> {
  return useMemo(() => {
    const found = trays.get(table);
    const kept = found === undefined || (at === "closing" && found.at === "opening") ? signal<Tray>({}) : found.tray;
    trays.set(table, { tray: kept, at });
    return kept;
  }, [table, at]);
}

export function CountAgain({ tray }: { tray: Signal<Tray> }) {
  return (
    <button class="btn" onClick={() => void (tray.value = {})}>
      {say("countAgain")}
    </button>
  );
}

const HALF = CHIPS_CENTS.length / 2;

/** Chips by value, the highest first: two lists side by side where there is room. */
function Chips({ tray, values }: { tray: Signal<Tray>; values: readonly (typeof CHIPS_CENTS)[number][] }) {
  return (
    <table class="tbl tray2">
      <thead>
        <tr>
          <th scope="col">{say("chip")}</th>
          <th scope="col">{say("counted")}</th>
          <th scope="col">{say("amount")}</th>
        </tr>
      </thead>
      <tbody>
        {values.map((cents) => (
          <tr key={cents}>
            <td>
              <span class="dr">
                <Svg of={chip(cents)} />
              </span>
            </td>
            <td>
              <input
                class="in num"
                inputMode="numeric"
                aria-label={say("numberOf", { chip: dollars(cents) })}
                value={String(tray.value[cents] ?? "")}
                onInput={(e) => {
                  const n = chipsOf(e.currentTarget.value);
                  if (n !== null) tray.value = { ...tray.value, [cents]: n };
                }}
              />
            </td>
            <td>{tray.value[cents] ? <b>{money(cents * tray.value[cents])}</b> : "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What was counted and, for who may know it, what the ledger expects; a difference is said, never refused. */
function Sums({ cents, expected }: { cents: number; expected: number | null }) {
  // Before anything is counted nothing is missing yet.
  const apart = expected === null || cents === 0 ? null : cents - expected;
  return (
    <div class="sumrow">
      <div>
        {say("countedSoFar")}
        <b>{money(cents)}</b>
      </div>
      {expected !== null && (
        <>
          <div>
            {say("ledgerExpects")}
            <b>{money(expected)}</b>
          </div>
          <div class={apart ? "diff" : ""}>
            {say("difference")}
            <b>{apart === null ? "–" : signed(apart)}</b>
          </div>
        </>
      )}
    </div>
  );
}

export function TrayTable({ tray, expected = null }: { tray: Signal<Tray>; expected?: number | null }) {
  return (
    <section class="panel" aria-label={say("tray")}>
      <header>
        <h2>{say("tray")}</h2>
        <span class="end xs muted">{currency()}</span>
      </header>
      <div class="trays">
        <Chips tray={tray} values={CHIPS_CENTS.slice(0, HALF)} />
        <Chips tray={tray} values={CHIPS_CENTS.slice(HALF)} />
      </div>
      <div class="in3">
        <Sums cents={trayCents(tray.value)} expected={expected} />
      </div>
    </section>
  );
}

function Person(props: { label: string; value: Signed; onValue: (value: Signed) => void }) {
  return (
    <fieldset class="plain stack8">
      <legend class="h3">{props.label}</legend>
      <SigningFields value={props.value} onValue={props.onValue} />
    </fieldset>
  );
}

/** Two people sign one count. */
export function TrayDialog(props: { desk: Desk; act: "set_opener" | "count_closer"; cents: number; onBack: () => void; onDone: (difference: number) => void }) {
  const cashier = useSignal<Signed>({ name: "", password: "" });
  const second = useSignal<Signed>({ name: "", password: "" });
  const { sending, problem, send } = useSending();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const count = { type: props.act, table: props.desk.table, cents: props.cents };
    await send(async () => props.onDone(await countBy(cashier.value, second.value, count)));
  };
  return (
    <Dialog title={named("tray", props.act)} onBack={props.onBack}>
      <form class="stack16" onSubmit={(event) => void submit(event)}>
        <p class="muted">{say("trayNote", { amount: money(props.cents) })}</p>
        <Person label={say("cashier")} value={cashier.value} onValue={(value) => void (cashier.value = value)} />
        <Person label={common("secondPerson")} value={second.value} onValue={(value) => void (second.value = value)} />
        <Trouble problem={problem.value} title={say("notDone")} />
        <div class="row">
          <button type="button" class="btn quiet" onClick={props.onBack}>
            {common("back")}
          </button>
          <button class="btn primary grow" disabled={sending.value}>
            {say("signCount", { amount: money(props.cents) })}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
