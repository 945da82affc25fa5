// Roads as pictures. Colour is never the only sign: blue carries a cut, slashes lean the other
// way, beads have letters.
import { signPath } from "./signs.ts";
import { DERIVED, ROWS, currentStreak } from "./roads.ts";
import type { Asked, Bead, Cell, Colour, DerivedRoad, RoadKind, Roads, Stone, Winner } from "./roads.ts";
import { drawing, letter, paint, round, type Drawing, type Language, type Token } from "./svg.ts";

export const ROAD_NAMES: Record<RoadKind, Record<Language, string>> = {
  bead: { en: "Bead plate", zh: "珠盘路", ms: "Plat manik", ta: "மணித் தட்டு" },
  big: { en: "Big road", zh: "大路", ms: "Peta besar", ta: "பெரிய பாதை" },
  big_eye: { en: "Big eye boy", zh: "大眼仔", ms: "Mata besar", ta: "பெரிய கண்" },
  small: { en: "Small road", zh: "小路", ms: "Peta kecil", ta: "சிறிய பாதை" },
  cockroach: { en: "Cockroach pig", zh: "曱甴路", ms: "Lipas", ta: "கரப்பான்" },
};

const LETTERS: Record<Winner, string> = { banker: "B", player: "P", tie: "T" };
const LINES = { banker: "banker-mark", player: "player-mark", tie: "tie-mark" } as const satisfies Record<Winner, Token>;
const FILLS = { banker: "banker-fill", player: "player-fill", tie: "tie-fill" } as const satisfies Record<Winner, Token>;
const DERIVED_LINES = { red: "banker-mark", blue: "player-mark" } as const satisfies Record<Colour, Token>;

/** From this cell size on there is room for a letter and a badge. */
const ROOM_FOR_LETTERS = 18;
const ROOM_FOR_NUMBERS = 14;

/** A line in the colour of the ground through the middle of a blue mark. */
function cut(x: number, y: number, cell: number, width: number): string {
  return `<path d="M${round(x - cell / 2)} ${round(y)}h${round(cell)}" ${paint({ stroke: "road-ground" })} stroke-width="${round(width)}"/>`;
}

function derivedMark(road: DerivedRoad, colour: Colour, x: number, y: number, cell: number): string {
  const line = DERIVED_LINES[colour];
  const width = Math.max(1.4, cell * 0.15);
  const [cx, cy, r] = [round(x), round(y), cell * 0.34];
  if (road === "cockroach") {
    const rise = colour === "red" ? r : -r;
    return `<path d="M${round(x - r)} ${round(y + rise)}L${round(x + r)} ${round(y - rise)}" ${paint({ stroke: line })} stroke-width="${round(width * 1.15)}" stroke-linecap="round"/>`;
  }
  const mark =
    road === "big_eye"
      ? `<circle cx="${cx}" cy="${cy}" r="${round(r)}" ${paint({ stroke: line })} stroke-width="${round(width)}"/>`
      : `<circle cx="${cx}" cy="${cy}" r="${round(r * 1.12)}" ${paint({ fill: line })}/>`;
  return colour === "blue" ? mark + cut(x, y, cell, Math.max(1.5, cell * 0.17)) : mark;
}

/** Banker pair top left, Player pair bottom right. */
function pairDots({ player_pair, banker_pair }: Bead | Stone, x: number, y: number, cell: number): string {
  const dot = (way: 1 | -1, fill: Token) =>
    `<circle cx="${round(x + way * cell * 0.33)}" cy="${round(y + way * cell * 0.33)}" r="${round(cell * 0.125)}" ${paint({ fill, stroke: "road-ground" })} stroke-width="${round(cell * 0.05)}"/>`;
  return (banker_pair ? dot(-1, "banker-mark") : "") + (player_pair ? dot(1, "player-mark") : "");
}

/** What a badge says in a cell; events that have no room there are told in the list of rounds. */
const BADGES: Record<string, string> = {
  98: "98", 6: "6", "small tiger": "6", "big tiger": "6", "tiger tie": "6", 4: "4", P4: "4", B4: "4",
};

const badgeOf = ({ badges = [] }: Bead | Stone): string => badges.map((event) => BADGES[event]).find(Boolean) ?? "";

/** How far a letter goes down and to the left, so that a wide badge does not lie on it. */
const aside = (one: Bead | Stone, cell: number): number => (badgeOf(one).length > 1 ? cell * 0.09 : 0);

