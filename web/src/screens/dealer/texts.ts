/** Sentences of the console: what to do next, why, and who is waited for. */
import type { TableView } from "../../api/types";
import { positionName } from "../../i18n/names";
import { say as common } from "../../i18n/common";
import { readBy } from "../../i18n/holds";
import { handOf } from "../../parts/HandCards";
import { parseCard } from "../../draw/cards";
import { settings } from "../../state/settings";
import { between, type Part, sideOfPlace } from "./course";
import { type Key, named, say } from "./say";

export const sideName = (side: "player" | "banker" | "tie"): string => common(side);

type Sits = Pick<Part, "patrons">;

const seatNumber = (part: Sits, patron: string): number | null => part.patrons.find((one) => one.patron === patron)?.position ?? null;

/** Whether others are at the same seat: its number does not tell who is meant. */
export const shares = (part: Sits, patron: string): boolean =>
  part.patrons.some((one) => one.patron !== patron && one.position === seatNumber(part, patron));

/** "seat 3"; with the name where several share it; the name alone of a patron who sits nowhere. */
export function seatOf(part: Sits, patron: string | null | undefined): string {
  if (!patron) return "–";
  const n = seatNumber(part, patron);
  if (n === null) return patron;
  return shares(part, patron) ? say("seatOfMany", { n, patron }) : say("seatN", { n });
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** "a Pit Supervisor", "an Assistant Casino Manager": somebody of such a position. */
export const oneOf = (positions: readonly string[]): string =>
  positions.map((one) => say(/^[AEIOU]/.test(one) ? "anOne" : "aOne", { position: positionName(one) })).join(", ");

const ORDINAL: Record<string, Key> = { P1: "card1", B1: "card2", P2: "card3", B2: "card4" };

/** Why the next card is drawn, from what lies on the table. */
export function whyDraws(view: TableView): string {
  const place = view.next?.place;
  if (place === undefined) return "";
  const ordinal = ORDINAL[place];
  if (ordinal !== undefined) return say("why.initial", { ordinal: say(ordinal) });
  const player = handOf(view.hands, "player");
  const banker = handOf(view.hands, "banker");
  if (place === "P3") return say("why.player", { points: player?.points ?? "–" });
  const third = player?.cards[2]?.face;
  if (!third) return say("why.banker", { points: banker?.points ?? "–" });
  const rank = parseCard(third).rank;
  return say("why.bankerThird", { points: banker?.points ?? "–", third: rank === "T" ? "10" : rank });
}

/** The words of a place: Player's third card. */
export function placeName(place: string): string {
  return say("place", { side: sideName(sideOfPlace(place)), n: say(`nth${place.slice(1)}` as Key) });
}

/** What to do, as the largest text of the console. */
export function promptOf(view: TableView, part: Part): { title: string; why: string } {
  const { command, patrons } = part.next;
  const who = patrons.length === 1 ? capital(seatOf(part, patrons[0])) : null;
  if (command === "draw_card" && view.next !== null) {
    const side = sideName(sideOfPlace(view.next.place));
    const title = who === null ? say("prompt.draw", { side }) : say("prompt.patronDraws", { who, side });
    return { title, why: whyDraws(view) };
  }
  if (command === "expose_card") {
    const place = faceDown(view);
    const card = place === null ? "" : placeName(place);
    const turner = turnedBy(view, part, place);
    if (turner !== null) return { title: say("prompt.keyTurned", { who: turner }), why: say("why.keyTurned", { card }) };
    return {
      title: who === null ? say("prompt.expose", { card }) : say("prompt.patronExposes", { who, card }),
      why: who === null ? say("why.expose") : say("why.squeeze"),
    };
  }
  if (command === "pass_hand") return passing(part);
  if (command === "take_shoe" && who !== null) return { title: say("prompt.offerTo", { who: seatOf(part, patrons[0]) }), why: say("why.take_shoe") };
  if (view.phase === "RESULT" || (view.phase === "SETTLED" && !between(view, part))) return resultOf(view);
  if (command !== null) {
    // Where no cards are replaced the table goes on at once: that the round was void is said still.
    const after = view.phase === "VOID" ? `${say("why.decide_replacement")} ` : "";
    return { title: named("prompt", command), why: `${after}${named("why", command)}` };
  }
  const waits = oneOf(part.next.positions);
  const title = waits !== "" ? say("waitsFor", { who: waits }) : say("prompt.nothing");
  return { title, why: whyWaits(view, part) };
}

/** Why nothing is open to the Dealer: as the table says it, or in ours in another language. */
function whyWaits(view: TableView, part: Part): string {
  if (settings.value.language === "en") return part.next.why;
  if (view.hold !== null) return readBy(view.hold);
  if (view.phase === "VOID") return say("why.decide_replacement");
  const waits = part.next.positions.length + part.next.patrons.length;
  return waits === 0 ? say("why.nobodySeated") : part.next.why;
}

function passing(part: Part): { title: string; why: string } {
  const due = part.hands.find((hand) => hand.due !== null && hand.held_by === null);
  const who = seatOf(part, due?.due);
  return { title: say("prompt.passHand", { side: sideName(due?.side ?? "player"), who }), why: say("why.passHand") };
}

/** The card that is turned up or keyed in next: one that a patron turned, then in the table's order. */
export function faceDown(view: TableView): string | null {
  const sides = view.first_hand === "banker" ? (["banker", "player"] as const) : (["player", "banker"] as const);
  const cards = sides.flatMap((side) => handOf(view.hands, side)?.cards ?? []);
  const card = cards.find(({ turned }) => turned) ?? cards.find(({ face_down }) => face_down);
  return card?.place ?? null;
}

/** Who turned a card whose face is still to be keyed in; null: nobody did. */
function turnedBy(view: TableView, part: Part, place: string | null): string | null {
  if (place === null) return null;
  const side = sideOfPlace(place);
  const turned = handOf(view.hands, side)?.cards.some((card) => card.place === place && card.turned) ?? false;
  return turned ? seatOf(part, part.hands.find((hand) => hand.side === side)?.held_by) : null;
}

/** Banker wins, 9 over 1. */
export function resultOf(view: TableView): { title: string; why: string } {
  const outcome = view.outcome;
  if (outcome === null) return { title: say("prompt.settle"), why: "" };
  const { player, banker, winner } = outcome;
  const title =
    winner === "tie"
      ? say("tieOn", { points: player })
      : say("wins", {
          side: sideName(winner),
          points: winner === "player" ? player : banker,
          other: winner === "player" ? banker : player,
        });
  return { title, why: view.phase === "RESULT" ? say("why.settle") : "" };
}
