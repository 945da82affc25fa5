import { useMemo } from "preact/hooks";
import type { TableView } from "../api/types";
import { askMarks, road, ROAD_NAMES, type RoadOptions } from "../draw/roadmap";
import { drawRoads, type RoadKind, type Roads, type Side } from "../draw/roads";
import { Svg } from "../draw/Svg";
import { say } from "../i18n/common";
import { coupsOf } from "../state/coups";
import { drawLanguage } from "./Card";

/** The roads of a table's shoe in play; computed again only when results change. */
export function useRoads(view: Pick<TableView, "results" | "rules"> | null): Roads {
  const results = view?.results;
  const wagers = view?.rules?.wagers;
  return useMemo(
    () => drawRoads(coupsOf(results ?? [], (wagers ?? []).map((wager) => wager.slug))),
    [results, wagers],
  );
}

export const roadName = (kind: RoadKind): string => ROAD_NAMES[kind][drawLanguage()];

export function Road(props: { roads: Roads; kind: RoadKind } & RoadOptions) {
  const { roads, kind, ...options } = props;
  const language = drawLanguage();
  return <Svg of={road(roads, kind, { language, signs: language === "zh", ...options })} />;
}

/** What the derived roads would get next if a side won; information, no forecast. */
export function Ask(props: { roads: Roads; side: Side }) {
  return <Svg of={askMarks(props.roads.ask[props.side], { language: drawLanguage() })} />;
}

export const RoadsNotice = () => <p class="notice dim xs">{say("roadsNotice")}</p>;
