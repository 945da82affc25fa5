/** The floor map with its figures; beside it what waits and alarms. */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { currency } from "../../app/session";
import { count } from "../../i18n/money";
import { roomName } from "../../i18n/names";
import { useKeys } from "../../parts/keys";
import { Trouble } from "../../parts/Trouble";
import { say as common } from "../../i18n/common";
import { useGridKeys } from "../lobby/useGridKeys";
import { DecideDialog } from "./Decide";
import { found, type PitFloor, short, shortSigned, type Zone, zonesOf } from "./floor";
import { Shell } from "./Shell";
import { Alarms, Waiting } from "./Side";
import { say } from "./say";
import { Tile } from "./Tile";
import type { PitState } from "./usePit";
import { type Matter, questionOf } from "./waiting";

function Figures({ floor }: { floor: PitFloor }) {
  const symbol = currency();
  const figures: [string, string][] = [
    [say("tablesOpen"), say("ofN", { n: floor.open, of: floor.tables.length })],
    [say("patrons"), count(floor.patrons)],
    [say("anHour"), floor.rounds_an_hour === null ? "–" : count(Math.round(floor.rounds_an_hour))],
    [say("turnoverToday"), `${symbol} ${short(floor.turnover_cents)}`],
    [say("winToday"), `${symbol} ${shortSigned(floor.win_cents)}`],
  ];
  return (
    <dl aria-label={say("figures")}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const zoneName = ({ room, electronic }: Zone): string => {
  if (room === null) return say("notOpen");
  return electronic ? say("electronicAt", { room: roomName(room) }) : roomName(room);
};

function ZoneOfTables({ zone, pit }: { zone: Zone; pit: PitState }) {
  const name = zoneName(zone);
  return (
    <section aria-label={name}>
      <div class="zone">
        <h2>{name}</h2>
        <span>{say("openOf", { n: zone.open, of: zone.tables.length })}</span>
      </div>
      <div class="grid">
        {zone.tables.map((table) => (
          <Tile key={table.summary.name} table={table} view={pit.views.get(table.summary.name) ?? null} alarms={pit.alarms.filter((alarm) => alarm.table === table.summary.name)} />
        ))}
      </div>
    </section>
  );
}

function Map(props: { pit: PitState; floor: PitFloor; words: Signal<string>; find: RefObject<HTMLInputElement | null> }) {
  const { pit, floor, words } = props;
  const shown = found(pit.tables, words.value);
  return (
    <>
      <label class="find">
        <span class="sr">{say("find")}</span>
        <input class="in" type="search" ref={props.find} placeholder={say("find")} value={words.value} onInput={(e) => void (words.value = e.currentTarget.value)} />
        {!floor.counted && <span class="dim xs">{say("counting")}</span>}
      </label>
      {zonesOf(shown).map((zone) => (
        <ZoneOfTables key={`${zone.room}/${zone.electronic}`} zone={zone} pit={pit} />
      ))}
      {shown.length === 0 && <p class="none">{say("noTable")}</p>}
    </>
  );
}

export function FloorPage({ pit }: { pit: PitState }) {
  const words = useSignal("");
  const deciding = useSignal<Matter | null>(null);
  const find = useRef<HTMLInputElement>(null);
  const grid = useGridKeys();
  useKeys({ "/": { does: say("find"), press: () => find.current?.focus() } });
  const { floor } = pit;
  const at = deciding.value;
  return (
    <Shell
      pit={pit}
      at="floor"
      title={say("pit")}
      figures={floor === null ? undefined : <Figures floor={floor} />}
      side={
        <>
          <Waiting pit={pit} onDecide={(matter) => void (deciding.value = matter)} />
          <Alarms pit={pit} />
        </>
      }
    >
      <div ref={grid}>
        {floor === null ? (
          <div class="none">{pit.problem === null ? common("loading") : <Trouble problem={pit.problem} />}</div>
        ) : (
          <Map pit={pit} floor={floor} words={words} find={find} />
        )}
      </div>
      {at !== null && (
        <DecideDialog
          key={questionOf(at)}
          asked={at}
          matters={pit.matters}
          view={pit.views.get(at.table) ?? null}
          onBack={() => {
            deciding.value = null;
            pit.again();
          }}
        />
      )}
    </Shell>
  );
}
