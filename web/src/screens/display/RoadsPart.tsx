/** The big road and the three derived ones. */
import type { TableView } from "../../api/types";
import { ROAD_NAMES } from "../../draw/roadmap";
import type { RoadKind, Roads } from "../../draw/roads";
import { Road } from "../../parts/Roads";
import { useMedia } from "../../parts/useMedia";
import { Both } from "./both";

/** Held upright, a phone shows fewer columns, each as large as a letter needs. */
const PHONE = "(max-width: 640px) and (orientation: portrait)";

export const RoadName = ({ kind }: { kind: RoadKind }) => (
  <span>
    {ROAD_NAMES[kind].en} <i lang="zh-Hans">{ROAD_NAMES[kind].zh}</i>
  </span>
);

export function RoadsPart({ view, roads }: { view: TableView | null; roads: Roads }) {
  const phone = useMedia(PHONE);
  return (
    <section class="roads" aria-label={ROAD_NAMES.big.en}>
      <div>
        <h3>
          <RoadName kind="big" />
          {view?.shoe != null && (
            <small>
              <Both of="shoe" with={{ shoe: view.shoe.name }} /> · <Both of="decks" with={{ n: view.rules?.decks ?? "–" }} />
            </small>
          )}
        </h3>
        <div class="rb">
          <Road roads={roads} kind="big" columns={phone ? 18 : 29} cell={27} />
        </div>
      </div>
      <div class="tri">
        {(["big_eye", "small", "cockroach"] as const).map((kind) => (
          <div key={kind}>
            <h3>
              <RoadName kind={kind} />
            </h3>
            <div class="rb">
              <Road roads={roads} kind={kind} columns={phone ? 12 : 20} cell={13} />
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}
