/** What happened to a finished round of one's own that its patron must be told: it is void, or its settlement was put right. */
import type { OwnLine, OwnRound } from "../../../api/types";

export interface Happened {
  kind: "void" | "corrected";
  table: string;
  round: number;
  /** Why a round is void, in the words of the house; null: see the clause. */
  why: string | null;
  clause: string | null;
  /** What came back of a stake, or what its line was before and is now. */
  rows: { stake: number; wager: string; before: number; cents: number }[];
  /** A payment was taken back. */
  reversed: boolean;
  /** The pit decided on a line. */
  decided: boolean;
  cards: readonly (string | null)[];
  die: number | null;
}

type Lines = Pick<OwnRound, "lines" | "corrected">;

/** Lines that are not what they were in the last pay list that was taken back. */
function changed({ lines, corrected }: Lines): Happened["rows"] {
  return lines.flatMap((line) => {
    const before = corrected.findLast(({ stake }) => stake === line.stake);
    if (before === undefined || before.won_cents === line.won_cents) return [];
    return [{ stake: line.stake, wager: line.wager, before: before.won_cents, cents: line.won_cents }];
  });
}

const decidedOn = (lines: readonly OwnLine[]): OwnLine | undefined => lines.find(({ corrected }) => corrected !== null);

/** A settlement that was put right, of a round that is over or is being paid; null: nothing changed for this patron. */
export function correctedOf(table: string, round: number, lines: Lines): Happened | null {
  const rows = changed(lines);
  if (rows.length === 0) return null;
  const decided = decidedOn(lines.lines);
  return { kind: "corrected", table, round, why: null, clause: decided?.corrected || null, rows, reversed: false, decided: decided !== undefined, cards: [], die: null };
}

/** What is to be told of a finished round; null: nothing but its result. */
export function happenedIn(round: OwnRound & { table: string }): Happened | null {
  if (round.void === null) return correctedOf(round.table, round.round, round);
  if (round.stakes.length === 0) return null;
  const rows = round.stakes.map(({ stake, wager, cents }) => ({ stake, wager, before: 0, cents }));
  return { kind: "void", table: round.table, round: round.round, why: round.void.why, clause: round.void.clause, rows, reversed: round.corrected.length > 0, decided: false, cards: round.cards, die: round.die };
}

/** What was read last at a table. */
export interface Read {
  round: number;
  what: string;
}

/** What tells one thing that happened in a round from another: a round is put right twice, or void after that. */
export const whatOf = ({ kind, clause, rows }: Happened): string => [kind, clause ?? "", ...rows.map(({ stake, before, cents }) => `${stake}:${before}:${cents}`)].join(" ");

export const wasRead = (of: Happened, read: Read | null): boolean => read !== null && (of.round < read.round || (of.round === read.round && whatOf(of) === read.what));

/** What is still to be told at a table: of the newest round of one's own there, until it was read. */
export function toTell(rounds: readonly (OwnRound & { table: string })[] | null, table: string, read: Read | null): Happened | null {
  const newest = rounds?.find((round) => round.table === table);
  const found = newest === undefined ? null : happenedIn(newest);
  return found === null || wasRead(found, read) ? null : found;
}
