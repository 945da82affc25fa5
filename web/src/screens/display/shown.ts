/** What a display shows of a table, decided without a page. */
import type { CardShown, PublicView, Side, WagerShown } from "../../api/types";
import { handsOf } from "../terminal/model/outcome";
import { joined, paysOf } from "../terminal/model/spots";

export interface Hand {
  cards: (string | null)[];
  points: number | null;
}

export interface Hands {
  player: Hand;
  banker: Hand;
  /** They are those of the last round, as no card of this one lies yet. */
  last: boolean;
}

const faces = (cards: readonly CardShown[]): (string | null)[] => cards.map(({ face }) => face ?? null);

/** The hands on the table; between rounds those of the last one, if any. */
export function handsShown(view: Pick<PublicView, "hands" | "results">): Hands {
  const of = (side: Side) => view.hands.find((hand) => hand.side === side);
  const [player, banker] = [of("player"), of("banker")];
  const some = (player?.cards.length ?? 0) + (banker?.cards.length ?? 0) > 0;
  const before = view.results.findLast((result) => !result.void);
  if (!some && before !== undefined) {
    const laid = handsOf(before);
    return { player: { cards: laid.player, points: before.player }, banker: { cards: laid.banker, points: before.banker }, last: true };
  }
  return {
    player: { cards: faces(player?.cards ?? []), points: player?.points ?? null },
    banker: { cards: faces(banker?.cards ?? []), points: banker?.points ?? null },
    last: false,
  };
}

export interface Ending {
  winner: "player" | "banker" | "tie";
  player: number;
  banker: number;
  natural: boolean;
  round: number | null;
}

/** The outcome that stands: of this round, else of the last one that was not void. */
export function endingOf(view: Pick<PublicView, "outcome" | "results" | "round" | "hands">): Ending | null {
  const { outcome } = view;
  if (outcome != null) {
    const natural = Math.max(outcome.player, outcome.banker) >= 8 && view.hands.every(({ cards }) => cards.length === 2);
    return { ...outcome, natural, round: view.round };
  }
  const before = view.results.findLast((result) => !result.void);
  if (before === undefined || before.winner == null || before.player == null || before.banker == null) return null;
  if (view.hands.some(({ cards }) => cards.length > 0)) return null;
  return { winner: before.winner, player: before.player, banker: before.banker, natural: before.natural, round: before.round };
}

/** A part of a whole in per cent with one decimal; a whole of nothing has 0.0. */
export const share = (part: number, whole: number): string => (whole === 0 ? 0 : (100 * part) / whole).toFixed(1);

export interface Limit {
  slugs: string[];
  names: string[];
  /** What it pays, as at a terminal. */
  pays: string;
  minimum: number;
  maximum: number;
}

/** What a display calls a part of the odds. */
export interface OddsWords {
  push: string;
  on: (total: number, pays: string) => string;
}

/** What a wager pays in the order of a terminal; what a Power hand adds is left out. */
const written = (wager: WagerShown, words: OddsWords): string =>
  joined(
    paysOf(wager, false).map((one) => {
      const pays = one.push ? words.push : one.pays;
      return one.on === null ? pays : words.on(one.on, pays);
    }),
  );

const MAIN = ["player", "banker", "tie"];

/** The wagers of a table with odds and limits: main ones first, then those of a kind together. */
export function limitsOf(wagers: readonly WagerShown[], words: OddsWords): Limit[] {
  const rank = ({ slug }: WagerShown): number => (MAIN.includes(slug) ? MAIN.indexOf(slug) : MAIN.length);
  const lines: Limit[] = [];
  for (const wager of [...wagers].sort((a, b) => rank(a) - rank(b))) {
    const { minimum_cents: minimum, maximum_cents: maximum, slug, name } = wager;
    const pays = written(wager, words);
    const same = lines.find(
      (line) => !MAIN.includes(slug) && !MAIN.includes(line.slugs[0] ?? "") && line.pays === pays && line.minimum === minimum && line.maximum === maximum,
    );
    if (same === undefined) lines.push({ slugs: [slug], names: [name], pays, minimum, maximum });
    else {
      same.slugs.push(slug);
      same.names.push(name);
    }
  }
  return lines;
}

const SIDED = /^(?:Player|Banker) /;

/** The wagers of a line in few words: where both sides have the same, they are named once. */
export function lineName({ names }: Pick<Limit, "names">): string {
  const bare = [...new Set(names.map((name) => name.replace(SIDED, "")))];
  const both = bare.every((name) => names.includes(`Player ${name}`) && names.includes(`Banker ${name}`));
  return both ? `Player, Banker ${bare.join(", ")}` : names.join(", ");
}

/** The same in Chinese, from the names of the wagers there. */
export function lineChinese(names: readonly string[]): string {
  const bare = [...new Set(names.map((name) => name.replace(/^[闲庄]/, "")))];
  const both = names.length > 1 && bare.every((name) => names.includes(`闲${name}`) && names.includes(`庄${name}`));
  return both ? `闲庄${bare.join("、")}` : names.join("、");
}

const CORNERS: readonly (readonly [number, number])[] = [[0, 0], [2, 0], [2, 2], [0, 2], [-2, 2], [-2, 0], [-2, -2], [0, -2]];
const SHIFT_MS = 60_000;

/** By how many pixels the picture stands aside now, so that no edge burns in. */
export const shiftAt = (time: number): readonly [number, number] => CORNERS[Math.floor(time / SHIFT_MS) % CORNERS.length] ?? [0, 0];
