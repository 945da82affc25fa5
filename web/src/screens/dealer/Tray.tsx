/** The tray by chip, and its count recorded at the cage by a Cashier with a second person. */
import { type Signal, signal, useSignal } from "@preact/signals";
import { chip } from "../../draw/chips";
import { Svg } from "../../draw/Svg";
import { say as common } from "../../i18n/common";
import { dollars, money } from "../../i18n/money";
import { Dialog } from "../../parts/Dialog";
import { useSending } from "../../parts/sending";
import { type Signed, SigningFields } from "../../parts/Signing";
import { Trouble } from "../../parts/Trouble";
import type { Desk } from "./context";
import { countBy } from "./inplace";
import { named, say } from "./say";
import { CHIPS_CENTS, chipsOf, type Tray, trayCents } from "./tray";

/** The chips as they were counted at this console: closing and opening share the count. */
const trays = new Map<string, Signal<Tray>>();
export function trayOf(table: string): Signal<Tray> {
  const found = trays.get(table) ?? signal<Tray>({});
  trays.set(table, found);
  return found;
}

export function TrayTable({ tray }: { tray: Signal<Tray> }) {
  return (
    <section class="panel" aria-label={say("tray")}>
      <header>
        <h2>{say("tray")}</h2>
        <b class="end">S$ {money(trayCents(tray.value))}</b>
      </header>
      <div class="tblbox">
        <table class="tbl tray2">
          <thead>
            <tr>
              <th scope="col">{say("chip")}</th>
              <th scope="col">{say("counted")}</th>
              <th scope="col">{say("amount")}</th>
            </tr>
          </thead>
          <tbody>
            {CHIPS_CENTS.map((cents) => (
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
                <td>
                  <b>{money(cents * (tray.value[cents] ?? 0))}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
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
