/** All tables of the house, live; who is seated returns, staff find their consoles. */
import "./lobby.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { connection } from "../../api/live";
import type { TableSummary, Wallet } from "../../api/types";
import { currency, somebody } from "../../app/session";
import { dollars, clock } from "../../i18n/money";
import { say as common } from "../../i18n/common";
import { announce } from "../../parts/announce";
import { BarredNote, useBarredHeard } from "../../parts/BarredNote";
import { useKeys } from "../../parts/keys";
import { Link } from "../../parts/Link";
import { nextRegion } from "../../parts/regions";
import { useTitle } from "../../parts/title";
import { moment } from "../../state/clock";
import { useMine, useTables } from "../../state/table";
import { EVERYTHING, type Filter, fitting, minima, ordered } from "../../state/tables";
import { barredFromEntering } from "../terminal/model/left";
import { LobbyBar, LostBar } from "./Bar";
import { say } from "./say";
import { Tile } from "./Tile";
import { useGridKeys } from "./useGridKeys";

function Filters(props: { tables: TableSummary[]; filter: Filter; onFilter: (filter: Filter) => void }) {
  const { tables, filter, onFilter } = props;
  const of = (kind: TableSummary["kind"]): number => tables.filter((table) => table.kind === kind).length;
  const counts = { all: tables.length, live: of("live"), electronic: of("electronic") };
  const symbol = currency();
  return (
    <div class="filters" role="group" aria-label={say("filter")}>
      {(["all", "live", "electronic"] as const).map((kind) => (
        <button key={kind} aria-pressed={filter.kind === kind} onClick={() => onFilter({ ...filter, kind })}>
          {say(kind, { n: counts[kind] })}
        </button>
      ))}
      {minima(tables).map((cents) => (
        <button
          key={cents}
          aria-pressed={filter.from === cents}
          onClick={() => onFilter({ ...filter, from: filter.from === cents ? null : cents })}
        >
          {say("from", { amount: `${symbol} ${dollars(cents)}` })}
        </button>
      ))}
      <button aria-pressed={filter.free} onClick={() => onFilter({ ...filter, free: !filter.free })}>
        {say("free")}
      </button>
    </div>
  );
}

function Heading({ tables }: { tables: TableSummary[] }) {
  const open = tables.filter(({ phase }) => phase !== "UNOPENED").length;
  const closed = tables.length - open;
  return (
    <div>
      <h1>{say("title")}</h1>
      <p>
        {say(closed > 0 ? "counted" : "allOpen", { open, closed })} {say("roads")}
      </p>
    </div>
  );
}

function Nothing(props: { title: string; lead?: string; onAll?: () => void }) {
  return (
    <div class="nothing">
      <p class="h2">{props.title}</p>
      {props.lead !== undefined && <p class="muted">{props.lead}</p>}
      {props.onAll !== undefined && (
        <button class="btn" onClick={props.onAll}>
          {say("showAll")}
        </button>
      )}
    </div>
  );
}

function Grid(props: { tables: TableSummary[]; wallet: Wallet | null; barred: boolean }) {
  const grid = useGridKeys();
  return (
    <div class="grid" ref={grid}>
      {props.tables.map((table) => (
        <Tile key={table.name} table={table} wallet={props.wallet} barred={props.barred} />
      ))}
    </div>
  );
}

export default function Lobby() {
  const topic = useTables().value;
  const mine = useMine().value?.view;
  const wallet = mine?.wallet ?? null;
  const barred = barredFromEntering(mine?.left ?? null);
  useBarredHeard(barred);
  const filter = useSignal<Filter>(EVERYTHING);
  const tables = topic === null ? null : ordered(topic.view);
  const shown = tables === null ? [] : fitting(tables, filter.value);
  const chosen = filter.value !== EVERYTHING;
  useEffect(() => {
    if (chosen) announce(say("all", { n: shown.length }));
  }, [filter.value]);
  useKeys({ F6: { does: common("keyRegions"), press: () => nextRegion() } });
  useTitle(say("title"));
  const patron = somebody.value?.kind === "patron";
  return (
    <div class="lobby">
      <LobbyBar wallet={wallet} />
      {connection.value === "lost" && <LostBar time={topic?.time ?? null} />}
      <main class="wrap" data-region>
        <div class="hero">
          <Heading tables={tables ?? []} />
          {tables !== null && tables.length > 0 && (
            <Filters tables={tables} filter={filter.value} onFilter={(wanted) => void (filter.value = wanted)} />
          )}
        </div>
        {barred !== null && <BarredNote barred={barred} table={wallet?.seats[0]?.table ?? tables?.[0]?.name ?? null} />}
        {tables === null && <Nothing title={say("loading")} />}
        {tables?.length === 0 && <Nothing title={say("none")} lead={say("noneLead", { time: clock(moment()) })} />}
        {tables !== null && tables.length > 0 && shown.length === 0 && (
          <Nothing title={say("noFit")} onAll={() => void (filter.value = EVERYTHING)} />
        )}
        <Grid tables={shown} wallet={wallet} barred={barred !== null} />
        {patron && (
          <section class="multi" aria-label={say("several")}>
            <p>
              <b>{say("several")}</b> {say("severalLead")}
            </p>
            <Link class="btn" to="/tables">
              {say("choose")}
            </Link>
          </section>
        )}
        <p class="fn">{say("note")}</p>
      </main>
    </div>
  );
}
