/** Win and hold of the floor or of a table, beside what the pay tables expect; ratings of patrons. */
import { useSignal } from "@preact/signals";
import type { Schemas } from "../../api/types";
import { currency } from "../../app/session";
import { bandPlot, DESKTOP, PHONE } from "../../draw/plot";
import { Svg } from "../../draw/Svg";
import { say as common } from "../../i18n/common";
import { clock, count, day, dollars, money, signed } from "../../i18n/money";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { Trouble } from "../../parts/Trouble";
import { useMedia } from "../../parts/useMedia";
import { useLoaded } from "../../state/loaded";
import { inOrderOfTables } from "../../state/tables";
import { wagerBySlug } from "../../i18n/names";
import { span } from "./floor";
import { Shell } from "./Shell";
import { named, say } from "./say";
import { type PitState, tableTitle } from "./usePit";
import { barOf, DAYS, plotOf, signedPercent, type WinLine, type WinShown } from "./win";

type Rated = Schemas["RatedShown"];

/** Words of a plot are never scaled: a wide screen gets a drawing of its own. */
const WIDE = { width: 1740, height: 420 };

/** As on the floor and at the banks: with cents where there are any. */
const shownSigned = (cents: number): string => (cents > 0 ? `+${dollars(cents)}` : dollars(cents));

function Figures({ total }: { total: WinLine }) {
  const symbol = currency();
  const figures: [string, string, string][] = [
    [say("inCurrency", { what: say("turnover"), symbol }), dollars(total.turnover_cents), say("nStakes", { n: total.stakes })],
    [say("inCurrency", { what: say("drop"), symbol }), total.drop_cents === null ? "–" : dollars(total.drop_cents), say("dropNote")],
    [say("inCurrency", { what: say("win"), symbol }), shownSigned(total.win_cents), say("expectedOf", { amount: shownSigned(total.expected_cents) })],
    [say(total.hold_of === "drop" ? "holdOfDrop" : "holdOfTurnover"), signedPercent(total.hold), say("expectedOf", { amount: signedPercent(total.hold_expected) })],
    [say("distance"), total.z === null ? "–" : say("deviations", { n: Math.abs(total.z).toFixed(2) }), named("standing", total.standing)],
  ];
  return (
    <div class="figs">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <span>{name}</span>
          <b>{value}</b>
          <small>{note}</small>
        </div>
      ))}
    </div>
  );
}

function Legend() {
  return (
    <span class="end lgd">
      <span>
        <svg viewBox="0 0 28 12" aria-hidden="true">
          <path d="M0 6H28" class="stroke-text" stroke-width="2.5" />
        </svg>
        {say("lgd.win")}
      </span>
      <span>
        <svg viewBox="0 0 28 12" aria-hidden="true">
          <path d="M0 6H28" class="stroke-brass" stroke-width="1.5" stroke-dasharray="8 4" />
        </svg>
        {say("lgd.expected")}
      </span>
      <span>
        <svg viewBox="0 0 28 12" aria-hidden="true">
          <rect width="28" height="12" class="fill-brass-tint" />
          <path d="M0 1H28M0 11H28" class="stroke-brass" stroke-dasharray="2 4" />
        </svg>
        {say("lgd.band")}
      </span>
    </span>
  );
}

function Plot({ shown, title }: { shown: WinShown; title: string }) {
  const last = shown.series.at(-1);
  const byDay = shown.series_of === "day";
  const [phone, wide] = [useMedia("(max-width: 640px)"), useMedia("(min-width: 1600px)")];
  const data = plotOf(shown.series, {
    tick: (point) => (byDay ? day(point.moment) : clock(point.moment)),
    money: shownSigned,
    note: (point, moved) => say("movedAt", { amount: shownSigned(moved), n: point.round ?? 0 }),
    label: say("plotLabel", {
      table: title,
      now: shownSigned(last?.win_cents ?? 0),
      expected: shownSigned(last?.expected_cents ?? 0),
      low: shownSigned(last?.lower_cents ?? 0),
      high: shownSigned(last?.upper_cents ?? 0),
    }),
  });
  return (
    <section class="pan" aria-label={say("winByRound")}>
      <header>
        <h3>{say("inCurrency", { what: say(byDay ? "winByDay" : "winByRound"), symbol: currency() })}</h3>
        <Legend />
      </header>
      <div class="bd2">
        {data === null ? (
          <p class="sm muted">{say("noPlot")}</p>
        ) : (
          <Svg of={bandPlot(data, phone ? PHONE : wide ? WIDE : DESKTOP)} />
        )}
      </div>
    </section>
  );
}

function Deviation({ z }: { z: number | null }) {
  if (z === null) return <>–</>;
  const { left, width, outside } = barOf(z);
  const label = `${z < 0 ? "−" : "+"}${Math.abs(z).toFixed(1)}${outside ? `, ${say("outside")}` : ""}`;
  return (
    <span class="bardev" role="img" aria-label={label} title={label}>
      <i class={outside ? "out" : ""} style={left ? { right: "50%", width: `${width}%` } : { left: "50%", width: `${width}%` }} />
    </span>
  );
}

