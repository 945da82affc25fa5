// Roads as data: where each mark of a shoe lies. Names are those of the roads document of the
// server. Roads are information only: they forecast nothing.

export type Side = "player" | "banker";
export type Winner = Side | "tie";
/** Red is regular, blue is not. Red is not Banker. */
export type Colour = "red" | "blue";

export const DERIVED = ["big_eye", "small", "cockroach"] as const;
export type DerivedRoad = (typeof DERIVED)[number];
export type RoadKind = "bead" | "big" | DerivedRoad;

/** One coup as roads see it; void coups are left out before. */
export interface Coup {
  readonly winner: Winner;
  readonly player_pair?: boolean;
  readonly banker_pair?: boolean;
  /** Events that a game shows beside the result, such as a Tiger or a Power hand. */
  readonly badges?: readonly string[];
}

export interface Cell {
  readonly col: number;
  readonly row: number;
}

interface Flags {
  readonly player_pair: boolean;
  readonly banker_pair: boolean;
  readonly badges?: readonly string[];
}

/** A disc of the bead plate. */
export interface Bead extends Cell, Flags {
  readonly outcome: Winner;
}

/** A ring of the big road: a coup with a winner, and the ties that followed it. */
export interface Stone extends Cell, Flags {
  readonly side: Side;
  readonly ties: number;
}

export interface DerivedMark extends Cell {
  readonly colour: Colour;
}

/** The colour that each derived road would get next. */
export type Asked = Record<DerivedRoad, Colour | null>;

export interface Roads extends Record<DerivedRoad, readonly DerivedMark[]> {
  readonly bead: readonly Bead[];
  /** Ties before the first winner; the first stone shows them once it is there. */
  readonly leading_ties: number;
  readonly big: readonly Stone[];
  readonly ask: Record<Side, Asked>;
}

/** Every road has six rows and as many columns as it needs. */
export const ROWS = 6;

/** How many streaks back a derived road compares. */
const BACK: Record<DerivedRoad, number> = { big_eye: 1, small: 2, cockroach: 3 };

/** Compute every road of a shoe. */
export function drawRoads(coups: readonly Coup[]): Roads {
  const lengths = streakLengths(coups);
  const firstWinner = coups.findIndex((coup) => coup.winner !== "tie");
  return {
    bead: beadPlate(coups),
    leading_ties: firstWinner < 0 ? coups.length : firstWinner,
    big: bigRoad(coups),
    big_eye: derivedRoad(lengths, "big_eye"),
    small: derivedRoad(lengths, "small"),
    cockroach: derivedRoad(lengths, "cockroach"),
    ask: { player: ask(coups, lengths, "player"), banker: ask(coups, lengths, "banker") },
  };
}

function flags({ player_pair = false, banker_pair = false, badges }: Coup): Flags {
  return badges?.length ? { player_pair, banker_pair, badges } : { player_pair, banker_pair };
}

/** Every coup, ties too, column by column. */
function beadPlate(coups: readonly Coup[]): Bead[] {
  return coups.map((coup, i) => ({ col: Math.floor(i / ROWS), row: i % ROWS, outcome: coup.winner, ...flags(coup) }));
}

/** Every coup with a winner, streak by streak; ties are counted on the last stone. */
function bigRoad(coups: readonly Coup[]): Stone[] {
  const stones: { side: Side; ties: number; flags: Flags }[] = [];
  let leading = 0;
  for (const coup of coups) {
    const last = stones.at(-1);
    if (coup.winner !== "tie") stones.push({ side: coup.winner, ties: last ? 0 : leading, flags: flags(coup) });
    else if (last) last.ties += 1;
    else leading += 1;
  }
  return place(stones, (stone) => stone.side).map(([cell, { side, ties, flags }]) => ({ ...cell, side, ties, ...flags }));
}

