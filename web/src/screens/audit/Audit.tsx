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
import { OneRound, type Recalled, Rounds } from "../pit/Recall";
import { Decisions } from "./Decisions";
import { Overview } from "./Overview";
import { say, streamName } from "./say";
import { tableOf } from "./verification";

const ways = (): Way[] => [
  { to: "/audit", icon: "lock", name: say("journal") },
  { to: "/cage", icon: "cash", name: say("cage") },
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
  const rounds = route.part === "rounds" ? recalled(route.name, tables) : null;
  if (rounds === null) return <Decisions key={route.name} stream={route.name} />;
  if (route.item === null) return <Rounds key={route.name} recalled={rounds} />;
  return <OneRound recalled={rounds} number={route.item} />;
}

export default function Audit({ route }: ScreenProps) {
  return (
    <Frame title={say("audit")} at="/audit" ways={ways()}>
      <Part route={route} />
    </Frame>
  );
}
