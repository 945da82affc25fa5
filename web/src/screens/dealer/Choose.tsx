/** Choose a table to deal: what is played there, and who deals now. */
import type { TableSummary } from "../../api/types";
import { go } from "../../app/router";
import { currency, somebody } from "../../app/session";
import { say as common } from "../../i18n/common";
import { range } from "../../i18n/money";
import { positionName, roomName } from "../../i18n/names";
import { Icon } from "../../parts/Icon";
import { KeysButton } from "../../parts/KeyList";
import { useKeys } from "../../parts/keys";
import { nextRegion } from "../../parts/regions";
import { SettingsButton } from "../../parts/Settings";
import { useTables } from "../../state/table";
import { numberOf } from "../../state/tables";
import { named, say } from "./say";

/** Its number, or its name where it has none. */
const markOf = (table: TableSummary): string => numberOf(table) ?? table.name;

/** Tables that a Dealer deals come first, then those of the system. */
function sorted(tables: readonly TableSummary[]): TableSummary[] {
  const weight = (table: TableSummary): number => (table.kind === "live" ? 0 : table.kind === null ? 1 : 2);
  return [...tables].sort((a, b) => weight(a) - weight(b) || markOf(a).localeCompare(markOf(b)));
}

function Tile({ table }: { table: TableSummary }) {
  const facts = [table.rulebook, table.method ? say("method", { method: table.method }) : null, roomName(table.room ?? "")];
  const open = table.title !== null;
  return (
    <li>
      <button class="tabletile" onClick={() => go(`/dealer/${encodeURIComponent(table.name)}`)}>
        <span class="row">
          <b class="tn">{markOf(table)}</b>
          <span class="tg">{table.title ?? table.name}</span>
        </span>
        <span class="muted sm">{facts.filter(Boolean).join(" · ")}</span>
        <span class="row wrap">
          <span class={table.hold === null ? "tag" : "tag alert"}>{table.hold === null ? named("phase", table.phase) : say("onHold")}</span>
          {open && <span class="tag">{say("seatsTaken", { taken: table.seats.taken, all: table.seats.positions })}</span>}
          {table.dealt_by !== null && <span class={table.dealt_by === "house" ? "tag brass" : "tag"}>{named("dealt_by", table.dealt_by)}</span>}
        </span>
        <span class="muted xs">{table.limits && `${currency()} ${range(table.limits.minimum_cents, table.limits.maximum_cents)}`}</span>
        <span class="go">
          {say(!open ? "seeHere" : table.kind === "electronic" ? "watchHere" : "dealHere")} <Icon name="arrow" size="small" />
        </span>
      </button>
    </li>
  );
}

export function Choose() {
  const tables = useTables();
  const me = somebody.value;
  useKeys({ F6: { does: common("keyRegions"), press: () => nextRegion() } });
  return (
    <div class="dealer choose">
      <header class="top" data-region>
        <span class="no">
          <Icon name="cards" size="large" />
        </span>
        <h1>
          {say("chooseTable")}
          <span>{say("chooseNote")}</span>
        </h1>
        <span class="grow" />
        <div class="who">
          <span>
            <b>
              {me?.name}
              {me?.position ? `, ${positionName(me.position)}` : ""}
            </b>
          </span>
          <KeysButton />
          <SettingsButton />
        </div>
      </header>
      <main class="choosing" data-region>
        {tables.value === null ? (
          <p class="muted">{common("loading")}</p>
        ) : (
          <ul class="tilegrid">
            {sorted(Object.values(tables.value.view)).map((table) => (
              <Tile key={table.name} table={table} />
            ))}
          </ul>
        )}
      </main>
    </div>
  );
}
