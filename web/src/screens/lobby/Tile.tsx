/** One table of the lobby. */
import { useMemo } from "preact/hooks";
import type { TableSummary, Wallet } from "../../api/types";
import { currency, somebody } from "../../app/session";
import { road } from "../../draw/roadmap";
import { drawRoads } from "../../draw/roads";
import { Svg } from "../../draw/Svg";
import { clock, dollars } from "../../i18n/money";
import { resultWords, say as tables, sourceWords } from "../../i18n/tables";
import { gameName } from "../../i18n/names";
import { drawLanguage } from "../../parts/Card";
import { SideDisc } from "../../parts/HandCards";
import { Icon, type IconName } from "../../parts/Icon";
import { Link } from "../../parts/Link";
import { Ring } from "../../parts/Ring";
import { secondsUntil } from "../../state/clock";
import { numberOf, seatAt, seatsFree, Spans, stateOf, tableMark, type TableState } from "../../state/tables";
import { say } from "./say";

const spans = new Spans();
const COLUMNS = 24;

const ICONS: Partial<Record<TableState, IconName>> = {
  closed: "lock",
  waiting: "clock",
  open: "chip",
  last: "chip",
  shake: "dice",
  settled: "check",
  result: "check",
  void: "clear",
};

export function MiniRoad(props: { winners: TableSummary["winners"]; columns: number; cell?: number }) {
  const drawn = useMemo(
    () =>
      road(drawRoads(props.winners.map((winner) => ({ winner }))), "big", {
        columns: props.columns,
        cell: props.cell ?? 15,
        language: drawLanguage(),
      }),
    [props.winners, props.columns, props.cell, drawLanguage()],
  );
  return <Svg of={drawn} />;
}

/** What a patron, or somebody of the house, does at a table. */
function Action(props: { table: TableSummary; seat: number | null; barred: boolean }) {
  const { table, seat } = props;
  const title = table.title ?? table.name;
  const who = somebody.value;
  if (who?.kind !== "patron") {
    if (who?.position === "Dealer") {
      return (
        <Link class="btn" to={`/dealer/${table.name}`} label={say("dealAt", { table: title })}>
          {say("deal")}
        </Link>
      );
    }
    return (
      <Link class="btn" to={`/display/${table.name}`} label={say("displayOf", { table: title })}>
        {say("display")}
      </Link>
    );
  }
  if (seat !== null) {
    return (
      <Link class="btn primary" to={`/table/${table.name}`} label={say("returnTo", { table: title, position: seat })}>
        {say("return")}
      </Link>
    );
  }
  if (table.phase === "UNOPENED") {
    return (
      <span class="end sm muted">{say("closed")}</span>
    );
  }
  const free = seatsFree(table) > 0 && !props.barred;
  return (
    <Link class={free ? "btn second" : "btn"} to={`/table/${table.name}`} label={say(free ? "takeAt" : "watchAt", { table: title })}>
      {say(free ? "take" : "watch")}
    </Link>
  );
}

function Source({ table }: { table: TableSummary }) {
  const name = table.name === table.game || numberOf(table) !== null ? "" : table.name;
  const facts = [...sourceWords(table).split(" · "), name].filter(Boolean);
  return (
    <span>
      {facts.map((fact, i) => (
        <>
          {" "}
          <i>
            {fact}
            {i < facts.length - 1 && " ·"}
          </i>
        </>
      ))}
    </span>
  );
}

/** `barred`: whoever looks may take no seat. */
export function Tile(props: { table: TableSummary; wallet: Wallet | null; barred?: boolean }) {
  const { table } = props;
  const left = secondsUntil(table.closes_at);
  const state = stateOf(table, left);
  const counting = state === "open" || state === "last";
  const seat = seatAt(props.wallet, table.name);
  const mark = tableMark(table);
  return (
    <article class={state === "closed" ? "tile closed" : "tile"} data-tile={table.name} aria-label={table.title ?? table.name}>
      <header>
        <span class={mark.length > 2 ? "no long" : "no"}>{mark}</span>
        <h2>
          {gameName(table)}
          <Source table={table} />
        </h2>
        {counting && left !== null ? (
          <span class="cd">
            <Ring until={table.closes_at} of={spans.of(table.name, table.closes_at, left)} />
          </span>
        ) : (
          <span class="cd dot">
            <Icon name={ICONS[state] ?? "pause"} />
          </span>
        )}
      </header>
      <div class="rd">
        <MiniRoad winners={table.winners} columns={COLUMNS} />
      </div>
      <p class="last">
        {table.last?.winner == null ? (
          <span>{table.phase === "UNOPENED" ? "" : tables("noResult")}</span>
        ) : (
          <>
            <SideDisc side={table.last.winner} />
            <span>{resultWords(table.last)}</span>
          </>
        )}
        <b class="end">{tables(state)}</b>
      </p>
      {table.table_closes != null && state !== "closed" && (
        <p class="closes">
          <Icon name="clock" size="small" />
          {say("closesAt", { time: clock(table.table_closes) })}
        </p>
      )}
      <footer>
        <div>
          <span>{say("limits", { symbol: currency() })}</span>
          <b>{table.limits == null ? "–" : `${dollars(table.limits.minimum_cents)} – ${dollars(table.limits.maximum_cents)}`}</b>
        </div>
        <div>
          <span>{say("seats")}</span>
          <b>{say("ofSeats", { taken: table.seats.taken, positions: table.seats.positions })}</b>
        </div>
        <Action table={table} seat={seat} barred={props.barred ?? false} />
      </footer>
    </article>
  );
}
