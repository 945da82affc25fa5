/** Names of things for which a list has no room to ask: cards and places. */
import { parseCard } from "../../draw/cards";
import { placeName } from "../dealer/texts";

const SUITS: Record<string, string> = { spades: "♠", hearts: "♥", diamonds: "♦", clubs: "♣", S: "♠", H: "♥", D: "♦", C: "♣" };
/** Lets a browser draw a suit as text, in the colour of the words. */
const AS_TEXT = "\uFE0E";

/** 9♥, 10♠; cards of elements by their words: 4 Gold. */
export function cardText(face: string): string {
  if (face.includes("-")) return face.replace("-", " ");
  const { rank } = parseCard(face);
  return `${rank === "T" ? "10" : rank}${SUITS[face.slice(-1)] ?? ""}${AS_TEXT}`;
}

export const placed = (place: string, face?: string): string => [placeName(place), face === undefined ? "" : cardText(face)].filter(Boolean).join(" ");
