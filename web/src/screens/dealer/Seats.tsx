/** Seats and stakes at the left, and how far Player and Banker are apart. */
import { currency } from "../../app/session";
import { wagerName } from "../../i18n/names";
import { dollars } from "../../i18n/money";
import { asked } from "./balance";
import { opening } from "../../state/may";
import { settings } from "../../state/settings";
import type { Desk } from "./context";
import { apartBy, columnsOf, lying, meterOf, seatRows, type SeatRow, shortName, tooLong, totals } from "./seating";
import { type Key, say } from "./say";
import { sideName } from "./texts";

const cellOf = (cents: number | undefined): string => (cents === undefined ? "" : dollars(cents));

/** Who is here; of many only how many. */
const NAMES_MOST = 2;

function Names({ patrons }: { patrons: readonly string[] }) {
  if (patrons.length > NAMES_MOST) return <span class="pn">{say("nHere", { n: patrons.length })}</span>;
  return (
    <>
      {patrons.map((patron) => (
        <span key={patron} class="pn" title={patron}>
          {patron}
        </span>
      ))}
    </>
  );
}

/** The number of a seat; it places a wager for who sits there, where that is open. */
function SeatNumber({ row, desk }: { row: SeatRow; desk: Desk }) {
  const opens = opening(desk.part.may, "place_wager");
  const number = <span class="sn">{row.position}</span>;
  if (opens === undefined || row.patrons.length === 0) return number;
  const [patron] = row.patrons;
  const start = row.patrons.length === 1 ? { patron, position: row.position } : { position: row.position };
  return (
    <button
      class="seatbtn"
      aria-label={say("placeFor", { n: row.position, patron: row.patrons.join(", ") })}
      onClick={() => void (desk.over.value = { kind: "form", command: "place_wager", start })}
    >
      {number}
    </button>
  );
}

type Columns = ReturnType<typeof columnsOf>;

/** What lies on each wager; what is empty is left out where the list stands as blocks. */
function Figures({ columns, sums, strong }: { columns: Columns; sums: Readonly<Record<string, number>>; strong: boolean }) {
  return (
    <>
      {columns.map((wager) => {
        const figure = cellOf(sums[wager.slug]);
        return (
          <td key={wager.slug} class={figure === "" ? "none" : ""} data-l={shortName(wager)}>
            {strong && ["player", "banker"].includes(wager.slug) ? <b>{figure}</b> : figure}
          </td>
        );
      })}
    </>
  );
}

function Row({ row, columns, desk }: { row: SeatRow; columns: Columns; desk: Desk }) {
  const free = row.patrons.length === 0 && Object.keys(row.stakes).length === 0;
  return (
    <tr class={row.holds.length > 0 ? "holds" : free ? "empty" : ""}>
      <td>
        <div class="seat">
          <SeatNumber row={row} desk={desk} />
          <span class="at">
            {row.holds.map((what) => (
              <span key={what} class="tagh">
                {say(`holds.${what}` as Key)}
              </span>
            ))}
            <Names patrons={row.patrons} />
            {free && say("free")}
          </span>
        </div>
      </td>
      <Figures columns={columns} sums={row.stakes} strong />
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
      {shown.limit_cents !== null && (
        <div class="line" role="img" aria-label={say("differentialOf", { percent: Math.round(part * 100) })}>
          <b class={shown.heavier ?? ""} style={{ width: `${Math.round(part * 100)}%` }} />
        </div>
      )}
      <p>
        <span>
          {shown.heavier === null
            ? say("even")
            : say("over", { side: sideName(shown.heavier), other: sideName(other), amount: dollars(shown.cents) })}
        </span>
        <span class="nowrap">{shown.limit_cents === null ? say("noLimit") : say("limit", { amount: dollars(shown.limit_cents) })}</span>
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
  const taken = rows.filter(({ patrons }) => patrons.length > 0).length;
  return (
    <section class="col seats" aria-label={say("seatsAndStakes")}>
      <h2>
        {say("seatsAndStakes")} <span>{currency()} · {say("seatsTaken", { taken, all: rows.length })}</span>
      </h2>
      <div class="tblbox" tabIndex={0} role="group" aria-label={say("seatsAndStakes")}>
        <table class={tooLong(sums, columns, settings.value.size) ? "st blocks" : "st"}>
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
              <Figures columns={columns} sums={sums} strong={false} />
            </tr>
          </tfoot>
        </table>
      </div>
      <Meter desk={desk} />
    </section>
  );
}
