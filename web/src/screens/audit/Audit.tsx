/** The journal as a browser, for whoever audits: it shows everything and changes nothing. */
import "../pit/pit.css";
import "../pit/more.css";
import "../cage/cage.css";
import "./audit.css";
import type { TableSummary } from "../../api/types";
import type { ScreenProps } from "../../app/App";
import { tableWords } from "../../i18n/tables";
import { Frame, type Way } from "../../parts/Frame";
import { useTables } from "../../state/table";
import { titleOf } from "../pit/floor";
import { type Place, Reports } from "../reports/Reports";
import { say as reports } from "../reports/say";
import { OneRound, type Recalled, Rounds } from "../pit/Recall";
import { Decisions } from "./Decisions";
import { Overview } from "./Overview";
import { say, streamName } from "./say";
import { tableOf } from "./verification";

const REPORTS: Place = { at: "/audit/reports", recallOf: (table, round) => `/audit/${encodeURIComponent(`table:${table}`)}/rounds/${round}` };

const ways = (): Way[] => [
  { to: "/audit", icon: "lock", name: say("journal") },
  { to: "/cage", icon: "cash", name: say("cage") },
  { to: REPORTS.at, icon: "book", name: reports("reports") },
];

function recalled(stream: string, tables: Record<string, TableSummary>): Recalled | null {
  const table = tableOf(stream);
  if (table === null) return null;
  const address = `/audit/${encodeURIComponent(stream)}`;
  return {
    table,
    title: tables[table] === undefined ? tableWords(table) : titleOf(tables[table]),
    game: tables[table]?.game ?? undefined,
    at: `${address}/rounds`,
    up: { to: address, name: say("decisionsOf", { stream: streamName(stream) }) },
  };
}

/** `/audit/table:tiger/rounds/7`: a stream, its rounds, one of them. */
function Part({ route }: ScreenProps) {
  const tables = useTables().value?.view ?? {};
  if (route.name === null) return <Overview />;
  if (route.name === "reports") return <Reports place={REPORTS} part={route.part} />;
  const rounds = route.part === "rounds" ? recalled(route.name, tables) : null;
  if (rounds === null) return <Decisions key={route.name} stream={route.name} />;
  if (route.item === null) return <Rounds key={route.name} recalled={rounds} />;
  return <OneRound recalled={rounds} number={route.item} />;
}

export default function Audit({ route }: ScreenProps) {
  const at = route.name === "reports" ? REPORTS.at : "/audit";
  return (
    <Frame title={say("audit")} at={at} ways={ways()}>
      <Part route={route} />
    </Frame>
  );
}
