/** Bead plate, counts, ask marks and limits of a display. */
import type { TableView } from "../../api/types";
import { currency } from "../../app/session";
import { ROAD_NAMES } from "../../draw/roadmap";
import type { Roads } from "../../draw/roads";
import { dollars } from "../../i18n/money";
import { SideDisc } from "../../parts/HandCards";
import { Ask, Road } from "../../parts/Roads";
import { Both, chinese, english, wagerChinese } from "./both";
import { RoadName } from "./RoadsPart";
import { countsOf } from "../../state/counts";
import { limitsOf, lineChinese, lineName, share } from "./shown";

function Counts({ view }: { view: TableView | null }) {
  const counts = countsOf(view?.results ?? []);
  return (
    <div class="ct">
      {(["banker", "player", "tie"] as const).map((side) => (
        <div key={side}>
          <SideDisc side={side} />
          <b>{counts[side]}</b>
          <small>
            {english(side)} <i lang="zh-Hans">{chinese(side)}</i> {share(counts[side], counts.rounds)}%
          </small>
        </div>
      ))}
      <div>
        <span class="k">
          <Both of="pairs" />
        </span>
        <b>
          {counts.playerPairs} · {counts.bankerPairs}
        </b>
        <small>
          P <i lang="zh-Hans">{chinese("player")}</i> · B <i lang="zh-Hans">{chinese("banker")}</i>
        </small>
      </div>
      <div>
        <span class="k">
          <Both of="naturals" />
        </span>
        <b>{counts.naturals}</b>
        <small>
          <Both of="naturalsNote" />
        </small>
      </div>
      <div>
        <span class="k">
          <Both of="rounds" />
        </span>
        <b>{counts.rounds}</b>
        <small>
          <Both of="thisShoe" />
        </small>
      </div>
    </div>
  );
}

/** Odds break between each other, never within. */
const unbroken = (pays: string): string => pays.replaceAll(" to ", "\u00a0to\u00a0").replaceAll(" · ", "\u00a0· ");

export function Limits({ view }: { view: TableView | null }) {
  const lines = limitsOf(view?.rules?.wagers ?? []);
  const symbol = currency();
  if (lines.length === 0) return null;
  return (
    <table class={lines.length > 4 ? "lm many" : "lm"}>
      <thead>
        <tr>
          <th>
            <Both of="wager" />
          </th>
          <th>
            <Both of="pays" />
          </th>
          <th>
            <Both of="limits" with={{ symbol }} zhWith={{ symbol: "" }} />
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.slugs[0]}>
            <td>
              {lineName(line)} <i lang="zh-Hans">{lineChinese(line.slugs.map(wagerChinese).filter(Boolean))}</i>
            </td>
            <td>{line.most ? <Both of="upTo" with={{ pays: unbroken(line.pays) }} zhWith={{ pays: line.pays.replace(" to ", ":") }} /> : unbroken(line.pays)}</td>
            <td>
              {dollars(line.minimum)} – {dollars(line.maximum)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function SidePart({ view, roads }: { view: TableView | null; roads: Roads }) {
  return (
    <aside class="sd" aria-label={ROAD_NAMES.bead.en}>
      <div>
        <h3>
          <RoadName kind="bead" />
        </h3>
        <div class="rb">
          <Road roads={roads} kind="bead" columns={14} cell={38} signs />
        </div>
      </div>
      <Counts view={view} />
      <div class="ak">
        <div>
          <span>
            <Both of="ifBanker" />
          </span>
          <Ask roads={roads} side="banker" />
        </div>
        <div>
          <span>
            <Both of="ifPlayer" />
          </span>
          <Ask roads={roads} side="player" />
        </div>
      </div>
      <Limits view={view} />
    </aside>
  );
}
