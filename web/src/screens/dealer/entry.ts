/** Entering a card: a suit or an element, then a rank, by keypad or by two keys. */
import { COURTS, type Deck, FORTUNES, NUMERALS, type Rank } from "../../draw/cards";
import { type Element, ELEMENTS, type Suit, SUITS } from "../../draw/suits";

export type Colour = Suit | Element;

/** What was chosen so far; both make a face. */
export interface Entry {
  colour: Colour | null;
  rank: Rank | null;
}

export const EMPTY: Entry = { colour: null, rank: null };

export const coloursOf = (deck: Deck): readonly Colour[] => (deck === 52 ? SUITS : ELEMENTS);
export const ranksOf = (deck: Deck): readonly Rank[] => [...NUMERALS, ...(deck === 52 ? COURTS : FORTUNES)];

/** The notation of a card, such as `TD` or `4-Gold`. */
export const faceOf = (colour: Colour, rank: Rank): string =>
  colour.length === 1 ? `${rank}${colour}` : `${rank}-${colour}`;

export const entered = ({ colour, rank }: Entry): string | null =>
  colour === null || rank === null ? null : faceOf(colour, rank);

const COLOUR_KEYS: Record<Deck, Record<string, Colour>> = {
  52: { s: "S", h: "H", d: "D", c: "C" },
  65: { f: "Fire", g: "Gold", e: "Earth", w: "Wood", a: "Water" },
};

const FIGURES: Record<string, Rank> = { a: "A", 0: "T", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9" };
const RANK_KEYS: Record<Deck, Record<string, Rank>> = {
  52: { ...FIGURES, j: "J", q: "Q", k: "K" },
  65: { ...FIGURES, s: "Shou", l: "Lu", f: "Fu" },
};

/** The keys that an entry can take at all. */
export const keysOf = (deck: Deck): string[] => [
  ...new Set([...Object.keys(COLOUR_KEYS[deck]), ...Object.keys(RANK_KEYS[deck])]),
];

/**
 * What an entry becomes by a key in lower case. Once a colour is chosen a key is a rank wherever
 * it can be one (A is Water first and an ace then); null: the key means nothing here.
 */
export function typed(deck: Deck, entry: Entry, key: string): Entry | null {
  const rank = RANK_KEYS[deck][key];
  const colour = COLOUR_KEYS[deck][key];
  if (entry.colour !== null && entry.rank === null && rank !== undefined) return { ...entry, rank };
  if (colour !== undefined) return { colour, rank: null };
  if (entry.colour !== null && rank !== undefined) return { ...entry, rank };
  return null;
}

/** The key of a colour or a rank, as it is printed on the keypad. */
export function keyOf(deck: Deck, value: Colour | Rank): string {
  for (const keys of [COLOUR_KEYS[deck], RANK_KEYS[deck]]) {
    const found = Object.entries(keys).find(([, meant]) => meant === value);
    if (found !== undefined) return found[0].toUpperCase();
  }
  return "";
}
