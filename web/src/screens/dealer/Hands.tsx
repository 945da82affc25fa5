/** Both hands on the felt: who has them, their cards, and the place of the next one. */
import type { Side } from "../../api/types";
import { Card } from "../../parts/Card";
import { deckOfGame, handOf, Total } from "../../parts/HandCards";
import { useMedia } from "../../parts/useMedia";
import type { Desk } from "./context";
import { sideOfPlace } from "./course";
import { say } from "./say";
import { seatOf, sideName } from "./texts";

function noteOf(desk: Desk, side: Side): string {
  const { view, part } = desk;
  const hand = part.hands.find((one) => one.side === side);
  if (view.outcome !== null) {
    if (view.outcome.winner === side) return say("winsNote");
    return view.outcome.winner === "tie" ? sideName("tie") : "";
  }
  if (hand?.held_by) return say("with", { who: seatOf(part, hand.held_by) });
  if (hand?.due) return say("dueTo", { who: seatOf(part, hand.due) });
  return "";
}

function HandOf({ desk, side }: { desk: Desk; side: Side }) {
  const { view } = desk;
  const deck = deckOfGame(view.rules?.game);
  const hand = handOf(view.hands, side);
  const cards = hand?.cards ?? [];
  const place = view.next?.place;
  const isNext = place !== undefined && sideOfPlace(place) === side && view.hold === null;
  const won = view.outcome?.winner === side || view.outcome?.winner === "tie";
  const phone = useMedia("(max-width: 640px)");
  return (
    <section class={`hand ${side === "player" ? "p" : "b"} ${isNext ? "next" : ""} ${won ? "won" : ""}`} aria-label={sideName(side)}>
      <h2>
        <span>{sideName(side)}</span>
        <small>{noteOf(desk, side)}</small>
        <Total side={side} points={hand?.points} won={won} />
      </h2>
      <div class="cs">
        {cards.map((card, i) => (
          <span key={card.place} class={`dr${i === 2 ? " third" : ""}${card.turned ? " turned" : ""}`}>
            <Card face={card.face} deck={deck} compact={phone} />
          </span>
        ))}
        {isNext && <span class={place.endsWith("3") ? "gap" : "gap up"}>{say("next")}</span>}
        {cards.length === 0 && !isNext && <span class="gap up empty" />}
      </div>
    </section>
  );
}

export const Hands = ({ desk }: { desk: Desk }) => (
  <div class="hands">
    <HandOf desk={desk} side="player" />
    <HandOf desk={desk} side="banker" />
  </div>
);

/** The hands in one line, where something else needs the room. */
export function MiniHands({ desk }: { desk: Desk }) {
  const deck = deckOfGame(desk.view.rules?.game);
  return (
    <div class="minih">
      {(["player", "banker"] as const).map((side) => {
        const hand = handOf(desk.view.hands, side);
        return (
          <section key={side} class={side === "player" ? "p" : "b2"} aria-label={sideName(side)}>
            <span class="nm">{sideName(side)}</span>
            {(hand?.cards ?? []).map((card) => (
              <span key={card.place} class="dr">
                <Card face={card.face} deck={deck} compact />
              </span>
            ))}
            <Total side={side} points={hand?.points} />
          </section>
        );
      })}
    </div>
  );
}
