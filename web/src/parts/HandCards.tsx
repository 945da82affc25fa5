import type { HandShown, Side } from "../api/types";
import type { Deck } from "../draw/cards";
import { say } from "../i18n/common";
import { settings } from "../state/settings";
import { Card } from "./Card";

/** The hand of a side, or undefined while it has no card. */
export const handOf = (hands: readonly HandShown[], side: Side): HandShown | undefined =>
  hands.find((hand) => hand.side === side);

/** The deck of a game: Fa Fa Fabulous 4 alone is played with 65 cards. */
export const deckOfGame = (game: string | undefined): Deck => (game === "fa-fa-fabulous-4" ? 65 : 52);

/** A hand in its places: two slots, and the third card across when it is there or due. */
export function HandCards(props: { hand: HandShown | undefined; deck: Deck; thirdDue?: boolean; compact?: boolean }) {
  const cards = props.hand?.cards ?? [];
  const third = cards[2];
  return (
    <div class="cards">
      {[0, 1].map((place) => {
        const card = cards[place];
        if (card === undefined) return <span key={place} class="slot" />;
        return (
          <span key={place} class="place">
            <Card face={card.face} deck={props.deck} compact={props.compact ?? false} />
          </span>
        );
      })}
      {third !== undefined && (
        <span class="place third">
          <Card face={third.face} deck={props.deck} compact={props.compact ?? false} />
        </span>
      )}
      {third === undefined && props.thirdDue && <span class="slot third" />}
    </div>
  );
}

/** The points of a hand on its side's colour; dashed while they are not known. */
export function Total(props: { side: Side; points: number | null | undefined; won?: boolean }) {
  const side = props.side === "player" ? "p" : "b";
  if (props.points == null) return <span class="total wait">–</span>;
  return <span class={`total ${side}${props.won ? " won" : ""}`}>{props.points}</span>;
}

/** The letter of a side in its disc. */
/** The letter of a side; in Chinese its sign. */
export function SideDisc(props: { side: Side | "tie" }) {
  const letter = { player: "P", banker: "B", tie: "T" }[props.side];
  return (
    <span class={`side ${letter.toLowerCase()}`} aria-hidden="true">
      {settings.value.language === "zh-Hans" ? say(props.side) : letter}
    </span>
  );
}
