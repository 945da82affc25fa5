/** Roads and statistics of the shoe in play: information only, no forecast. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { ResultShown, WagerShown } from "../../api/types";
import { drawRoads, type RoadKind, type Roads, type Side } from "../../draw/roads";
import { Icon } from "../../parts/Icon";
import { Ask, Road, roadName, useRoads } from "../../parts/Roads";
import { countsOf } from "../../state/counts";
import { coupsOf } from "../../state/coups";
import { settings } from "../../state/settings";
import { ownOf } from "./model/counts";
import { openSheet, useHere } from "./table";
import { say, sideName } from "./words";

const PREVIEW_MS = 4_000;

function labelled(results: readonly ResultShown[], wagers: readonly WagerShown[]): [string, number][] {
  const { banker, player, tie, playerPairs, bankerPairs, naturals } = countsOf(results);
  const own = ownOf(results, wagers);
  return [
    [sideName("banker"), banker],
    [sideName("player"), player],
    [sideName("tie"), tie],
    [say("playerPair"), playerPairs],
    [say("bankerPair"), bankerPairs],
    [say("natural"), naturals],
    ...(own === null ? [] : [[say(own.name), own.count] as [string, number]]),
  ];
}

/** The roads with one coup more, for a few seconds after an ask mark is pressed. */
function usePreview(): { asked: Roads | undefined; side: Side | null; ask: (side: Side) => void } {
  const { view } = useHere();
  const side = useSignal<Side | null>(null);
  useEffect(() => {
    if (side.value === null) return undefined;
    const timer = setTimeout(() => void (side.value = null), PREVIEW_MS);
    return () => clearTimeout(timer);
  }, [side.value]);
  const { results, rules } = view;
  const asked = useMemo(() => {
    if (side.value === null) return undefined;
    const coups = coupsOf(results, (rules?.wagers ?? []).map((wager) => wager.slug));
    return drawRoads([...coups, { winner: side.value }]);
  }, [side.value, results, rules]);
  return { asked, side: side.value, ask: (wanted) => void (side.value = side.peek() === wanted ? null : wanted) };
}

const SIZES: Record<RoadKind, { columns: number; cell: number }> = {
  big: { columns: 17, cell: 21 },
  big_eye: { columns: 12, cell: 9 },
  small: { columns: 12, cell: 9 },
  cockroach: { columns: 12, cell: 9 },
  bead: { columns: 12, cell: 26 },
};
/** With larger text cells are smaller, so that roads and the line below them stay in view. */
const LARGER: Partial<typeof SIZES> = { big: { columns: 19, cell: 21 }, bead: { columns: 14, cell: 26 } };
const LARGE_TEXT = 125;

export function Rail() {
  const { name, view } = useHere();
  const roads = useRoads(view);
  const { asked, side, ask } = usePreview();
  const counts = labelled(view.results, view.rules?.wagers ?? []);
  const preview = asked === undefined ? {} : { asked };
  const sizes = settings.value.size === LARGE_TEXT ? { ...SIZES, ...LARGER } : SIZES;
  const box = (kind: RoadKind, more = "") => (
    <div key={kind}>
      <h3>
        {roadName(kind)} {more !== "" && <span>{more}</span>}
      </h3>
      <div class="roadbox">
        <Road roads={roads} kind={kind} {...sizes[kind]} {...preview} />
      </div>
    </div>
  );
  const rounds = roads.bead.length;
  const shoe = view.shoe === null ? "" : say("shoe", { shoe: view.shoe.name, rounds });
  return (
    <aside class="rail" aria-label={say("rail")} data-region>
      <div class="counts" style={{ "--n": counts.length }}>
        {counts.map(([label, count]) => (
          <div key={label}>
            <b>{count}</b>
            <span>{label}</span>
            <span class="of">{rounds === 0 ? "–" : say("ofRounds", { percent: Math.round((100 * count) / rounds) })}</span>
          </div>
        ))}
      </div>
      {box("big", rounds === 0 ? say("newShoe") : shoe)}
      <div class="trio">
        {box("big_eye")}
        {box("small")}
        {box("cockroach")}
      </div>
      {box("bead")}
      <div class="askbox">
        {(["banker", "player"] as const).map((one) => (
          <button key={one} aria-pressed={side === one} onClick={() => ask(one)}>
            <span>{say(one === "banker" ? "ifBanker" : "ifPlayer")}</span>
            <Ask roads={roads} side={one} />
          </button>
        ))}
        <button class="whole" aria-label={say("roadsTitle")} onClick={() => openSheet(name, "roads")}>
          <Icon name="list" />
        </button>
      </div>
      <p class="note">{say("roadsNote")}</p>
    </aside>
  );
}
