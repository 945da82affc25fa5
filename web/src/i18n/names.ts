/** Names of wagers, positions and rooms: as approved, with the translation where it is read. */
import { signal } from "@preact/signals";
import { translation } from "./catalogues";

const translated = translation("names");

/** A wager's name as approved; in other languages with the translation before it. */
export function wagerName(slug: string, name: string): string {
  const other = translated.value[`wager.${slug}`];
  return other !== undefined && other !== name ? `${other} ${name}` : name;
}

/** What is played at a table, as approved; in other languages with the translation before it. */
export function gameName(table: { name: string; game: string | null; title: string | null }): string {
  const title = table.title ?? table.name;
  const other = translated.value[`game.${table.game ?? ""}`];
  return other !== undefined && other !== title ? `${other} ${title}` : title;
}

/** The same in a heading, where there is room for one: the translation, else as approved. */
export const gameTitle = (table: { game: string | null; name: string }): string => translated.value[`game.${table.game ?? ""}`] ?? table.name;

export const positionName = (position: string): string => translated.value[`position.${position}`] ?? position;

/** A room that every house has is translated; one that a house named itself keeps its name. */
export const roomName = (room: string): string => translated.value[`room.${room}`] ?? room;

/** Why a round is void, as a part of a sentence: the usual reasons, else the house's own words. */
export const voidBrief = (why: string): string => translated.value[`void.${why.replace(/\.$/, "")}`] ?? why;

/** The translation of a wager alone; where there is none, its name on the wire. */
export const wagerAlone = (slug: string): string => translated.value[`wager.${slug}`] ?? slug;

const titled = (slug: string): string =>
  slug
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");

/** The name of a wager by its slug alone. */
export const wagerBySlug = (slug: string): string => wagerName(slug, titled(slug));

/** Games by their slugs, as approved: what the house lists, once somebody asked it. */
export const approved = signal<Readonly<Record<string, string>>>({});

/** A game by its slug alone: the translation, else as approved. */
export const gameBySlug = (slug: string): string => translated.value[`game.${slug}`] ?? approved.value[slug] ?? titled(slug);
