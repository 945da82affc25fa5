/** The pay list: losing wagers first, then pays; one row is now, and the primary button names it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { money } from "../../i18n/money";
import { wagerName } from "../../i18n/names";
import { rowName } from "../../i18n/rows";
import { Icon } from "../../parts/Icon";
import { keep, kept } from "../../state/kept";
import type { Desk } from "./context";
import { type PayRow, payRows } from "./pay";
import { type Key, say } from "./say";

const PLACE = "croupier.paid";

/** How far the list is, kept for a page that is loaded anew. */
function paid(key: string): number {
  const found = kept(PLACE) as { key?: string; done?: number } | null;
  return found?.key === key ? (found.done ?? 0) : 0;
}

/** Rows of the list in progress, and how one more is done. */
export function usePaying(desk: Desk): { rows: PayRow[]; now: PayRow | null; doNext: () => void; undo: () => void; done: number } {
  const { part, view, table } = desk;
  const key = `${table}/${view.round}/${part.lines.length}`;
  const done = useSignal(paid(key));
  useEffect(() => void (done.value = paid(key)), [key]);
  const pay = (n: number): void => {
    done.value = n;
    keep(PLACE, { key, done: n });
  };
  const rows = payRows(part.lines, part.stakes, part.patrons, done.value);
  return {
    rows,
    now: rows.find(({ state }) => state === "now") ?? null,
    doNext: () => pay(done.value + 1),
    undo: () => pay(Math.max(0, done.value - 1)),
    done: Math.min(done.value, rows.length),
  };
}

function Row({ row, desk }: { row: PayRow; desk: Desk }) {
  const { line } = row;
  const wager = desk.view.rules?.wagers.find(({ slug }) => slug === line.wager);
  const classes = [row.state, row.doing === "pay" ? "pay" : ""].join(" ");
  return (
    <tr class={classes} aria-current={row.state === "now" ? "step" : undefined}>
      <td>
        <b>{row.seat ?? line.patron}</b>
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
