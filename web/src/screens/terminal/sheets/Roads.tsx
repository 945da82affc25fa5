/** The roads of the whole shoe, one at a time and large, and its rounds as a list. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ResultShown } from "../../../api/types";
import type { RoadKind, Roads } from "../../../draw/roads";
import { Road, roadName, useRoads } from "../../../parts/Roads";
import { Sheet } from "../../../parts/Sheet";
import { openSheet, useHere } from "../table";
import { say, shortResult } from "../words";
import { Choices } from "./parts";

const KINDS: readonly RoadKind[] = ["big", "bead", "big_eye", "small", "cockroach"];
/** As large as a finger; the derived roads have two marks to a printed cell. */
const CELL: Record<RoadKind, number> = { big: 30, bead: 36, big_eye: 20, small: 20, cockroach: 20 };
const LEAST: Record<RoadKind, number> = { big: 17, bead: 14, big_eye: 26, small: 26, cockroach: 26 };

/** How many columns the whole road takes, with an empty one behind its last mark. */
export function columnsOf(roads: Roads, kind: RoadKind): number {
  const used = Math.max(0, ...roads[kind].map(({ col }) => col + 1)) + 1;
  return Math.max(LEAST[kind], used + (used % 2));
}

/** What came beside a result, in words: pairs, a natural, a Power hand. */
export function besideOf(result: ResultShown): string {
  const told = [
    result.natural ? say("natural") : "",
    result.player_pair ? say("playerPair") : "",
    result.banker_pair ? say("bankerPair") : "",
    result.power ? say("powers") : "",
  ];
  return told.filter(Boolean).join(", ");
}

/** A result in words; of a void round, that it is void. */
export function resultOf({ player, banker, winner, ...result }: ResultShown): string {
  return result.void || player === null || banker === null || winner === null ? say("roundVoid") : shortResult({ player, banker, winner });
}

function Whole({ roads, kind }: { roads: Roads; kind: RoadKind }) {
  const box = useRef<HTMLDivElement>(null);
  const columns = columnsOf(roads, kind);
  // What came last is in view; who wants to see the start moves there.
  useEffect(() => {
    if (box.current !== null) box.current.scrollLeft = box.current.scrollWidth;
  }, [kind, columns]);
  return (
    <div ref={box} class="roadscroll" role="group" tabIndex={0} aria-label={roadName(kind)}>
      <div style={{ width: `${columns * CELL[kind]}px` }}>
        <Road roads={roads} kind={kind} columns={columns} cell={CELL[kind]} />
      </div>
    </div>
  );
}

/** The rounds of the shoe, the newest first. */
function Rounds({ results }: { results: readonly ResultShown[] }) {
  return (
    <table class="tbl" aria-label={say("roundsOfShoe")}>
      <thead>
        <tr>
          <th>{say("roundNo")}</th>
          <th class="l">{say("roundResult")}</th>
          <th class="l">{say("roundBeside")}</th>
        </tr>
      </thead>
      <tbody>
        {results.toReversed().map((result) => (
          <tr key={result.round}>
            <td>{result.round}</td>
            <td class="l">{resultOf(result)}</td>
            <td class="l">{besideOf(result)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function RoadsSheet() {
  const { name, view } = useHere();
  const roads = useRoads(view);
  const kind = useSignal<RoadKind>("big");
  const rounds = roads.bead.length;
  const shoe = view.shoe === null || rounds === 0 ? say("newShoe") : say("shoe", { shoe: view.shoe.name, rounds });
  return (
    <Sheet title={say("roadsTitle")} sub={shoe} onClose={() => openSheet(name, null)}>
      <div class="fiveroads">
        <Choices label={say("roadChosen")} value={kind.value} choices={KINDS.map((one) => [one, roadName(one)] as const)} onChoose={(one) => void (kind.value = one)} />
      </div>
      <Whole roads={roads} kind={kind.value} />
      <p class="xs muted">{say("roadsNote")}</p>
      {view.results.length > 0 && <Rounds results={view.results} />}
    </Sheet>
  );
}
