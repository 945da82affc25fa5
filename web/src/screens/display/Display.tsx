/**
 * The public display of a table: no login, no touch, English and Chinese together. It comes back
 * by itself, and is never blank: what was known last stays, and says how old it is.
 */
import "./display.css";
import { computed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { folded, type Topic } from "../../api/topics";
import type { TableView } from "../../api/types";
import type { ScreenProps } from "../../app/App";
import { house } from "../../app/session";
import { clock } from "../../i18n/money";
import { Icon, type IconName } from "../../parts/Icon";
import { Ring } from "../../parts/Ring";
import { useRoads } from "../../parts/Roads";
import { useTitle } from "../../parts/title";
import { heardTime, inHouse, now, secondsUntil } from "../../state/clock";
import { stateOf, tableMark, type TableState } from "../../state/tables";
import { Both, bothDays, chinese, english } from "./both";
import { Choose } from "./Choose";
import { Play } from "./Play";
import { RoadsPart } from "./RoadsPart";
import { shiftAt } from "./shown";
import { SidePart } from "./SidePart";
import { listen } from "./sse";

interface Heard {
  topic: Topic<TableView> | null;
  connected: boolean;
  unknown: boolean;
  /** When the house was heard last, by this machine's clock; it counts while nothing is heard. */
  at: number;
}

function useHeard(name: string): Heard {
  const heard = useSignal<Heard>({ topic: null, connected: false, unknown: false, at: 0 });
  useEffect(
    () =>
      listen(`table:${name}`, {
        onMessage: (message) => {
          heardTime(message.time);
          heard.value = { ...heard.peek(), topic: folded(heard.peek().topic, message), unknown: false };
        },
        onHeard: (connected, at) => {
          if (heard.peek().connected !== connected) heard.value = { ...heard.peek(), connected, at };
        },
        onUnknown: () => void (heard.value = { ...heard.peek(), unknown: true }),
      }),
    [name],
  );
  return heard.value;
}

/** The page is one piece that scales: 1 rem is 1/120 of its width. */
function useWholeScreen(): void {
  useEffect(() => {
    document.documentElement.dataset["screen"] = "display";
    return () => void delete document.documentElement.dataset["screen"];
  }, []);
}

const MINUTE_MS = 60_000;
const minute = computed(() => Math.floor(now.value / MINUTE_MS));
/** It changes once a minute, so that the picture is not drawn anew with every tick of the clock. */
const shift = computed(() => shiftAt(minute.value * MINUTE_MS));

const ICONS: Partial<Record<TableState, IconName>> = { closed: "lock", waiting: "clock", shake: "dice", settled: "check", result: "check", void: "clear" };

function Head(props: { name: string; view: TableView | null; connected: boolean; unknown: boolean }) {
  const { view, connected } = props;
  const left = secondsUntil(view?.closes_at);
  const state = view === null ? null : stateOf(view, left);
  const rules = view?.rules ?? null;
  const mark = rules === null ? null : tableMark({ name: props.name, rulebook: rules.rulebook });
  const key = !connected ? (view === null ? "connecting" : "reconnecting") : (`state_${state ?? "waiting"}` as const);
  const kind = rules?.dealt_by === "system" ? "electronic" : "live";
  const span = view?.opened != null && view.closes_at != null ? (Date.parse(view.closes_at) - Date.parse(view.opened)) / 1000 : 0;
  const counting = connected && left !== null && (state === "open" || state === "last");
  return (
    <header class="hd">
      <div class="tb">
        {mark !== null && <span class="no">{mark}</span>}
        <div>
          <h1>{rules?.name ?? props.name}</h1>
          {rules !== null && (
            <span>
              {english(kind)} <span lang="zh-Hans">{chinese(kind)}</span> · {mark === rules.rulebook ? "" : `${rules.rulebook} `}
              <Both of="version" with={{ version: rules.version }} />
            </span>
          )}
        </div>
      </div>
      <div class="st" role="status">
        <b lang="en">{props.unknown && view === null ? english("noTable", { name: props.name }) : english(key)}</b>
        <span lang="zh-Hans">{props.unknown && view === null ? chinese("noTable", { name: props.name }) : chinese(key)}</span>
      </div>
      <div class="cd">
        {counting ? <Ring until={view?.closes_at} of={span} /> : <Icon name={connected && state !== null ? (ICONS[state] ?? "pause") : "signal"} />}
      </div>
    </header>
  );
}

function Foot(props: { connected: boolean; at: number | null }) {
  const [day, chineseDay] = bothDays(now.value, house.value?.zone);
  const old = !props.connected && props.at !== null;
  return (
    <footer class="ft">
      <p>
        <Both of="notice" />
      </p>
      {old ? (
        <p class="old">
          <Both of="lastKnown" with={{ time: clock(inHouse(props.at ?? 0), true) }} />
        </p>
      ) : (
        <p>
          {day} <span lang="zh-Hans">{chineseDay}</span> · {clock(now.value, true)}
        </p>
      )}
    </footer>
  );
}

function Whole({ name }: { name: string }) {
  useWholeScreen();
  const { topic, connected, unknown, at } = useHeard(name);
  const view = topic?.view ?? null;
  const roads = useRoads(view);
  const [x, y] = shift.value;
  useTitle(english("pageOf", { table: view?.rules?.name ?? name }));
  return (
    <div lang="en" class={connected ? "d" : "d lost"} style={{ transform: `translate(${x}px, ${y}px)` }}>
      <Head name={name} view={view} connected={connected} unknown={unknown} />
      <Play view={view} />
      <SidePart view={view} roads={roads} />
      <RoadsPart view={view} roads={roads} />
      <Foot connected={connected} at={topic === null ? null : at} />
    </div>
  );
}

export default function Display({ route }: ScreenProps) {
  return route.name === null ? <Choose /> : <Whole key={route.name} name={route.name} />;
}
