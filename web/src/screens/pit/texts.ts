/** Names of things for which a list has no room to ask: wagers, cards, places, alarms. */
import { parseCard } from "../../draw/cards";
import { wagerName } from "../../i18n/names";
import { settings } from "../../state/settings";
import { placeName } from "../dealer/texts";
import type { Alarm } from "./alarms";
import { named, say } from "./say";

const titled = (slug: string): string =>
  slug
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");

/** The name of a wager by its slug alone. */
export const wagerBySlug = (slug: string): string => wagerName(slug, titled(slug));

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

/** What an alarm is about: the server's sentence, or in another language its places and numbers. */
export function alarmText(alarm: Alarm): string {
  if (settings.value.language === "en") return alarm.sentence;
  const parts = [alarm.device];
  if (alarm.round != null) parts.push(say("roundN", { n: alarm.round }));
  if (alarm.shoe != null) parts.push(say("shoeN", { n: alarm.shoe }));
  if (alarm.card != null) parts.push(say("cardNumber", { n: alarm.card + 1 }));
  const fits = (alarm.fits ?? []).map((command) => named("command", command));
  return [...parts, ...fits].join(" · ");
}