function ByGroup({ lines, by, nameOf }: { lines: readonly WinLine[]; by: "wager" | "table"; nameOf: (line: WinLine) => string }) {
  const link = (line: WinLine) =>
    by === "table" ? (
      <Link class="linkb" to={`/pit/${encodeURIComponent(line.of["table"] ?? "")}/win`}>
        {nameOf(line)}
      </Link>
    ) : (
      nameOf(line)
    );
  const rows = by === "table" ? inOrderOfTables(lines, ({ of }) => of["table"] ?? "") : lines;
  const columns: Column<WinLine>[] = [
    { name: say(by === "table" ? "tableWord" : "wager"), cell: link, words: true },
    { name: say("turnover"), cell: (line) => dollars(line.turnover_cents) },
    { name: say("edge"), cell: (line) => (line.edge === null ? "" : (line.edge * 100).toFixed(2)) },
    { name: say("expected"), cell: (line) => shownSigned(line.expected_cents) },
    { name: say("win"), cell: (line) => <b>{shownSigned(line.win_cents)}</b> },
    { name: say("sdFrom"), cell: (line) => <Deviation z={line.z} /> },
  ];
  return (
    <section class="pan" aria-label={say(by === "table" ? "byTable" : "byWager")}>
      <header>
        <h3>{say(by === "table" ? "byTable" : "byWager")}</h3>
        <span class="end xs muted">{say("exactEdges")}</span>
      </header>
      <Listing label={say("byWager")} columns={columns} rows={rows} keyOf={(line) => Object.values(line.of).join("/")} none={say("nothingPlayed")} marked={(line) => line.z !== null && barOf(line.z).outside} />
    </section>
  );
}

function Ratings({ table, days }: { table: string | null; days: number }) {
  const [loaded] = useLoaded<Schemas["RatingsShown"]>(`/performance/ratings?by=patron&days=${days}${table === null ? "" : `&table=${encodeURIComponent(table)}`}`, 30_000);
  const columns: Column<Rated>[] = [
    { name: say("patron"), cell: (line) => line.of["patron"], words: true },
    { name: say("seated"), cell: (line) => span(line.seated_seconds * 1000) },
    { name: say("rounds"), cell: (line) => count(line.rounds) },
    { name: say("averageBet"), cell: (line) => (line.average_cents === null ? "" : money(line.average_cents)) },
    { name: say("turnover"), cell: (line) => money(line.turnover_cents) },
    { name: say("boughtIn"), cell: (line) => money(line.bought_cents) },
    { name: say("theoretical"), cell: (line) => signed(line.expected_cents) },
    { name: say("houseWon"), cell: (line) => signed(line.win_cents) },
  ];
  return (
    <section class="pan" aria-label={say("ratings")}>
      <header>
        <h3>{say("ratings")}</h3>
        <span class="end xs muted">{say("ratingsNote")}</span>
      </header>
      <Trouble problem={loaded.value.problem} />
      <Listing label={say("ratings")} columns={columns} rows={loaded.value.value?.lines ?? []} keyOf={(line) => line.of["patron"] ?? ""} none={say("nobodyPlayed")} />
    </section>
  );
}

export function WinPage({ pit, table }: { pit: PitState; table: string | null }) {
  const days = useSignal<number>(1);
  const by = table === null ? "table" : "wager";
  const [loaded] = useLoaded<WinShown>(`/performance/win?by=${by}&days=${days.value}${table === null ? "" : `&table=${encodeURIComponent(table)}`}`, 15_000);
  const { value: shown, problem } = loaded.value;
  const title = table === null ? say("allTables") : tableTitle(pit, table);
  const nameOf = (line: WinLine): string => {
    const name = line.of[by] ?? "";
    return by === "table" ? tableTitle(pit, name) : wagerBySlug(name);
  };
  const since = shown === null ? "" : shown.first_day === shown.last_day ? say("dayOf", { day: day(shown.first_day) }) : say("daysOf", { from: day(shown.first_day), to: day(shown.last_day) });
  return (
    <Shell pit={pit} at="win" title={say("nav.win")}>
      <div class="hd">
        <div>
          <h2>{title}</h2>
          <p>{[since, shown?.total == null ? "" : say("nRounds", { n: shown.total.rounds }), say("winNote")].filter(Boolean).join(" · ")}</p>
        </div>
        <div class="end">
          {table !== null && (
            <Link class="btn" to="/pit/win">
              {say("allTables")}
            </Link>
          )}
          <div class="seg" role="radiogroup" aria-label={say("period")}>
            {DAYS.map((n) => (
              <button key={n} role="radio" aria-checked={days.value === n} onClick={() => void (days.value = n)}>
                {n === 1 ? say("today") : say("nDays", { n })}
              </button>
            ))}
          </div>
        </div>
      </div>
      <Trouble problem={problem} />
      {shown === null && problem === null && <p class="none">{common("loading")}</p>}
      {shown !== null && shown.total === null && <p class="none">{say("nothingPlayed")}</p>}
      {shown?.total != null && (
        <>
          <Figures total={shown.total} />
          <Plot shown={shown} title={title} />
          <ByGroup lines={shown.lines} by={by} nameOf={nameOf} />
        </>
      )}
      <Ratings table={table} days={days.value} />
    </Shell>
  );
}
