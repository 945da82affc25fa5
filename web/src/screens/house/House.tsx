/** The page of those who keep the house: who has an account, backups, devices, tables, and where the rest is done. */
import "../pit/pit.css";
import "../pit/more.css";
import { useSignal } from "@preact/signals";
import { post } from "../../api/http";
import type { Schemas, TableSummary } from "../../api/types";
import type { ScreenProps } from "../../app/App";
import { somebody } from "../../app/session";
import { gameName, positionName, roomName } from "../../i18n/names";
import { tableWords } from "../../i18n/tables";
import { Frame, type Way } from "../../parts/Frame";
import { Link } from "../../parts/Link";
import { type Column, Listing } from "../../parts/Listing";
import { NotForYou } from "../../parts/NotForYou";
import { Trouble } from "../../parts/Trouble";
import { useLoaded } from "../../state/loaded";
import { useTables } from "../../state/table";
import { byNumber } from "../../state/tables";
import { useAsked } from "./asked";
import { Devices } from "./Devices";
import { say } from "./say";
import { TableName } from "./TableName";
import { COMMANDS, type Keeper, keeperOf, type Line } from "./work";

type UserShown = Schemas["UserShown"];
type BackupShown = Schemas["BackupShown"];

const FRESH_MS = 5_000;
const ways = (): Way[] => [{ to: "/house", icon: "shield", name: say("house") }];

/** So many accounts stand there before all are asked for. */
const FIRST = 10;

function People() {
  const [loaded] = useLoaded<UserShown[]>("/users", FRESH_MS);
  const all = useSignal(false);
  const people = loaded.value.value ?? [];
  const rows = all.value ? people : people.slice(0, FIRST);
  const columns: Column<UserShown>[] = [
    { name: say("name"), cell: ({ name }) => name, words: true },
    { name: say("position"), cell: ({ position, kind }) => (position === null ? say(`kind.${kind}`) : positionName(position)), words: true },
    { name: say("state"), cell: ({ enabled }) => say(enabled ? "enabled" : "disabled"), words: true },
    { name: say("sessions"), cell: ({ sessions }) => String(sessions) },
  ];
  return (
    <section class="pan" aria-labelledby="house-people">
      <header>
        <h3 id="house-people">{say("people")}</h3>
      </header>
      <Trouble problem={loaded.value.problem} />
      <Listing label={say("people")} columns={columns} rows={rows} keyOf={({ name }) => name} none={say("nobody")} marked={({ enabled }) => !enabled} />
      {rows.length < people.length && (
        <div class="panel-foot">
          <button class="btn wide" onClick={() => void (all.value = true)}>
            {say("showAll", { n: people.length })}
          </button>
        </div>
      )}
    </section>
  );
}

function Backups() {
  const [loaded, again] = useLoaded<BackupShown[]>("/admin/backups", FRESH_MS);
  const { problem, sending, ask } = useAsked<BackupShown>();
  const columns: Column<BackupShown>[] = [
    { name: say("name"), cell: ({ name }) => name, words: true },
    { name: say("folder"), cell: ({ folder }) => <span class="mono">{folder}</span>, words: true, wraps: true },
    { name: say("state"), cell: ({ done, error }) => error ?? say(done ? "made" : "making"), words: true },
  ];
  return (
    <section class="pan" aria-labelledby="house-backups">
      <header>
        <h3 id="house-backups">{say("backups")}</h3>
        <button class="btn small end" disabled={sending.value} onClick={() => void ask(() => post<BackupShown>("/admin/backup", {})).then(again)}>
          {say("backUp")}
        </button>
      </header>
      <Trouble problem={problem.value ?? loaded.value.problem} />
      <Listing label={say("backups")} columns={columns} rows={loaded.value.value ?? []} keyOf={({ name }) => name} none={say("noBackup")} />
    </section>
  );
}

export function Tables() {
  const tables = useTables().value?.view ?? {};
  const columns: Column<TableSummary>[] = [
    { name: say("table"), cell: ({ name }) => <TableName name={name} />, words: true },
    { name: say("game"), cell: (table) => (table.title === null ? say("closed") : gameName(table)), words: true, wraps: true },
    { name: say("room"), cell: ({ room }) => roomName(room ?? ""), words: true },
    {
      name: say("display"),
      words: true,
      cell: ({ name }) => (
        <Link class="btn small" to={`/display/${encodeURIComponent(name)}`} label={say("displayOf", { table: tableWords(name) })}>
          {say("display")}
        </Link>
      ),
    },
  ];
  return (
    <section class="pan" aria-labelledby="house-tables">
      <header>
        <h3 id="house-tables">{say("tables")}</h3>
      </header>
      <Listing label={say("tables")} columns={columns} rows={Object.values(tables).sort(byNumber)} keyOf={({ name }) => name} none={say("noTables")} />
    </section>
  );
}

function Commands({ keeper }: { keeper: Keeper }) {
  const columns: Column<Line>[] = [
    { name: say("does"), cell: ({ does }) => say(does), words: true, wraps: true },
    { name: say("command"), cell: ({ line }) => <span class="mono" lang="en">{line}</span>, words: true, wraps: true },
  ];
  return (
    <section class="pan" aria-labelledby="house-commands">
      <header>
        <h3 id="house-commands">{say("commands")}</h3>
      </header>
      <Listing label={say("commands")} columns={columns} rows={COMMANDS[keeper]} keyOf={({ line }) => line} none="" />
    </section>
  );
}

export default function House(_: ScreenProps) {
  const keeper = keeperOf(somebody.value);
  if (keeper === null) return <NotForYou />;
  return (
    <Frame title={say("house")} at="/house" ways={ways()}>
      <div class="hd">
        <div>
          <h2>{positionName(somebody.value?.position ?? "")}</h2>
          <p>{say(`lead.${keeper}`)}</p>
        </div>
      </div>
      {keeper === "administrator" && <People />}
      <Devices />
      <Backups />
      <Tables />
      <Commands keeper={keeper} />
    </Frame>
  );
}
