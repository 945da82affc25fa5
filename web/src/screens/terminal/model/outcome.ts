/** Results and settlements as facts that words are made of. */
import type { OwnLine, OwnRound, ResultShown, SocketSchemas } from "../../../api/types";

type Outcome = SocketSchemas["OutcomeShown"];
export type Winner = Outcome["winner"];

export interface Told {
  winner: Winner;
  high: number;
  low: number;
}

export function told(outcome: Pick<Outcome, "player" | "banker" | "winner">): Told {
  const { player, banker, winner } = outcome;
  return winner === "banker" ? { winner, high: banker, low: player } : { winner, high: player, low: banker };
}

/** The newest result that is not void. */
export const lastOf = (results: readonly ResultShown[]): ResultShown | undefined => results.findLast((result) => !result.void);

export type SpotResult = "wins" | "loses" | "pushes";

export interface Settled {
  result: SpotResult;
  /** Net; what was collected is negative. */
  net: number;
  staked: number;
  /** The row that applied, its odds and clause. */
  row: string | null;
  pays: string | null;
  clause: string | null;
}

/** What the settlement did to the own stakes on each wager. */
export function settledOf(lines: readonly OwnLine[]): Record<string, Settled> {
  const found: Record<string, Settled> = {};
  for (const line of lines) {
    const before = found[line.wager];
    const net = (before?.net ?? 0) + line.won_cents;
    const result = line.result as SpotResult;
    const { row, pays, clause } = line;
    found[line.wager] = { result, net, staked: (before?.staked ?? 0) + line.cents, row, pays, clause };
  }
  return found;
}

export const netOf = (lines: readonly OwnLine[]): number => lines.reduce((net, line) => net + line.won_cents, 0);

/** What came back of a line: stake and winnings, or what of the stake was not settled. */
export function returnedOf(line: OwnLine): number {
  return line.result === "loses" ? line.cents - line.settled_cents : line.cents + line.won_cents;
}

/** The own net result of a finished round. */
export const roundNet = (round: OwnRound): number => (round.void === null ? netOf(round.lines) : 0);

export const staked = (round: OwnRound): number => round.stakes.reduce((total, stake) => total + stake.cents, 0);

/** The rows of a pay list, beginning with what was won. */
export function paidWords(lines: readonly OwnLine[]): OwnLine[] {
  const order: Record<string, number> = { wins: 0, pushes: 1, loses: 2 };
  return [...lines].sort((a, b) => (order[a.result] ?? 3) - (order[b.result] ?? 3));
}

/** Which places the cards of a finished round lie in, in the order in which they count. */
export function handsOf(round: Pick<OwnRound, "cards" | "player" | "banker">): { player: (string | null)[]; banker: (string | null)[] } {
  const [p1, b1, p2, b2, fifth, sixth] = round.cards;
  const given = (cards: (string | null | undefined)[]): (string | null)[] => cards.filter((card): card is string | null => card !== undefined);
  const player = given([p1, p2]);
  const banker = given([b1, b2]);
  if (fifth === undefined) return { player, banker };
  if (sixth !== undefined) return { player: [...player, fifth], banker: [...banker, sixth] };
  // Of five cards the fifth is the Player's, unless the Player stood on 6 or 7.
  return pointsOf(player) >= 6 ? { player, banker: [...banker, fifth] } : { player: [...player, fifth], banker };
}

const PICTURES: Record<string, number> = { A: 1, T: 0, J: 0, Q: 0, K: 0, Shou: 0, Lu: 0, Fu: 0 };

export function pointsOf(cards: readonly (string | null)[]): number {
  const points = cards.map((card) => {
    if (card === null) return 0;
    const rank = card.includes("-") ? card.slice(0, card.indexOf("-")) : card.slice(0, -1);
    return PICTURES[rank] ?? Number(rank) % 10;
  });
  return points.reduce((a, b) => a + b, 0) % 10;
}
