/** What each wager pays and costs, when hands draw, and the words of the rulebook's terms. */
import { useSignal } from "@preact/signals";
import type { GameRules, OddsFigures } from "../../../api/types";
import { listed } from "../../../i18n/lists";
import { money } from "../../../i18n/money";
import { SideDisc } from "../../../parts/HandCards";
import { Icon } from "../../../parts/Icon";
import { Sheet } from "../../../parts/Sheet";
import { Trouble } from "../../../parts/Trouble";
import { useLoaded } from "../../../state/loaded";
import { sideOf } from "../model/spots";
import { openSheet, useHere } from "../table";
import { nameOf, say, sideName } from "../words";
import { Choices } from "./parts";
import { wagerName } from "../../../i18n/names";
import { rowName } from "../../../i18n/rows";

type Tab = "pays" | "third" | "rules";
type Figures = OddsFigures["wagers"][number];

const percent = (value: number, digits: number): string => (100 * value).toFixed(digits);
/** The longest bar is an edge of a sixth. */
const barOf = (edge: number): string => `${Math.min(100, Math.max(0, edge * 600))}%`;

function Edge(props: { figures: Figures; rules: GameRules | null }) {
  const { view } = useHere();
  const { figures } = props;
  const side = sideOf(figures.wager);
  const rows = props.rules?.wagers.find((one) => one.wager === figures.wager)?.rows ?? [];
  const main = side !== null && ["player", "banker", "tie"].includes(figures.wager);
  return (
    <div class="edge">
      <b class="row">
        {main && <SideDisc side={side} />}
        {nameOf(view, figures.wager)}
      </b>
      <span class="pct">{percent(figures.edge, 5)} %</span>
      <span class="sub">{say("hits", { percent: percent(figures.hit_rate, 3) })}</span>
      <span class="ex">{figures.ev.replace(/^-/, "").replace("/", " / ")}</span>
      <ul class="rows">
        {rows.map((row) => (
          <li key={row.label}>
            <span>{rowName(row.label)}</span>
            <b>{rowName(row.pays)}</b>
            <span class="cite">{row.clause}</span>
          </li>
        ))}
      </ul>
      <span class="line">
        <i style={{ width: barOf(figures.edge) }} />
      </span>
    </div>
  );
}

function PaysTab(props: { rules: GameRules | null; odds: OddsFigures | null }) {
  const { odds } = props;
  if (odds === null) return <p class="sm muted">{say("oneMoment")}</p>;
  const sorted = [...odds.wagers].sort((a, b) => a.edge - b.edge);
  const [least, most] = [sorted[0], sorted.at(-1)];
  return (
    <>
      <p class="sm muted">{say("edgeText")}</p>
      <div>
        {sorted.map((figures) => (
          <Edge key={figures.wager} figures={figures} rules={props.rules} />
        ))}
      </div>
      {least !== undefined && most !== undefined && (
        <div class="tip">
          <Icon name="info" />
          <div>{say("edgeTip", { least: wagerName(least.wager, least.name), leastCents: money(Math.round(least.edge * 10_000)), most: wagerName(most.wager, most.name), mostCents: money(Math.round(most.edge * 10_000)) })}</div>
        </div>
      )}
    </>
  );
}

const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

function ThirdTab(props: { rules: GameRules }) {
  const { tableau } = props.rules;
  return (
    <>
      <p class="sm muted">
        {say("thirdPlayer", { draws: tableau.player_draws.join(", "), stands: tableau.player_stands.join(", ") })} <span class="cite">{tableau.clause}</span>
      </p>
      <div class="tblbox">
        <table class="tbl grid">
          <caption class="sm muted">{say("thirdBanker")}</caption>
          <thead>
            <tr>
              <th scope="col">{sideName("banker")}</th>
              {ALL.map((card) => (
                <th key={card} scope="col">
                  {card}
                </th>
              ))}
              <th scope="col">{say("playerStood")}</th>
            </tr>
          </thead>
          <tbody>
            {tableau.banker_draws.map((line) => (
              <tr key={line.total}>
                <td>{line.total}</td>
                {ALL.map((card) => (
                  <td key={card} class={line.against.includes(card) ? "dr8" : ""}>
                    {say(line.against.includes(card) ? "drawsShort" : "standsShort")}
                  </td>
                ))}
                <td class={line.player_stood ? "dr8" : ""}>{say(line.player_stood ? "drawsShort" : "standsShort")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="xs muted">{say("thirdKey")}</p>
    </>
  );
}

function RulesTab(props: { rules: GameRules }) {
  const { rules } = props;
  const { view } = useHere();
  return (
    <>
      <p class="sm muted">
        {rules.title} · {say("version", { rulebook: rules.rulebook, version: rules.version })}
        {rules.approval !== null && (
          <>
            {" "}
            · {rules.approval.text} <span class="cite">{rules.approval.clause}</span>
          </>
        )}
      </p>
      {rules.preconditions.map((one) => (
        <p class="sm" key={one.wagers.join()}>
          {say("needsRule", { wagers: listed(one.wagers.map((slug) => nameOf(view, slug))), main: nameOf(view, one.main) })} <span class="cite">{one.clause}</span>
        </p>
      ))}
      {rules.die !== null && (
        <p class="sm">
          {say("dieRule", { die: rules.die.power })} <span class="cite">{rules.die.clause}</span>
        </p>
      )}
      <dl class="glossary">
        {rules.glossary.map((word) => (
          <div key={word.word}>
            <dt>
              {word.word} <span class="cite">{word.clause}</span>
            </dt>
            <dd>{word.meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function Pays() {
  const { name, view } = useHere();
  const tab = useSignal<Tab>("pays");
  const game = view.rules?.game ?? null;
  const decks = view.rules?.decks ?? 8;
  const [rules] = useLoaded<GameRules>(game === null ? null : `/games/${game}`);
  const [odds] = useLoaded<OddsFigures>(game === null ? null : `/games/${game}/odds?decks=${decks}`);
  const known = rules.value.value;
  return (
    <Sheet
      title={say("helpButton")}
      sub={known === null ? "" : say("gameFacts", { game: known.name, rulebook: known.rulebook, version: known.version, decks, deck: known.deck })}
      onClose={() => openSheet(name, null)}
    >
      <Choices
        label={say("helpButton")}
        value={tab.value}
        choices={[
          ["pays", say("tabPays")],
          ["third", say("tabThird")],
          ["rules", say("tabRules")],
        ]}
        onChoose={(chosen) => void (tab.value = chosen)}
      />
      <Trouble problem={rules.value.problem ?? odds.value.problem} />
      {tab.value === "pays" && <PaysTab rules={known} odds={odds.value.value} />}
      {tab.value === "third" && known !== null && <ThirdTab rules={known} />}
      {tab.value === "rules" && known !== null && <RulesTab rules={known} />}
    </Sheet>
  );
}
