/** Bead plate, counts, ask marks and limits of a display. */
import type { TableView } from "../../api/types";
import { currency } from "../../app/session";
import { ROAD_NAMES } from "../../draw/roadmap";
import type { Roads } from "../../draw/roads";
import { dollars } from "../../i18n/money";
import { unbroken } from "../../i18n/rows";
import { SideDisc } from "../../parts/HandCards";
import { Ask, Road } from "../../parts/Roads";
import { Both, chinese, english, wagerChinese } from "./both";
import { RoadName } from "./RoadsPart";
import { countsOf } from "../../state/counts";
import { type Limit, limitsOf, lineChinese, lineName, share } from "./shown";

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

/** Odds as the terminal writes them, in English; figures are read in any language. */
const WORDS = { push: english("push"), on: (total: number, pays: string) => english("payOn", { total, pays }) };
/** Longer odds, and those of longer names, have a line of their own under the name. */
const [BESIDE, NAME] = [14, 18];
/** So many wagers stand in large rows. */
const FEW = 4;

/** A name breaks between words of two wagers, never within one. */
const nameUnbroken = (name: string): string => name.split(", ").map((part) => part.replaceAll(" ", "\u00a0")).join(", ");

function Row({ line }: { line: Limit }) {
  const odds = unbroken(line.pays);
  const below = line.pays.length > BESIDE || lineName(line).length > NAME;
  const name = (
    <>
      {nameUnbroken(lineName(line))} <i lang="zh-Hans">{lineChinese(line.slugs.map(wagerChinese).filter(Boolean))}</i>
    </>
  );
  const pays = (
    <>
      {odds.split(WORDS.push).map((part, n) => [n > 0 && <Both key={n} of="push" />, part])}
    </>
  );
  return (
    <tr>
      {below ? (
        <td colSpan={2}>
          {name}
          <span class="odds">{pays}</span>
        </td>
      ) : (
        <>
          <td>{name}</td>
          <td class="odds">{pays}</td>
        </>
      )}
      <td>
        {dollars(line.minimum)} – {dollars(line.maximum)}
      </td>
    </tr>
  );
}

export function Limits({ view }: { view: TableView | null }) {
  const lines = limitsOf(view?.rules?.wagers ?? [], WORDS);
  const symbol = currency();
  if (lines.length === 0) return null;
  return (
    <table class={lines.length > FEW ? "lm many" : "lm"}>
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
          <Row key={line.slugs[0]} line={line} />
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
