/** Both hands with their totals, third cards and why; while bets are open the last round in a line. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { HandShown, Side } from "../../api/types";
import { die, type Pips } from "../../draw/die";
import { Svg } from "../../draw/Svg";
import { drawLanguage } from "../../parts/Card";
import { deckOfGame, HandCards, handOf, SideDisc, Total } from "../../parts/HandCards";
import { lastOf } from "./model/outcome";
import { reasonOf } from "./model/reasons";
import { dealt, useHere } from "./table";
import { veiled } from "./veil";
import { reasonNote, say, shortResult, sideName } from "./words";

/** Below 64 px a card shows rank and suit only. */
const phone = matchMedia("(max-width: 640px)");
const narrow = signal(phone.matches);
phone.addEventListener("change", () => void (narrow.value = phone.matches));

function noteOf(side: Side, hand: HandShown | undefined): string {
  const { view, own } = useHere();
  const down = hand?.cards.some((card) => card.face_down) ?? false;
  if (own.hands.includes(side)) return say("heldByYou");
  if (hand?.squeezed && hand.squeezed_by !== null && down) return say("heldBy", { seat: hand.squeezed_by });
  if (down) return say("faceDown");
  const reason = reasonOf(view.hands, side, view.outcome !== null);
  return reason === null ? "" : reasonNote(reason);
}

export function Hand(props: { side: Side }) {
  const { side } = props;
  const { view } = useHere();
  const hand = veiled(handOf(view.hands, side));
  const { outcome } = view;
  const over = outcome !== null && hand?.cards.every((card) => card.face !== null);
  const won = over && (outcome.winner === side || outcome.winner === "tie");
  const lost = over && outcome.winner !== side && outcome.winner !== "tie";
  const note = noteOf(side, hand);
  const state = won ? " won" : lost ? " lost" : "";
  const due = view.next?.place === (side === "player" ? "P3" : "B3");
  return (
    <section class={`hand ${side === "player" ? "p" : "b"}${state}`} aria-label={sideName(side)}>
      <h2>
        <span>{sideName(side)}</span>
        <Total side={side} points={hand?.points} won={won ?? false} />
        {note !== "" && <small>{note}</small>}
      </h2>
      <HandCards hand={hand} deck={deckOfGame(view.rules?.game)} thirdDue={due} compact={narrow.value} />
    </section>
  );
}

function LastRound() {
  const { view } = useHere();
  const last = lastOf(view.results);
  if (last === undefined || last.winner === null || last.player === null || last.banker === null) return null;
  return (
    <p class="lastround">
      {say("lastRound")} <SideDisc side={last.winner} /> {shortResult({ player: last.player, banker: last.banker, winner: last.winner })}
    </p>
  );
}

/** What the die shows in this round, above the hands: in brass where it makes a Power hand. */
export function DieMarker() {
  const { view } = useHere();
  if (view.die == null) return null;
  if (!view.power) {
    return (
      <div class="pw plain" role="status">
        <Svg of={die(view.die as Pips, drawLanguage())} label="" />
        <div>
          {say("dieShows", { die: view.die })} <span>· {say("usualOdds")}</span>
        </div>
      </div>
    );
  }
  return (
    <div class="pw" role="status">
      <Svg of={die(view.die as Pips, drawLanguage())} />
      <div>
        {say("power")} <span>· {say("powerText", { die: view.die })}</span>
      </div>
    </div>
  );
}

/** Hands, and the die above them where the game has one. */
export function WithDie({ children }: { children: ComponentChildren }) {
  if (useHere().view.die == null) return <>{children}</>;
  return (
    <div class="handswrap">
      <DieMarker />
      {children}
    </div>
  );
}

export function Hands() {
  const { view } = useHere();
  const hands = (
    <div class={view.phase === "OPEN" && !dealt(view) ? "hands bare" : "hands"} role="group" aria-label={say("hands")}>
      <Hand side="player" />
      <Hand side="banker" />
      {!dealt(view) && <LastRound />}
    </div>
  );
  return <WithDie>{hands}</WithDie>;
}
