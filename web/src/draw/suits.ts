// The pips of both decks. Every element has its own outline as well as its colour.
import { drawing, type Drawing, type Language } from "./svg.ts";
import type { SignName } from "./signs.ts";

export const SUITS = ["S", "H", "D", "C"] as const;
export const ELEMENTS = ["Fire", "Gold", "Earth", "Wood", "Water"] as const;

export type Suit = (typeof SUITS)[number];
export type Element = (typeof ELEMENTS)[number];

interface Pip {
  readonly names: Record<Language, string>;
  readonly colour: string;
  /** In a box of 100 by 100. */
  readonly path: string;
}

const BLACK = "#171C1E";
const RED = "#BE1622";

const PIPS: Record<Suit | Element, Pip> = {
  S: {
    names: { en: "spades", zh: "黑桃", ms: "sped", ta: "ஸ்பேட்" },
    colour: BLACK,
    path: "M50 5C61 27 92 41 92 64C92 78 82 86 71 86C63 86 57 82 53.5 75C54.5 84 58 91 65 95H35C42 91 45.5 84 46.5 75C43 82 37 86 29 86C18 86 8 78 8 64C8 41 39 27 50 5Z",
  },
  H: {
    names: { en: "hearts", zh: "红心", ms: "lekuk", ta: "ஹார்ட்" },
    colour: RED,
    path: "M50 93C41 75 8 59 8 33C8 18 19 8 31 8C40 8 47 13 50 23C53 13 60 8 69 8C81 8 92 18 92 33C92 59 59 75 50 93Z",
  },
  D: {
    names: { en: "diamonds", zh: "方块", ms: "daiman", ta: "டைமண்ட்" },
    colour: RED,
    path: "M50 4C58 22 70 38 85 50C70 62 58 78 50 96C42 78 30 62 15 50C30 38 42 22 50 4Z",
  },
  C: {
    names: { en: "clubs", zh: "梅花", ms: "kelawar", ta: "கிளப்" },
    colour: BLACK,
    path: "M50 6A20.5 20.5 0 0 1 65.5 40A20.5 20.5 0 1 1 53.5 70C54 82 58 90 66 95H34C42 90 46 82 46.5 70A20.5 20.5 0 1 1 34.5 40A20.5 20.5 0 0 1 50 6Z",
  },
  Fire: {
    names: { en: "Fire", zh: "火", ms: "Api", ta: "நெருப்பு" },
    colour: "#C22F17",
    path: "M53 3C56 22 86 36 86 64C86 84 70 97 50 97C30 97 14 84 14 64C14 49 22 41 28 30C31 40 35 45 41 47C38 31 42 15 53 3ZM51 50C48 60 37 64 37 75C37 83 43 89 50 89C57 89 63 83 63 75C63 65 56 60 51 50Z",
  },
  Gold: {
    names: { en: "Gold", zh: "金", ms: "Emas", ta: "தங்கம்" },
    colour: "#8F6400",
    path: "M50 5A45 45 0 1 1 50 95A45 45 0 1 1 50 5ZM50 14A36 36 0 1 0 50 86A36 36 0 1 0 50 14ZM50 20A30 30 0 1 1 50 80A30 30 0 1 1 50 20ZM37 37V63H63V37Z",
  },
  Earth: {
    names: { en: "Earth", zh: "土", ms: "Tanah", ta: "நிலம்" },
    colour: "#6E4020",
    path: "M50 10C57 10 63 20 68 32H32C37 20 43 10 50 10ZM28 41H72C76 48 79 54 82 60H18C21 54 24 48 28 41ZM14 69H86C90 76 93 82 96 90H4C7 82 10 76 14 69Z",
  },
  Wood: {
    names: { en: "Wood", zh: "木", ms: "Kayu", ta: "மரம்" },
    colour: "#1B6E3C",
    path: "M46 97V74C20 73 7 55 6 29C31 30 46 44 47 66C48 36 62 14 94 4C97 34 84 58 54 64V97Z",
  },
  Water: {
    names: { en: "Water", zh: "水", ms: "Air", ta: "நீர்" },
    colour: "#1A5CA6",
    path: "M5 31C17 12 33 11 47 22C61 33 73 34 90 16L95 27C81 47 63 49 46 36C33 26 23 29 12 43ZM5 57C17 38 33 37 47 48C61 59 73 60 90 42L95 53C81 73 63 75 46 62C33 52 23 55 12 69ZM5 83C17 64 33 63 47 74C61 85 73 86 90 68L95 79C81 99 63 101 46 88C33 78 23 81 12 95Z",
  },
};

/** Four-colour deck: diamonds and clubs differ in hue from hearts and spades. */
const FOUR_COLOURS: Record<Suit, string> = { S: BLACK, H: RED, D: "#1A5CA6", C: "#1B6E3C" };

const SIGN_OF: Record<Element, SignName> = { Fire: "fire", Gold: "gold", Earth: "earth", Wood: "wood", Water: "water" };

export function isElement(suit: Suit | Element): suit is Element {
  return suit.length > 1;
}

export function suitName(suit: Suit | Element, language: Language = "en"): string {
  return PIPS[suit].names[language];
}

export function suitColour(suit: Suit | Element, fourColours = false): string {
  return fourColours && !isElement(suit) ? FOUR_COLOURS[suit] : PIPS[suit].colour;
}

/** The Chinese sign of an element; suits have none. */
export function elementSign(suit: Suit | Element): SignName | null {
  return isElement(suit) ? SIGN_OF[suit] : null;
}

/** A pip whose middle is at (x, y), for use inside another drawing. */
export function pipPath(suit: Suit | Element, x: number, y: number, size: number, colour: string, turned = false): string {
  const turn = turned ? "rotate(180) " : "";
  return `<path fill-rule="evenodd" fill="${colour}" d="${PIPS[suit].path}" transform="translate(${x} ${y}) ${turn}scale(${size / 100}) translate(-50 -50)"/>`;
}

export interface PipOptions {
  readonly language?: Language;
  readonly fourColours?: boolean;
  /** In the colour of the text around it, not in its own. */
  readonly plain?: boolean;
}

/** A pip by itself, as on a keypad. */
export function pip(suit: Suit | Element, options: PipOptions = {}): Drawing {
  const colour = options.plain ? "currentColor" : suitColour(suit, options.fourColours);
  return drawing("pip", 100, 100, pipPath(suit, 50, 50, 100, colour), suitName(suit, options.language));
}
