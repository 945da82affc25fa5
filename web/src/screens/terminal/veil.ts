/**
 * Cards that this patron has not looked at yet: known to the table, still face down on this
 * screen. A veil is these eyes' alone and never delays a result.
 */
import { signal } from "@preact/signals";
import type { CardShown, HandShown } from "../../api/types";

type Place = CardShown["place"];

/** How far each veiled card is lifted, 0 to 1. */
export const veil = signal<Partial<Record<Place, number>>>({});

export function lift(place: Place, amount: number): void {
  veil.value = { ...veil.peek(), [place]: amount };
}

export function unveil(place?: Place): void {
  if (place === undefined) veil.value = {};
  else {
    const { [place]: _, ...rest } = veil.peek();
    veil.value = rest;
  }
}

export const isVeiled = (place: Place): boolean => veil.value[place] !== undefined;

/** A hand as these eyes see it. */
export function veiled(hand: HandShown | undefined): HandShown | undefined {
  if (hand === undefined || !hand.cards.some((card) => isVeiled(card.place))) return hand;
  const cards = hand.cards.map((card) => (isVeiled(card.place) ? { ...card, face: null, face_down: true } : card));
  return { ...hand, cards, points: null };
}
