/**
 * What lies above the bet spots: the hands and the message line, and for whoever holds cards, the
 * shaker or the shoe, a panel beside them.
 */
import type { ComponentChild } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { CardShown, Side } from "../../api/types";
import { opening } from "../../state/may";
import { BalancePanel } from "./Balance";
import { DieMarker, Hand, Hands, WithDie } from "./Hands";
import { Message } from "./Message";
import { balances } from "./model/asked";
import { isLive } from "./model/spots";
import { preferences } from "./preferences";
import { ShakerPanel, Stage } from "./Shaker";
import { KeptShoe, ShoePanel } from "./Shoe";
import { Offered, Squeeze } from "./Squeeze";
import { useHere, type Here } from "./table";
import { lift, unveil, veil } from "./veil";

const SIDES: readonly Side[] = ["player", "banker"];

/** The side whose last cards these eyes turn slowly at an electronic table. */
function favourite({ view, betting }: Here): Side | null {
  if (isLive(view.rules) || !preferences.value.squeeze) return null;
  const [player, banker] = [betting.accepted.value["player"] ?? 0, betting.accepted.value["banker"] ?? 0];
  if (player + banker === 0) return null;
  return player > banker ? "player" : "banker";
}

/** Veil the second and third card of that side once, when they come; a settled round shows all. */
function usePrivate(here: Here): void {
  const { view } = here;
  const side = favourite(here);
  const seen = useRef<Set<string>>(new Set());
  const cards = view.hands.find((hand) => hand.side === side)?.cards ?? [];
  // The cards of the next table are others, at the same places.
  useLayoutEffect(() => () => unveil(), []);
  useLayoutEffect(() => {
    if (view.phase === "OPEN" || view.phase === "CLOSED") seen.current.clear();
    if (view.phase !== "DEALING" && view.phase !== "RESULT") return unveil();
    if (side === null) return;
    for (const card of cards.slice(1)) {
      if (card.face === null || seen.current.has(card.place)) continue;
      seen.current.add(card.place);
      if (view.phase === "DEALING") lift(card.place, 0);
    }
  }, [view.phase, view.round, side, cards.length]);
}

const sideOfPlace = (place: string): Side => (place.startsWith("P") ? "player" : "banker");

/** The shoe is offered, or its holder draws or waits for the next call; between rounds it only lies ready. */
function shoeInHand({ view, own }: Here): boolean {
  if (["take_shoe", "draw_card"].some((command) => opening(own.may, command) !== undefined)) return true;
  return own.shoe_held && view.hold === null && (view.phase === "CLOSED" || view.phase === "DEALING");
}

/** Which panel stands beside the hands, and which hand it shows itself. */
function panelOf(here: Here): { panel: ComponentChild; side: Side | null; stage: boolean } | null {
  const { view, own } = here;
  const held = SIDES.find((side) => own.hands.includes(side));
  if (held !== undefined) return { panel: <Squeeze key={held} side={held} held />, side: held, stage: false };
  const lifted = Object.keys(veil.value)[0] as CardShown["place"] | undefined;
  if (lifted !== undefined) {
    const side = sideOfPlace(lifted);
    return { panel: <Squeeze key={side} side={side} held={isLive(view.rules)} />, side, stage: false };
  }
  if (own.shaker_held) return { panel: <ShakerPanel />, side: null, stage: true };
  if (balances(view.hold, own)) return { panel: <BalancePanel />, side: null, stage: false };
  if (shoeInHand(here)) return { panel: <ShoePanel />, side: null, stage: false };
  const offered = SIDES.find((side) => own.hands_offered.includes(side));
  if (offered !== undefined) return { panel: <Offered side={offered} />, side: null, stage: false };
  return null;
}

export function Handling() {
  const here = useHere();
  usePrivate(here);
  const { view } = here;
  const found = panelOf(here);
  const shaking = view.phase === "SHAKE";
  if (found === null) {
    return (
      <>
        {shaking ? (
          <div class="handswrap">
            {view.power && <DieMarker />}
            <Stage />
          </div>
        ) : (
          <Hands />
        )}
        <Message panel={false}>
          <KeptShoe />
        </Message>
      </>
    );
  }
  const others = found.side === null ? SIDES : SIDES.filter((side) => side !== found.side);
  return (
    <div class={found.stage ? "shk" : "squeezebox"}>
      {found.stage ? (
        <Stage />
      ) : (
        <WithDie>
          <div class={others.length === 1 ? "hands solo" : "hands both"}>
            {others.map((side) => (
              <Hand key={side} side={side} />
            ))}
          </div>
        </WithDie>
      )}
      {found.panel}
      <Message panel />
    </div>
  );
}