/** Place marks by the rule of the big road. Equal kinds go down; where the way down is barred they
 * turn right and keep to that row until the streak ends. A new streak starts right of where the
 * last one started. */
function place<Mark>(marks: readonly Mark[], kindOf: (mark: Mark) => string): [Cell, Mark][] {
  const taken = new Set<string>();
  const free = (col: number, row: number) => !taken.has(`${col},${row}`);
  let [start, col, row, turned] = [-1, 0, 0, false];
  let last: string | null = null;
  return marks.map((mark) => {
    const kind = kindOf(mark);
    if (kind !== last) {
      do start += 1;
      while (!free(start, 0));
      [col, row, turned] = [start, 0, false];
    } else if (!turned && row + 1 < ROWS && free(col, row + 1)) row += 1;
    else [col, turned] = [col + 1, true];
    taken.add(`${col},${row}`);
    last = kind;
    return [{ col, row }, mark];
  });
}

/** The lengths of the streaks, ties ignored; a dragon is one streak. */
function streakLengths(coups: readonly Coup[]): number[] {
  const lengths: number[] = [];
  let last: Winner = "tie";
  for (const { winner } of coups) {
    if (winner === "tie") continue;
    if (winner === last) lengths[lengths.length - 1] = (lengths.at(-1) ?? 0) + 1;
    else lengths.push(1);
    last = winner;
  }
  return lengths;
}

/** The mark that a stone makes, if any: `depth` counts from 1 within its streak. */
function derivedColour(lengths: readonly number[], streak: number, depth: number, back: number): Colour | null {
  if (depth === 1) {
    if (streak - 1 - back < 0) return null;
    return lengths[streak - 1] === lengths[streak - 1 - back] ? "red" : "blue";
  }
  if (streak - back < 0) return null;
  return lengths[streak - back] === depth - 1 ? "blue" : "red";
}

function derivedRoad(lengths: readonly number[], road: DerivedRoad): DerivedMark[] {
  const colours = lengths.flatMap((length, streak) =>
    Array.from({ length }, (_, i) => derivedColour(lengths, streak, i + 1, BACK[road])).filter((colour) => colour !== null),
  );
  return place(colours, (colour) => colour).map(([cell, colour]) => ({ ...cell, colour }));
}

/** The marks that the next stone would make if this side won; the shoe is left as it is. */
function ask(coups: readonly Coup[], lengths: readonly number[], side: Side): Asked {
  const last = coups.findLast((coup) => coup.winner !== "tie");
  const depth = last?.winner === side ? (lengths.at(-1) ?? 0) + 1 : 1;
  const after = depth > 1 ? [...lengths.slice(0, -1), depth] : [...lengths, depth];
  const next = (road: DerivedRoad) => derivedColour(after, after.length - 1, depth, BACK[road]);
  return { big_eye: next("big_eye"), small: next("small"), cockroach: next("cockroach") };
}

const LETTERS: Record<string, Winner> = { P: "player", B: "banker", T: "tie" };

/** Read outcomes such as `B P T B+bp P+pp+bp`; a badge is written behind: `B+6`. */
export function parseCoups(text: string): Coup[] {
  return text.split(/[\s,]+/).filter(Boolean).map((one) => {
    const [letter = "", ...events] = one.split("+");
    const winner = LETTERS[letter.toUpperCase()];
    if (!winner) throw new RangeError(`"${one}" is not an outcome; write P, B or T, with +pp and +bp for pairs.`);
    const badges = events.filter((event) => event !== "pp" && event !== "bp");
    return { winner, player_pair: events.includes("pp"), banker_pair: events.includes("bp"), badges };
  });
}

/** The coups with a winner at the end that went the same way. */
export function currentStreak(roads: Roads): { side: Side; length: number } | null {
  const last = roads.big.at(-1);
  if (!last) return null;
  const before = roads.big.findLastIndex((stone) => stone.side !== last.side);
  return { side: last.side, length: roads.big.length - 1 - before };
}
