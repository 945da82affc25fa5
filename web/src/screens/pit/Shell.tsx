/** The frame of the pit: the way to every section that this position has. */
import type { ComponentChildren } from "preact";
import { somebody } from "../../app/session";
import { clock } from "../../i18n/money";
import { Frame, type Way } from "../../parts/Frame";
import { say as reports } from "../reports/say";
import { say } from "./say";
import type { PitState } from "./usePit";

export type Section = "floor" | "alarms" | "discretions" | "banks" | "win" | "recall" | "reports";

const PLACES: Record<Section, string> = {
  floor: "/pit",
  alarms: "/pit/alarms",
  discretions: "/pit/discretions",
  banks: "/pit/banks",
  win: "/pit/win",
  recall: "/pit/recall",
  reports: "/pit/reports",
};

/** Whoever answers for others sees what they decided. */
const ANSWERS_FOR_OTHERS: readonly (string | null)[] = ["Pit Manager", "Assistant Casino Manager", "Gaming Shift Manager"];

function ways(alarms: number): Way[] {
  const all: Way[] = [
    { to: PLACES.floor, icon: "grid", name: say("nav.floor") },
    { to: PLACES.alarms, icon: "bell", name: say("nav.alarmsOpen", { n: alarms }), waits: alarms },
    { to: PLACES.discretions, icon: "shield", name: say("nav.discretions") },
    { to: PLACES.banks, icon: "cash", name: say("nav.banks") },
    { to: PLACES.win, icon: "chart", name: say("nav.win") },
    { to: PLACES.recall, icon: "list", name: say("nav.recall") },
    { to: PLACES.reports, icon: "book", name: reports("reports") },
  ];
  const answers = ANSWERS_FOR_OTHERS.includes(somebody.value?.position ?? null);
  return all.filter(({ to }) => to !== PLACES.discretions || answers);
}

export function Shell(props: { pit: PitState; at: Section; title: string; children: ComponentChildren; figures?: ComponentChildren; side?: ComponentChildren }) {
  const { alarms, oldSince } = props.pit;
  return (
    <Frame
      title={props.title}
      at={PLACES[props.at]}
      ways={ways(alarms.length)}
      age={oldSince === null ? null : clock(oldSince, true)}
      figures={props.figures}
      {...(props.side === undefined ? {} : { side: { label: say("side"), content: props.side } })}
    >
      {props.children}
    </Frame>
  );
}
