/** The pay list: losing wagers first, then pays; one row is now, and the primary button names it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { money } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import { rowName } from "../../i18n/rows";
import { Icon } from "../../parts/Icon";
import { keep, kept } from "../../state/kept";
import type { Desk } from "./context";
import { between } from "./course";
import { type PayRow, payRows, type Tick, ticked, tickOf, unticked } from "./pay";
import { type Key, say } from "./say";

const PLACE = "croupier.paid";

/** What of a round was ticked off, kept for a page that is loaded anew. */
function paid(key: string): readonly Tick[] {
  const found = kept(PLACE) as { key?: string; ticks?: Tick[] } | null;
  return found?.key === key ? (found.ticks ?? []) : [];
}

/** Rows of the list in progress, and how one more is done. */
export function usePaying(desk: Desk): { rows: PayRow[]; now: PayRow | null; doNext: () => void; undo: () => void; done: number } {
  const { part, view, table } = desk;
  const key = `${table}/${view.round}`;
  const ticks = useSignal(paid(key));
  useEffect(() => void (ticks.value = paid(key)), [key]);
  const pay = (all: readonly Tick[]): void => {
    ticks.value = all;
    keep(PLACE, { key, ticks: all });
  };
  // Once the payment is confirmed every row is done, whoever ticked them off.
  const rows = payRows(part.lines, part.stakes, part.patrons, between(view, part) ? part.lines.map(tickOf) : ticks.value);
  const now = rows.find(({ state }) => state === "now") ?? null;
  return {
    rows,
    now,
    doNext: () => now !== null && pay(ticked(ticks.value, now.line)),
    undo: () => pay(unticked(ticks.value, part.lines)),
    done: rows.filter(({ state }) => state === "done").length,
  };
}

function Row({ row, desk }: { row: PayRow; desk: Desk }) {
  const { line } = row;
  const wager = desk.view.rules?.wagers.find(({ slug }) => slug === line.wager);
  const classes = [row.state, row.doing === "pay" ? "pay" : ""].join(" ");
  return (
    <tr class={classes} aria-current={row.state === "now" ? "step" : undefined}>
      <td>
        <b>{row.seat ?? line.patron}</b> {row.seat !== null && row.shared && <span class="pn">{line.patron}</span>}
      </td>
      <td>{wagerName(line.wager, wager?.name ?? line.wager)}</td>
      <td>{money(line.cents)}</td>
      <td class="opt">
        {row.doing === "take" ? say("loses") : rowName(line.pays ?? "")}
        {line.breach !== null && <span class="tag alert">{line.breach_clause ?? line.breach}</span>}
      </td>
      <td class="opt">{line.commission_cents ? money(line.commission_cents) : ""}</td>
      <td>
        <span class="stt">
          {row.state === "done" && <Icon name="check" />}
          {row.state === "now" && <Icon name="arrow" />}
          {say(`pay.${row.doing}` as Key, { amount: money(row.cents) })}
        </span>
      </td>
    </tr>
  );
}

export function PayList({ desk, rows }: { desk: Desk; rows: readonly PayRow[] }) {
  return (
    <section class="pl" aria-label={say("payList")}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say("seat")}</th>
            <th scope="col">{say("wager")}</th>
            <th scope="col">{say("stake")}</th>
            <th scope="col" class="opt">
              {say("pays")}
            </th>
            <th scope="col" class="opt">
              {say("commission")}
            </th>
            <th scope="col">{say("action")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.line.stake}/${row.line.patron}`} row={row} desk={desk} />
          ))}
          {rows.length === 0 && (
            <tr>
              <td colSpan={6}>{say("noStakes")}</td>
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}
