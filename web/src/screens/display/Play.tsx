/** The felt of a display: both hands, the die where the game has one, and the result. */
import type { MendedShown, TableView } from "../../api/types";
import { cardName, type Deck } from "../../draw/cards";
import { die, type Pips } from "../../draw/die";
import { sign } from "../../draw/signs";
import { Svg } from "../../draw/Svg";
import { clock } from "../../i18n/money";
import { Card } from "../../parts/Card";
import { deckOfGame, SideDisc, Total } from "../../parts/HandCards";
import { Both, chinese, english, type Key } from "./both";
import { type Ending, endingOf, type Hand, handsShown } from "./shown";

type Won = "won" | "lost" | "";

function HandPart(props: { side: "player" | "banker"; hand: Hand; last: boolean; deck: Deck; won: Won }) {
  const { side, hand, deck } = props;
  return (
    <section class={`h ${side === "player" ? "p" : "b"} ${props.won}`} aria-label={`${english(side)} ${chinese(side)}`}>
      <h2>
        <span class="sg" lang="zh-Hans">
          <Svg of={sign(side, { weight: 12 })} label={chinese(side)} />
        </span>
        {english(side)}
        <Total side={side} points={hand.points} won={props.won === "won"} />
        {props.last && (
          <em>
            {english("lastRound")} <span lang="zh-Hans">{chinese("lastRound")}</span>
          </em>
        )}
      </h2>
      <div class="cs">
        {[0, 1].map((place) => {
          const face = hand.cards[place];
          if (face === undefined) return <span key={place} class="c empty" />;
          return (
            <span key={`${place}${face}`} class="c">
              <Card face={face} deck={deck} />
            </span>
          );
        })}
        {hand.cards[2] !== undefined && (
          <span class="c third">
            <Card face={hand.cards[2]} deck={deck} across />
          </span>
        )}
      </div>
    </section>
  );
}

/** The sentence of a result in both languages. */
export function endingWords(ending: Ending): { en: string; zh: string } {
  const { winner, player, banker } = ending;
  if (winner === "tie") return { en: english("tieOn", { points: player }), zh: chinese("tieOn", { points: player }) };
  const [won, lost] = winner === "player" ? [player, banker] : [banker, player];
  const key: Key = ending.natural && won >= 8 ? "natural" : "wins";
  return { en: english(key, { side: english(winner), won, lost }), zh: chinese(key, { side: chinese(winner), won, lost }) };
}

export function Result({ view, ending }: { view: TableView; ending: Ending | null }) {
  if (view.phase === "VOID") {
    return (
      <div class="res">
        <span lang="en">{english("voided")}</span>
        <span class="w" lang="zh-Hans">
          {chinese("voided")}
        </span>
      </div>
    );
  }
  if (ending === null) return view.results.length === 0 ? <p class="res none">{english("noResult")} <span lang="zh-Hans">{chinese("noResult")}</span></p> : null;
  const { en, zh } = endingWords(ending);
  return (
    <div class="res">
      <SideDisc side={ending.winner} />
      <span lang="en">{en}</span>
      <span class="w" lang="zh-Hans">
        {zh}
      </span>
      {ending.round !== null && <span class="w dimmed"><Both of="round" with={{ round: ending.round }} /></span>}
    </div>
  );
}

const isPips = (value: number | null | undefined): value is Pips => value != null && value >= 1 && value <= 6;

/** What was put right in this round, in both languages. */
function PutRight({ mended: { what, count, cards, before } }: { mended: MendedShown }) {
  const named = (language: "en" | "zh") => ({
    count,
    before: before === null ? "" : cardName(before, language),
    after: cards[0] === undefined ? "" : cardName(cards[0].face, language),
  });
  return (
    <p class="mended" role="status">
      <Both of={`mended_${what}`} with={named("en")} zhWith={named("zh")} />
    </p>
  );
}

/** Notice that the table closes, before its last round. */
function Closing({ closes }: { closes: string }) {
  return (
    <p class="mended" role="status">
      <Both of="closesAt" with={{ time: clock(closes) }} />
    </p>
  );
}

export function Play({ view }: { view: TableView | null }) {
  const hands = view === null ? null : handsShown(view);
  const ending = view === null ? null : endingOf(view);
  const deck = deckOfGame(view?.rules?.game);
  const won = (side: "player" | "banker"): Won =>
    ending === null ? "" : ending.winner === side ? "won" : ending.winner === "tie" ? "won" : "lost";
  return (
    <main class="play">
      {(["player", "banker"] as const).map((side) => (
        <HandPart
          key={side}
          side={side}
          hand={hands?.[side] ?? { cards: [], points: null }}
          last={hands?.last ?? false}
          deck={deck}
          won={won(side)}
        />
      ))}
      {isPips(view?.die) && (
        <div class={view.power ? "dice power" : "dice"}>
          <span class="dr">
            <Svg of={die(view.die)} />
          </span>
          {view.power && <b>{english("power")}</b>}
        </div>
      )}
      {view !== null && <Result view={view} ending={ending} />}
      {view?.mended != null && <PutRight mended={view.mended} />}
      {view?.table_closes != null && view.phase !== "UNOPENED" && <Closing closes={view.table_closes} />}
    </main>
  );
}
