// Cards of both decks, in a box of 250 by 350: faces, names and backs.
import { court, fortune, type Court, type Fortune } from "./courts.ts";
import { houseMark } from "./house.ts";
import { signPath } from "./signs.ts";
import { drawing, round, type Drawing, type Language } from "./svg.ts";
import { ELEMENTS, SUITS, elementSign, isElement, pipPath, suitColour, suitName, type Element, type Suit } from "./suits.ts";
import { word } from "./word.ts";

export const WIDTH = 250;
export const HEIGHT = 350;

export const NUMERALS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"] as const;
export const COURTS = ["J", "Q", "K"] as const satisfies readonly Court[];
export const FORTUNES = ["Shou", "Lu", "Fu"] as const satisfies readonly Fortune[];

export type Numeral = (typeof NUMERALS)[number];
export type Rank = Numeral | Court | Fortune;

/** The deck of 52, or the one of 65 with five elements. */
export type Deck = 52 | 65;

export interface Card {
  readonly rank: Rank;
  readonly suit: Suit | Element;
}

/** Ways to write a rank that are read as well. */
const LONG: Record<string, Rank> = { 10: "T", S: "Shou", L: "Lu", F: "Fu" };

/** Read a card in its notation, such as `TD` or `4-Gold`. */
export function parseCard(text: string): Card {
  const card = known.get(text) ?? known.get(text.replace(/^(?:10|[SLF](?=-))/, (short) => LONG[short] ?? short));
  if (!card) throw new RangeError(`"${text}" is not a card; write one as TD or 4-Gold.`);
  return card;
}

/** Every card of a deck, suit by suit, in its notation. */
export function deckOf(deck: Deck): string[] {
  if (deck === 52) return SUITS.flatMap((suit) => [...NUMERALS, ...COURTS].map((rank) => `${rank}${suit}`));
  return ELEMENTS.flatMap((element) => [...NUMERALS, ...FORTUNES].map((rank) => `${rank}-${element}`));
}

const known = new Map<string, Card>([
  ...SUITS.flatMap((suit) => [...NUMERALS, ...COURTS].map((rank): [string, Card] => [`${rank}${suit}`, { rank, suit }])),
  ...ELEMENTS.flatMap((suit) => [...NUMERALS, ...FORTUNES].map((rank): [string, Card] => [`${rank}-${suit}`, { rank, suit }])),
]);

const RANK_WORDS: Record<Rank, string> = {
  A: "Ace", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine", T: "Ten",
  J: "Jack", Q: "Queen", K: "King", Shou: "Shou", Lu: "Lu", Fu: "Fu",
};
const FORTUNE_SIGNS: Record<Fortune, string> = { Shou: "寿", Lu: "禄", Fu: "福" };

function isFortune(rank: Rank): rank is Fortune {
  return rank in FORTUNE_SIGNS;
}

/** "Four of Gold", "King of spades"; in Chinese 金4, 黑桃K; in others "K sped". */
export function cardName(text: string, language: Language = "en"): string {
  const { rank, suit } = parseCard(text);
  if (language === "en") return `${RANK_WORDS[rank]} of ${suitName(suit)}`;
  const short = rank === "T" ? "10" : rank;
  if (language === "zh") return suitName(suit, "zh") + (isFortune(rank) ? FORTUNE_SIGNS[rank] : short);
  return `${short} ${suitName(suit, language)}`;
}

/** Where pips lie: column 0 to 2 and height. The classic places, so that a squeezed edge tells
 * what it always told. */
const PLACES: Record<Exclude<Numeral, "A">, readonly (readonly [0 | 1 | 2, number])[]> = {
  2: [[1, 68], [1, 282]],
  3: [[1, 68], [1, 175], [1, 282]],
  4: [[0, 68], [2, 68], [0, 282], [2, 282]],
  5: [[0, 68], [2, 68], [1, 175], [0, 282], [2, 282]],
  6: [[0, 68], [2, 68], [0, 175], [2, 175], [0, 282], [2, 282]],
  7: [[0, 68], [2, 68], [1, 121], [0, 175], [2, 175], [0, 282], [2, 282]],
  8: [[0, 68], [2, 68], [1, 121], [0, 175], [2, 175], [1, 229], [0, 282], [2, 282]],
  9: [[0, 68], [2, 68], [0, 139], [2, 139], [1, 175], [0, 211], [2, 211], [0, 282], [2, 282]],
  T: [[0, 68], [2, 68], [1, 103], [0, 139], [2, 139], [0, 211], [2, 211], [1, 247], [0, 282], [2, 282]],
};
const COLUMNS = [82, 125, 168] as const;

export const IVORY = "#FDFBF5";
const SHEET = `<rect x="1" y="1" width="248" height="348" rx="18" fill="${IVORY}" stroke="#000" stroke-opacity=".16" stroke-width="2"/>`;

/** What the index shows: 10 for a ten, the first letter of Shou, Lu and Fu. */
export function indexOf(rank: Rank): string {
  return rank === "T" ? "10" : rank.slice(0, 1);
}

function corners({ rank, suit }: Card, colour: string): string {
  const index = indexOf(rank);
  const squeezed = index.length > 1 ? ' transform="translate(33 0) scale(.8 1) translate(-33 0)"' : "";
  const corner = `<g${squeezed}>${word(index, 32, 18, 46, { colour, weight: 15 })}</g>${pipPath(suit, 32, 87, 31, colour)}`;
  return `${corner}<g transform="rotate(180 125 175)">${corner}</g>`;
}