function badge(one: Bead | Stone, x: number, y: number, cell: number): string {
  const text = badgeOf(one);
  if (text === "") return "";
  const width = cell * (text.length > 1 ? 0.46 : 0.4);
  const right = x + cell * 0.46;
  return (
    `<rect x="${round(right - width)}" y="${round(y - cell * 0.47)}" width="${round(width)}" height="${round(cell * 0.38)}" rx="${round(cell * 0.1)}" ${paint({ fill: "brass" })}/>` +
    letter(text, right - width / 2, y - cell * 0.285, cell * 0.33, "on-brass")
  );
}

function bead(one: Bead, x: number, y: number, cell: number, signs: boolean): string {
  const disc = `<circle cx="${round(x)}" cy="${round(y)}" r="${round(cell * 0.41)}" ${paint({ fill: FILLS[one.outcome], stroke: LINES[one.outcome] })} stroke-width="${round(cell * 0.06)}"/>`;
  const name = signs
    ? signPath(one.outcome, x - cell * 0.26 - aside(one, cell), y - cell * 0.27 + aside(one, cell), cell * 0.52, { paint: paint({ fill: "on-side" }), weight: 13 })
    : letter(LETTERS[one.outcome], x - aside(one, cell), y + aside(one, cell), cell * 0.5, "on-side");
  return disc + name + pairDots(one, x, y, cell) + badge(one, x, y, cell);
}

/** A stroke through the cell, with the number of ties from two on; larger where no stone is under it. */
function tieStroke(ties: number, x: number, y: number, cell: number, alone = false): string {
  const r = cell * 0.34;
  const stroke = `<path d="M${round(x - r)} ${round(y + r)}L${round(x + r)} ${round(y - r)}" ${paint({ stroke: "tie-mark" })} stroke-width="${round(Math.max(1.5, cell * 0.11))}" stroke-linecap="round"/>`;
  if (ties < 2 || cell < ROOM_FOR_NUMBERS) return stroke;
  const number = letter(String(ties), x, y, cell * (alone ? 0.42 : 0.38), "tie-mark");
  return `${stroke}<circle cx="${round(x)}" cy="${round(y)}" r="${round(cell * (alone ? 0.26 : 0.2))}" ${paint({ fill: "road-ground" })}/>${number}`;
}

function stone(one: Stone, x: number, y: number, cell: number): string {
  const line = LINES[one.side];
  const roomy = cell >= ROOM_FOR_LETTERS;
  const ring = `<circle cx="${round(x)}" cy="${round(y)}" r="${round(cell * 0.37)}" ${paint({ stroke: line })} stroke-width="${round(Math.max(1.6, cell * 0.12))}"/>`;
  let name = "";
  if (roomy && !one.ties) name = letter(LETTERS[one.side], x - aside(one, cell), y + aside(one, cell), cell * 0.42, line);
  else if (one.side === "player") name = cut(x, y, cell, Math.max(1.6, cell * 0.16));
  const ties = one.ties ? tieStroke(one.ties, x, y, cell) : "";
  return ring + name + ties + pairDots(one, x, y, cell) + (roomy ? badge(one, x, y, cell) : "");
}

/** The ground and its lines; a printed cell of a derived road holds two by two marks. */
function grid(columns: number, cell: number, every: number): string {
  const [width, height] = [columns * cell, ROWS * cell];
  let lines = "";
  for (let x = 0; x <= columns; x += every) lines += `M${round(x * cell)} 0V${round(height)}`;
  for (let y = 0; y <= ROWS; y += every) lines += `M0 ${round(y * cell)}H${round(width)}`;
  return `<rect width="${round(width)}" height="${round(height)}" ${paint({ fill: "road-ground" })}/><path d="${lines}" ${paint({ stroke: "road-line" })} stroke-width="1" shape-rendering="crispEdges"/>`;
}

/** How many columns are left out at the left so that the last ones fit: whole printed cells. */
export function cropped(marks: readonly { col: number }[], columns: number, every: number): number {
  const used = 1 + Math.max(-1, ...marks.map((mark) => mark.col));
  return Math.ceil(Math.max(0, used - columns) / every) * every;
}

export interface RoadOptions {
  readonly columns?: number;
  /** The side of a cell. */
  readonly cell?: number;
  /** Beads say 庄 闲 和, not B P T. */
  readonly signs?: boolean;
  readonly language?: Language;
  /** The roads with one coup more, whose new marks blink twice: what pressing an ask mark shows. */
  readonly asked?: Roads;
}

