/** Two hands on felt: as they are now, or were at a step. */
import type { ComponentChildren } from "preact";
import { say as common } from "../../i18n/common";
import { Card } from "../../parts/Card";
import { Total } from "../../parts/HandCards";
import type { Deck } from "../../draw/cards";
import { say } from "./say";

export interface FeltHand {
  /** Faces in their places; null lies face down. */
  cards: readonly (string | null)[];
  points: number | null;
}

const INITIAL = 2;

function Hand({ side, hand, deck, toCome }: { side: "player" | "banker"; hand: FeltHand; deck: Deck; toCome: boolean }) {
  const empty = toCome ? Math.max(0, INITIAL - hand.cards.length) : 0;
  return (
    <section class={side === "player" ? "p" : "b2"} aria-label={common(side)}>
      <span class="nm">
        {common(side)} {hand.points !== null && <Total side={side} points={hand.points} />}
      </span>
      {hand.cards.map((face, i) => (
        <span key={i} class={i < INITIAL ? "place" : "place third"}>
          <Card face={face} deck={deck} compact />
        </span>
      ))}
      {Array.from({ length: empty }, (_, i) => (
        <span key={`empty${i}`} class="wait2">
          {say("toCome")}
        </span>
      ))}
    </section>
  );
}

export function Felt(props: { player: FeltHand; banker: FeltHand; deck: Deck; label: string; toCome?: boolean; head?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <section class="fsm" aria-label={props.label}>
      {props.head}
      <div class="hs">
        <Hand side="player" hand={props.player} deck={props.deck} toCome={props.toCome ?? true} />
        <Hand side="banker" hand={props.banker} deck={props.deck} toCome={props.toCome ?? true} />
      </div>
      {props.children}
    </section>
  );
}
