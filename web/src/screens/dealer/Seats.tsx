/** Seats and stakes at the left, and how far Player and Banker are apart. */
import { wagerName } from "../../i18n/names";
import { brief, dollars } from "../../i18n/money";
import { asked } from "./balance";
import { opening } from "../../state/may";
import type { Desk } from "./context";
import { apartBy, columnsOf, lying, meterOf, seatRows, type SeatRow, shortName, totals } from "./seating";
import { type Key, say } from "./say";
import { sideName } from "./texts";

const cellOf = (cents: number | undefined) => (cents === undefined ? "" : <span title={dollars(cents)}>{brief(cents)}</span>);

function Row({ row, columns, desk }: { row: SeatRow; columns: ReturnType<typeof columnsOf>; desk: Desk }) {
  const opens = opening(desk.part.may, "place_wager");
  const free = row.patron === null && Object.keys(row.stakes).length === 0;
  const number = <span class="sn">{row.position}</span>;
  return (
    <tr class={row.holds.length > 0 ? "holds" : free ? "empty" : ""}>
      <td>
        {opens !== undefined && row.patron !== null ? (
          <button
            class="seatbtn"
            aria-label={say("placeFor", { n: row.position, patron: row.patron })}
            title={row.patron}
            onClick={() =>
              void (desk.over.value = { kind: "form", opens: [opens], start: { patron: row.patron, position: row.position } })
            }
          >
            {number}
          </button>
        ) : (
          <span title={row.patron ?? ""}>{number}</span>
        )}
        {row.holds.map((what) => (
          <span key={what} class="tagh">
            {say(`holds.${what}` as Key)}
          </span>
        ))}
        {row.patron !== null && <span class="pn">{row.patron}</span>}
        {free && say("free")}
      </td>
      {columns.map((wager) => (
        <td key={wager.slug}>
          {["player", "banker"].includes(wager.slug) ? <b>{cellOf(row.stakes[wager.slug])}</b> : cellOf(row.stakes[wager.slug])}
        </td>
      ))}
    </tr>
  );
}

function Meter({ desk }: { desk: Desk }) {
  if (desk.view.differential === null) return null;
  const shown = apartBy(desk.view.differential, totals(lying(desk.view, desk.part)));
  const { part, word } = meterOf(shown.cents, shown.limit_cents);
  // Asked once, patrons are not asked again.
  const asks = desk.part.hold?.kind === "balance" && asked(desk.part) ? undefined : opening(desk.part.may, "ask_to_lower");
  const other = shown.heavier === "player" ? "banker" : "player";
  return (
    <div class={`meter ${word}`}>
      <h2>
        {say("differential")} <span>{shown.clause}</span>
      </h2>
      <div class="line" role="img" aria-label={say("differentialOf", { percent: Math.round(part * 100) })}>
        <b class={shown.heavier ?? ""} style={{ width: `${Math.round(part * 100)}%` }} />
      </div>
      <p>
        <span>
          {shown.heavier === null
            ? say("even")
            : say("over", { side: sideName(shown.heavier), other: sideName(other), amount: dollars(shown.cents) })}
        </span>
        <span>{shown.limit_cents === null ? say("noLimit") : say("limit", { amount: dollars(shown.limit_cents) })}</span>
      </p>
      {word !== "" && <p class="tag alert">{say(word)}</p>}
      {asks !== undefined && (
        <button class="btn small wide" disabled={desk.busy} onClick={() => void desk.act({ type: "ask_to_lower" })}>
          {say("askToLower")}
        </button>
      )}
    </div>
  );
}

export function Seats({ desk }: { desk: Desk }) {
  const { view, part } = desk;
  const rows = seatRows(view, part);
  const wagers = view.rules?.wagers ?? [];
  const stakes = lying(view, part);
  const columns = columnsOf(wagers, stakes);
  const sums = totals(stakes);
  const taken = rows.filter(({ patron }) => patron !== null).length;
  return (
    <section class="col seats" aria-label={say("seatsAndStakes")}>
      <h2>
        {say("seatsAndStakes")} <span>{say("seatsTaken", { taken, all: rows.length })}</span>
      </h2>
      <div class="tblbox">
        <table class="st">
          <thead>
            <tr>
              <th scope="col">{say("seat")}</th>
              {columns.map((wager) => (
                <th key={wager.slug} scope="col">
                  <abbr title={wagerName(wager.slug, wager.name)}>{shortName(wager)}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.position} row={row} columns={columns} desk={desk} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>{say("total")}</td>
              {columns.map((wager) => (
                <td key={wager.slug}>{cellOf(sums[wager.slug])}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <Meter desk={desk} />
    </section>
  );
}