/** One road of a shoe. */
export function road(roads: Roads, kind: RoadKind, options: RoadOptions = {}): Drawing {
  const { columns = 20, cell = 20, signs = false, language = "en", asked } = options;
  const shown = asked ?? roads;
  const every = kind === "bead" || kind === "big" ? 1 : 2;
  const first = cropped(shown[kind], columns, every);
  const known = roads[kind].length;
  const draw = <Mark extends Cell>(marks: readonly Mark[], one: (mark: Mark, x: number, y: number) => string) =>
    marks
      .map((mark, i) => {
        if (mark.col < first) return "";
        const body = one(mark, (mark.col - first + 0.5) * cell, (mark.row + 0.5) * cell);
        return i < known ? body : `<g class="asked">${body}</g>`;
      })
      .join("");
  let marks: string;
  if (kind === "bead") marks = draw(shown.bead, (mark, x, y) => bead(mark, x, y, cell, signs));
  else if (kind !== "big") marks = draw(shown[kind], (mark, x, y) => derivedMark(kind, mark.colour, x, y, cell));
  else if (shown.big.length || !shown.leading_ties) marks = draw(shown.big, (mark, x, y) => stone(mark, x, y, cell));
  else marks = tieStroke(shown.leading_ties, cell / 2, cell / 2, cell, true);
  const body = grid(columns, cell, every) + marks;
  return drawing(`road road-${kind}`, round(columns * cell), round(ROWS * cell), body, summary(kind, roads, language));
}

/** The road in words: how many rounds, how they went, and the current streak. */
export function summary(kind: RoadKind, roads: Roads, language: Language = "en"): string {
  const count = (winner: Winner) => roads.bead.filter((one) => one.outcome === winner).length;
  const [banker, player, tie] = [count("banker"), count("player"), count("tie")];
  const streak = currentStreak(roads);
  const name = ROAD_NAMES[kind][language];
  return `${name}${language === "zh" ? "。" : ". "}${told(language, { rounds: roads.bead.length, banker, player, tie })}${run(language, streak)}`;
}

interface Counts {
  rounds: number;
  banker: number;
  player: number;
  tie: number;
}

function told(language: Language, { rounds, banker, player, tie }: Counts): string {
  const said: Record<Language, string> = {
    en: `${rounds} ${rounds === 1 ? "round" : "rounds"}: Banker ${banker}, Player ${player}, Tie ${tie}.`,
    zh: `共 ${rounds} 局：庄 ${banker}，闲 ${player}，和 ${tie}。`,
    ms: `${rounds} pusingan: Banker ${banker}, Pemain ${player}, Seri ${tie}.`,
    ta: `${rounds} சுற்றுகள்: வங்கியாளர் ${banker}, ஆட்டக்காரர் ${player}, சமநிலை ${tie}.`,
  };
  return said[language];
}

function run(language: Language, streak: ReturnType<typeof currentStreak>): string {
  if (!streak) return "";
  const bankers = streak.side === "banker";
  const said: Record<Language, string> = {
    en: ` ${bankers ? "Banker" : "Player"} ${streak.length} in a row.`,
    zh: `${bankers ? "庄" : "闲"}连续 ${streak.length} 局。`,
    ms: ` ${bankers ? "Banker" : "Pemain"} ${streak.length} kali berturut-turut.`,
    ta: ` ${bankers ? "வங்கியாளர்" : "ஆட்டக்காரர்"} தொடர்ந்து ${streak.length} முறை.`,
  };
  return said[language];
}

const COLOURS: Record<Colour, Record<Language, string>> = { 
  red: { en: "red", zh: "红", ms: "merah", ta: "சிவப்பு" },
  blue: { en: "blue", zh: "蓝", ms: "biru", ta: "நீலம்" },
};
const NOTHING: Record<Language, string> = { en: "none", zh: "无", ms: "tiada", ta: "இல்லை" };

/** The marks that the derived roads would get next; a dash where a road has not started. */
export function askMarks(asked: Asked, { cell = 16, language = "en" }: { cell?: number; language?: Language } = {}): Drawing {
  const middle = cell / 2;
  const marks = DERIVED.map((kind, i) => {
    const colour = asked[kind];
    const left = i * (cell + 4);
    if (colour) return derivedMark(kind, colour, left + middle, middle, cell);
    return `<path d="M${round(left + cell * 0.3)} ${round(middle)}h${round(cell * 0.4)}" ${paint({ stroke: "text-3" })} stroke-width="1.5"/>`;
  });
  const words = DERIVED.map((kind) => {
    const colour = asked[kind];
    return `${ROAD_NAMES[kind][language]} ${colour ? COLOURS[colour][language] : NOTHING[language]}`;
  });
  return drawing("askmarks", cell * 3 + 8, cell, marks.join(""), words.join(language === "zh" ? "，" : ", "));
}