function ace(suit: Suit | Element, colour: string): string {
  const sign = elementSign(suit);
  const large = pipPath(suit, 125, 175, 104, colour);
  if (!sign) return large;
  return `${large}<circle cx="125" cy="175" r="76" fill="none" stroke="${colour}" stroke-opacity=".35" stroke-width="1.5"/>${signPath(sign, 113, 270, 24, { paint: `fill="${colour}"`, weight: 12 })}`;
}

function middle({ rank, suit }: Card, colour: string): string {
  if (rank === "A") return ace(suit, colour);
  if (isFortune(rank)) return isElement(suit) ? fortune(rank, suit, colour) : "";
  if (rank === "J" || rank === "Q" || rank === "K") return isElement(suit) ? "" : court(rank, suit, colour);
  const size = isElement(suit) ? 42 : 45;
  return PLACES[rank].map(([column, y]) => pipPath(suit, COLUMNS[column], y, size, colour, y > 176)).join("");
}

export interface FaceOptions {
  /** `compact` for cards less than 64 px wide: rank and suit only. */
  readonly detail?: "full" | "compact";
  readonly fourColours?: boolean;
  /** Without the index while a card is squeezed, as thumbs would cover it. */
  readonly index?: boolean;
}

/** The face of a card, for use inside another drawing. */
export function face(text: string, { detail = "full", fourColours = false, index = true }: FaceOptions = {}): string {
  const card = parseCard(text);
  const colour = suitColour(card.suit, fourColours);
  if (detail === "compact") {
    return SHEET + word(indexOf(card.rank), 125, 34, 138, { colour, weight: 14 }) + pipPath(card.suit, 125, 258, 128, colour);
  }
  return SHEET + (index ? corners(card, colour) : "") + middle(card, colour);
}

/** The cloth of a card back: squares on their lattice, cut at the edge of the print. */
function cloth(): { squares: string; dots: string } {
  const [left, top, right, bottom] = [13, 13, 237, 337];
  const [step, half] = [26 * Math.SQRT1_2, 11 * Math.SQRT1_2];
  let squares = "";
  let dots = "";
  for (let row = -9; row <= 9; row += 1) {
    for (let column = -7; column <= 7; column += 1) {
      if ((row + column) % 2 !== 0) continue;
      const [x, y] = [125 + column * step, 175 + row * step];
      const [x0, x1] = [Math.max(left, x - half), Math.min(right, x + half)];
      const [y0, y1] = [Math.max(top, y - half), Math.min(bottom, y + half)];
      if (x0 >= x1 || y0 >= y1) continue;
      squares += `M${round(x0)} ${round(y0)}H${round(x1)}V${round(y1)}H${round(x0)}Z`;
      if (x > left && x < right && y > top && y < bottom) dots += `M${round(x)} ${round(y)}h0`;
    }
  }
  return { squares, dots };
}

/** Ground and squares of the print. */
const PRINTS: Record<Deck, readonly [string, string]> = { 52: ["#0F3D34", "#17594B"], 65: ["#5A1F2A", "#7A2C38"] };
const GILT = "#D9BE83";

function printBack(deck: Deck): string {
  const [ground, square] = PRINTS[deck];
  const { squares, dots } = cloth();
  return [
    SHEET,
    `<rect x="13" y="13" width="224" height="324" rx="10" fill="${ground}"/>`,
    `<path d="${squares}" fill="${square}"/>`,
    `<path d="${dots}" stroke="${GILT}" stroke-width="4" stroke-linecap="round" opacity=".75"/>`,
    // The corners of the print are round: ivory covers what the squares put there.
    `<path d="M13 23V13H23A10 10 0 0 0 13 23ZM227 13H237V23A10 10 0 0 0 227 13ZM237 327V337H227A10 10 0 0 0 237 327ZM23 337H13V327A10 10 0 0 0 23 337Z" fill="${IVORY}"/>`,
    `<rect x="20" y="20" width="210" height="310" rx="6" fill="none" stroke="${GILT}" stroke-opacity=".6" stroke-width="1.5"/>`,
    `<circle cx="125" cy="175" r="44" fill="${ground}" stroke="${GILT}" stroke-width="2"/><circle cx="125" cy="175" r="38" fill="none" stroke="${GILT}" stroke-opacity=".5"/>`,
    `<g transform="translate(125 175)">${houseMark(GILT)}</g>`,
  ].join("");
}

const BACKS: Record<Deck, string> = { 52: printBack(52), 65: printBack(65) };

/** The back of a card, for use inside another drawing: felt green for 52, wine for 65. */
export function back(deck: Deck): string {
  return BACKS[deck];
}

export interface CardOptions extends FaceOptions {
  /** Lying on its side, as a third card does. */
  readonly across?: boolean;
  readonly language?: Language;
}

function lay(body: string, across: boolean, label: string): Drawing {
  if (!across) return drawing("card", WIDTH, HEIGHT, body, label);
  return drawing("card across", HEIGHT, WIDTH, `<g transform="translate(${HEIGHT} 0) rotate(90)">${body}</g>`, label);
}

/** A card face up. */
export function card(text: string, { across = false, language = "en", ...options }: CardOptions = {}): Drawing {
  return lay(face(text, options), across, cardName(text, language));
}

const FACE_DOWN: Record<Language, string> = { en: "Card, face down", zh: "牌面朝下", ms: "Kad, tertutup", ta: "சீட்டு, முகம் கீழே" };

/** A card face down. */
export function cardBack(deck: Deck = 52, { across = false, language = "en" }: Pick<CardOptions, "across" | "language"> = {}): Drawing {
  return lay(back(deck), across, FACE_DOWN[language]);
}
