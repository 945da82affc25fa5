/** A patron's place at a table: bets, cards, roads, money, and sheets beside the felt. */
import type { Signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import "./terminal.css";
import type { ScreenProps } from "../../app/App";
import { go } from "../../app/router";
import type { ShoeKnown, TableView } from "../../api/types";
import { connection, heardAt, troubled } from "../../api/live";
import { say as common } from "../../i18n/common";
import { clock } from "../../i18n/money";
import { gameTitle } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { useBarredHeard } from "../../parts/BarredNote";
import { Icon } from "../../parts/Icon";
import { useKeys } from "../../parts/keys";
import { nextRegion } from "../../parts/regions";
import { useTitle } from "../../parts/title";
import { useClosingShown } from "../../state/closing";
import { settings } from "../../state/settings";
import { useLoaded } from "../../state/loaded";
import { useMine, useTable } from "../../state/table";
import { useBetKeys, useSheetKeys } from "./betkeys";
import { makeBetting } from "./betting";
import { Foot } from "./Foot";
import { Handling } from "./Handling";
import { NOBODY } from "./model/asked";
import { barredFromEntering } from "./model/left";
import { rememberRoot } from "./model/seen";
import { Own } from "./Own";
import { Rail } from "./Rail";
import { useNearHeard } from "./Near";
import { useReminder } from "./reminder";
import { useLastStakes, useRounds } from "./rounds";
import { Seat } from "./Seat";
import { heardShakes } from "./shakes";
import { sheetOf } from "./sheets/sheets";
import { useSounds } from "./sound";
import { Spots } from "./Spots";
import { dealt, HereProvider, openSheet, useHere, type Here } from "./table";
import { Top } from "./Top";
import { say } from "./words";

function useShortcuts(): void {
  const { name, sheet, own } = useHere();
  useKeys({
    ...useBetKeys(),
    ...useSheetKeys(),
    Escape: { does: common("keyEscape"), press: () => (sheet === null || own.option !== null ? false : openSheet(name, null)) },
    F6: { does: common("keyRegions"), press: () => nextRegion(".term [data-region], .term .sheet") },
  });
}

/** On a screen that is scrolled, cards and the result come into view. */
function useCardsInView(): void {
  const { view } = useHere();
  const shows = view.outcome !== null ? "result" : dealt(view) ? "cards" : "";
  useEffect(() => {
    if (shows !== "") document.querySelector(".term .hands")?.scrollIntoView({ block: "nearest" });
  }, [shows, view.round]);
}

/** The root of the shoe in play is kept before its cards are known, whether anybody looks or not. */
function useRootKept(): void {
  const { name, view } = useHere();
  const shoe = view.shoe === null || view.shoe.ended ? null : view.shoe.name;
  const [loaded] = useLoaded<ShoeKnown>(shoe === null ? null : `/tables/${name}/shoes/${encodeURIComponent(shoe)}`);
  const known = loaded.value.value;
  useEffect(() => {
    if (known !== null) rememberRoot(known);
  }, [known]);
}

const Print = () => (
  <svg class="print" viewBox="0 0 930 600" preserveAspectRatio="none" aria-hidden="true">
    <path d="M-60 -260C140 330 790 330 990 -260" vector-effect="non-scaling-stroke" />
    <path d="M-60 -276C140 318 790 318 990 -276" vector-effect="non-scaling-stroke" />
  </svg>
);

const Lost = () => (
  <div class="bnr" role="alert">
    <Icon name="signal" />
    <div>
      <b>{say("reconnectTitle")}</b> <span>{say("reconnectText")}</span>
    </div>
    <span class="end">{say("lastKnown", { time: clock(heardAt.value, true) })}</span>
  </div>
);

function Play() {
  const here = useHere();
  const { view } = here;
  useShortcuts();
  useClosingShown(here.name, view);
  useReminder();
  useNearHeard();
  useBarredHeard(barredFromEntering(here.betting.left.value));
  useSounds();
  useRootKept();
  // The page of positions may have been scrolled; a table begins at its top.
  useEffect(() => scrollTo(0, 0), []);
  useCardsInView();
  const sheet = sheetOf(here);
  const lost = connection.value !== "live";
  const classes = ["term", sheet === null ? "" : "ws", lost ? "bn stale" : "", settings.value.leftHanded ? "left" : ""];
  return (
    <div class={classes.filter(Boolean).join(" ")} data-phase={view.phase} data-round={view.round ?? ""}>
      <Top />
      {lost && <Lost />}
      <Own />
      <main class="felt" aria-label={say("felt")} data-region>
        <Print />
        <Handling />
        <Spots />
      </main>
      {sheet ?? <Rail />}
      <Foot />
    </div>
  );
}

const NoTable = () => (
  <main class="waiting">
    <div class="stack16">
      <h1 class="h1">{say("noTable")}</h1>
      <button class="btn" onClick={() => go("/")}>
        {common("toStart")}
      </button>
    </div>
  </main>
);

/** "Tiger Baccarat, Table 08", as the page is headed. */
const titleOf = (name: string, view: TableView | undefined): string =>
  view?.rules == null ? tableWords(name) : say("title", { game: gameTitle(view.rules), table: tableWords(name) });

export default function Terminal({ route }: ScreenProps) {
  const name = route.name ?? "";
  const table = useTable(name);
  const mine = useMine();
  const betting = useMemo(() => makeBetting(name, table, mine), [name, table, mine]);
  useEffect(() => betting.dispose, [betting]);
  const topic = table.value;
  const view = topic?.view;
  useEffect(() => heardShakes(topic?.events ?? []), [topic]);
  const newest = view?.results.at(-1)?.round ?? 0;
  const rounds = useRounds(`${name} ${newest} ${view?.own?.lines.length ?? 0}`);
  useLastStakes(name, betting, rounds);
  useTitle(name === "" ? null : titleOf(name, view));
  const typed = useMemo(() => new Map<string, Signal<unknown>>(), [name, route.part]);
  if (view === undefined) {
    const missing = troubled.value?.code === "unknown_table" || troubled.value?.code === "unknown_topic";
    return missing ? <NoTable /> : <main class="waiting">{say("oneMoment")}</main>;
  }
  const own = view.own ?? NOBODY;
  const here: Here = { name, view, own, betting, rounds, sheet: route.part, typed };
  const patron = view.own !== undefined;
  // Pays, rules and a shoe's verification are open to whoever has not sat down yet.
  const seated = !patron || own.seat !== null || own.stakes.length > 0 || route.part !== null;
  return <HereProvider value={here}>{seated ? <Play /> : <Seat />}</HereProvider>;
}
