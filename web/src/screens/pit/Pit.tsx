/** The pit console: the floor, one table of it, and what is asked of all tables. */
import type { ScreenProps } from "../../app/App";
import { useEffect, useRef } from "preact/hooks";
import { alarmName, alarmPlace } from "../../i18n/alarms";
import { say as common } from "../../i18n/common";
import { tableWords } from "../../i18n/tables";
import { announce } from "../../parts/announce";
import { Link } from "../../parts/Link";
import { NotForYou, notFor } from "../../parts/NotForYou";
import { Trouble } from "../../parts/Trouble";
import { useTable } from "../../state/table";
import type { Alarm } from "./alarms";
import { AlarmsPage } from "./AlarmsPage";
import { BanksPage } from "./Banks";
import { DiscretionsPage } from "./Discretions";
import { FloorPage } from "./Floor";
import "./more.css";
import "./pit.css";
import { RecallPage } from "./Recall";
import { ReferralPage } from "./Referral";
import { SettingsPage } from "./SettingsPage";
import { type Section, Shell } from "./Shell";
import { say } from "./say";
import { TablePage } from "./TablePage";
import { type PitState, tableOf, tableTitle, usePit } from "./usePit";
import { waitsForMe } from "./waiting";
import { ReportsPage } from "./ReportsPage";
import { WinPage } from "./Win";

const PARTS: Record<string, { at: Section; title: (table: string) => string }> = {
  settings: { at: "floor", title: (table) => table },
  referral: { at: "floor", title: (table) => table },
};

/** A table that is followed: its page, its settings, a matter that is referred. */
function OneTable({ pit, name, part }: { pit: PitState; name: string; part: string | null }) {
  const topic = useTable(name);
  const table = tableOf(pit, name);
  const title = tableTitle(pit, name);
  const here = PARTS[part ?? ""] ?? { at: "floor" as const, title: () => tableWords(name, table?.summary.number ?? null) };
  const view = topic.value?.view ?? null;
  const unknown = pit.floor !== null && table === undefined;
  return (
    <Shell pit={pit} at={here.at} title={here.title(title)}>
      {pit.problem !== null && <Trouble problem={pit.problem} />}
      {unknown && (
        <div class="none stack16">
          <p>{say("noTable")}</p>
          <Link class="btn" to="/pit">
            {say("backToFloor")}
          </Link>
        </div>
      )}
      {view === null && !unknown && pit.problem === null && <p class="none">{common("loading")}</p>}
      {view !== null && part === "settings" && <SettingsPage name={name} view={view} />}
      {view !== null && part === "referral" && <ReferralPage name={name} view={view} />}
      {view !== null && part === null && <TablePage name={name} view={view} table={table} />}
    </Shell>
  );
}

/** Screen readers hear what begins to wait, and alarms at once. */
function useAnnouncements(pit: PitState): void {
  const waits = waitsForMe(pit.matters);
  const newest = pit.alarms.reduce<Alarm | null>((best, one) => (best === null || one.number > best.number ? one : best), null);
  const heard = useRef({ waits: 0, alarm: newest?.number ?? 0 });
  useEffect(() => {
    if (waits > heard.current.waits) announce(say("nowWaits", { n: waits }));
    heard.current.waits = waits;
  }, [waits]);
  useEffect(() => {
    if (newest !== null && newest.number > heard.current.alarm) announce(say("newAlarm", { alarm: alarmName(newest), table: alarmPlace(newest) }), true);
    heard.current.alarm = Math.max(heard.current.alarm, newest?.number ?? 0);
  }, [newest?.number]);
}

export default function Pit({ route }: ScreenProps) {
  const pit = usePit();
  useAnnouncements(pit);
  if (pit.floor === null && notFor(pit.problem)) return <NotForYou />;
  const { name, part, item } = route;
  if (name === null) return <FloorPage pit={pit} />;
  const known = tableOf(pit, name) !== undefined;
  const about = known ? name : null;
  const section = known ? part : name;
  switch (section) {
    case "alarms":
      return <AlarmsPage pit={pit} table={about} />;
    case "discretions":
      return <DiscretionsPage pit={pit} />;
    case "banks":
      return <BanksPage pit={pit} />;
    case "win":
      return <WinPage pit={pit} table={about} />;
    case "reports":
      return <ReportsPage pit={pit} part={part} />;
    case "recall":
      return <RecallPage pit={pit} table={about} round={item} />;
    default:
      return <OneTable key={name} pit={pit} name={name} part={part} />;
  }
}
